#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

using namespace sudar;

namespace {

double volume(const Mesh& mesh) {
  double six = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle<3, double> c = mesh.corners(t);
    six += dot(c.a, cross(c.b, c.c));
  }
  return six / 6;
}

}  // namespace

TEST(MeshMakers, AllAreClosedManifoldAndOutward) {
  struct Case {
    const char* name;
    Result<Mesh> mesh;
    std::size_t triangles;
    std::int64_t genus;
  };
  const Case cases[] = {
      {"box", box_mesh({1, 2, 3}), 12, 0},
      {"tetrahedron", tetrahedron_mesh({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 4, 0},
      {"tetrahedron turned", tetrahedron_mesh({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), 4, 0},
      {"octahedron", octahedron_mesh(2), 8, 0},
      {"uv sphere least", uv_sphere_mesh(1, 3, 2), 6, 0},
      {"uv sphere", uv_sphere_mesh(0.5, 32, 17), 2 * 32 * 16, 0},
      {"icosahedron", icosphere_mesh(1, 0), 20, 0},
      {"icosphere", icosphere_mesh(3, 3), 20 * 64, 0},
      {"torus least", torus_mesh(1, 0.2, 3, 3), 18, 1},
      {"torus", torus_mesh(2, 0.5, 40, 20), 1600, 1},
      {"cylinder", cylinder_mesh(1, 2, 24), 96, 0},
      {"cone", cone_mesh(1, 2, 24), 48, 0},
  };
  for (const Case& c : cases) {
    ASSERT_TRUE(c.mesh.ok()) << c.name;
    const MeshReport r = *check_surface(*c.mesh);
    EXPECT_TRUE(r.solid() && r.manifold()) << c.name;
    EXPECT_FALSE(r.degenerate_triangles || r.duplicate_triangles || r.unused_vertices) << c.name;
    EXPECT_EQ(r.triangles, c.triangles) << c.name;
    EXPECT_EQ(r.genus(), c.genus) << c.name;
    EXPECT_GT(volume(*c.mesh), 0) << c.name;
  }
}

TEST(MeshMakers, VerticesLieOnTheTrueSurface) {
  const Mesh ico = *icosphere_mesh(3, 3), uv = *uv_sphere_mesh(2, 17, 9), torus = *torus_mesh(2, 0.5, 17, 9);
  for (const Vec3d& v : ico.vertices) EXPECT_NEAR(length(v), 3, 1e-14);
  for (const Vec3d& v : uv.vertices) EXPECT_NEAR(length(v), 2, 1e-14);
  for (const Vec3d& v : torus.vertices) EXPECT_NEAR(std::hypot(std::hypot(v.x, v.y) - 2, v.z), 0.5, 1e-14);
}

TEST(MeshMakers, RefuseNonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_EQ(box_mesh({1, bad, 1}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(octahedron_mesh(bad).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(uv_sphere_mesh(bad, 8, 8).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(icosphere_mesh(bad, 1).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(torus_mesh(bad, 0.5, 8, 8).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(torus_mesh(1, bad, 8, 8).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(cylinder_mesh(1, bad, 8).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(cone_mesh(bad, 1, 8).error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(torus_mesh(1, 1, 8, 8).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(torus_mesh(1.5e308, 1e308, 8, 8).error().code, ErrorCode::invalid_argument);
  const Mesh large = *torus_mesh(1e308, 0.7e308, 8, 8);
  for (const Vec3d& v : large.vertices) EXPECT_TRUE(is_finite(v));
  EXPECT_EQ(uv_sphere_mesh(1, 2, 8).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(cylinder_mesh(1, 1, 0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(tetrahedron_mesh({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 5, 1}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(tetrahedron_mesh({0, 0, 0}, {1, 1, 1}, {2, nan, 2}, {0, 5, 1}).error(), (Error{ErrorCode::non_finite, 2}));
  const std::uint32_t absurd = 0xffffffffu;
  EXPECT_EQ(uv_sphere_mesh(1, absurd, absurd).error().code, ErrorCode::too_large);
  EXPECT_EQ(icosphere_mesh(1, absurd).error().code, ErrorCode::too_large);
  EXPECT_EQ(icosphere_mesh(1, 15).error().code, ErrorCode::too_large);
  EXPECT_EQ(torus_mesh(2, 1, absurd, absurd).error().code, ErrorCode::too_large);
  EXPECT_EQ(cylinder_mesh(1, 1, absurd).error().code, ErrorCode::too_large);
  EXPECT_EQ(cone_mesh(1, 1, absurd).error().code, ErrorCode::too_large);
}

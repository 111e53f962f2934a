#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/point_in_mesh.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

constexpr int kSide = 4;

// A body of unit cubes, its surface as triangles
struct Voxels {
  std::array<bool, kSide * kSide * kSide> solid{};

  bool at(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0 || x >= kSide || y >= kSide || z >= kSide) return false;
    return solid[static_cast<std::size_t>((x * kSide + y) * kSide + z)];
  }
  // How many of the (up to eight) cells around a point given in half units are solid, and how many there are
  Containment locate(int hx, int hy, int hz) const {
    int full = 0, cells = 0;
    for (int x : {hx - 1, hx})
      for (int y : {hy - 1, hy})
        for (int z : {hz - 1, hz}) {
          ++cells;
          full += at(x >> 1, y >> 1, z >> 1);
        }
    return full == cells ? Containment::inside : full == 0 ? Containment::outside : Containment::boundary;
  }

  // Vertices in half units, so that lattice points are integers
  Mesh surface() const {
    Mesh mesh;
    for (int x = 0; x < kSide; ++x)
      for (int y = 0; y < kSide; ++y)
        for (int z = 0; z < kSide; ++z) {
          if (!at(x, y, z)) continue;
          const int cell[3] = {x, y, z};
          for (int axis = 0; axis < 3; ++axis)
            for (int up = 0; up < 2; ++up) {
              int neighbour[3] = {x, y, z};
              neighbour[axis] += up ? 1 : -1;
              if (at(neighbour[0], neighbour[1], neighbour[2])) continue;
              const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
              for (int corner = 0; corner < 4; ++corner) {
                // Around the face, counterclockwise seen from +axis
                const int s = corner == 1 || corner == 2, t = corner >= 2;
                Vec3d v;
                v[axis] = 2 * (cell[axis] + up);
                v[(axis + 1) % 3] = 2 * (cell[(axis + 1) % 3] + s);
                v[(axis + 2) % 3] = 2 * (cell[(axis + 2) % 3] + t);
                mesh.vertices.push_back(v);
              }
              const std::uint32_t b = up ? 1 : 3, d = up ? 3 : 1;
              // Either diagonal
              if ((x + y + z) % 2)
                mesh.triangles.insert(mesh.triangles.end(),
                                      {{first, first + b, first + 2}, {first, first + 2, first + d}});
              else
                mesh.triangles.insert(mesh.triangles.end(),
                                      {{first + b, first + 2, first + d}, {first + b, first + d, first}});
            }
        }
    return mesh;
  }
};

// Integer matrices with determinant 1: lattice points stay lattice points, axis-parallel faces become slanted
Vec3d shear(const Vec3d& v, int kind) {
  switch (kind) {
    case 0:
      return v;
    case 1:
      return {v.x + v.y, v.y + v.z, v.z};
    case 2:
      return {v.x, v.y + 2 * v.x, v.z - v.x + v.y};
    default:
      return {v.x + v.z, v.x + v.y + v.z, v.y + v.z};
  }
}

}  // namespace

// Oracle: the cells around the point. Every point of the half-unit lattice is asked: vertices, edges, diagonals, faces,
// and rays that run through all of them and along walls.
TEST(PointInMesh, ExactOnBodiesOfCubes) {
  Random random(campaign_seed(51));
  for (int round = 0; round < 40; ++round) {
    Voxels voxels;
    for (bool& cell : voxels.solid) cell = random.below(10) < 4;
    voxels.solid[0] = true;
    Mesh mesh = weld(voxels.surface())->mesh;
    ASSERT_TRUE(check_surface(mesh)->solid());
    const int kind = round % 4;
    const double scale = round % 5 == 0 ? 0x1p300 : round % 5 == 1 ? 0x1p-300 : 1;
    for (Vec3d& v : mesh.vertices) v = shear(v, kind) * scale;
    for (int x = -1; x <= 2 * kSide + 1; ++x)
      for (int y = -1; y <= 2 * kSide + 1; ++y)
        for (int z = -1; z <= 2 * kSide + 1; ++z) {
          const Containment expected = voxels.locate(x, y, z);
          const Vec3d p = shear(Vec3d{1.0 * x, 1.0 * y, 1.0 * z}, kind) * scale;
          ASSERT_EQ(locate(mesh, p), expected) << round << ": " << x << " " << y << " " << z;
          if (expected == Containment::boundary) continue;
          const int winding = expected == Containment::inside;
          ASSERT_EQ(winding_number(mesh, p), winding);
          if (scale == 1) {
            ASSERT_NEAR(generalized_winding_number(mesh, p), winding, 1e-12);
          }
        }
  }
}

// Oracle: the half-spaces of the same convex body, at random points and at points next to vertices, edges and faces
TEST(PointInMesh, ConvexAgreesWithParityAndWinding) {
  Random random(campaign_seed(52));
  const Mesh bodies[] = {*box_mesh({1, 2, 3}), *octahedron_mesh(2), *icosphere_mesh(2, 1),
                         *transformed(*icosphere_mesh(1.5, 0), {{0.1, 0.2, 0.3}, {0.8, 0, 0.6, 0}})};
  for (const Mesh& mesh : bodies) {
    int seen[3] = {};
    const auto check = [&](const Vec3d& p) {
      const Containment expected = locate_in_convex(mesh, p);
      ++seen[static_cast<int>(expected)];
      ASSERT_EQ(locate(mesh, p), expected);
      if (expected == Containment::boundary) return;
      ASSERT_EQ(winding_number(mesh, p), expected == Containment::inside);
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle<3, double> c = mesh.corners(t);
      check(c.a);
      EXPECT_EQ(locate(mesh, c.a), Containment::boundary);
      for (int i = 0; i < 20; ++i) {
        Vec3d p =
            i % 2 ? lerp(c.a, c.b, random.uniform(-0.5, 1.5)) : c.at(random.uniform(0, 0.5), random.uniform(0, 0.5));
        check(p);
        p.z = next_up(p.z);
        check(p);
        p.x = next_down(p.x);
        check(p);
      }
    }
    for (int i = 0; i < 1000; ++i) {
      const Vec3d p{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
      check(p);
    }
    for (int count : seen) EXPECT_GT(count, 10);
  }
}

// Oracle: |distance to the core circle| against the minor radius, away from the facets
TEST(PointInMesh, Torus) {
  const double R = 2, r = 0.7;
  const Mesh mesh = *torus_mesh(R, r, 64, 48);
  Random random(campaign_seed(53));
  for (int i = 0; i < 3000; ++i) {
    const Vec3d p{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-1, 1)};
    const double d = std::hypot(std::hypot(p.x, p.y) - R, p.z);
    if (std::fabs(d - r) < 0.01) continue;
    const bool inside = d < r;
    ASSERT_EQ(locate(mesh, p), inside ? Containment::inside : Containment::outside);
    ASSERT_EQ(winding_number(mesh, p), inside);
    ASSERT_NEAR(generalized_winding_number(mesh, p), inside, 1e-11);
  }
}

// Oracle: one arc tangent per triangle; half of a sphere in closed form
TEST(PointInMesh, OpenSurfacesGiveFractions) {
  Mesh mesh = *uv_sphere_mesh(1, 24, 12);
  mesh.triangles.resize(mesh.triangles.size() / 2);  // the lower half
  EXPECT_NEAR(generalized_winding_number(mesh, {0, 0, 0}), 0.5, 1e-13);
  EXPECT_NEAR(generalized_winding_number(*flipped(mesh), {0, 0, 0}), -0.5, 1e-13);
  Random random(campaign_seed(54));
  for (int i = 0; i < 500; ++i) {
    const Vec3d p{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    ASSERT_NEAR(generalized_winding_number(mesh, p), generalized_winding_number_plain(mesh, p), 1e-12);
  }
}

TEST(PointInMesh, OverlapsAddUp) {
  const Mesh ball = *icosphere_mesh(1, 2);
  const Mesh twice = *joined(ball, *transformed(ball, {{0.5, 0, 0}, {}}));
  EXPECT_EQ(winding_number(twice, {0.25, 0, 0}), 2);
  EXPECT_EQ(winding_number(twice, {-0.75, 0, 0}), 1);
  EXPECT_NEAR(generalized_winding_number(twice, {0.25, 0, 0}), 2, 1e-12);
  EXPECT_EQ(locate(twice, {0.25, 0, 0}), Containment::outside);  // parity
  EXPECT_EQ(winding_number(*flipped(ball), {0, 0, 0}), -1);
}

TEST(PointInMesh, HalfSpaces) {
  const std::array<Plane<3, double>, 2> slab = {{{{0, 0, 1}, 1}, {{0, 0, -1}, 1}}};
  const std::span<const Plane<3, double>> planes(slab);
  EXPECT_EQ(locate_in_half_spaces<3>(planes, Vec3d{9, 9, 0}), Containment::inside);
  EXPECT_EQ(locate_in_half_spaces<3>(planes, Vec3d{9, 9, 1}), Containment::boundary);
  EXPECT_EQ(locate_in_half_spaces<3>(planes, Vec3d{9, 9, -2}), Containment::outside);
}

TEST(PointInMesh, HostileInput) {
  const Mesh box = *box_mesh({1, 1, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN(), huge = std::numeric_limits<double>::max();
  EXPECT_EQ(locate(box, {nan, 0, 0}), Containment::outside);
  EXPECT_EQ(locate_in_convex(box, {0, nan, 0}), Containment::outside);
  EXPECT_EQ(winding_number(box, {0, 0, nan}), 0);
  EXPECT_EQ(generalized_winding_number(box, {nan, 0, 0}), 0);
  EXPECT_EQ(locate(box, {huge, huge, -huge}), Containment::outside);
  EXPECT_EQ(locate(Mesh{}, {0, 0, 0}), Containment::outside);
  EXPECT_EQ(locate_in_convex(Mesh{}, {0, 0, 0}), Containment::outside);
  // Flat and repeated triangles in the surface change nothing
  Mesh dirty = box;
  dirty.vertices.push_back({0, 0, 1});
  dirty.triangles.push_back({4, 4, 7});
  dirty.triangles.push_back({4, 8, 7});
  for (double x : {-1.5, -1.0, -0.25, 0.0, 1.0, 1.5})
    for (double z : {-2.0, 0.0, 1.0, 2.0}) {
      EXPECT_EQ(locate(dirty, {x, x, z}), locate(box, {x, x, z}));
      EXPECT_EQ(locate_in_convex(dirty, {x, x, z}), locate_in_convex(box, {x, x, z}));
    }
}

TEST(PointInMesh, FlatConvexBodiesAreAllSurface) {
  // A triangle seen from both sides
  const Mesh sheet{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(locate_in_convex(sheet, {1, 1, 0}), Containment::boundary);
  EXPECT_EQ(locate_in_convex(sheet, {4, 0, 0}), Containment::boundary);
  EXPECT_EQ(locate_in_convex(sheet, {3, 3, 0}), Containment::outside);
  EXPECT_EQ(locate_in_convex(sheet, {1, 1, 1}), Containment::outside);
  // Nothing but a segment
  const Mesh needle{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(locate_in_convex(needle, {1, 0, 0}), Containment::boundary);
  EXPECT_EQ(locate_in_convex(needle, {3, 0, 0}), Containment::outside);
  EXPECT_EQ(locate_in_convex(needle, {5, 5, 5}), Containment::outside);
}

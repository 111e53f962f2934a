// What:    Approximate convex parts of solid meshes. Oracles: volumes by hand; random points of the solid, each of which
//          must be in a part.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/shapes/convex_parts3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

// A polygon of the plane, raised from z = 0 to z = 1; triangles of its inside are given
Mesh prism(const std::vector<Vec2d>& polygon, const std::vector<MeshTriangle>& inside) {
  Mesh mesh;
  const std::uint32_t n = static_cast<std::uint32_t>(polygon.size());
  for (const double z : {0., 1.})
    for (const Vec2d& p : polygon) mesh.vertices.push_back({p.x, p.y, z});
  for (const MeshTriangle& t : inside) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({n + t[0], n + t[1], n + t[2]});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

bool in_some_part(const ConvexParts3& parts, const Vec3d& p, double room) {
  for (const auto& body : parts.parts) {
    bool inside = true;
    for (const auto& plane : body->hull().planes) inside = inside && signed_distance(plane, p) <= room;
    if (inside) return true;
  }
  return false;
}

}  // namespace

TEST(ConvexParts3, AConvexBodyIsOnePart) {
  const ConvexParts3 box = *convex_parts3(*box_mesh({1, 2, 3}));
  ASSERT_EQ(box.parts.size(), 1u);
  EXPECT_NEAR(box.excess, 0, 1e-12);
  EXPECT_NEAR(box.concavity, 0, 1e-12);
  EXPECT_EQ(convex_parts3(*icosphere_mesh(1, 2), {.concavity = 1e-9})->parts.size(), 1u);
}

TEST(ConvexParts3, AnLIsTwoBoxesExactly) {
  // Area 1 + 2 = 3 of a hull of 3.5
  const std::vector<Vec2d> l = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const Mesh mesh = prism(l, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}});
  const ConvexParts3 one = *convex_parts3(mesh, {.max_parts = 1});
  EXPECT_EQ(one.parts.size(), 1u);
  EXPECT_NEAR(one.excess, 3.5 / 3 - 1, 1e-12);
  // From the inner corner it is 1 along either side until the slant
  EXPECT_NEAR(one.concavity, 1, 1e-12);
  const ConvexParts3 two = *convex_parts3(mesh, {.max_parts = 8});
  EXPECT_EQ(two.parts.size(), 2u);
  EXPECT_NEAR(two.excess, 0, 1e-12);
  EXPECT_NEAR(two.concavity, 0, 1e-12);
  const Shape3 shape = *make_compound3(two);
  EXPECT_EQ(shape.as<CompoundShape3>().parts->children().size(), 2u);
}

TEST(ConvexParts3, MorePartsFitCloserAndCoverTheSolid) {
  Random random(campaign_seed(1));
  const Mesh torus = *torus_mesh(2, 0.5, 24, 12);
  double before = 1e9;
  std::size_t count_before = 0;
  for (const std::size_t count : {1u, 2u, 4u, 8u, 16u}) {
    const ConvexParts3 parts = *convex_parts3(torus, {.max_parts = count});
    EXPECT_LE(parts.parts.size(), count);
    EXPECT_GE(parts.parts.size(), count_before);
    EXPECT_LE(parts.excess, before + 1e-12);
    EXPECT_EQ(parts.concavities.size(), parts.parts.size());
    before = parts.excess, count_before = parts.parts.size();
    for (int i = 0; i < 400; ++i) {
      const Vec3d p{random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)};
      if (locate(torus, p) != Containment::inside) continue;
      EXPECT_TRUE(in_some_part(parts, p, 1e-12)) << count;
    }
    for (const Vec3d& v : torus.vertices) EXPECT_TRUE(in_some_part(parts, v, 1e-12));
  }
  // Sixteen parts waste less than a fifth of what one does
  EXPECT_LT(before, 0.2 * convex_parts3(torus, {.max_parts = 1})->excess);
}

TEST(ConvexParts3, CutsThatMeetInsideLeaveNoHole) {
  // A ball with dents all around: its middle belongs to several parts, at corners that no surface has
  Random random(campaign_seed(2));
  Mesh star = *icosphere_mesh(1, 2);
  for (Vec3d& v : star.vertices) v *= random.uniform(0.6, 1);
  const ConvexParts3 parts = *convex_parts3(star, {.max_parts = 20});
  EXPECT_GT(parts.parts.size(), 8u);
  int inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3d p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (locate(star, p) != Containment::inside) continue;
    ++inside;
    EXPECT_TRUE(in_some_part(parts, p, 1e-12));
  }
  EXPECT_GT(inside, 500);
}

TEST(ConvexParts3, CutsAlongSidesTakeBodiesOfBoxesApartExactly) {
  // Where a side of one half lies in the plane of a cut, it is no side of the other half: the T's stem is not as wide as
  // its bar. By hand: the parts, and that nothing is lost (which showed in parts that were smaller than the body).
  const auto parts_of = [](const Mesh& mesh) { return *convex_parts3(mesh, {.max_parts = 64}); };
  const std::vector<Vec2d> t = {{1, 0}, {2, 0}, {2, 2}, {3, 2}, {3, 3}, {0, 3}, {0, 2}, {1, 2}};
  const ConvexParts3 two = parts_of(prism(t, {{0, 1, 2}, {0, 2, 7}, {2, 3, 4}, {2, 4, 5}, {2, 5, 7}, {7, 5, 6}}));
  EXPECT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.excess, 0);
  EXPECT_EQ(two.concavity, 0);
  for (const Vec3d& p : {Vec3d{0, 2, 0}, {3, 3, 1}, {1, 0, 0}, {2, 0, 1}, {1.5, 2, 0.5}})
    EXPECT_TRUE(in_some_part(two, p, 1e-12));
  EXPECT_FALSE(in_some_part(two, {0.9, 1.9, 0.5}, 1e-12));

  // Two cubes that share a corner
  Mesh corner = *box_mesh({1, 1, 1});
  const Mesh other = *transformed(corner, {{2, 2, 2}, {}});
  corner = *joined(corner, other);
  const ConvexParts3 cubes = parts_of(corner);
  EXPECT_EQ(cubes.parts.size(), 2u);
  EXPECT_EQ(cubes.excess, 0);

  // A ring whose vertices miss the planes of the cuts by the last digit: four boxes and nothing thin beside them
  const ConvexParts3 ring = parts_of(*torus_mesh(1, 0.4, 4, 4));
  EXPECT_EQ(ring.parts.size(), 4u);
  EXPECT_NEAR(ring.excess, 0, 1e-12);
  EXPECT_NEAR(ring.concavity, 0, 1e-12);
}

TEST(ConvexParts3, RefusesWhatIsNoSolid) {
  const Mesh box = *box_mesh({1, 1, 1});
  EXPECT_EQ(convex_parts3(box, {.max_parts = 0}).error().code, ErrorCode::invalid_argument);
  for (const int cuts : {0, -1, std::numeric_limits<int>::min(), kMaxCutsPerAxis + 1, 1 << 30})
    EXPECT_EQ(convex_parts3(box, {.cuts_per_axis = cuts}).error().code, ErrorCode::invalid_argument) << cuts;
  EXPECT_EQ(convex_parts3(box, {.concavity = -1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(convex_parts3(box, {.concavity = std::nan("")}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(convex_parts3(box, {.concavity = HUGE_VAL}).error().code, ErrorCode::non_finite);
  EXPECT_TRUE(convex_parts3(box, {.cuts_per_axis = kMaxCutsPerAxis}).ok());
  EXPECT_EQ(convex_parts3(Mesh{}).error().code, ErrorCode::empty_input);
  Mesh open = box;
  open.triangles.pop_back();
  EXPECT_EQ(convex_parts3(open).error().code, ErrorCode::not_closed);
  EXPECT_EQ(convex_parts3(*flipped(box)).error().code, ErrorCode::not_oriented);
  // Two sides of the same triangle: closed, without volume
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(convex_parts3(flat).error().code, ErrorCode::degenerate);
}

#include "integer_hull.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/geom/segment_triangle.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::hulls_meet;
using sudar_test::Int3;
using sudar_test::random_point;
using Status = SegmentTriangleStatus;

namespace {

Int3 lattice_point(Random& random, std::int64_t reach, bool flat = false) {
  const auto one = [&] { return static_cast<std::int64_t>(random.below(2 * reach + 1)) - reach; };
  const std::int64_t x = one(), y = one();
  return {x, y, flat ? 0 : one()};
}

Vec3d to_double(const Int3& p, double scale) { return vec_cast<double>(p) * scale; }
Vec2d to_plane(const Int3& p, double scale) {
  return {static_cast<double>(p.x) * scale, static_cast<double>(p.y) * scale};
}

// Sizes at which the answer must be the same
constexpr double kSegmentScales[] = {1, 0x1p-900, 0x1p900, 0x1p-1040};

}  // namespace

// Oracle: integers, Carathéodory. A small lattice, so that most cases touch, are collinear, coplanar or points.
TEST(SegmentSegment, ExactOnALattice) {
  Random random(campaign_seed(21));
  int hits = 0;
  for (int i = 0; i < 40000; ++i) {
    const bool flat = random.coin();
    const std::int64_t reach = 1 + static_cast<std::int64_t>(random.below(3));
    Int3 p[4];
    for (Int3& q : p) q = lattice_point(random, reach, flat);
    const bool expected = hulls_meet({p[0], p[1]}, {p[2], p[3]});
    hits += expected;
    const double s = kSegmentScales[random.below(4)];
    ASSERT_EQ(intersects_exact(Segment<3, double>{to_double(p[0], s), to_double(p[1], s)},
                               Segment<3, double>{to_double(p[2], s), to_double(p[3], s)}),
              expected);
    ASSERT_EQ(intersects_exact(Segment<3, double>{to_double(p[0], s), to_double(p[1], s)}, to_double(p[2], s)),
              hulls_meet({p[0], p[1]}, {p[2]}));
    if (!flat) continue;
    ASSERT_EQ(intersects_exact(Segment<2, double>{to_plane(p[0], s), to_plane(p[1], s)},
                               Segment<2, double>{to_plane(p[2], s), to_plane(p[3], s)}),
              expected);
  }
  EXPECT_GT(hits, 5000);
}

TEST(SegmentTriangle, ExactOnALattice) {
  Random random(campaign_seed(22));
  int hits = 0, misses = 0;
  for (int i = 0; i < 60000; ++i) {
    const bool flat = random.below(3) == 0;
    const std::int64_t reach = 1 + static_cast<std::int64_t>(random.below(3));
    Int3 p[5];
    for (Int3& q : p) q = lattice_point(random, reach, flat);
    const bool expected = hulls_meet({p[0], p[1]}, {p[2], p[3], p[4]});
    ++(expected ? hits : misses);
    const double s = kSegmentScales[random.below(4)];
    const Triangle<3, double> triangle{to_double(p[2], s), to_double(p[3], s), to_double(p[4], s)};
    ASSERT_EQ(intersects_exact(Segment<3, double>{to_double(p[0], s), to_double(p[1], s)}, triangle), expected) << i;
    ASSERT_EQ(intersects_exact(triangle, to_double(p[0], s)), hulls_meet({p[0]}, {p[2], p[3], p[4]})) << i;
    if (!flat) continue;
    ASSERT_EQ(intersects_exact(Segment<2, double>{to_plane(p[0], s), to_plane(p[1], s)},
                               Triangle<2, double>{to_plane(p[2], s), to_plane(p[3], s), to_plane(p[4], s)}),
              expected);
  }
  EXPECT_GT(hits, 5000);
  EXPECT_GT(misses, 5000);
}

// Oracle: the exact test, wherever the run-time one is not within rounding of the border
TEST(SegmentTriangle, FastAgreesWithExact) {
  Random random(campaign_seed(23));
  const Real margin = 64 * std::numeric_limits<Real>::epsilon();
  int hits = 0, undecided = 0;
  for (int i = 0; i < 60000; ++i) {
    const Segment<3> s{random_point<3, Real>(random, 2), random_point<3, Real>(random, 2)};
    const Triangle<3> t{random_point<3, Real>(random, 2), random_point<3, Real>(random, 2),
                        random_point<3, Real>(random, 2)};
    const SegmentTriangleHit<> hit = intersect(s, t);
    const bool exact =
        intersects_exact(Segment<3, double>{vec_cast<double>(s.a), vec_cast<double>(s.b)},
                         Triangle<3, double>{vec_cast<double>(t.a), vec_cast<double>(t.b), vec_cast<double>(t.c)});
    if (hit.status == Status::coplanar || hit.status == Status::degenerate) {
      ++undecided;
      continue;
    }
    if (static_cast<bool>(hit) != exact) {
      // Only a sliver of cases on the border may differ: shrink and grow the segment and the triangle to see
      const Vec3 center = (t.a + t.b + t.c) / Real(3);
      const auto resized = [&](Real f) {
        const Vec3 middle = s.at(Real(0.5));
        return static_cast<bool>(intersect(
            Segment<3>{middle + (s.a - middle) * f, middle + (s.b - middle) * f},
            Triangle<3>{center + (t.a - center) * f, center + (t.b - center) * f, center + (t.c - center) * f}));
      };
      EXPECT_NE(resized(1 - 100 * margin), resized(1 + 100 * margin)) << i;
      continue;
    }
    if (!hit) continue;
    ++hits;
    EXPECT_GE(hit.t, 0);
    EXPECT_LE(hit.t, 1);
    EXPECT_GE(hit.u, 0);
    EXPECT_GE(hit.v, 0);
    EXPECT_LE(hit.u + hit.v, 1 + margin);
    // The same point from both sides; rounding grows as the angle between line and plane closes
    const Vec3 n = normalized(double_area(t)), d = normalized(s.b - s.a);
    const Real flatness = length(double_area(t)) / 16;
    EXPECT_LT(distance(hit.point, t.at(hit.u, hit.v)) * std::fabs(dot(n, d)) * flatness, margin) << i;
  }
  EXPECT_GT(hits, 2000);
  EXPECT_LT(undecided, 100);
}

// Oracle: a segment from inside to outside of a closed mesh must hit it
TEST(SegmentTriangle, NothingSlipsThroughAClosedMesh) {
  const Mesh mesh = *icosphere_mesh(1, 2);
  std::vector<Vec3> vertices;
  for (const Vec3d& v : mesh.vertices) vertices.push_back(vec_cast<Real>(v));
  const auto hits = [&](const Segment<3>& s) {
    int count = 0;
    for (const MeshTriangle& t : mesh.triangles)
      count += static_cast<bool>(intersect(s, Triangle<3>{vertices[t[0]], vertices[t[1]], vertices[t[2]]}));
    return count;
  };
  Random random(campaign_seed(24));
  for (int round = 0; round < 20; ++round) {
    const Vec3 start = random_point<3, Real>(random, 0.2);
    // Through the vertices and the middles of the edges, where it is easiest to slip through
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
      const Vec3 &a = vertices[mesh.triangles[i][0]], &b = vertices[mesh.triangles[i][1]];
      ASSERT_GE(hits({start, start + (a - start) * Real(2)}), 1);
      ASSERT_GE(hits({start, start + (lerp(a, b, Real(random.uniform())) - start) * Real(2)}), 1);
    }
    for (int i = 0; i < 20; ++i) ASSERT_GE(hits({start, normalized(random_point<3, Real>(random, 1)) * Real(3)}), 1);
  }
}

// Oracle: closed form
TEST(SegmentTriangle, KnownHits) {
  const Triangle<3> t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const SegmentTriangleHit<> hit = intersect(Segment<3>{{1, 2, 3}, {1, 2, -1}}, t);
  ASSERT_EQ(hit.status, Status::hit);
  EXPECT_EQ(hit.t, Real(0.75));
  EXPECT_EQ(hit.u, Real(0.25));
  EXPECT_EQ(hit.v, Real(0.5));
  EXPECT_EQ(hit.point, (Vec3{1, 2, 0}));
  // From the back, at a vertex, at an end of the segment, in the middle of an edge
  EXPECT_EQ(intersect(Segment<3>{{1, 2, -1}, {1, 2, 3}}, t).t, Real(0.25));
  EXPECT_TRUE(intersect(Segment<3>{{4, 0, 1}, {4, 0, -1}}, t));
  EXPECT_TRUE(intersect(Segment<3>{{1, 1, 1}, {1, 1, 0}}, t));
  EXPECT_TRUE(intersect(Segment<3>{{2, 2, 1}, {2, 2, -1}}, t));
  EXPECT_EQ(intersect(Segment<3>{{3, 3, 1}, {3, 3, -1}}, t).status, Status::miss);
  EXPECT_EQ(intersect(Segment<3>{{1, 1, 2}, {1, 1, 1}}, t).status, Status::miss);
}

TEST(SegmentTriangle, SaysCoplanarAndDegenerate) {
  const Triangle<3> t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  EXPECT_EQ(intersect(Segment<3>{{-1, 1, 0}, {5, 1, 0}}, t).status, Status::coplanar);
  EXPECT_EQ(intersect(Segment<3>{{9, 9, 0}, {9, 9, 0}}, t).status, Status::coplanar);
  EXPECT_EQ(intersect(Segment<3>{{-1, 1, 1}, {5, 1, 1}}, t).status, Status::miss);
  const Segment<3> s{{1, 1, 1}, {1, 1, -1}};
  EXPECT_EQ(intersect(s, Triangle<3>{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}).status, Status::degenerate);
  EXPECT_EQ(intersect(s, Triangle<3>{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}).status, Status::degenerate);
  EXPECT_EQ(intersect(s, Triangle<3>{{0, 0, 0}, {0, 0, 0}, {2, 2, 0}}).status, Status::degenerate);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_FALSE(intersect(s, Triangle<3>{{0, 0, 0}, {4, nan, 0}, {0, 4, 0}}));
  EXPECT_FALSE(intersect(Segment<3>{{1, nan, 1}, {1, 1, -1}}, t));
}

// Two bars crossed like swords: no corner of either is in the other, but their edges cut through faces. Oracle: the
// corners by half-spaces, the overlap by construction.
TEST(SegmentTriangle, EdgesMeetWhereNoCornerIsInside) {
  const Mesh a = *box_mesh({3, 0.5, 0.5});
  const Mesh b = *transformed(*box_mesh({0.5, 3, 0.5}), {{0.1, 0, 0.3}, Quatd::from_axis_angle({0, 1, 0}, 0.7)});
  const auto corners_inside = [](const Mesh& of, const Mesh& in) {
    int count = 0;
    for (const Vec3d& v : of.vertices) count += locate_in_convex(in, v) != Containment::outside;
    return count;
  };
  const auto edges_through = [](const Mesh& of, const Mesh& in) {
    int count = 0;
    const MeshAdjacency adj = *adjacency(of);
    for (const MeshEdge& e : adj.edges)
      for (std::size_t t = 0; t < in.triangles.size(); ++t)
        count += intersects_exact(Segment<3, double>{of.vertices[e.lo], of.vertices[e.hi]}, in.corners(t));
    return count;
  };
  EXPECT_EQ(corners_inside(a, b) + corners_inside(b, a), 0);
  EXPECT_GT(edges_through(a, b) + edges_through(b, a), 0);
}

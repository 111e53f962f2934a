// Separating axes in the plane and in space. Oracles: all axes with full projections against the pruned search, boxes
// against box_box3, closed forms, the definition of depth.
#include "tests/narrowphase/bodies.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/sat2.hpp>
#include <sudar/narrowphase/sat3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_hull;
using sudar_test::random_point;
using sudar_test::random_polytope;
using sudar_test::random_rotation;
using sudar_test::soak;

namespace {

Shape2 random_polygon(Random& random) {
  switch (random.below(5)) {
    case 0:
      return *make_point2(random_point<2>(random, -1, 1));
    case 1:
      return *make_segment2(random_point<2>(random, -1, 1), random_point<2>(random, -1, 1));
    case 2:
      return *make_box2(random_point<2>(random, 0.2, 1));
    default: {
      std::vector<Vec2d> points;
      const std::size_t count = random.coin() ? 3 + random.below(10) : 200;
      for (std::size_t i = 0; i < count; ++i) points.push_back(normalized(random_point<2>(random, -1, 1)));
      return *make_polygon2(points);
    }
  }
}

}  // namespace

TEST(PolytopeView3, BoxAndTriangleAreClosedSurfaces) {
  const Shape3 shapes[] = {*make_box3({1, 2, 3}), *make_triangle3({0, 0, 0}, {1, 0, 0}, {0, 2, 1})};
  for (const Shape3& shape : shapes) {
    const PolytopeView3 view(shape);
    const auto edges = view.edges();
    EXPECT_EQ(view.vertices().size() + view.face_count(), edges.size() / 2 + 2);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      EXPECT_EQ(edges[edges[e].twin].twin, e);
      EXPECT_NE(edges[edges[e].twin].face, edges[e].face);
      EXPECT_EQ(edges[edges[e].next].origin, view.destination(e));
      EXPECT_EQ(edges[edges[e].next].face, edges[e].face);
      // The face on the left, the other on the right
      const Vec3d n0 = view.planes()[edges[e].face].normal, n1 = view.planes()[edges[edges[e].twin].face].normal;
      if (view.dimension() == 3) {
        EXPECT_GT(dot(cross(n0, n1), view.edge_vector(e)), 0);
      }
    }
    for (std::uint32_t f = 0; f < view.face_count(); ++f) {
      for (const Vec3d& v : view.vertices()) EXPECT_LE(signed_distance(view.planes()[f], v), 1e-15);
      for (std::uint32_t k = 0; k < view.face_degree(f); ++k) {
        const Vec3d& v = view.vertices()[edges[view.first_edge(f) + k].origin];
        EXPECT_NEAR(signed_distance(view.planes()[f], v), 0, 1e-15);
      }
      const Vec3d u = view.edge_vector(view.first_edge(f)), w = view.edge_vector(view.first_edge(f) + 1);
      EXPECT_GT(dot(cross(u, w), view.planes()[f].normal), 0);
    }
  }
}

TEST(Sat3, ProductionFindsWhatAllAxesFind) {
  Random random(campaign_seed(1));
  for (std::size_t k = 0; k < soak(1500); ++k) {
    const Shape3 sa = random_polytope(random, 23), sb = random_polytope(random, 23);
    const PolytopeView3 a(sa), b(sb);
    Pose3d pose{random_point<3>(random, -1.2, 1.2), random_rotation(random)};
    // Nearly parallel edges of equal shapes
    const bool same = k % 5 == 0;
    const double tilt = std::ldexp(1.0, -static_cast<int>(random.below(50)));
    if (same) pose.rotation = normalized(Quatd{1, tilt * random.uniform(-1, 1), tilt * random.uniform(-1, 1), tilt});
    const PolytopeView3& other = same ? a : b;
    const Placement3 place = make_placement(pose);
    const SatAnswer3 plain = sat3_plain(a, other, place), quick = sat3(a, other, place);
    // Apart, an axis that makes no face of the difference may show a wider gap, which the Gauss map leaves out
    EXPECT_LE(quick.separation, plain.separation + 1e-12) << k;
    EXPECT_EQ(quick.proven_apart(), plain.proven_apart()) << k;
    if (!plain.proven_apart()) {
      EXPECT_NEAR(plain.separation, quick.separation, 1e-12) << k;
    }
    EXPECT_NEAR(length(quick.normal), 1, 1e-14);
    EXPECT_LE(quick.axes, plain.axes);
    SatCache cache;
    const SatAnswer3 first = sat3(a, other, place, SatGoal::separate, &cache);
    EXPECT_EQ(first.proven_apart(), plain.proven_apart());
    const SatAnswer3 again = sat3(a, other, place, SatGoal::separate, &cache);
    EXPECT_EQ(again.proven_apart(), plain.proven_apart());
    if (plain.proven_apart() && again.feature.kind != SatKind::other) {
      EXPECT_EQ(again.axes, 1);
    }
  }
}

TEST(Sat3, BoxesAgreeWithTheFifteenAxes) {
  Random random(campaign_seed(2));
  for (std::size_t k = 0; k < soak(3000); ++k) {
    const Vec3d ha = random_point<3>(random, 0.2, 1), hb = random_point<3>(random, 0.2, 1);
    const Shape3 sa = *make_box3(ha), sb = *make_box3(hb);
    const PolytopeView3 a(sa), b(sb);
    const Placement3 place = make_placement(Pose3d{random_point<3>(random, -1.5, 1.5), random_rotation(random)});
    const DistanceAnswer3 boxes = box_box_distance3(ha, hb, place);
    const SatAnswer3 sat = sat3(a, b, place);
    EXPECT_EQ(sat.separation > 0, !boxes.hit);
    if (boxes.hit) {
      EXPECT_NEAR(sat.separation, boxes.separation, 1e-14);
      EXPECT_NEAR(dot(sat.normal, boxes.normal), 1, 1e-9);
    } else {
      EXPECT_LE(sat.separation, boxes.separation + 1e-14);
    }
  }
}

TEST(Sat3, DepthIsTheShortestWayOut) {
  Random random(campaign_seed(3));
  for (std::size_t k = 0; k < soak(300); ++k) {
    const Shape3 sa = random_hull(random, 20), sb = random_hull(random, 30);
    const PolytopeView3 a(sa), b(sb);
    Placement3 place = make_placement(Pose3d{random_point<3>(random, -0.8, 0.8), random_rotation(random)});
    const SatAnswer3 deep = sat3(a, b, place);
    if (deep.separation > -1e-3) continue;
    const Vec3d start = place.translation;
    // Freed along the normal, and in no other direction sooner
    place.translation = start - deep.normal * (deep.separation * 1.01);
    EXPECT_TRUE(sat3(a, b, place, SatGoal::separate).proven_apart());
    for (int i = 0; i < 20; ++i) {
      place.translation = start - normalized(random_point<3>(random, -1, 1)) * (deep.separation * 0.99);
      EXPECT_FALSE(sat3(a, b, place, SatGoal::separate).proven_apart());
    }
  }
}

TEST(Sat3, AgreesWithGjkAndEpa) {
  Random random(campaign_seed(5));
  for (std::size_t k = 0; k < soak(600); ++k) {
    const Shape3 sa = k % 3 == 0 ? *make_box3(random_point<3>(random, 0.2, 1)) : random_hull(random, 8 + k % 30);
    const Shape3 sb = random_hull(random, 16);
    const PolytopeView3 a(sa), b(sb);
    const Placement3 place = make_placement(Pose3d{random_point<3>(random, -1, 1), random_rotation(random)});
    const SatAnswer3 sat = sat3(a, b, place);
    const DistanceAnswer3 gjk = convex_distance3(sa, sb, place);
    if (std::fabs(sat.separation) > sat.error) {
      EXPECT_EQ(sat.separation > 0, !gjk.hit);
    }
    if (gjk.hit) {
      EXPECT_NEAR(sat.separation, gjk.separation, 1e-12) << k;
    } else {
      EXPECT_LE(sat.separation, gjk.separation + 1e-12);
    }
  }
}

TEST(Sat3, FlatSetsAreSeparated) {
  const Shape3 triangle = *make_triangle3({0, 0, 0}, {1, 0, 0}, {0, 1, 0}),
               segment = *make_segment3({0, 0, 0}, {1, 0, 0});
  const Shape3 point = *make_point3({0.25, 0.25, 0});
  const auto gap = [](const Shape3& a, const Shape3& b, const Vec3d& t) {
    Placement3 place;
    place.translation = t;
    const double plain = sat3_plain(PolytopeView3(a), PolytopeView3(b), place).separation;
    EXPECT_EQ(sat3(PolytopeView3(a), PolytopeView3(b), place).separation, plain);
    return plain;
  };
  // In one plane, on one line, in one point
  EXPECT_NEAR(gap(triangle, triangle, {1.5, 0, 0}), 0.5, 1e-15 * 4);
  EXPECT_NEAR(gap(triangle, triangle, {0.75, 0.75, 0}), std::sqrt(0.125), 1e-15 * 4);
  EXPECT_NEAR(gap(segment, segment, {1.25, 0, 0}), 0.25, 1e-15);
  EXPECT_NEAR(gap(segment, segment, {0.5, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(gap(segment, triangle, {1.5, 0, 0}), 0.5, 1e-15 * 4);
  EXPECT_NEAR(gap(triangle, point, {0, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(gap(triangle, point, {-1, 0, 0}), 0.75, 1e-15);
  EXPECT_GT(gap(point, point, {0, 0, 1e-9}), 0);
  EXPECT_EQ(gap(point, point, {}), 0);
}

// Ridges of two long boxes that cross at a small angle: the axis across both is the answer, however near they are to parallel,
// and faces show much less
TEST(Sat3, RidgesThatCrossAtSmallAngles) {
  const double h = 0.1, ridge = h * std::sqrt(2.0);
  const Shape3 box = *make_box3({1, h, h});
  const Quatd lie = Quatd::from_axis_angle({1, 0, 0}, std::atan(1.0));
  for (int k = 3; k < 30; ++k) {
    const double angle = std::ldexp(1.0, -k);
    for (const double gap : {angle / 8, -angle / 8}) {
      const Pose3d a{{}, lie}, b{{0, 0, 2 * ridge + gap}, Quatd::from_axis_angle({0, 0, 1}, angle) * lie};
      const Placement3 place = make_placement(a, b);
      for (const SatAnswer3& answer : {sat3(PolytopeView3(box), PolytopeView3(box), place),
                                       sat3_plain(PolytopeView3(box), PolytopeView3(box), place)}) {
        EXPECT_NEAR(answer.separation, gap, 1e-15) << k;
        EXPECT_EQ(answer.feature.kind, SatKind::edges) << k;
        EXPECT_EQ(answer.proven_apart(), gap > 0) << k;
      }
    }
  }
}

// Only edges whose arcs cross on the Gauss map are tried: as many as the difference of the two has faces of two edges. Oracle:
// two boxes that are not parallel make three times three of them, twice.
TEST(Sat3, TriesTheEdgesThatMakeFaces) {
  Random random(campaign_seed(6));
  for (int k = 0; k < 50; ++k) {
    const Shape3 a = *make_box3(random_point<3>(random, 0.2, 1)), b = *make_box3(random_point<3>(random, 0.2, 1));
    const Pose3d pose{random_point<3>(random, -0.2, 0.2), random_rotation(random)};
    EXPECT_EQ(sat3(PolytopeView3(a), PolytopeView3(b), make_placement(pose)).axes, 6 + 6 + 18) << k;
  }
}

// Faces that lie on each other up to rounding: names stay those of faces, whatever edges cross within that
TEST(Sat3, FacesWinTies) {
  Random random(campaign_seed(7));
  std::size_t crossing = 0;
  for (int k = 0; k < 300; ++k) {
    const Shape3 a = *make_box3({1, 1, 0.5}), b = *make_box3({0.75, 0.5, 0.5});
    const double turn = random.uniform(-1, 1), tilt = 1e-15;
    const Pose3d pose{{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.coin() ? 1.001 : 0.999},
                      normalized(Quatd{1, tilt * random.uniform(-1, 1), tilt * random.uniform(-1, 1), turn})};
    const SatAnswer3 answer = sat3(PolytopeView3(a), PolytopeView3(b), make_placement(pose));
    EXPECT_NE(answer.feature.kind, SatKind::edges) << k;
    crossing += answer.axes > 12;
  }
  EXPECT_GT(crossing, 30u);
}

// Corners on faces and edges on edges, up to single roundings: what is proven is so. Oracle: integers.
TEST(Sat3, ProvesNothingWithinRounding) {
  Random random(campaign_seed(8));
  std::size_t hits = 0, open = 0;
  const std::size_t count = soak(1200);
  for (std::size_t k = 0; k < count; ++k) {
    // Hulls anywhere, and a corner on a face: B is farther away than its coordinates are large
    const bool boxes = k % 2 == 0;
    const Shape3 sa = boxes ? *make_box3({1, 1, 1}) : random_hull(random, 8);
    const Shape3 sb = boxes ? *make_box3({0.5, 0.5, 0.5}) : random_hull(random, 8);
    const PolytopeView3 a(sa), b(sb);
    Placement3 place = make_placement(Pose3d{random_point<3>(random, -1, 1), random_rotation(random)});
    if (boxes) place.translation = {2.5, place.translation.y * 0.25, place.translation.z * 0.25};
    // More than once: the first move is off by the second order
    for (int i = 0; i < 3; ++i) {
      const DistanceAnswer3 at = convex_distance3(sa, sb, place);
      place.translation -= at.normal * at.separation;
    }
    for (int steps = static_cast<int>(random.below(4)); steps > 0; --steps) {
      double& x = place.translation[static_cast<int>(random.below(3))];
      x = std::nextafter(x, random.coin() ? 4.0 : -4.0);
    }
    const bool truth = convex_intersects3(sa, sb, place);
    for (const SatAnswer3& answer : {sat3(a, b, place), sat3_plain(a, b, place)}) {
      EXPECT_FALSE(answer.proven_apart() && truth) << k;
      EXPECT_FALSE(answer.separation < -answer.error && !truth) << k;
      open += answer.separation > 0 && truth;
    }
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
  if (count >= 1000) {
    EXPECT_GT(open, 0u) << "no case needs the bound";
  }
  RecordProperty("open", static_cast<int>(open));
}

TEST(Sat3, TraceTellsEveryAxis) {
  const Shape3 box = *make_box3({1, 1, 1});
  const PolytopeView3 view(box);
  TraceLog log;
  const SatAnswer3 answer =
      sat3_plain(view, view, make_placement(Pose3d{{1, 0.1, 0.2}, Quatd{0.5, 0.5, 0.5, 0.5}}), TraceTo{&log});
  EXPECT_EQ(static_cast<int>(log.entries().size()), answer.axes);
  EXPECT_EQ(log.entries()[0].step, "face of a");
}

TEST(Sat2, OneSidedFindsWhatProjectionsFind) {
  Random random(campaign_seed(4));
  for (std::size_t k = 0; k < soak(1500); ++k) {
    const Shape2 sa = random_polygon(random), sb = random_polygon(random);
    const PolytopeView2 a(sa), b(sb);
    const Placement2 place =
        make_placement(Pose2d{random_point<2>(random, -1.5, 1.5), Rot2d::from_angle(random.uniform(-3, 3))});
    const SatAnswer2 plain = sat2_plain(a, b, place), quick = sat2(a, b, place);
    EXPECT_NEAR(plain.separation, quick.separation, 1e-14);
    SatCache cache;
    EXPECT_EQ(sat2(a, b, place, SatGoal::separate, &cache).proven_apart(), plain.proven_apart());
    const SatAnswer2 again = sat2(a, b, place, SatGoal::separate, &cache);
    EXPECT_EQ(again.proven_apart(), plain.proven_apart());
    if (plain.proven_apart() && again.feature.kind != SatKind::other) {
      EXPECT_EQ(again.axes, 1);
    }
    // The other way round
    const Pose2d back = inverse(Pose2d{place.translation, Rot2d{place.turn.x.x, place.turn.x.y}});
    if (a.dimension() == 2 || b.dimension() == 2) {
      EXPECT_NEAR(sat2(b, a, make_placement(back)).separation, quick.separation, 1e-14);
    }
    if (plain.separation < -1e-6) {
      Placement2 out = place;
      out.translation -= plain.normal * (1.01 * plain.separation);
      EXPECT_TRUE(sat2(a, b, out).proven_apart());
      out.translation = place.translation - plain.normal * (0.99 * plain.separation);
      EXPECT_LT(sat2(a, b, out).separation, 0);
    }
  }
}

TEST(Sat2, FlatSetsAreSeparated) {
  const Shape2 segment = *make_segment2({0, 0}, {1, 0}), point = *make_point2({0, 0});
  const auto gap = [](const Shape2& a, const Shape2& b, const Vec2d& t) {
    Placement2 place;
    place.translation = t;
    return sat2(PolytopeView2(a), PolytopeView2(b), place).separation;
  };
  EXPECT_EQ(gap(segment, segment, {1.25, 0}), 0.25);
  EXPECT_EQ(gap(segment, segment, {0.5, 0}), 0);
  EXPECT_EQ(gap(segment, point, {-0.5, 0}), 0.5);
  EXPECT_EQ(gap(point, segment, {0.5, 0}), 0.5);
  EXPECT_EQ(gap(point, point, {0, 1}), 1);
  EXPECT_EQ(gap(point, point, {}), 0);
}

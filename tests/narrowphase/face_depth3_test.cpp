// Depth by the faces of the difference: against all separating axes, EPA and exact decisions, on round and on hostile hulls.
#include "tests/narrowphase/bodies.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/face_depth3.hpp>
#include <sudar/narrowphase/face_scan.hpp>
#include <sudar/narrowphase/minkowski_check3.hpp>
#include <sudar/narrowphase/sat3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;

// Round ones, needles and lenses, points of a lattice (many faces and edges parallel), cubes, points near a plane
Shape3 hull_of_family(Random& random, std::uint64_t family) {
  std::vector<Vec3d> points;
  const std::size_t count = 5 + random.below(20);
  const Vec3d thin{random.uniform(0.001, 1), random.uniform(0.001, 1), 1};
  for (std::size_t i = 0; i < count; ++i) {
    Vec3d p = unit_vector<3>(random);
    if (family == 1) p = {p.x * thin.x, p.y * thin.y, p.z};
    if (family == 2)
      for (int k = 0; k < 3; ++k) p[k] = std::round(2 * p[k]) / 2;
    if (family == 4) p.z *= 1e-9;
    points.push_back(p);
  }
  if (family == 3) points = sudar_test::cube_corners(random.uniform(0.3, 1));
  auto shape = make_hull_shape3(points);
  return *shape;
}
Quatd rotation_of_family(Random& random) {
  switch (random.below(3)) {
    case 0:
      return {};
    case 1:  // Nearly parallel
      return Quatd::from_axis_angle(unit_vector<3>(random), std::ldexp(1.0, -static_cast<int>(random.below(52))));
    default:
      return random_rotation(random);
  }
}

// Who watches sees the axes of the answer, and the same answer to the last bit
TEST(FaceDepth3, TraceTellsTheAxesAndChangesNothing) {
  Random random(campaign_seed(14));
  std::size_t inside = 0;
  for (int k = 0; k < 50; ++k) {
    const Shape3 a = sudar_test::random_hull(random, 20), b = sudar_test::random_hull(random, 20);
    const Placement3 at =
        make_placement<3>(Pose3d{unit_vector<3>(random) * random.uniform(0.8, 1.8), random_rotation(random)});
    TraceLog log;
    const DistanceAnswer3 seen = convex_distance3(a, b, at, nullptr, TraceTo{&log}),
                          unseen = convex_distance3(a, b, at);
    EXPECT_EQ(seen.separation, unseen.separation);
    EXPECT_EQ(seen.normal, unseen.normal);
    EXPECT_EQ(seen.iterations, unseen.iterations);
    if (log.entries().back().step != "done") continue;
    ++inside;
    double least = 1e300;
    bool faces = false;
    for (const auto& e : log.entries()) {
      faces = faces || e.step == "faces of a left";
      if (faces && e.numbers.size() == 6) least = std::min(least, e.value);
    }
    EXPECT_TRUE(faces);
    EXPECT_NEAR(log.entries().back().value, -seen.separation, 1e-15);
    EXPECT_GE(least, log.entries().back().value - 1e-14);
  }
  EXPECT_GT(inside, 10u);
}

}  // namespace

TEST(FaceDepth3, BoundsTheDepthOfAllAxes) {
  Random random(campaign_seed(11));
  const std::size_t count = sudar_test::soak(1000);
  std::size_t inside = 0, round = 0, round_inside = 0, apart = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t family_a = random.below(6), family_b = random.below(6);
    const Shape3 a = hull_of_family(random, family_a), b = hull_of_family(random, family_b);
    const Vec3d offset = random_point<3>(random) * random.uniform(0, 1.2);
    const Placement3 at = make_placement<3>(Pose3d{offset, rotation_of_family(random)});
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Difference3 difference(va, vb, at);
    Epa3 e;
    const Vec3d start = random.below(4) == 0 ? random_point<3>(random) : Vec3d{};
    const FaceDepthOutcome outcome = face_depth3(difference, start, e);
    const SatAnswer3 axes = sat3_plain(PolytopeView3(a), PolytopeView3(b), at);
    if (outcome == FaceDepthOutcome::apart) {
      const ExactGjk3 exact = exact_gjk3(difference, {}, true);
      EXPECT_FALSE(exact.hit) << k;
      EXPECT_LE(-e.least, exact.distance) << k;
      ++apart;
    } else if (outcome == FaceDepthOutcome::inside) {
      EXPECT_TRUE(exact_gjk3(difference, {}, false).hit) << k;
      // Every axis bounds the depth from above, every polytope inside of the difference from below
      EXPECT_LE(e.lower, -axes.separation + axes.error) << k;
      const Gjk3 g = gjk3(difference, GjkGoal::decide, 0, nullptr);
      const Epa3 inner = epa3(difference, {g.simplex, static_cast<std::size_t>(g.count)});
      EXPECT_TRUE(g.outcome != GjkOutcome::hit || e.upper >= inner.lower) << k;
      EXPECT_LE(e.upper - e.lower, 160 * kRoundoff * difference.reach) << k;
      // The plane and the place
      const DifferencePoint3 deepest = difference.least(-e.normal);
      EXPECT_NEAR(dot(e.normal, deepest.w), e.depth, 1e-14) << k;
      EXPECT_NEAR(distance(e.point_a - e.point_b, e.normal * e.depth), 0, 1e-12) << k;
      const auto in_b = [&](const Vec3d& p) { return to_b(at, p - at.translation); };
      for (const Plane<3, double>& plane : va.body->hull().planes)
        EXPECT_LE(signed_distance(plane, e.point_a), 1e-12) << k;
      for (const Plane<3, double>& plane : vb.body->hull().planes)
        EXPECT_LE(signed_distance(plane, in_b(e.point_b)), 1e-12) << k;
      ++inside;
    }
    const bool round_pair = family_a != 4 && family_b != 4 && family_a != 2 && family_b != 2 && family_a != 3 &&
                            family_b != 3 && axes.separation < -1e-6;
    round += round_pair ? 1 : 0;
    round_inside += round_pair && outcome == FaceDepthOutcome::inside ? 1 : 0;
    ASSERT_FALSE(testing::Test::HasFailure()) << k;
  }
  EXPECT_GT(inside, count / 4);
  EXPECT_GT(apart, count / 20);
  EXPECT_GT(round_inside, round - round / 20);
}

// The rounded differences of two bodies on a lattice have faces thinner than any double can tell the normal of
// A tip put exactly on a corner of a thin face touches, and what touches is a hit. Oracle: the exact decision.
TEST(FaceDepth3, WhatTouchesIsNeverApart) {
  Random random(campaign_seed(19));
  const std::size_t count = sudar_test::soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    // Two corners near each other, so that faces between them and a third are thin
    std::vector<Vec3d> points;
    const Vec3d sharp = unit_vector<3>(random);
    for (int i = 0; i < 8; ++i) points.push_back(unit_vector<3>(random));
    points.push_back(sharp);
    points.push_back(
        normalized(sharp + random_point<3>(random) * std::ldexp(1.0, -1 - static_cast<int>(random.below(6)))));
    std::swap(points[random.below(points.size())], points[0]);
    const Shape3 a = *make_hull_shape3(points);
    const ConvexView3 view = make_view(a);
    const Hull3& hull = view.body->hull();
    const auto f = static_cast<std::uint32_t>(random.below(hull.face_count()));
    const Vec3d tip = hull.vertices[hull.face_vertex(f, static_cast<std::uint32_t>(random.below(hull.face_degree(f))))];
    const Vec3d out = hull.planes[f].normal;
    std::vector<Vec3d> thorn = {tip};
    for (int i = 0; i < 3; ++i) thorn.push_back(tip + (out + random_point<3>(random) * 0.2) * 0.01);
    const Shape3 b = *make_hull_shape3(thorn);
    EXPECT_TRUE(convex_intersects3(view, make_view(b), Placement3{})) << k;
    Epa3 e;
    EXPECT_NE(face_depth3(Difference3(view, make_view(b), Placement3{}), {}, e), FaceDepthOutcome::apart) << k;
  }
}

TEST(FaceDepth3, TheExplicitDifferenceHasThinFaces) {
  const int a[][3] = {{-1, -1, -1}, {2, -1, 0}, {-2, 0, 1},  {0, 2, -1},  {0, 1, 2},  {-1, -2, 1},
                      {2, -1, 1},   {1, -2, 0}, {0, 2, 1},   {1, 1, 1},   {-1, 2, 1}, {-1, 0, -2},
                      {-2, -1, 1},  {1, 2, -1}, {1, -2, -1}, {0, -1, -2}, {-2, 1, -1}};
  const int b[][3] = {{0, 2, -1},  {2, 1, 0},  {0, 1, 2},  {2, -1, -1},  {0, 1, -2}, {-1, -2, 0}, {1, 0, 2}, {2, 0, 0},
                      {-2, 0, -1}, {2, 1, -1}, {0, 0, -2}, {-1, -1, -1}, {0, 2, 1},  {1, -1, 1},  {-2, 0, 1}};
  std::vector<Vec3d> points_a, points_b;
  for (const auto& p : a) points_a.push_back(Vec3d{double(p[0]), double(p[1]), double(p[2])} * 0.5);
  for (const auto& p : b) points_b.push_back(Vec3d{double(p[0]), double(p[1]), double(p[2])} * 0.5);
  const Shape3 shape_a = *make_hull_shape3(points_a), shape_b = *make_hull_shape3(points_b);
  const Placement3 at = make_placement<3>(Pose3d{{0.11847873834735292, 0.20324692849165357, 0.40958760401626887}, {}});
  const ConvexView3 va = make_view(shape_a), vb = make_view(shape_b);
  const Difference3 difference(va, vb, at);
  const auto check = minkowski_check3(difference);
  ASSERT_TRUE(check.ok());
  Epa3 e;
  ASSERT_EQ(face_depth3(difference, {}, e), FaceDepthOutcome::inside);
  EXPECT_NEAR(check->separation, -e.depth, 1e-14);
  EXPECT_NEAR(e.depth, 1.3098268937786384, 1e-14);
}

// Sizes far apart, places far out: the same bounds, on the scale of the reach
TEST(FaceDepth3, SizesAndPlacesFarApart) {
  Random random(campaign_seed(12));
  std::size_t inside = 0;
  const std::size_t count = sudar_test::soak(300);
  for (std::size_t k = 0; k < count; ++k) {
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    std::vector<Vec3d> small;
    for (int i = 0; i < 10; ++i) small.push_back(unit_vector<3>(random) * scale);
    const Shape3 a = sudar_test::random_hull(random, 12), b = *make_hull_shape3(small);
    const Placement3 at = make_placement<3>(
        Pose3d{unit_vector<3>(random) * (scale + 0.7) * random.uniform(0.5, 1), random_rotation(random)});
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Difference3 difference(va, vb, at);
    Epa3 e;
    if (face_depth3(difference, {}, e) != FaceDepthOutcome::inside) continue;
    ++inside;
    const SatAnswer3 axes = sat3_plain(PolytopeView3(a), PolytopeView3(b), at);
    EXPECT_TRUE(exact_gjk3(difference, {}, false).hit);
    EXPECT_LE(e.lower, -axes.separation + axes.error);
    const Gjk3 g = gjk3(difference, GjkGoal::decide, 0, nullptr);
    const Epa3 inner = epa3(difference, {g.simplex, static_cast<std::size_t>(g.count)});
    EXPECT_TRUE(g.outcome != GjkOutcome::hit || e.upper >= inner.lower) << k;
  }
  EXPECT_GT(inside, count / 4);
}

// A depth with a cache starts where the last one ended, and finds the same
TEST(FaceDepth3, FromTheLastNormal) {
  Random random(campaign_seed(13));
  for (int k = 0; k < 100; ++k) {
    const Shape3 a = sudar_test::random_hull(random, 30), b = sudar_test::random_hull(random, 30);
    const Pose3d pose{unit_vector<3>(random) * random.uniform(1.2, 2.2), random_rotation(random)};
    GjkCache3 cache;
    const DistanceAnswer3 cold = convex_depth3(a, b, make_placement<3>(pose));
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Placement3 at = make_placement<3>(pose);
    Epa3 e, same;
    if (face_depth3(Difference3(va, vb, at), {}, e) == FaceDepthOutcome::inside) {
      ASSERT_EQ(face_depth3(Difference3(va, vb, at), e.normal, same), FaceDepthOutcome::inside);
      EXPECT_NEAR(same.depth, e.depth, 1e-14);
    }
    convex_depth3(a, b, make_placement<3>(pose), &cache);
    const Pose3d moved{pose.position + unit_vector<3>(random) * 0.01, pose.rotation};
    const DistanceAnswer3 warm = convex_depth3(a, b, make_placement<3>(moved), &cache);
    const DistanceAnswer3 again = convex_depth3(a, b, make_placement<3>(moved));
    EXPECT_EQ(warm.hit, again.hit);
    if (warm.hit) {
      EXPECT_NEAR(warm.separation, again.separation, 1e-13);
      EXPECT_LE(std::fabs(warm.separation - cold.separation), 0.0101 + 1e9 * (cold.hit ? 0 : 1));
    }
  }
}

TEST_SIMD(FaceScan, FindsWhatTheScalarTwinsFind) {
  Random random(campaign_seed(14));
  for (int k = 0; k < 200; ++k) {
    std::vector<Plane<3, double>> planes(random.below(40));
    for (auto& plane : planes) plane = {unit_vector<3>(random), random.uniform(0, 1)};
    const Vec3d p = random_point<3>(random);
    const double depth = random.uniform(-0.5, 1);
    std::vector<double> h(planes.size() + 1), h_plain(planes.size() + 1);
    std::vector<std::uint32_t> low(planes.size() + 1), low_plain(planes.size() + 1);
    const std::uint32_t n = find_low_planes(planes, p, depth, h.data(), low.data());
    ASSERT_EQ(n, find_low_planes_plain(planes, p, depth, h_plain.data(), low_plain.data()));
    h.pop_back(), h_plain.pop_back();
    EXPECT_EQ(h, h_plain);
    EXPECT_TRUE(std::equal(low.begin(), low.begin() + n, low_plain.begin()));

    ArcColumns a, b;
    for (ArcColumns* arcs : {&a, &b}) {
      arcs->count = static_cast<std::uint32_t>(random.below(k < 190 ? 20 : ArcColumns::kMost));
      for (std::uint32_t i = 0; i < arcs->count; ++i) {
        // Signs of zero and ones within the tolerance as well
        const Vec3d n0 = random.below(3) == 0 ? Vec3d{1, 0, 0} : unit_vector<3>(random);
        const Vec3d n1 = random.below(3) == 0 ? Vec3d{0, 1, 0} : unit_vector<3>(random);
        arcs->set(i, random.below(3) == 0 ? Vec3d{0, 0, 1} : random_point<3>(random), n0, n1, random.uniform(0, 0.1));
      }
    }
    std::vector<ArcPair> pairs(kMostCrossings), pairs_plain(kMostCrossings);
    const std::uint32_t m = find_crossings(a, b, pairs.data());
    ASSERT_EQ(m, find_crossings_plain(a, b, pairs_plain.data()));
    for (std::uint32_t i = 0; i < std::min(m, kMostCrossings); ++i) {
      EXPECT_EQ(pairs[i].a, pairs_plain[i].a);
      EXPECT_EQ(pairs[i].b, pairs_plain[i].b);
    }
  }
}

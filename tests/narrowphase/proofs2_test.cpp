// What rounded arithmetic proves of polygons that nearly touch, far from their own origins, where rounding decides. Oracles:
// integers (exact_gjk2, which a linear program in rational numbers checks), and rational numbers for radii.
#include "tests/support/exact.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>
#include <sudar/narrowphase/sat2.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::Rational;
using sudar_test::soak;

constexpr double kOff = 512;

struct NearPair2 {
  Shape2 a, b;
  Placement2 at;
};

Shape2 polygon_far_off(Random& random, const Vec2d& off) {
  std::vector<Vec2d> points(3 + random.below(8));
  for (Vec2d& p : points) p = off + normalized(random_point<2>(random)) * random.uniform(0.5, 1.0);
  return *make_polygon2(points);
}

// Turned, and moved along the normal until a few roundings decide
NearPair2 near_pair2(Random& random) {
  const Vec2d off_a = normalized(random_point<2>(random)) * kOff, off_b = normalized(random_point<2>(random)) * kOff;
  NearPair2 out{polygon_far_off(random, off_a), polygon_far_off(random, off_b), {}};
  out.at = make_placement<2>(Pose2d{{}, Rot2d::from_angle(random.uniform(-4.0, 4.0))});
  out.at.translation = off_a - out.at.turn * off_b + random_point<2>(random);
  // More than once: the first move is off by the second order
  for (int i = 0; i < 3; ++i) {
    const DistanceAnswer2 found = convex_distance2(out.a, out.b, out.at);
    out.at.translation -= found.normal * found.separation;
  }
  out.at.translation += random_point<2>(random) * (4 * kRoundoff * kOff);
  return out;
}

bool meet_exactly(const NearPair2& pair) {
  const ConvexView2 a = make_view(pair.a), b = make_view(pair.b);
  return exact_gjk2(Difference2(a, b, pair.at), {}, false).hit;
}

}  // namespace

TEST(Sat2, ProvesNothingWithinRounding) {
  Random random(campaign_seed(61));
  const std::size_t count = soak(1500);
  std::size_t hits = 0, open = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const NearPair2 pair = near_pair2(random);
    const PolytopeView2 a(pair.a), b(pair.b);
    const bool truth = meet_exactly(pair);
    for (const SatAnswer2& answer : {sat2(a, b, pair.at), sat2_plain(a, b, pair.at)}) {
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
}

// Edges that these polygons do not have
TEST(Sat2, ACacheOfOtherShapesIsNotBelieved) {
  const Shape2 box = *make_box2({1, 1});
  const PolytopeView2 view(box);
  for (const double x : {1.5, 2.5})
    for (const SatKind kind : {SatKind::face_a, SatKind::face_b})
      for (const std::uint32_t edge : {4u, 1u << 28}) {
        Placement2 at;
        at.translation = {x, 0.25};
        SatCache cache{{kind, edge, edge}};
        const SatAnswer2 answer = sat2(view, view, at, SatGoal::separate, &cache);
        EXPECT_EQ(answer.separation, x - 2) << edge;
        EXPECT_EQ(answer.axes, sat2(view, view, at, SatGoal::separate).axes) << edge;
      }
}

TEST(Gjk2, ProofsHoldWhereRoundingDecides) {
  Random random(campaign_seed(62));
  const std::size_t count = soak(1500);
  std::size_t open = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const NearPair2 pair = near_pair2(random);
    const ConvexView2 a = make_view(pair.a), b = make_view(pair.b);
    const Difference2 difference(a, b, pair.at);
    const bool truth = meet_exactly(pair);
    const double apart = truth ? 0 : exact_gjk2(difference, {}, true).distance;
    const auto expect_true = [&](const Gjk2& g) {
      if (g.outcome != GjkOutcome::unclear) {
        EXPECT_EQ(g.outcome == GjkOutcome::hit, truth) << k;
      }
      EXPECT_LE(g.lower, apart) << k;
      open += g.outcome == GjkOutcome::unclear;
    };
    for (const GjkGoal goal : {GjkGoal::decide, GjkGoal::measure}) expect_true(gjk2(difference, goal));
    // Nor does a line of the last time part what touches
    const Vec2d normal = convex_distance2(pair.a, pair.b, pair.at).normal;
    for (const double sign : {1.0, -1.0}) {
      GjkCache2 cache;
      cache.axis = normal * sign;
      expect_true(gjk2(difference, GjkGoal::decide, 0, &cache));
    }
  }
  EXPECT_GT(open, count / 10);
}

// Gaps well beyond rounding, of which a bound from below has every digit that it may
TEST(Gjk2, BoundsStayBelowTheDistance) {
  Random random(campaign_seed(67));
  for (std::size_t k = 0; k < soak(1500); ++k) {
    NearPair2 pair = near_pair2(random);
    const Vec2d way = convex_distance2(pair.a, pair.b, pair.at).normal;
    pair.at.translation += way * (kOff * 0x1p-46 * random.uniform(1.0, 64.0));
    const ConvexView2 a = make_view(pair.a), b = make_view(pair.b);
    const Difference2 difference(a, b, pair.at);
    const ExactGjk2 exact = exact_gjk2(difference, {}, true);
    if (exact.hit) continue;
    for (const GjkGoal goal : {GjkGoal::decide, GjkGoal::measure})
      EXPECT_LE(gjk2(difference, goal).lower, exact.distance * (1 + 1e-12)) << k;
  }
}

// What was found last time is the answer at the same place: one look confirms it
TEST(Gjk2, TheSimplexOfTheLastTimeIsTheAnswer) {
  Random random(campaign_seed(65));
  for (std::size_t k = 0; k < soak(300); ++k) {
    const Shape2 sa = polygon_far_off(random, {}), sb = polygon_far_off(random, {});
    const ConvexView2 a = make_view(sa), b = make_view(sb);
    Placement2 at = make_placement<2>(Pose2d{{}, Rot2d::from_angle(random.uniform(-4.0, 4.0))});
    at.translation = normalized(random_point<2>(random)) * random.uniform(2.5, 4.0);
    const Difference2 difference(a, b, at);
    const Gjk2 cold = gjk2(difference, GjkGoal::measure);
    GjkCache2 cache;
    store(cold, difference, cache);
    const Gjk2 warm = gjk2(difference, GjkGoal::measure, 0, &cache);
    EXPECT_EQ(warm.iterations, 1) << k;
    EXPECT_NEAR(warm.distance, cold.distance, 1e-14) << k;
  }
}

// Vertices that these polygons do not have, or a corner too many; and the simplex of another place
TEST(Gjk2, ACacheOfOtherShapesIsNotBelieved) {
  Random random(campaign_seed(63));
  for (std::size_t k = 0; k < soak(300); ++k) {
    const NearPair2 pair = near_pair2(random);
    const bool truth = meet_exactly(pair);
    const Vec2d normal = convex_distance2(pair.a, pair.b, pair.at).normal;
    for (int kind = 0; kind < 4; ++kind) {
      GjkCache2 cache;
      cache.count = kind == 3 ? 4 : 1;
      cache.axis = normal * (random.coin() ? 1 : -1);
      if (kind == 0) cache.a[0] = 1u << 28;
      if (kind == 1) cache.b[0] = 1u << 28;
      EXPECT_EQ(convex_intersects2(pair.a, pair.b, pair.at, &cache), truth) << k;
      EXPECT_EQ(convex_intersects2(pair.a, pair.b, pair.at, &cache), truth) << k;
      cache.axis = {};
      EXPECT_EQ(convex_distance2(pair.a, pair.b, pair.at, &cache).hit, truth) << k;
    }
  }
}

// A rounded triangle and a point over one of its edges: the square of the distance against that of the radius
TEST(Gjk2, RadiiAreDecidedAsRationalNumbersDo) {
  Random random(campaign_seed(64));
  std::size_t hits = 0;
  const std::size_t count = soak(600);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec2d p = random_point<2>(random), q = p + normalized(random_point<2>(random)) * random.uniform(0.5, 2.0);
    const Vec2d outward = normalized(perp(q - p)), along = lerp(p, q, random.uniform(0.1, 0.9));
    const double radius = random.uniform(0.1, 1.0);
    Placement2 at;
    at.translation = along + outward * radius;
    for (int i = 0; i < 2; ++i) at.translation[i] += random.uniform(-4.0, 4.0) * kRoundoff;
    const Rational ex = Rational(q.x) - Rational(p.x), ey = Rational(q.y) - Rational(p.y);
    const Rational wx = Rational(at.translation.x) - Rational(p.x), wy = Rational(at.translation.y) - Rational(p.y);
    const Rational across = ex * wy - ey * wx;
    const bool truth = across * across <= Rational(radius) * Rational(radius) * (ex * ex + ey * ey);
    const Shape2 triangle = *make_polygon2(std::vector<Vec2d>{p, q, lerp(p, q, 0.5) - outward}, radius);
    const Shape2 point = *make_polygon2(std::vector<Vec2d>{{0, 0}, outward, outward + (q - p) * 0.25});
    EXPECT_EQ(convex_intersects2(triangle, point, at), truth) << k;
    EXPECT_EQ(convex_distance2(triangle, point, at).hit, truth) << k;
    const ConvexView2 a = make_view(triangle), b = make_view(point);
    const Gjk2 g = gjk2(Difference2(a, b, at), GjkGoal::decide, radius);
    if (g.outcome != GjkOutcome::unclear) {
      EXPECT_EQ(g.outcome == GjkOutcome::hit, truth) << k;
    }
    hits += truth;
  }
  EXPECT_GT(hits, count / 5);
  EXPECT_LT(hits, count - count / 5);
}

// On a lattice touching is no accident: a corner on the line, or a radius away from it, and one rounding above
TEST(ConvexExact, WhatTouchesAHalfPlaneMeetsIt) {
  Random random(campaign_seed(66));
  for (std::size_t k = 0; k < soak(300); ++k) {
    const double radius = k % 2 == 0 ? 0 : 0.25;
    const auto whole = [&] { return static_cast<double>(random.below(9)) - 4; };
    const double low = whole();
    const std::vector<Vec2d> points = {
        {low, whole()}, {low + 1 + static_cast<double>(random.below(4)), whole()}, {low + 2, 9}};
    const Shape2 polygon = *make_polygon2(points, radius);
    const Shape2 line{HalfPlaneShape2{{1, 0}, whole()}};
    // So that the lowest corner is a radius above the line
    Placement2 at;
    const bool line_is_a = random.coin();
    const double level = line.as<HalfPlaneShape2>().offset;
    const double apart = level + radius - low;
    at.translation = {line_is_a ? apart : -apart, whole()};
    const Shape2 &a = line_is_a ? line : polygon, &b = line_is_a ? polygon : line;
    EXPECT_TRUE(intersects(a, b, at)) << k;
    EXPECT_TRUE(distance(a, b, at).hit) << k;
    at.rest.x = line_is_a ? 0x1p-70 : -0x1p-70;
    EXPECT_FALSE(intersects(a, b, at)) << k;
    EXPECT_FALSE(distance(a, b, at).hit) << k;
  }
}

// An edge that lies along the line up to rounding: which of its corners is lower, exact signs tell. Oracle: rational numbers.
TEST(ConvexExact, AnEdgeAlongALineHasALowestCorner) {
  Random random(campaign_seed(68));
  std::size_t hits = 0;
  const std::size_t count = soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec2d p = random_point<2>(random), q = p + normalized(random_point<2>(random)) * random.uniform(0.5, 2.0);
    const Vec2d n = normalized(perp(q - p));
    const Shape2 polygon = *make_polygon2(std::vector<Vec2d>{p, q, lerp(p, q, 0.5) + n});
    const auto height = [&](const Vec2d& v) { return Rational(n.x) * Rational(v.x) + Rational(n.y) * Rational(v.y); };
    const Rational lowest = height(p) < height(q) ? height(p) : height(q);
    // Between the two corners, or a rounding beside them
    double level = dot(n, p);
    for (int i = static_cast<int>(random.below(5)) - 2; i != 0; i += i < 0 ? 1 : -1)
      level = std::nextafter(level, i < 0 ? -10.0 : 10.0);
    const Shape2 line{HalfPlaneShape2{n, level}};
    const bool truth = lowest <= Rational(level);
    EXPECT_EQ(intersects(line, polygon, Placement2{}), truth) << k;
    EXPECT_EQ(intersects(polygon, line, Placement2{}), truth) << k;
    EXPECT_EQ(distance(line, polygon, Placement2{}).hit, truth) << k;
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}

// Boxes of whole sizes, turned by quarters: touching is exact. Oracle: intervals of integers.
TEST(BoxBox2, ExactOnALattice) {
  Random random(campaign_seed(69));
  std::size_t touching = 0;
  const auto whole = [&](std::uint64_t most) { return static_cast<double>(random.below(most) + 1); };
  for (std::size_t k = 0; k < soak(2000); ++k) {
    const Vec2d half_a{whole(4), whole(4)}, half_b{whole(4), whole(4)};
    const bool turned = random.coin();
    Placement2 at = make_placement<2>(Pose2d{{whole(17) - 9, whole(17) - 9}, turned ? Rot2d{0, 1} : Rot2d{}});
    const Vec2d reach = half_a + (turned ? Vec2d{half_b.y, half_b.x} : half_b), gap = abs(at.translation) - reach;
    const bool truth = gap.x <= 0 && gap.y <= 0;
    touching += truth && (gap.x == 0 || gap.y == 0);
    EXPECT_EQ(box_box_intersects2(half_a, half_b, at), truth) << k;
    EXPECT_EQ(box_box_intersects2_plain(half_a, half_b, at), truth) << k;
    EXPECT_EQ(box_box_distance2(half_a, half_b, at).hit, truth) << k;
  }
  EXPECT_GT(touching, soak(2000) / 20);
}

// A point on a side of a box, where the sum of its place and the translation is rounded. Oracle: rational numbers.
TEST(Primitives2, APointOnASideIsDecidedBeyondRounding) {
  Random random(campaign_seed(70));
  std::size_t hits = 0;
  const std::size_t count = soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec2d half{random.uniform(0.5, 2.0), random.uniform(0.5, 2.0)}, p = random_point<2>(random);
    const bool box_is_a = random.coin();
    Placement2 at;
    // The point in the box's frame is p + place, or p - place
    const double side = random.coin() ? half.x : -half.x, place = side - p.x;
    at.translation = {box_is_a ? place : -place, box_is_a ? -p.y : p.y};
    at.rest.x = random.coin() ? 0 : random.uniform(-1.0, 1.0) * 0x1p-56;
    const Rational moved = Rational(at.translation.x) + Rational(at.rest.x);
    const Rational x = box_is_a ? Rational(Rational(p.x) + moved) : Rational(Rational(p.x) - moved);
    const bool truth = x <= Rational(half.x) && -x <= Rational(half.x);
    const Shape2 box = *make_box2(half), point = *make_point2(p);
    const Shape2 &a = box_is_a ? box : point, &b = box_is_a ? point : box;
    EXPECT_EQ(intersects(a, b, at), truth) << k;
    EXPECT_EQ(distance(a, b, at).hit, truth) << k;
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}

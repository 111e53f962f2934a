// What:    Closed forms of primitives in the plane. Oracles as in primitives3_test.cpp; in the plane the directions are
//          searched by angle.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/shapes/shape2.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using K = ShapeKind2;

namespace {

constexpr K kBounded[] = {K::point, K::segment, K::circle, K::capsule, K::box, K::polygon};

Pose2d random_pose2(Random& random, double size) {
  return {random_point<2>(random, size), Rot2d::from_angle(random.uniform(-3.2, 3.2))};
}
Shape2 random_shape(Random& random, K kind, double size = 1) {
  const auto radius = [&] { return size * random.uniform(0.05, 1); };
  switch (kind) {
    case K::point:
      return *make_point2(random_point<2>(random, size));
    case K::segment:
      return *make_segment2(random_point<2>(random, size), random_point<2>(random, size));
    case K::circle:
      return *make_circle2(radius());
    case K::capsule:
      return *make_capsule2(random_point<2>(random, size), random_point<2>(random, size), radius());
    case K::box:
      return *make_box2({radius(), radius()});
    case K::halfplane:
      return *make_halfplane2(random_point<2>(random, 1), random.uniform(-size, size));
    default: {
      std::vector<Vec2d> points;
      for (std::uint64_t i = 0, count = 1 + random.below(12); i < count; ++i)
        points.push_back(random_point<2>(random, size));
      return *make_polygon2(points, random.coin() ? radius() : 0);
    }
  }
}

double plane_gap(const Shape2& a, const Shape2& b, const Placement2& at, const Vec2d& n) {
  return dot(transform(at, support_point(b, -to_b(at, n))) - support_point(a, n), n);
}
// The largest gap between supporting lines over all angles, by steps that are refined around the best
double best_gap(const Shape2& a, const Shape2& b, const Placement2& at) {
  const auto gap = [&](double angle) {
    const Rot2d r = Rot2d::from_angle(angle);
    return plane_gap(a, b, at, {r.c, r.s});
  };
  constexpr int kSteps = 720;
  std::vector<std::pair<double, double>> found;
  for (int i = 0; i < kSteps; ++i) found.push_back({gap(2 * kPi * i / kSteps), 2 * kPi * i / kSteps});
  std::sort(found.rbegin(), found.rend());
  double best = found[0].first;
  for (int k = 0; k < 8; ++k) {
    double angle = found[k].second, value = found[k].first;
    for (double step = 2 * kPi / kSteps; step > 1e-12; step /= 2)
      for (const double d : {-step, step})
        if (const double v = gap(angle + d); v > value) value = v, angle += d;
    best = std::max(best, value);
  }
  return best;
}

template <class F>
void for_each_pair(F&& visit) {
  for (const K a : kBounded)
    for (const K b : kBounded)
      if (has_closed_form(a, b)) visit(a, b);
}

void expect_sound(const Shape2& a, const Shape2& b, const Placement2& at, const DistanceAnswer2& x) {
  SCOPED_TRACE(::testing::Message() << to_string(a.kind()) << ' ' << to_string(b.kind()));
  EXPECT_NEAR(length(x.normal), 1, 1e-14);
  EXPECT_EQ(x.hit, !(x.separation > 0));
  EXPECT_TRUE(x.lower <= x.separation && x.separation <= x.upper && x.upper - x.lower < 1e-12);
  EXPECT_LT(length((x.point_b - x.point_a) - x.normal * x.separation), 1e-7);
  EXPECT_GE(plane_gap(a, b, at, x.normal), x.separation - 1e-12);
  for (const auto& [shape, p] : {std::pair{a, x.point_a}, {b, to_b(at, x.point_b - at.translation)}}) {
    const DistanceAnswer2 on = primitive_distance2(shape, *make_point2(p), {});
    EXPECT_LT(std::fabs(on.separation), 1e-12);
  }
}

}  // namespace

TEST(Primitives2, NoDirectionShowsAWiderGap) {
  Random random(campaign_seed(1));
  const std::size_t rounds = sudar_test::soak(20);
  for_each_pair([&](K ka, K kb) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const Shape2 a = random_shape(random, ka), b = random_shape(random, kb);
      const Placement2 at = make_placement(random_pose2(random, round % 3 == 0 ? 3 : round % 3 == 1 ? 1 : 0.1));
      const DistanceAnswer2 x = primitive_distance2(a, b, at);
      expect_sound(a, b, at, x);
      EXPECT_NEAR(best_gap(a, b, at), x.separation, 1e-9) << to_string(ka) << ' ' << to_string(kb);
      for (const double left : {1e-9, -1e-9, 1e-14}) {
        if (x.status != QueryStatus::converged) continue;
        Placement2 near = at;
        near.translation = at.translation - x.normal * (x.separation - left);
        const DistanceAnswer2 y = primitive_distance2(a, b, near);
        expect_sound(a, b, near, y);
        if (x.separation > 0) {
          EXPECT_NEAR(y.separation, left, left > 0 ? 1e-13 : 1e-8);
        }
      }
    }
  });
}

TEST(Primitives2, SwapMotionAndScale) {
  Random random(campaign_seed(2));
  for_each_pair([&](K ka, K kb) {
    for (unsigned round = 0; round < 20; ++round) {
      Random same(campaign_seed(100u + round)), again = same;
      const Shape2 a = random_shape(same, ka), b = random_shape(same, kb);
      const Pose2d pa = random_pose2(random, 1), pb = random_pose2(random, 2), move = random_pose2(random, 100);
      const DistanceAnswer2 x = primitive_distance2(a, b, make_placement(pa, pb));
      const DistanceAnswer2 y = primitive_distance2(b, a, make_placement(pb, pa));
      const DistanceAnswer2 z = primitive_distance2(a, b, make_placement(move * pa, move * pb));
      EXPECT_NEAR(x.separation, y.separation, 1e-13);
      EXPECT_NEAR(x.separation, z.separation, 1e-12);
      const double factor = round % 2 == 0 ? 0x1p-20 : 0x1p30;
      const Shape2 large_a = random_shape(again, ka, factor), large_b = random_shape(again, kb, factor);
      const Pose2d rel = relative(pa, pb), large{rel.position * factor, rel.rotation};
      const DistanceAnswer2 u = primitive_distance2(a, b, make_placement(rel));
      const DistanceAnswer2 v = primitive_distance2(large_a, large_b, make_placement(large));
      EXPECT_EQ(v.separation, u.separation * factor) << to_string(ka) << ' ' << to_string(kb);
      EXPECT_EQ(v.normal, u.normal);
    }
  });
}

TEST(Primitives2, ByHand) {
  const auto at = [](double x, double y) { return make_placement(Pose2d{{x, y}, {}}); };
  const Shape2 one = *make_circle2(1);
  EXPECT_EQ(primitive_distance2(one, one, at(2, 0)).separation, 0);
  EXPECT_TRUE(primitive_distance2(one, one, at(2, 0)).hit);
  EXPECT_FALSE(primitive_distance2(one, one, at(std::nextafter(2.0, 3.0), 0)).hit);
  EXPECT_EQ(primitive_distance2(one, one, {}).status, QueryStatus::degenerate);
  // Crossing segments: a cross of half length 1 and 3 meets in the middle; out square to the longer one
  const Shape2 across = *make_segment2({-3, 0}, {3, 0}), up = *make_segment2({0, -1}, {0, 1});
  const DistanceAnswer2 cross = primitive_distance2(across, up, at(0, 0.25));
  EXPECT_NEAR(cross.separation, -0.75, 1e-15);
  EXPECT_EQ(cross.normal, (Vec2d{0, 1}));
  // The same with radii
  const DistanceAnswer2 fat =
      primitive_distance2(*make_capsule2({-3, 0}, {3, 0}, 0.5), *make_capsule2({0, -1}, {0, 1}, 0.25), at(0, 0.25));
  EXPECT_NEAR(fat.separation, -1.5, 1e-15);
  // Collinear: apart, touching, overlapping
  EXPECT_EQ(primitive_distance2(across, across, at(7, 0)).separation, 1);
  EXPECT_EQ(primitive_distance2(across, across, at(6, 0)).separation, 0);
  const DistanceAnswer2 same = primitive_distance2(across, across, at(1, 0));
  EXPECT_EQ(same.separation, 0);
  EXPECT_TRUE(same.hit);
  EXPECT_EQ(std::fabs(same.normal.y), 1);
  // A segment through a box: out by the sides, or past a corner
  const Shape2 box = *make_box2({2, 1});
  EXPECT_NEAR(primitive_distance2(box, *make_segment2({-5, 0.25}, {5, 0.25}), {}).separation, -0.75, 1e-15);
  const DistanceAnswer2 corner = primitive_distance2(box, *make_segment2({3, -0.9}, {0.1, 2}), {});
  EXPECT_NEAR(corner.separation, -(3 - 2.1) / std::sqrt(2.0), 1e-15);
  EXPECT_LT(length(corner.normal - Vec2d{std::sqrt(0.5), std::sqrt(0.5)}), 1e-15);
  EXPECT_LT(length(corner.point_a - Vec2d{2, 1}), 1e-15);
  // Half-planes
  const Shape2 ground = *make_halfplane2({0, 1}, 0);
  EXPECT_EQ(primitive_distance2(ground, box, at(5, 3)).separation, 2);
  EXPECT_EQ(primitive_distance2(box, ground, at(5, 3)).separation, -4);
  EXPECT_EQ(primitive_distance2(ground, *make_halfplane2({0, -1}, 0), at(1, 1)).separation, 1);
  EXPECT_EQ(primitive_distance2(ground, ground, {}).separation, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(primitive_distance2(box, box, {}).status, QueryStatus::unsupported);
}

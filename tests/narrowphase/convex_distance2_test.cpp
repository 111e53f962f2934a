// Distance and depth of convex shapes of the plane: closed forms, brute force over edges, properties.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/epa2.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;

Shape2 random_shape(Random& random) {
  const auto size = [&] { return random.uniform(0.2, 1.0); };
  switch (random.below(7)) {
    case 0:
      return *make_point2(random_point<2>(random));
    case 1:
      return *make_segment2(random_point<2>(random), random_point<2>(random));
    case 2:
      return *make_circle2(size());
    case 3:
      return *make_capsule2(random_point<2>(random), random_point<2>(random), size());
    case 4:
      return *make_box2({size(), size()});
    default: {
      std::vector<Vec2d> points(3 + random.below(20));
      for (Vec2d& p : points) p = random_point<2>(random);
      return *make_polygon2(points, random.coin() ? 0 : size() / 4);
    }
  }
}
Placement2 random_place(Random& random, double reach) {
  return make_placement<2>(Pose2d{random_point<2>(random) * reach, Rot2d::from_angle(random.uniform(-4.0, 4.0))});
}

double cross_of(const Vec2d& a, const Vec2d& b, const Vec2d& c) { return cross(b - a, c - a); }

// All differences of vertices; every line through two of them that has the rest on one side bounds the difference set
double brute_force(const ConvexView2& a, const ConvexView2& b, const Placement2& at) {
  std::vector<Vec2d> w;
  for (std::uint32_t i = 0; i < a.count; ++i)
    for (std::uint32_t j = 0; j < b.count; ++j) w.push_back(a.vertex(i) - transform(at, b.vertex(j)));
  // Gift wrapping
  std::size_t start = 0;
  for (std::size_t i = 1; i < w.size(); ++i)
    if (lexicographically_less(w[i], w[start])) start = i;
  std::vector<Vec2d> hull;
  for (std::size_t at_point = start;;) {
    hull.push_back(w[at_point]);
    std::size_t next = at_point == 0 ? (w.size() > 1 ? 1 : 0) : 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double turn = cross_of(w[at_point], w[next], w[i]);
      if (turn < 0 || (turn == 0 && distance(w[at_point], w[i]) > distance(w[at_point], w[next]))) next = i;
    }
    at_point = next;
    if (at_point == start || hull.size() > w.size()) break;
  }
  double inside = 1e300, outside = 1e300;
  bool in = hull.size() > 2;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2d p = hull[i], q = hull[(i + 1) % hull.size()], e = q - p;
    const double l = length(e);
    const double t = l > 0 ? std::fmin(1.0, std::fmax(0.0, -dot(p, e) / (l * l))) : 0;
    outside = std::fmin(outside, length(p + e * t));
    if (l > 0) {
      const double d = cross(p, e) / l;
      inside = std::fmin(inside, d);
      in = in && d >= 0;
    }
  }
  return in ? -inside : outside;
}

TEST(ConvexDistance2, AgreesWithBruteForceOverTheDifference) {
  Random random(campaign_seed(21));
  for (std::size_t k = 0; k < sudar_test::soak(3000); ++k) {
    const Shape2 a = random_shape(random), b = random_shape(random);
    const Placement2 at = random_place(random, 1.5);
    const ConvexView2 va = make_view(a), vb = make_view(b);
    const DistanceAnswer2 r = convex_distance2(a, b, at);
    const double truth = brute_force(va, vb, at) - va.radius - vb.radius;
    ASSERT_NEAR(r.separation, truth, 1e-13) << k << " " << to_string(a.kind()) << " " << to_string(b.kind());
    ASSERT_EQ(r.hit, convex_intersects2(a, b, at)) << k;
    ASSERT_LE(r.lower, r.separation);
    ASSERT_LE(r.separation, r.upper);
    ASSERT_LE(r.upper - r.lower, 1e-13);
    ASSERT_NEAR(dot(r.point_b - r.point_a, r.normal), r.separation, 1e-13) << k;
    const DistanceAnswer2 plain =
        swapped(convex_distance2(b, a, make_placement<2>(inverse(Pose2d{at.translation, {at.turn.x.x, at.turn.x.y}}))));
    ASSERT_NEAR(plain.separation, r.separation, 1e-13) << k;
    if (std::fabs(r.separation) > 1e-9 && va.radius + vb.radius == 0) {
      ASSERT_EQ(gjk_plain2(Difference2(va, vb, at)), r.hit) << k;
    }
  }
}

TEST(ConvexDistance2, TheDepthSeparatesAndLessDoesNot) {
  Random random(campaign_seed(22));
  for (std::size_t k = 0; k < sudar_test::soak(1000); ++k) {
    const Shape2 a = random_shape(random), b = random_shape(random);
    Placement2 at = random_place(random, 0.7);
    const DistanceAnswer2 r = convex_distance2(a, b, at);
    if (!(r.separation < -1e-6)) continue;
    const Vec2d t = at.translation;
    at.translation = t - r.normal * (1.01 * r.separation);
    ASSERT_FALSE(convex_intersects2(a, b, at)) << k;
    at.translation = t - r.normal * (0.99 * r.separation);
    ASSERT_TRUE(convex_intersects2(a, b, at)) << k;
  }
}

TEST(ConvexDistance2, TouchingAndBoxes) {
  const Shape2 a = *make_box2({2, 1});
  for (const double x : {4.0, 3.5, 1.0}) {
    const DistanceAnswer2 r = convex_distance2(a, a, make_placement<2>({}, Pose2d{{x, 0}, {}}));
    EXPECT_TRUE(r.hit);
    EXPECT_EQ(r.separation, -std::fmin(4 - x, 2.0));
  }
  const DistanceAnswer2 apart =
      convex_distance2(a, a, make_placement<2>({}, Pose2d{{std::nextafter(4.0, 5.0), 0}, {}}));
  EXPECT_FALSE(apart.hit);
  EXPECT_EQ(apart.separation, std::nextafter(4.0, 5.0) - 4);
  EXPECT_EQ(apart.normal, (Vec2d{1, 0}));
  // A needle and a point, a circle over a corner, a capsule on a big polygon
  const std::vector<Vec2d> needle{{-0.5, -0.0016}, {0.5, -0.0016}, {0.5, 0.0016}, {-0.5, 0.0016}};
  EXPECT_NEAR(convex_distance2(*make_polygon2(needle), *make_point2({0.505, 0}), {}).separation, 0.005, 1e-15);
  const DistanceAnswer2 corner =
      convex_distance2(*make_circle2(1), *make_box2({1, 1}), make_placement<2>(Pose2d{{-1, -1}, {}}));
  EXPECT_NEAR(corner.separation, -1, 1e-15);
  const std::vector<Vec2d> hill{{64, 507}, {440, 326}, {1072, 507}};
  EXPECT_TRUE(convex_intersects2(*make_capsule2({381.592, 343.491}, {381.592, 353.491}, 10), *make_polygon2(hill), {}));
}

class Ellipse final : public SupportFunction2 {
 public:
  Vec2d support(const Vec2d& d) const override {
    const Vec2d s{2 * d.x, d.y};
    const double l = length(s);
    return l > 0 ? Vec2d{2 * s.x / l, s.y / l} : Vec2d{2, 0};
  }
};

TEST(ConvexDistance2, CustomShapes) {
  const Shape2 a = *make_custom2(std::make_shared<Ellipse>());
  for (const double x : {0.5, 1.5, 2.9, 3.5, 10.0}) {
    const DistanceAnswer2 r = convex_distance2(a, *make_circle2(1), make_placement<2>(Pose2d{{x, 0}, {}}));
    // The nearest way out of an ellipse is up to the short axis unless the circle is far out
    if (x > 2) {
      EXPECT_NEAR(r.separation, x - 3, 1e-9) << x;
    }
    // At 1.5 the circle is centred where the ellipse curves about: many directions are nearly as good
    EXPECT_LE(r.upper - r.lower, x == 1.5 ? 1e-7 : 1e-9) << x;
    EXPECT_TRUE(r.status == QueryStatus::converged || x == 1.5);
  }
}

TEST(Gjk2, WarmStartsNeverChangeTheAnswer) {
  Random random(campaign_seed(23));
  for (std::size_t k = 0; k < sudar_test::soak(300); ++k) {
    const Shape2 a = random_shape(random), b = random_shape(random);
    Placement2 at = random_place(random, 1.5);
    GjkCache2 cache;
    for (int step = 0; step < 8; ++step) {
      const DistanceAnswer2 cold = convex_distance2(a, b, at), warm = convex_distance2(a, b, at, &cache);
      ASSERT_EQ(cold.hit, warm.hit) << k;
      ASSERT_NEAR(cold.separation, warm.separation, 1e-13) << k;
      at = step == 5 ? random_place(random, 1.5) : at;
      at.translation += random_point<2>(random) * 0.02;
    }
  }
}

}  // namespace

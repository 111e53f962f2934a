#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mass2.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

using Polygon = std::vector<Vec2d>;

constexpr double kBar = 1e-12;

void expect_same(const MassProperties2& got, const MassProperties2& expected, const char* what) {
  EXPECT_NEAR(got.mass, expected.mass, kBar * expected.mass) << what;
  const double size = std::sqrt(expected.inertia() / expected.mass);
  EXPECT_NEAR(distance(got.center, expected.center), 0, kBar * (size + length(expected.center))) << what;
  EXPECT_NEAR(got.xx, expected.xx, kBar * expected.inertia()) << what;
  EXPECT_NEAR(got.yy, expected.yy, kBar * expected.inertia()) << what;
  EXPECT_NEAR(got.xy, expected.xy, kBar * expected.inertia()) << what;
}

Polygon moved(Polygon polygon, const Pose2d& pose) {
  for (Vec2d& v : polygon) v = transform(pose, v);
  return polygon;
}

const Polygon kRectangle = {{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}};
const MassProperties2 kRectangleMass = {2, {0, 0}, 2.0 / 3, 1.0 / 6, 0};

}  // namespace

// Oracle: closed form
TEST(Mass2, RectangleAndTriangle) {
  expect_same(*mass_properties(kRectangle), kRectangleMass, "rectangle");
  // Right triangle with legs 3 and 6: ∫x² = m a²/18 about the center
  expect_same(*mass_properties(Polygon{{0, 0}, {3, 0}, {0, 6}}, 2), {18, {1, 2}, 9, 36, -9}, "triangle");
}

// Oracle: closed form, a square ring cut open to one loop, and the square minus its hole
TEST(Mass2, ConcavePolygonEqualsTheWholeMinusTheHole) {
  const Polygon outer = {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, hole = {{1, 1}, {2, 1}, {2, 3}, {1, 3}};
  const Polygon ring = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {2, 3}, {2, 1}, {1, 1}};
  expect_same(*mass_properties(ring), combined(*mass_properties(outer), scaled(*mass_properties(hole), -1)), "ring");
}

TEST(Mass2, FarFromTheOrigin) {
  Random random(campaign_seed(4));
  for (int i = 0; i < 100; ++i) {
    const Pose2d pose{{random.uniform(-1e3, 1e3), random.uniform(-1e3, 1e3)}, Rot2d::from_angle(random.uniform(0, 7))};
    expect_same(*mass_properties(moved(kRectangle, pose)), transformed(kRectangleMass, pose), "moved");
  }
  const MassProperties2 far = *mass_properties(moved(kRectangle, {{1e9, -1e9}, {}}));
  EXPECT_DOUBLE_EQ(far.mass, 2);
  EXPECT_DOUBLE_EQ(far.inertia(), 5.0 / 6);
}

// Oracle: closed form π r², π r⁴ / 4; the error falls with the square of the edge length
TEST(Mass2, ConvergesToTheDiscWithOrderTwo) {
  double before = 0;
  for (int n = 16; n <= 256; n *= 2) {
    Polygon polygon;
    for (int i = 0; i < n; ++i) {
      const SinCos a = sin_cos(2 * kPi * i / n);
      polygon.push_back({a.cos, a.sin});
    }
    const double error = kPi / 2 - mass_properties(polygon)->inertia();
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.05);
    }
    before = error;
  }
}

TEST(Mass2, ParallelAxesAndSums) {
  EXPECT_DOUBLE_EQ(inertia_about(kRectangleMass, {3, 4}), 5.0 / 6 + 2 * 25);
  const Polygon left = {{-1, -0.5}, {0, -0.5}, {0, 0.5}, {-1, 0.5}}, right = {{0, -0.5}, {1, -0.5}, {1, 0.5}, {0, 0.5}};
  expect_same(combined(*mass_properties(left), *mass_properties(right)), kRectangleMass, "halves");
  expect_same(scaled(kRectangleMass, 3), *mass_properties(kRectangle, 3), "density");
}

TEST(Mass2, ExtremeSizes) {
  for (double size : {1e-70, 1e70}) {
    Polygon polygon = kRectangle;
    for (Vec2d& v : polygon) v *= size;
    const MassProperties2 body = *mass_properties(polygon);
    EXPECT_NEAR(body.mass / size / size, 2, 1e-14);
    EXPECT_NEAR(body.inertia() / size / size / size / size, 5.0 / 6, 1e-14);
  }
  for (double size : {1e200, 1.7e308}) {
    Polygon polygon = kRectangle;
    for (Vec2d& v : polygon) v *= size;
    EXPECT_EQ(mass_properties(polygon).error().code, ErrorCode::too_large);
  }
  for (double size : {1e-200, 5e-324}) {
    Polygon polygon = kRectangle;
    for (Vec2d& v : polygon) v *= size;
    EXPECT_EQ(mass_properties(polygon).error().code, ErrorCode::degenerate);
  }
}

TEST(Mass2, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(mass_properties(Polygon{}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(mass_properties(Polygon{{0, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_properties(Polygon{{0, 0}, {1, 1}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_properties(Polygon{{0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_properties(Polygon{{0, 0}, {0, 1}, {1, 0}}).error().code, ErrorCode::not_oriented);
  EXPECT_EQ(mass_properties(Polygon{{0, 0}, {1, nan}, {1, 0}}).error(), (Error{ErrorCode::non_finite, 1}));
  for (double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(mass_properties(kRectangle, bad).error().code, ErrorCode::invalid_argument);
}

#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/infinity.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/axis_bound3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

TEST(AxisBound3, NoDirectionOfABeltIsNearer) {
  Random random(campaign_seed(3));
  for (std::size_t k = 0; k < sudar_test::soak(300); ++k) {
    const double r = random.uniform(0.1, 2), h = random.uniform(0.1, 2);
    const auto kind = static_cast<Revolution::Kind>(random.below(3));
    const Shape3 shape = kind == Revolution::Kind::cylinder ? *make_cylinder3(h, r)
                         : kind == Revolution::Kind::cone   ? *make_cone3(h, r)
                                                            : *make_ellipsoid3({r, r, h});
    const ConvexView3 view = make_view(shape);
    AxisBound3 bound({kind, r, h}, {}, {0, 0, 1}, 0.05 * r);
    std::vector<Vec3d> points;
    for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
      const double angle = random.uniform(-kPi, kPi), off = random.coin() ? 0 : random.uniform(0, 0.05 * r);
      points.push_back({off * std::cos(angle), off * std::sin(angle), random.uniform(-1.2, 1) * h});
      bound.add(points.back());
    }
    double from = random.uniform(-1, 1), to = random.coin() ? from : random.uniform(-1, 1);
    if (from > to) std::swap(from, to);
    const double least = bound.least(from, to);
    double seen = kInfinity;
    for (int i = 0; i < 400; ++i) {
      const double z = random.uniform(from, to), s = std::sqrt(1 - z * z), angle = random.uniform(-kPi, kPi);
      const Vec3d n{s * std::cos(angle), s * std::sin(angle), z};
      double beyond = -kInfinity;
      for (const Vec3d& p : points) beyond = std::max(beyond, dot(n, support(view, n).p - p));
      seen = std::min(seen, beyond);
    }
    EXPECT_LE(least, seen + 1e-13) << k;
    // And with one point on the axis itself it is what is there
    AxisBound3 one({kind, r, h}, {}, {0, 0, 1}, 0);
    const double at = random.uniform(-1, 1) * h;
    one.add({0, 0, at});
    double exact = kInfinity;
    for (int i = 0; i <= 4000; ++i) {
      const double z = from + (to - from) * i / 4000, s = std::sqrt(std::max(0.0, 1 - z * z));
      exact = std::min(exact, dot(Vec3d{s, 0, z}, support(view, {s, 0, z}).p - Vec3d{0, 0, at}));
    }
    EXPECT_LE(one.least(from, to), exact + 1e-13) << k;
    EXPECT_GE(one.least(from, to), exact - 2e-3) << k;
  }
}

TEST(AxisBound3, WithoutPointsNothingIsProven) {
  AxisBound3 bound({Revolution::Kind::cone, 1, 1}, {}, {0, 0, 1}, 0.1);
  EXPECT_EQ(bound.least(-1, 1), -kInfinity);
  bound.add({0.5, 0, 0});
  bound.add({0, 0, 1.5});
  EXPECT_EQ(bound.least(-1, 1), -kInfinity);
}

// The corner on the axis lies near the base, the others hold it in: every direction across the slanted side is the best one
TEST(AxisBound3, ARoundedHullInACone) {
  const Vec3d corners[] = {{-8, 0.5, 0}, {0, 0, -9.875}, {-3.4999999997671694, 1, -1}, {1, 1, 1}};
  const Shape3 cone = *make_cone3(10, 10), hull = *make_hull_shape3(corners, 10);
  const DistanceAnswer3 x = distance(cone, Pose3d{}, hull, Pose3d{});
  EXPECT_EQ(x.status, QueryStatus::converged);
  EXPECT_NEAR(x.separation, -10 - 198.75 / std::sqrt(500), 1e-8);
  EXPECT_LT(x.iterations, 100000);
}

// The whole ring about the apex, which a long corner far above does not break
TEST(AxisBound3, ALongTriangleInACone) {
  const Shape3 cone = *make_cone3(1, 1),
               triangle = *make_triangle3({-3.499999999985448, 7.081140805420853e-15, 221505.25}, {0, 0, 1}, {0, 0, 0});
  const DistanceAnswer3 x = distance(cone, Pose3d{}, triangle, Pose3d{});
  EXPECT_EQ(x.status, QueryStatus::converged);
  EXPECT_NEAR(x.separation, -1 / std::sqrt(5), 1e-4);
}

}  // namespace

#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/point_scan.hpp>
#include <sudar/bounding/sphere_fit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();

// Points of the kinds that trouble sphere fits, all of about unit size
template <int D>
std::vector<Vec<D, double>> make_points(int kind, std::size_t count, Random& random) {
  std::vector<Vec<D, double>> points;
  const Vec<D, double> a = random_point<D>(random), b = random_point<D>(random);
  while (points.size() < count) {
    Vec<D, double> p = random_point<D>(random);
    switch (kind) {
      case 0:
        break;  // in a cube
      case 1:
        p = normalized(p);
        break;  // on a sphere
      case 2:
        p = lerp(a, b, random.uniform());
        break;  // on a line
      case 3:
        p[D - 1] = 0.25;
        break;  // in a plane
      case 4:
        p = random.coin() ? a : b;
        break;  // duplicates
      case 5:
        for (int i = 0; i < D; ++i) p[i] = p[i] < 0 ? -1 : 1;
        break;  // corners of a cube
      case 6:
        for (int i = 0; i < D; ++i) p[i] = std::round(3 * p[i]);
        break;  // a grid: many cospherical
      case 7:
        p = a + p * 1e-9;
        break;  // a speck far from the origin
      case 8:
        p = normalized(p), p[0] *= 1e-7;
        break;  // almost flat and cospherical
      default:
        p[0] *= 1e-13;
        break;  // almost flat
    }
    points.push_back(p);
  }
  return points;
}
constexpr int kKinds = 10;

template <int D>
void expect_the_fits_agree() {
  Random random(campaign_seed(11));
  for (int kind = 0; kind < kKinds; ++kind) {
    for (std::size_t count : {1u, 2u, 3u, 4u, 5u, 9u, 14u}) {
      const auto points = make_points<D>(kind, count, random);
      const auto reference = brute_force_sphere<D>(points), fast = smallest_sphere<D>(points),
                 welzl = welzl_sphere<D>(points), ritter = ritter_sphere<D>(points), mean = mean_sphere<D>(points),
                 box = box_sphere<D>(points);
      ASSERT_TRUE(reference.ok() && fast.ok() && welzl.ok() && ritter.ok() && mean.ok() && box.ok());
      const double r = reference->radius, slack = 1e-14 * (kind == 7 ? 1.0 : r);
      EXPECT_NEAR(fast->radius, r, slack) << kind << " " << count;
      EXPECT_NEAR(welzl->radius, r, slack) << kind << " " << count;
      // The proven bounds of the cheap fits
      EXPECT_LE(mean->radius, 2 * r + slack);
      EXPECT_LE(box->radius, std::sqrt(double(D)) * r + slack);
      EXPECT_LE(ritter->radius, 1.5 * r + slack);
      for (const auto* fit : {&*ritter, &*mean, &*box}) EXPECT_GE(fit->radius, r - slack);
      for (const auto* fit : {&*reference, &*fast, &*welzl, &*ritter, &*mean, &*box})
        for (const auto& p : points) EXPECT_TRUE(contains(*fit, p));
    }
  }
}
}  // namespace

TEST_SIMD(PointScan, SimdAndScalarGiveTheSameBits) {
  Random random(campaign_seed(12));
  for (std::size_t count : {1u, 2u, 3u, 7u, 8u, 9u, 63u, 64u, 65u, 200u, 1000u}) {
    const auto p3 = make_points<3>(0, count, random);
    const auto p2 = make_points<2>(0, count, random);
    EXPECT_EQ(scan_box<3>(p3), scan_box_scalar<3>(p3));
    EXPECT_EQ(scan_box<2>(p2), scan_box_scalar<2>(p2));
    std::vector<double> a(scan_blocks(count)), b(scan_blocks(count));
    const Vec3d c{0.1, 0.2, 0.3};
    EXPECT_EQ(farthest_by_block<3>(p3, c, a), farthest_by_block_scalar<3>(p3, c, b));
    EXPECT_EQ(a, b);
    EXPECT_EQ(farthest_by_block<2>(p2, {c.x, c.y}, a), farthest_by_block_scalar<2>(p2, {c.x, c.y}, b));
    EXPECT_EQ(a, b);
  }
}

TEST(SmallestSphere, DegenerateInputs) {
  // Oracle: brute force over support sets
  expect_the_fits_agree<2>();
  expect_the_fits_agree<3>();
}

TEST(SmallestSphere, FastAndWelzlAgreeOnManyPoints) {
  Random random(campaign_seed(13));
  for (int kind = 0; kind < kKinds; ++kind) {
    if (kind == 7) continue;
    const auto p3 = make_points<3>(kind, 50000, random);
    const auto p2 = make_points<2>(kind, 50000, random);
    const double r3 = smallest_sphere<3>(p3)->radius, r2 = smallest_sphere<2>(p2)->radius;
    EXPECT_NEAR(welzl_sphere<3>(p3)->radius, r3, 1e-14 * r3) << kind;
    EXPECT_NEAR(welzl_sphere<2>(p2)->radius, r2, 1e-14 * r2) << kind;
  }
}

TEST(SmallestSphere, ClosedForms) {
  // Cube with side 2, regular tetrahedron, two points, a right triangle, an obtuse one
  Random random(campaign_seed(14));
  EXPECT_NEAR(smallest_sphere<3>(make_points<3>(5, 1000, random))->radius, std::sqrt(3.0), 1e-14);
  const std::vector<Vec3d> tetrahedron = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  EXPECT_NEAR(smallest_sphere<3>(tetrahedron)->radius, std::sqrt(3.0), 1e-14);
  const std::vector<Vec2d> pair = {{1, 2}, {4, 6}}, right = {{0, 0}, {3, 0}, {0, 4}},
                           obtuse = {{0, 0}, {10, 0}, {5, 1}};
  EXPECT_NEAR(smallest_sphere<2>(pair)->radius, 2.5, 1e-14);
  EXPECT_NEAR(smallest_sphere<2>(right)->radius, 2.5, 1e-14);
  EXPECT_NEAR(distance(smallest_sphere<2>(right)->center, Vec2d{1.5, 2}), 0, 1e-14);
  EXPECT_NEAR(smallest_sphere<2>(obtuse)->radius, 5, 1e-14);
}

// A corner that is right up to half of the digits: the radius grows by less than rounding while the centre moves on. Oracle:
// every set of points as support.
TEST(SmallestSphere, NearlyRightTriangles) {
  const auto expect_smallest = [](const auto& points, auto dimension) {
    constexpr int D = decltype(dimension)::value;
    const auto fast = smallest_sphere<D>(points), plain = brute_force_sphere<D>(points);
    ASSERT_TRUE(fast.ok() && plain.ok());
    double size = 0;
    for (const auto& p : points) size = std::fmax(size, max_abs(p));
    ASSERT_LE(fast->radius, plain->radius * (1 + 1e-14) + 4 * kRoundoff * size);
  };
  using Two = std::integral_constant<int, 2>;
  using Three = std::integral_constant<int, 3>;
  for (const std::vector<Vec2d>& points :
       {std::vector<Vec2d>{{0, -2}, {0, 4.4703483581624284e-08}, {-2.000000000005457, 0}},
        std::vector<Vec2d>{{0, -5.625}, {0, -5.3750000000195541}, {0.125, -5.5}},
        std::vector<Vec2d>{{6.125, 0}, {5.5, 0}, {5.5000000000150067, 0.01025390625}},
        std::vector<Vec2d>{{-2.0980834960956582e-05, 6.75}, {0, 7}, {0, -1.1920928955078125e-07}, {4.875, 0}}})
    expect_smallest(points, Two{});
  expect_smallest(
      std::vector<Vec3d>{{-2.25, 1, 0}, {0, 0, 0}, {0, -0.0008697509765625, -5.75}, {-5.875, -0.000762939453125, 0}},
      Three{});
  expect_smallest(std::vector<Vec3d>{{0, 3.5000000000063665, 0}, {8, 0, 0}, {0, 0, 0.00030517578125}}, Three{});
  // Points near the circle and the sphere over a diameter
  Random random(campaign_seed(71));
  for (int n = 0; n < 2000; ++n) {
    std::vector<Vec2d> circle = {{-1, 0}, {1, 0}};
    std::vector<Vec3d> ball = {{-1, 0, 0}, {1, 0, 0}};
    for (std::uint64_t i = 0, count = 1 + random.below(4); i < count; ++i) {
      const double nearly = 1 + std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(50)) - 1);
      circle.push_back(normalized(random_point<2>(random)) * nearly);
      ball.push_back(normalized(random_point<3>(random)) * nearly);
    }
    expect_smallest(circle, Two{});
    expect_smallest(ball, Three{});
    if (HasFatalFailure()) return;
  }
  // So many that a sample is solved first
  std::vector<Vec2d> many(20000, Vec2d{-1, -1});
  many[100] = {0, -2}, many[9000] = {0, 4.4703483581624284e-08}, many[19000] = {-2.000000000005457, 0};
  EXPECT_LE(smallest_sphere<2>(many)->radius, 1.414213562375026 * (1 + 1e-14));
}

TEST(SmallestSphere, AnOutlierThatTheSampleMisses) {
  Random random(campaign_seed(15));
  auto points = make_points<3>(0, 100000, random);
  for (Vec3d& p : points) p *= 1e-3;
  points[77777] = {5, 0, 0};
  points[12345] = {-5, 0, 0};
  EXPECT_NEAR(smallest_sphere<3>(points)->radius, 5, 1e-13);
}

TEST(SmallestSphere, AMillionPointsInAnyOrderNeedNoDeepStack) {
  // Ordered so that every point is outside of the ball of those before it
  std::vector<Vec3d> points;
  for (int i = 0; i < 1000000; ++i) points.push_back({double(i), double(i), 0});
  const double expected = 999999 * std::sqrt(2.0) / 2;
  EXPECT_NEAR(smallest_sphere<3>(points)->radius, expected, expected * 1e-14);
  EXPECT_NEAR(welzl_sphere<3>(points)->radius, expected, expected * 1e-14);
}

TEST(SphereFit, BadDataIsATypedError) {
  std::vector<Vec3d> points(100, Vec3d{1, 2, 3});
  for (auto fit : {mean_sphere<3>, box_sphere<3>, ritter_sphere<3>, smallest_sphere<3>}) {
    EXPECT_EQ(fit({}).error().code, ErrorCode::empty_input);
    points[42].z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(fit(points).error(), (Error{ErrorCode::non_finite, 42}));
    points[42].z = -kInf;
    EXPECT_EQ(fit(points).error(), (Error{ErrorCode::non_finite, 42}));
    points[42].z = 3;
    EXPECT_EQ(*fit(points), (Sphere3d{{1, 2, 3}, 0}));
    // More elements than an index can hold; refused before any is read
    const std::span<const Vec3d> absurd(points.data(), std::size_t{1} << 40);
    EXPECT_EQ(fit(absurd).error().code, ErrorCode::too_large);
  }
  EXPECT_EQ(welzl_sphere<3>({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(brute_force_sphere<3>(points).error().code, ErrorCode::too_large);
}

TEST(SphereFit, ExtremeSizes) {
  // Oracle: the same points at size 1, scaled by a power of two
  Random random(campaign_seed(16));
  const auto unit = make_points<3>(0, 40, random);
  const double r = smallest_sphere<3>(unit)->radius;
  for (int exponent : {-1000, -500, -460, 460, 600, 1000, 1022}) {
    std::vector<Vec3d> points = unit;
    for (Vec3d& p : points)
      for (int i = 0; i < 3; ++i) p[i] = std::ldexp(p[i], exponent);
    for (auto fit : {mean_sphere<3>, box_sphere<3>, ritter_sphere<3>, smallest_sphere<3>, brute_force_sphere<3>}) {
      const auto sphere = fit(points);
      ASSERT_TRUE(sphere.ok());
      EXPECT_GE(std::ldexp(sphere->radius, -exponent), r * (1 - 1e-14));
    }
    EXPECT_NEAR(std::ldexp(smallest_sphere<3>(points)->radius, -exponent), r, 1e-13);
    EXPECT_NEAR(std::ldexp(welzl_sphere<3>(points)->radius, -exponent), r, 1e-13);
  }
  const double big = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<Vec3d> across = {{-big, -big, -big}, {big, big, big}}, flat = {{-big, 0, 0}, {big, 0, 0}};
  EXPECT_EQ(smallest_sphere<3>(across).error().code, ErrorCode::too_large);
  EXPECT_TRUE(smallest_sphere<3>(flat).ok() || smallest_sphere<3>(flat).error().code == ErrorCode::too_large);
  const std::vector<Vec3d> specks = {{0, 0, 0}, {tiny, 0, 0}, {0, 3 * tiny, 0}};
  ASSERT_TRUE(smallest_sphere<3>(specks).ok());
  EXPECT_GE(smallest_sphere<3>(specks)->radius, 2 * tiny);
  EXPECT_LE(smallest_sphere<3>(specks)->radius, 6 * tiny);
}

TEST(SphereFit, TheTraceOfWelzlEndsInTheAnswer) {
  Random random(campaign_seed(17));
  const auto points = make_points<3>(0, 200, random);
  TraceLog log;
  const auto traced = welzl_sphere<3>(points, TraceTo{&log});
  ASSERT_TRUE(traced.ok());
  EXPECT_EQ(*traced, *welzl_sphere<3>(points));
  const TraceLog::Entry* last = nullptr;
  for (const auto& entry : log.entries())
    if (entry.step == "ball") last = &entry;
  ASSERT_NE(last, nullptr);
  EXPECT_GE(last->ids.size(), 2u);
  EXPECT_NEAR(last->numbers[3], traced->radius, 1e-14);
  for (std::uint32_t id : last->ids) EXPECT_NEAR(distance(points[id], traced->center), traced->radius, 1e-13);
}

#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;

namespace {
std::vector<Vec3d> cloud(Random& random, int kind, std::size_t count) {
  std::vector<Vec3d> points;
  const Vec3d scale = kind % 3 == 0 ? Vec3d{1, 1, 1} : Vec3d{5, 1, 0.5};
  const Pose3d pose{random_point<3>(random) * 20.0, random_rotation(random)};
  for (std::size_t i = 0; i < count; ++i) {
    Vec3d p = mul(random_point<3>(random), scale);
    if (kind == 3) p.z = 0;
    if (kind == 4) p.y = p.z = 0;
    if (kind == 5) p = {};
    points.push_back(transform(pose, p));
  }
  return points;
}
}  // namespace

TEST(RoundFit, CapsuleAndCylinderContainTheirPoints) {
  Random random(campaign_seed(71));
  for (std::size_t n = 0; n < sudar_test::soak(60); ++n) {
    const auto points = cloud(random, static_cast<int>(n % 6), 1 + random.below(60));
    const auto capsule = bounding_capsule<3>(points);
    const auto cylinder = bounding_cylinder(points);
    ASSERT_TRUE(capsule.ok() && cylinder.ok());
    std::vector<Vec2d> flat;
    for (const Vec3d& p : points) {
      EXPECT_TRUE(contains(*capsule, p));
      EXPECT_TRUE(contains(*cylinder, p));
      flat.push_back({p.x, p.y});
    }
    const auto stadium = bounding_capsule<2>(flat);
    ASSERT_TRUE(stadium.ok());
    for (const Vec2d& p : flat) EXPECT_TRUE(contains(*stadium, p));
    // Never worse than the sphere
    EXPECT_LE(volume(*capsule), volume(*smallest_sphere<3>(points)) * (1 + 1e-9));
    EXPECT_LE(volume(*stadium), volume(*smallest_sphere<2>(flat)) * (1 + 1e-9));
  }
}

TEST(RoundFit, ASampledCapsuleAndCylinderAreFoundAgain) {
  // Closed form: the shape the points were taken from
  Random random(72);
  for (int n = 0; n < 3; ++n) {
    const Pose3d pose{random_point<3>(random) * 3.0, random_rotation(random)};
    std::vector<Vec3d> on_capsule, on_cylinder;
    for (int i = 0; i < 1000; ++i) {
      const Vec3d out = normalized(random_point<3>(random));
      on_capsule.push_back(transform(pose, out * 0.5 + Vec3d{0, 0, out.z > 0 ? 2.0 : -2.0}));
      const Vec2d rim = normalized(Vec2d{out.x, out.y}) * 0.5;
      on_cylinder.push_back(transform(pose, Vec3d{rim.x, rim.y, i % 2 ? 2.0 : -2.0}));
    }
    const auto capsule = *bounding_capsule<3>(on_capsule);
    EXPECT_NEAR(capsule.radius, 0.5, 0.02);
    EXPECT_NEAR(distance(capsule.a, capsule.b), 4, 0.1);
    const auto cylinder = *bounding_cylinder(on_cylinder);
    EXPECT_NEAR(cylinder.radius, 0.5, 0.02);
    EXPECT_NEAR(cylinder.half_height, 2, 0.01);
  }
}

TEST(RoundFit, BadData) {
  std::vector<Vec3d> points = {{0, 0, 0}, {1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(bounding_capsule<3>({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(bounding_capsule<2>({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(bounding_cylinder({}).error().code, ErrorCode::empty_input);
  points[1].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(bounding_capsule<3>(points).error(), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(bounding_cylinder(points).error(), (Error{ErrorCode::non_finite, 1}));
  for (double s : {1e-300, 1e-150, 1e150, 1e307}) {
    const std::vector<Vec3d> scaled = {{s, 0, 0}, {0, 2 * s, 0}, {0, 0, 3 * s}, {s, s, s}, {0, 0, 0}};
    const auto capsule = bounding_capsule<3>(scaled);
    const auto cylinder = bounding_cylinder(scaled);
    EXPECT_TRUE(capsule.ok() || capsule.error().code == ErrorCode::too_large);
    EXPECT_TRUE(cylinder.ok() || cylinder.error().code == ErrorCode::too_large);
  }
}

TEST(HullVolume, ContainsVolumeAndOverlapOfKnownBodies) {
  std::vector<Vec3d> cube, shifted;
  for (int k = 0; k < 8; ++k) cube.push_back({double(k & 1), double(k >> 1 & 1), double(k >> 2 & 1)});
  const auto hull = *quickhull3(std::span<const Vec3d>(cube));
  EXPECT_NEAR(volume(hull), 1, 1e-14);
  EXPECT_TRUE(contains(hull, Vec3d{0.5, 0.5, 0.5}));
  EXPECT_TRUE(contains(hull, Vec3d{1, 1, 1}));
  EXPECT_FALSE(contains(hull, Vec3d{1.001, 0.5, 0.5}));
  for (double x : {1.0, 1.001, -1.0, -1.001}) {
    shifted = cube;
    for (Vec3d& p : shifted) p.x += x;
    EXPECT_EQ(overlap(hull, *quickhull3(std::span<const Vec3d>(shifted))), std::fabs(x) <= 1) << x;
  }
  // Turned by an eighth about z, corner to corner
  const Quatd turn = Quatd::from_axis_angle({0, 0, 1}, kPi / 4);
  const double reach = std::sqrt(2.0) / 2;
  for (double gap : {-0.001, 0.001}) {
    const auto moved =
        transform(Pose3d{Vec3d{1 + reach + gap, 0.5, 0.5} - rotate(turn, Vec3d{0.5, 0.5, 0.5}), turn}, hull);
    ASSERT_TRUE(moved.ok());
    EXPECT_EQ(overlap(hull, *moved), gap < 0);
    EXPECT_NEAR(volume(*moved), 1, 1e-13);
  }
}

TEST(HullVolume, BadPosesAreTypedErrors) {
  std::vector<Vec3d> cube, huge;
  for (int k = 0; k < 8; ++k) cube.push_back({double(k & 1), double(k >> 1 & 1), double(k >> 2 & 1)});
  for (const Vec3d& p : cube) huge.push_back((p * 2.0 - Vec3d{1, 1, 1}) * 1.7e308);
  const auto hull = *quickhull3(std::span<const Vec3d>(cube));
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(transform(Pose3d{Vec3d{kNaN, 0, 0}, {}}, hull).error().code, ErrorCode::non_finite);
  EXPECT_EQ(transform(Pose3d{Vec3d{0, kInf, 0}, {}}, hull).error().code, ErrorCode::non_finite);
  EXPECT_EQ(transform(Pose3d{{}, Quatd{kNaN, 0, 0, 0}}, hull).error().code, ErrorCode::non_finite);
  EXPECT_EQ(transform(Pose3d{{}, Quatd{0, 0, 0, 0}}, hull).error().code, ErrorCode::degenerate);
  // Out of the range of double by the turn
  const auto body = *quickhull3(std::span<const Vec3d>(huge));
  const auto turned = transform(Pose3d{{}, Quatd::from_axis_angle({0, 0, 1}, kPi / 4)}, body);
  ASSERT_FALSE(turned.ok());
  EXPECT_EQ(turned.error().code, ErrorCode::non_finite);
  EXPECT_LT(turned.error().element, 8u);
  // A rotation of another length is a rotation all the same
  EXPECT_NEAR(volume(*transform(Pose3d{{}, Quatd{1, 2, 3, 4}}, hull)), 1, 1e-13);
  EXPECT_EQ(volume(body), kInf);
}

// A sliver whose six sums of rounding are negative
TEST(HullVolume, IsNeverNegative) {
  Random random(campaign_seed(72));
  for (int n = 0; n < 3000; ++n) {
    std::vector<Vec3d> points(4 + random.below(4));
    for (Vec3d& p : points)
      for (int k = 0; k < 3; ++k) p[k] = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(400)) - 200);
    EXPECT_GE(volume(*quickhull3(std::span<const Vec3d>(points))), 0);
  }
}

TEST(HullVolume, SharedPointsMeanOverlap) {
  // Oracle: a common point, drawn as a mean of the points of each; and a plane between the two
  Random random(campaign_seed(73));
  for (int n = 0; n < 300; ++n) {
    auto a = cloud(random, n % 6, 1 + random.below(12)), b = cloud(random, (n / 6) % 6, 1 + random.below(12));
    const auto blend = [&](const std::vector<Vec3d>& points) {
      Vec3d sum{};
      double weight = 0;
      for (const Vec3d& p : points) {
        const double w = random.uniform();
        sum += p * w, weight += w;
      }
      return weight > 0 ? sum / weight : points[0];
    };
    const Vec3d shift = blend(a) - blend(b);
    for (Vec3d& p : b) p += shift;
    const auto ha = quickhull3(std::span<const Vec3d>(a)), hb = quickhull3(std::span<const Vec3d>(b));
    ASSERT_TRUE(ha.ok() && hb.ok());
    EXPECT_TRUE(overlap(*ha, *hb)) << n;
    // Flat bodies lose their blends to rounding
    EXPECT_TRUE(n % 6 > 2 || ha->dimension < 3 || contains(*ha, blend(a))) << n;
    // Pushed apart along a random direction until a plane has room
    const Vec3d way = normalized(random_point<3>(random));
    double a_hi = -1e300, b_lo = 1e300;
    for (const Vec3d& p : a) a_hi = std::fmax(a_hi, dot(p, way));
    for (const Vec3d& p : b) b_lo = std::fmin(b_lo, dot(p, way));
    for (Vec3d& p : b) p += way * (a_hi - b_lo + 0.01);
    const auto apart = quickhull3(std::span<const Vec3d>(b));
    EXPECT_FALSE(overlap(*ha, *apart)) << n;
    EXPECT_FALSE(overlap(*apart, *ha)) << n;
  }
}

TEST(HullVolume, HugeAndTinyHulls) {
  const auto cube = [](const Vec3d& center, double half) {
    std::vector<Vec3d> points;
    for (int k = 0; k < 8; ++k)
      points.push_back(center + Vec3d{k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half});
    return *quickhull3(points);
  };
  for (double unit : {1e-300, 1e-100, 1.0, 1e100, 7e307}) {
    const Hull3 a = cube({0, 0, 0}, unit), touching = cube({unit * 1.5, 0, unit}, unit / 2),
                apart = cube({unit * 1.75, unit * 0.5, 0}, unit / 2);
    EXPECT_TRUE(overlap(a, a) && overlap(a, touching) && overlap(touching, a)) << unit;
    EXPECT_FALSE(overlap(a, apart) || overlap(apart, a)) << unit;
    const double expected = 8 * unit * unit * unit;
    if (std::isfinite(expected)) {
      EXPECT_NEAR(volume(a), expected, 1e-12 * expected);
    } else {
      EXPECT_EQ(volume(a), expected);
    }
  }
}

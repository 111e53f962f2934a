// Oracle: means and variances of the distributions in closed form; golden numbers of the generator.
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;

namespace {

constexpr int kCount = 200000;
// Five standard errors of a mean of kCount numbers of unit variance
constexpr double kBand = 5.0 / 447;

}  // namespace

TEST(Sampling, UnitVectorsAreUniform) {
  Random random(1);
  Vec3d mean{}, square{};
  Vec2d mean2{};
  for (int i = 0; i < kCount; ++i) {
    const Vec3d u = unit_vector<3>(random);
    ASSERT_NEAR(length(u), 1, 1e-15);
    mean += u, square += mul(u, u);
    mean2 += unit_vector<2>(random);
  }
  EXPECT_LT(max_abs(mean / kCount), kBand);
  EXPECT_LT(max_abs(mean2 / kCount), kBand);
  EXPECT_LT(max_abs(square / kCount - Vec3d{1, 1, 1} / 3), kBand);
}

TEST(Sampling, PointsFillTheBall) {
  Random random(2);
  double second = 0;
  for (int i = 0; i < kCount; ++i) {
    const Vec3d p = point_in_ball<3>(random);
    ASSERT_LE(length_squared(p), 1);
    second += length_squared(p);
  }
  EXPECT_NEAR(second / kCount, 3.0 / 5, kBand);
}

TEST(Sampling, QuaternionsTurnAVectorEverywhere) {
  Random random(3);
  Vec3d mean{}, square{};
  double trace = 0;
  for (int i = 0; i < kCount; ++i) {
    const Quatd q = unit_quaternion(random);
    ASSERT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    const Vec3d v = rotate(q, Vec3d{0, 0, 1});
    mean += v, square += mul(v, v);
    trace += q.w * q.w;
  }
  EXPECT_LT(max_abs(mean / kCount), kBand);
  EXPECT_LT(max_abs(square / kCount - Vec3d{1, 1, 1} / 3), kBand);
  EXPECT_NEAR(trace / kCount, 0.25, kBand);
}

TEST(Sampling, NormalVariatesHaveTheirMoments) {
  Random random(4);
  double m1 = 0, m2 = 0, m4 = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = normal_variate(random);
    m1 += x, m2 += x * x, m4 += x * x * x * x;
  }
  EXPECT_NEAR(m1 / kCount, 0, kBand);
  EXPECT_NEAR(m2 / kCount, 1, kBand * std::sqrt(2.0));
  EXPECT_NEAR(m4 / kCount, 3, kBand * std::sqrt(96.0));
}

TEST(Sampling, TheSameSeedGivesTheSameNumbers) {
  Random a(5), b(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(unit_quaternion(a), unit_quaternion(b));
    EXPECT_EQ(normal_variate(a), normal_variate(b));
  }
}

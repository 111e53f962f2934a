// Oracle: the definition: M v = λ v, orthonormal, right-handed; matrices made from known values.
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/eigen.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

namespace {

Mat3d from_values(const Vec3d& values, const Mat3d& q) {
  Mat3d m{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) m = m + outer(q[i], q[i]) * values[i];
  return m;
}

void expect_eigen(const Mat3d& m, const SymmetricEigen3& e, double scale) {
  ASSERT_LE(e.values.x, e.values.y);
  ASSERT_LE(e.values.y, e.values.z);
  for (int i = 0; i < 3; ++i) {
    // Off by a rounding unit or so of the largest value
    ASSERT_LE(max_abs(m * e.vectors[i] - e.vectors[i] * e.values[i]), 4e-15 * scale) << i;
    for (int j = 0; j < 3; ++j) ASSERT_NEAR(dot(e.vectors[i], e.vectors[j]), i == j ? 1 : 0, 2e-15);
  }
  ASSERT_NEAR(determinant(e.vectors), 1, 3e-15);
}

}  // namespace

TEST(Eigen, RandomMatricesSatisfyTheDefinition) {
  Random random(campaign_seed(1));
  for (std::size_t n = 0; n < soak(20000); ++n) {
    Vec3d values = point_in_box(random, Vec3d{-1, -1, -1}, Vec3d{1, 1, 1});
    // Repeated and nearly repeated values, and rank one
    if (n % 4 == 1) values.y = values.x;
    if (n % 4 == 2) values.y = values.x * (1 + 1e-14 * random.uniform());
    if (n % 8 == 3) values.x = values.y = 0;
    const Mat3d m = from_values(values, to_matrix(unit_quaternion(random)));
    const SymmetricEigen3 e = symmetric_eigen(m);
    expect_eigen(m, e, 1);
    double sorted[3] = {values.x, values.y, values.z};
    std::sort(sorted, sorted + 3);
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(e.values[i], sorted[i], 4e-15);
  }
}

TEST(Eigen, AnyScale) {
  Random random(campaign_seed(2));
  for (int exponent = -1000; exponent <= 1000; exponent += 100) {
    const double scale = std::ldexp(1.0, exponent);
    const Mat3d m = from_values({-0.5, 0.25, 1}, to_matrix(unit_quaternion(random)));
    const SymmetricEigen3 e = symmetric_eigen(m), scaled = symmetric_eigen(m * scale);
    // A power of two changes no bit of the directions
    EXPECT_EQ(scaled.vectors, e.vectors) << exponent;
    EXPECT_EQ(scaled.values, e.values * scale) << exponent;
  }
  expect_eigen(Mat3d::diagonal({1e150, 1, 1e-150}), symmetric_eigen(Mat3d::diagonal({1e150, 1, 1e-150})), 1e150);
  const SymmetricEigen3 graded = symmetric_eigen(Mat3d{{1e150, 1, 0}, {1, 1e-150, 1e-150}, {0, 1e-150, 1e-150}});
  EXPECT_NEAR(determinant(graded.vectors), 1, 1e-15);
}

TEST(Eigen, SpecialMatrices) {
  const Mat3d zero{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(symmetric_eigen(zero).vectors, Mat3d{});
  EXPECT_EQ(symmetric_eigen(Mat3d{}).values, (Vec3d{1, 1, 1}));
  const SymmetricEigen3 e = symmetric_eigen(Mat3d::diagonal({3, 1, 2}));
  EXPECT_EQ(e.values, (Vec3d{1, 2, 3}));
  expect_eigen(Mat3d::diagonal({3, 1, 2}), e, 3);
  const Mat3d ones{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const SymmetricEigen3 o = symmetric_eigen(ones);
  expect_eigen(ones, o, 3);
  EXPECT_NEAR(o.values.z, 3, 1e-15);
}

TEST(Eigen, TwoByTwoSatisfiesTheDefinition) {
  Random random(campaign_seed(3));
  for (int n = 0; n < 20000; ++n) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(2000)) - 1000);
    double p = random.uniform(-1, 1), q = n % 3 == 0 ? p : random.uniform(-1, 1), r = random.uniform(-1, 1);
    if (n % 5 == 0) r *= 1e-16;
    if (n % 7 == 0) r = 0;
    const Mat2d m{{p * scale, r * scale}, {r * scale, q * scale}};
    const SymmetricEigen2 e = symmetric_eigen(m);
    ASSERT_LE(e.values.x, e.values.y);
    ASSERT_LE(max_abs(m * e.vectors.x - e.vectors.x * e.values.x), 2e-15 * scale);
    ASSERT_LE(max_abs(m * e.vectors.y - e.vectors.y * e.values.y), 2e-15 * scale);
    ASSERT_NEAR(determinant(e.vectors), 1, 1e-15);
    ASSERT_NEAR(dot(e.vectors.x, e.vectors.y), 0, 1e-15);
  }
}

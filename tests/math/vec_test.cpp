#include <sudar/math/mat.hpp>
#include <sudar/math/vec.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;

TEST(Vec, CrossIsPerpendicularToBoth) {
  const Vec3d a{1, 2, 3}, b{-4, 5, 7};
  EXPECT_EQ(dot(cross(a, b), a), 0);
  EXPECT_EQ(dot(cross(a, b), b), 0);
  EXPECT_EQ(cross(Vec2d{1, 0}, Vec2d{0, 1}), 1);
  EXPECT_EQ(perp(Vec2d{1, 0}), (Vec2d{0, 1}));
}

TEST(Vec, NormalizedHoldsAtAnySize) {
  for (double scale : {1e-300, 1e-160, 1.0, 1e160, 1e300}) {
    const Vec3d n = normalized(Vec3d{1, 2, -2} * scale);
    EXPECT_NEAR(n.x, 1.0 / 3, 1e-15);
    EXPECT_NEAR(length(n), 1, 1e-15);
  }
  EXPECT_EQ(normalized(Vec3d{}), Vec3d{});
}

TEST(Vec, FiniteRecognisesNanAndInfinity) {
  EXPECT_TRUE(is_finite(Vec2d{1, -2}));
  EXPECT_FALSE(is_finite(Vec3d{0, std::numeric_limits<double>::quiet_NaN(), 0}));
  EXPECT_FALSE(is_finite(Vec2d{0, std::numeric_limits<double>::infinity()}));
}

TEST(Vec, FrameIsRightHandedAndOrthonormal) {
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, -1}, Vec3d{1, 1, 1}, Vec3d{-1, 2, 0.1}}) {
    const Vec3d n = normalized(axis);
    Vec3d u, v;
    make_frame(n, u, v);
    EXPECT_NEAR(dot(u, n), 0, 1e-15);
    EXPECT_NEAR(length(u), 1, 1e-15);
    EXPECT_NEAR(distance(cross(u, v), n), 0, 1e-15);
  }
}

TEST(Mat, InverseTimesMatrixIsIdentity) {
  const Mat3d m{{1, 2, 3}, {0, -1, 4}, {5, 6, 0}};
  const Mat3d product = inverse(m) * m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(product[i][j], i == j ? 1 : 0, 1e-14);
  EXPECT_EQ(determinant(m), 1 * (-1 * 0 - 4 * 6) - 0 + 5 * (2 * 4 - 3 * -1));
}

TEST(Mat, SkewIsTheCrossProduct) {
  const Vec3d a{1, -2, 3}, b{4, 5, -6};
  EXPECT_EQ(skew(a) * b, cross(a, b));
}

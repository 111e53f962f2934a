// Oracle: rotation matrices and closed forms.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

Pose3d random_pose3(Random& random) {
  const Vec3d p = point_in_box(random, Vec3d{-1, -1, -1}, Vec3d{1, 1, 1});
  return {p, unit_quaternion(random)};
}
Pose2d random_pose2(Random& random) {
  const Vec2d p = point_in_box(random, Vec2d{-1, -1}, Vec2d{1, 1});
  return {p, unit_rotation(random)};
}
constexpr double kNear = 4e-15;

}  // namespace

TEST(Pose, RotationIsTheMatrix) {
  Random random(campaign_seed(1));
  for (int n = 0; n < 1000; ++n) {
    const Quatd q = unit_quaternion(random), r = unit_quaternion(random);
    const Vec3d v = point_in_ball<3>(random);
    const Mat3d m = to_matrix(q);
    EXPECT_LT(max_abs(rotate(q, v) - m * v), kNear);
    EXPECT_LT(max_abs(rotate(q * r, v) - m * (to_matrix(r) * v)), kNear);
    EXPECT_LT(max_abs(rotate(conjugate(q), v) - transpose(m) * v), kNear);
    EXPECT_NEAR(determinant(m), 1, kNear);

    const Rot2d a = unit_rotation(random), b = unit_rotation(random);
    const Vec2d w{v.x, v.y};
    EXPECT_LT(max_abs(rotate(a, w) - to_matrix(a) * w), kNear);
    EXPECT_LT(max_abs(rotate(a * b, w) - to_matrix(a) * (to_matrix(b) * w)), kNear);
    EXPECT_LT(max_abs(rotate(conjugate(a), w) - transpose(to_matrix(a)) * w), kNear);
  }
}

TEST(Pose, AxisAngleTurnsByTheRule) {
  // Rodrigues' formula
  Random random(campaign_seed(2));
  for (int n = 0; n < 1000; ++n) {
    const Vec3d k = unit_vector<3>(random), v = point_in_ball<3>(random);
    const double angle = random.uniform(-7, 7);
    const SinCos sc = sin_cos(angle);
    const Vec3d expected = v * sc.cos + cross(k, v) * sc.sin + k * (dot(k, v) * (1 - sc.cos));
    EXPECT_LT(max_abs(rotate(Quatd::from_axis_angle(k, angle), v) - expected), kNear);
  }
  EXPECT_LT(
      max_abs(rotate(Quat::from_axis_angle({0, 0, 1}, static_cast<Real>(kPi / 2)), Vec3{1, 0, 0}) - Vec3{0, 1, 0}),
      Real(1e-6));
  EXPECT_LT(max_abs(rotate(Rot2d::from_angle(kPi / 2), Vec2d{1, 0}) - Vec2d{0, 1}), kNear);
}

TEST(Pose, InverseUndoes) {
  Random random(campaign_seed(3));
  for (int n = 0; n < 1000; ++n) {
    const Pose3d a = random_pose3(random);
    const Vec3d p = point_in_ball<3>(random);
    EXPECT_LT(max_abs(transform(inverse(a), transform(a, p)) - p), kNear);
    EXPECT_LT(max_abs(transform(a * inverse(a), p) - p), kNear);
    const Pose2d b = random_pose2(random);
    const Vec2d q{p.x, p.y};
    EXPECT_LT(max_abs(transform(inverse(b), transform(b, q)) - q), kNear);
  }
}

TEST(Pose, CompositionAndRelativeFollowFrames) {
  Random random(campaign_seed(4));
  for (int n = 0; n < 1000; ++n) {
    const Pose3d world_from_a = random_pose3(random), world_from_b = random_pose3(random);
    const Vec3d p_b = point_in_ball<3>(random);
    const Pose3d a_from_b = relative(world_from_a, world_from_b);
    EXPECT_LT(max_abs(transform(world_from_a, transform(a_from_b, p_b)) - transform(world_from_b, p_b)), kNear);
    EXPECT_LT(max_abs(transform(world_from_a * a_from_b, p_b) - transform(world_from_b, p_b)), kNear);
    const Pose2d world_from_c = random_pose2(random), world_from_d = random_pose2(random);
    const Vec2d p_d{p_b.x, p_b.y};
    EXPECT_LT(max_abs(transform(world_from_c, transform(relative(world_from_c, world_from_d), p_d)) -
                      transform(world_from_d, p_d)),
              kNear);
  }
}

TEST(Pose, NormalizedHoldsAtAnySizeAndAtZero) {
  for (const double s : {1e-300, 1.0, 1e300}) {
    const Quatd q = normalized(Quatd{s, -s, 2 * s, 0});
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    const Rot2d r = normalized(Rot2d{3 * s, 4 * s});
    EXPECT_NEAR(r.c, 0.6, 1e-15);
  }
  EXPECT_EQ(normalized(Quatd{0, 0, 0, 0}), Quatd{});
  EXPECT_EQ(normalized(Rot2d{0, 0}), Rot2d{});
}

#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/obb.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;

namespace {
Obb3 random_obb(Random& random, double size) {
  const Quat q = random_rotation<Real>(random);
  return {random_point<3, Real>(random, size),
          {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})},
          abs(random_point<3, Real>(random, size))};
}
}  // namespace

TEST(Obb, AxisAlignedBoxesAgreeWithAabbIncludingTouch) {
  Random random(campaign_seed(31));
  for (int n = 0; n < 20000; ++n) {
    Aabb3 a, b;
    for (int i = 0; i < 3; ++i) {
      a.lo[i] = Real(random.below(5)), a.hi[i] = a.lo[i] + Real(random.below(4));
      b.lo[i] = Real(random.below(5)), b.hi[i] = b.lo[i] + Real(random.below(4));
    }
    EXPECT_EQ(overlap(to_obb(a), to_obb(b)), overlap(a, b));
    const Aabb2 a2{{a.lo.x, a.lo.y}, {a.hi.x, a.hi.y}}, b2{{b.lo.x, b.lo.y}, {b.hi.x, b.hi.y}};
    EXPECT_EQ(overlap(to_obb(a2), to_obb(b2)), overlap(a2, b2));
  }
}

TEST(Obb, ParallelEdgesDoNotSeparate) {
  // Two boxes turned the same way that overlap, at all angles: their edge cross products are noise
  Random random(campaign_seed(32));
  for (int n = 0; n < 20000; ++n) {
    Obb3 a = random_obb(random, 3);
    Obb3 b = a;
    b.center +=
        a.axes[0] * (a.half[0] * Real(random.uniform(-2, 2))) + a.axes[1] * (a.half[1] * Real(random.uniform(-2, 2)));
    EXPECT_TRUE(overlap(a, b));
    b.axes = {a.axes[2], -a.axes[1], a.axes[0]};
    b.half = {a.half.z, a.half.y, a.half.x};
    EXPECT_TRUE(overlap(a, b));
    b.center = a.center + a.axes[2] * (a.half.z * 2 + Real(0.01));
    EXPECT_FALSE(overlap(a, b));
  }
}

TEST(Obb, SharedSamplePointsMeanOverlap) {
  // Oracle: a point drawn inside of both
  Random random(campaign_seed(33));
  for (int n = 0; n < 20000; ++n) {
    Obb3 a = random_obb(random, 2), b = random_obb(random, 2);
    Vec3 pa = a.center, pb = b.center;
    for (int i = 0; i < 3; ++i) {
      pa += a.axes[i] * (a.half[i] * Real(random.uniform(-1, 1)));
      pb += b.axes[i] * (b.half[i] * Real(random.uniform(-1, 1)));
    }
    b.center += pa - pb;
    EXPECT_TRUE(overlap(a, b));
  }
}

TEST(Obb, EdgeEdgeSeparationNeedsACrossAxis) {
  // Two thin bars, crossed like an X with a gap between: no face normal of either separates them
  const Real s = std::sqrt(Real(0.5));
  const Obb3 a{{0, 0, 0}, {Vec3{1, 0, 0}, Vec3{0, s, s}, Vec3{0, -s, s}}, {5, 1, 1}};
  const Vec3 d{0, 0, 1};
  Obb3 b{{0, 0, 0}, {Vec3{0, 1, 0}, Vec3{s, 0, s}, Vec3{-s, 0, s}}, {5, 1, 1}};
  const Real touch = 2 * std::sqrt(Real(2));
  b.center = d * (touch + Real(0.001));
  EXPECT_FALSE(overlap(a, b));
  b.center = d * (touch - Real(0.001));
  EXPECT_TRUE(overlap(a, b));
}

TEST(Obb, TwoDimensionsUseFourAxes) {
  // A square on its tip beside an upright one: the gap shows only on a normal of the tilted one
  const Real s = std::sqrt(Real(0.5));
  const Obb2 upright{{0, 0}, {Vec2{1, 0}, Vec2{0, 1}}, {1, 1}};
  Obb2 tilted{{0, 0}, {Vec2{s, s}, Vec2{-s, s}}, {1, 1}};
  const Real reach = 1 + std::sqrt(Real(2));  // along the diagonal: half of one and half the diagonal of the other
  tilted.center = Vec2{s, s} * (reach + Real(0.001));
  EXPECT_FALSE(overlap(upright, tilted));
  EXPECT_FALSE(overlap(tilted, upright));
  tilted.center = Vec2{s, s} * (reach - Real(0.001));
  EXPECT_TRUE(overlap(upright, tilted));
}

TEST(Obb, NanIsAMiss) {
  Obb3 a, b;
  a.half = b.half = {1, 1, 1};
  EXPECT_TRUE(overlap(a, b));
  b.center.y = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_FALSE(overlap(a, b));
  EXPECT_FALSE(overlap(b, a));
  EXPECT_FALSE(contains(b, Vec3{}));
}

TEST(Obb, PoseBoxAndCornersContainTheirPoints) {
  Random random(campaign_seed(34));
  for (int n = 0; n < 3000; ++n) {
    const Obb3 box = random_obb(random, 10);
    const Quat q = normalized(Quat{1, Real(random.uniform(-1, 1)), Real(random.uniform(-1, 1)), 2});
    const Pose3 pose{random_point<3, Real>(random, 100), q};
    const Obb3 moved = transform(pose, box);
    const Aabb3 around = bounding_box(box);
    for (int k = 0; k < 8; ++k) {
      EXPECT_TRUE(contains(around, corner(box, k)));
      const Vec3 inner = lerp(box.center, corner(box, k), Real(random.uniform(0, 1)));
      EXPECT_TRUE(contains(around, inner));
      EXPECT_TRUE(contains(moved, transform(pose, inner)));
    }
    EXPECT_NEAR(volume(moved), volume(box), volume(box) * 1e-3 + 1);
  }
  EXPECT_EQ(volume(to_obb(Aabb3{{0, 0, 0}, {1, 2, 3}})), 6);
}

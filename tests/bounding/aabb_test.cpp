#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/aabb.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kRealNaN;
using sudar_test::random_point;
using sudar_test::random_rotation;

namespace {

template <int D>
Aabb<D> random_box(Random& random, double size) {
  return merge(merge(Aabb<D>::empty(), random_point<D, Real>(random, size)), random_point<D, Real>(random, size));
}

// Oracle: definition on every axis, by exhaustion of small integer boxes
template <int D>
void expect_definitions_hold() {
  Random random(campaign_seed(1));
  for (int n = 0; n < 20000; ++n) {
    Aabb<D> a, b;
    Vec<D> p;
    bool hit = true, holds_p = true, holds_b = true;
    for (int i = 0; i < D; ++i) {
      a.lo[i] = Real(random.below(4)), a.hi[i] = a.lo[i] + Real(random.below(3));
      b.lo[i] = Real(random.below(4)), b.hi[i] = b.lo[i] + Real(random.below(3));
      p[i] = Real(random.below(6));
      bool axis_hit = false, axis_holds_b = true;
      for (Real x = b.lo[i]; x <= b.hi[i]; ++x) {
        const bool in_a = x >= a.lo[i] && x <= a.hi[i];
        axis_hit |= in_a;
        axis_holds_b &= in_a;
      }
      hit &= axis_hit;
      holds_b &= axis_holds_b;
      holds_p &= p[i] >= a.lo[i] && p[i] <= a.hi[i];
    }
    EXPECT_EQ(overlap(a, b), hit);
    EXPECT_EQ(overlap(b, a), hit);
    EXPECT_EQ(is_valid(intersect(a, b)), hit);
    EXPECT_EQ(contains(a, b), holds_b);
    EXPECT_EQ(contains(a, p), holds_p);
    const Aabb<D> m = merge(a, b);
    EXPECT_TRUE(contains(m, a) && contains(m, b));
    for (int i = 0; i < D; ++i) {
      EXPECT_TRUE(m.lo[i] == a.lo[i] || m.lo[i] == b.lo[i]);
      EXPECT_TRUE(m.hi[i] == a.hi[i] || m.hi[i] == b.hi[i]);
    }
  }
}

template <int D>
void expect_nan_fails_safe() {
  Aabb<D> good;
  for (int i = 0; i < D; ++i) good.hi[i] = 1;
  for (int i = 0; i < 2 * D; ++i) {
    Aabb<D> bad = good;
    (i < D ? bad.lo[i] : bad.hi[i - D]) = kRealNaN;
    EXPECT_FALSE(overlap(good, bad));
    EXPECT_FALSE(overlap(bad, good));
    EXPECT_FALSE(overlap(bad, bad));
    EXPECT_FALSE(contains(bad, Vec<D>{}));
    EXPECT_FALSE(contains(good, bad));
    EXPECT_FALSE(is_valid(bad));
  }
}
}  // namespace

TEST(Aabb, OverlapContainsAndMergeFollowTheDefinition2) { expect_definitions_hold<2>(); }
TEST(Aabb, OverlapContainsAndMergeFollowTheDefinition3) { expect_definitions_hold<3>(); }
TEST(Aabb, NanOverlapsNothing) {
  expect_nan_fails_safe<2>();
  expect_nan_fails_safe<3>();
}

TEST(Aabb, EmptyIsNeutralAndOverlapsNothing) {
  const Aabb3 box{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(merge(Aabb3::empty(), box), box);
  EXPECT_EQ(merge(box, Aabb3::empty()), box);
  EXPECT_FALSE(overlap(box, Aabb3::empty()));
  EXPECT_FALSE(is_valid(Aabb3::empty()));
}

TEST(Aabb, MeasuresMatchTheClosedForm) {
  const Aabb2 a{{1, 2}, {4, 6}};
  EXPECT_EQ(volume(a), 12);
  EXPECT_EQ(surface(a), 14);
  EXPECT_EQ(center(a), (Vec2{2.5, 4}));
  EXPECT_EQ(half_extents(a), (Vec2{1.5, 2}));
  const Aabb3 b{{-1, -1, -1}, {1, 2, 3}};
  EXPECT_EQ(volume(b), 24);
  EXPECT_EQ(surface(b), 2 * (2 * 3 + 3 * 4 + 4 * 2));
  constexpr Real big = std::numeric_limits<Real>::max();
  EXPECT_EQ(center(Aabb2{{-big, big}, {big, big}}), (Vec2{0, big}));
}

TEST(Aabb, ExpandRoundsOutward) {
  const Aabb2 a{{1, 1}, {1, 1}};
  const Real tiny = std::numeric_limits<Real>::min();
  const Aabb2 grown = expand(a, tiny);
  EXPECT_LT(grown.lo.x, 1);
  EXPECT_GT(grown.hi.x, 1);
  EXPECT_EQ(expand(a, Real(0)), a);
  EXPECT_EQ(expand(a, Real(0.5)), (Aabb2{{0.5, 0.5}, {1.5, 1.5}}));
}

TEST(Aabb, RoundOutIsTheSmallestFloatBoxAround) {
  Random random(campaign_seed(2));
  for (int n = 0; n < 10000; ++n) {
    const double x = random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.below(300)) - 160);
    const Aabb<2, float> f = round_out(Aabb2d{{x, x}, {x, x}});
    EXPECT_LE(double(f.lo.x), x);
    EXPECT_GE(double(f.hi.x), x);
    if (std::fabs(x) < double(std::numeric_limits<float>::max())) {
      EXPECT_GT(double(next_up(f.lo.x)), x);
      EXPECT_LT(double(next_down(f.hi.x)), x);
    }
  }
  EXPECT_EQ(round_out(Aabb2d{{1e300, -1e300}, {1e300, -1e300}}).lo.x, std::numeric_limits<float>::max());
}

TEST(Aabb, OutwardSumsBracketTheExactSum) {
  // Oracle: the exact sum of two floats fits a double when their exponents are near each other
  Random random(campaign_seed(3));
  for (int n = 0; n < 100000; ++n) {
    const auto a = static_cast<float>(random.uniform(-1, 1));
    const auto b = static_cast<float>(random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.below(28)) - 14));
    const double exact = double(a) + double(b);
    EXPECT_EQ(add_up(a, b), float_up(exact));
    EXPECT_EQ(add_down(a, b), float_down(exact));
    EXPECT_EQ(sub_up(a, -b), float_up(exact));
    EXPECT_EQ(sub_down(a, -b), float_down(exact));
  }
  constexpr float big = std::numeric_limits<float>::max();
  EXPECT_EQ(add_up(big, big), std::numeric_limits<float>::infinity());
  EXPECT_EQ(add_down(-big, -big), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(add_up(big, 0.0f), big);
}

TEST(Aabb, TheBoxUnderAPoseContainsTheImagesOfItsPoints) {
  Random random(campaign_seed(4));
  for (int n = 0; n < 3000; ++n) {
    const double size = std::ldexp(1.0, static_cast<int>(random.below(40)) - 20);
    const Aabb3 box = random_box<3>(random, size);
    const Pose3 pose{random_point<3, Real>(random, size * 3), random_rotation<Real>(random)};
    const Aabb3 image = transform(pose, box);
    const Aabb2 box2 = random_box<2>(random, size);
    const Pose2 pose2{random_point<2, Real>(random, size * 3),
                      normalized(Rot2{Real(random.uniform(-1, 1)), Real(random.uniform(-1, 1))})};
    const Aabb2 image2 = transform(pose2, box2);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p{corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                   corner & 4 ? box.hi.z : box.lo.z};
      EXPECT_TRUE(contains(image, transform(pose, p)));
      const Vec2 p2{corner & 1 ? box2.hi.x : box2.lo.x, corner & 2 ? box2.hi.y : box2.lo.y};
      EXPECT_TRUE(contains(image2, transform(pose2, p2)));
    }
    // And is not much larger: it is no wider than the diagonal
    EXPECT_LE(max_abs(extents(image)), length(extents(box)) * Real(1.0001) + Real(size) * Real(1e-4));
  }
}

TEST(Aabb, IdentityPoseKeepsTheBoxUpToRounding) {
  const Aabb3 box{{-1, 2, 3}, {4, 5, 6}};
  const Aabb3 same = transform(Pose3{}, box);
  EXPECT_TRUE(contains(same, box));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(same.lo[i], box.lo[i], 1e-4);
    EXPECT_NEAR(same.hi[i], box.hi[i], 1e-4);
  }
}

TEST(Aabb, FromPointsReportsBadData) {
  std::vector<Vec3> points = {{1, 5, 3}, {-1, 2, 9}, {0, 7, 4}};
  const auto box = bounding_box<3>(points);
  ASSERT_TRUE(box.ok());
  EXPECT_EQ(*box, (Aabb3{{-1, 2, 3}, {1, 7, 9}}));
  EXPECT_EQ(bounding_box<3>(std::span<const Vec3>{}).error().code, ErrorCode::empty_input);
  points[2].y = kRealNaN;
  EXPECT_EQ(bounding_box<3>(points).error(), (Error{ErrorCode::non_finite, 2}));
  points[1].x = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(bounding_box<3>(points).error(), (Error{ErrorCode::non_finite, 1}));
}

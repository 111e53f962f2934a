#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/overlap.hpp>
#include <sudar/bounding/sphere.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kRealNaN;
using sudar_test::random_point;

namespace {
constexpr Real kHuge = std::numeric_limits<Real>::max();
}  // namespace

// Oracle: integer arithmetic, in which every square is exact
template <int D>
void expect_definitions_on_integers() {
  Random random(campaign_seed(5));
  for (int n = 0; n < 20000; ++n) {
    Sphere<D> a, b;
    Vec<D> p;
    Aabb<D> box;
    long to_b = 0, to_p = 0, to_box = 0, to_corner = 0;
    bool inside_box = true;
    const long ra = long(random.below(7)), rb = long(random.below(7));
    a.radius = Real(ra), b.radius = Real(rb);
    for (int i = 0; i < D; ++i) {
      const long ca = long(random.below(13)), cb = long(random.below(13)), cp = long(random.below(13));
      const long lo = long(random.below(10)), hi = lo + long(random.below(8));
      a.center[i] = Real(ca), b.center[i] = Real(cb), p[i] = Real(cp), box.lo[i] = Real(lo), box.hi[i] = Real(hi);
      to_b += (ca - cb) * (ca - cb), to_p += (ca - cp) * (ca - cp);
      const long gap = std::max({0L, lo - ca, ca - hi}), reach = std::max(ca - lo, hi - ca);
      to_box += gap * gap, to_corner += reach * reach;
      inside_box &= ca - ra >= lo && ca + ra <= hi;
    }
    EXPECT_EQ(contains(a, p), to_p <= ra * ra);
    EXPECT_EQ(overlap(a, b), to_b <= (ra + rb) * (ra + rb));
    EXPECT_EQ(contains(a, b), ra >= rb && to_b <= (ra - rb) * (ra - rb));
    EXPECT_EQ(overlap(a, box), to_box <= ra * ra);
    EXPECT_EQ(overlap(box, a), to_box <= ra * ra);
    EXPECT_EQ(contains(a, box), to_corner <= ra * ra);
    EXPECT_EQ(contains(box, a), inside_box);
  }
}

TEST(Sphere, TestsWithPointSphereAndBoxFollowTheDefinition2) { expect_definitions_on_integers<2>(); }
TEST(Sphere, TestsWithPointSphereAndBoxFollowTheDefinition3) { expect_definitions_on_integers<3>(); }

TEST(Sphere, NanIsAMissAndOverflowIsAHit) {
  const Circle a{{0, 0}, 1}, bad{{kRealNaN, 0}, 1}, bad_radius{{0, 0}, kRealNaN};
  EXPECT_FALSE(overlap(a, bad));
  EXPECT_FALSE(overlap(a, bad_radius));
  EXPECT_FALSE(contains(a, Vec2{kRealNaN, 0}));
  EXPECT_FALSE(overlap(bad, Aabb2{{-1, -1}, {1, 1}}));
  EXPECT_FALSE(overlap(a, Aabb2{{kRealNaN, -1}, {1, 1}}));
  EXPECT_FALSE(overlap(a, Aabb2::empty()));
  // Touching, with squares that overflow
  EXPECT_TRUE(overlap(Circle{{-kHuge / 4, 0}, kHuge / 4}, Circle{{kHuge / 4, 0}, kHuge / 4}));
}

TEST(Sphere, MergeContainsBothAndIsNoLargerThanNeeded) {
  Random random(campaign_seed(6));
  for (int n = 0; n < 10000; ++n) {
    const double size = std::ldexp(1.0, static_cast<int>(random.below(40)) - 20);
    const Sphere3 a{random_point<3, Real>(random, size), Real(random.uniform(0, size))};
    const Sphere3 b{random_point<3, Real>(random, size), Real(random.uniform(0, size))};
    const Sphere3 m = merge(a, b);
    // Oracle: distances in long double, with room for their own rounding only
    const auto reach = [&](const Sphere3& s) {
      long double sum = 0;
      for (int i = 0; i < 3; ++i) {
        const long double d = (long double)(s.center[i]) - (long double)(m.center[i]);
        sum += d * d;
      }
      return std::sqrt(sum) + (long double)(s.radius);
    };
    EXPECT_GE((long double)(m.radius) * (1 + 1e-18L), std::max(reach(a), reach(b)));
    const double apart = distance(vec_cast<double>(a.center), vec_cast<double>(b.center));
    const double ideal = std::max({double(a.radius), double(b.radius), (apart + a.radius + b.radius) / 2});
    EXPECT_LE(double(m.radius), ideal * (1 + 64 * double(std::numeric_limits<Real>::epsilon())));
  }
  const Circle inner{{1, 1}, 1}, outer{{0, 0}, 5};
  EXPECT_EQ(merge(inner, outer), outer);
  EXPECT_EQ(merge(outer, inner), outer);
  EXPECT_EQ(merge(Circle{{-1, 0}, 1}, Circle{{-1, 0}, 1}), (Circle{{-1, 0}, 1}));
}

TEST(Sphere, UnderAPoseContainsTheImages) {
  Random random(campaign_seed(7));
  for (int n = 0; n < 2000; ++n) {
    const Sphere3 s{random_point<3, Real>(random, 100), Real(random.uniform(0, 10))};
    const Pose3 pose{random_point<3, Real>(random, 100),
                     normalized(Quat{Real(random.uniform(-1, 1)), 1, 1, Real(0.5)})};
    const Sphere3 image = transform(pose, s);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = s.center + normalized(random_point<3, Real>(random, 1)) * (s.radius * Real(0.999999));
      if (contains(s, p)) {
        EXPECT_LE(distance(transform(pose, p), image.center), image.radius);
      }
    }
    EXPECT_NEAR(image.radius, s.radius, 400 * kPoseSlack<Real> * 2);
  }
}

TEST(Sphere, VolumeAndBoxMatchTheClosedForm) {
  EXPECT_NEAR(volume(Circle{{0, 0}, 2}), 4 * kPi, 1e-5);
  EXPECT_NEAR(volume(Sphere3{{0, 0, 0}, 3}), 36 * kPi, 1e-4);
  EXPECT_EQ(bounding_box(Sphere3{{1, 2, 3}, 2}), (Aabb3{{-1, 0, 1}, {3, 4, 5}}));
}

TEST(Sphere, MergedContainsBothEvenWhenTheirDistanceOverflows) {
  const Sphere3 a{{kHuge / 2 + kHuge / 4, 0, 0}, 1}, b{{-kHuge / 2 - kHuge / 4, 0, 0}, 1};
  const Sphere3 both = merge(a, b);
  EXPECT_TRUE(contains(both, a) && contains(both, b));
  // Just within range
  const Sphere3 c{{kHuge / 4, 0, 0}, kHuge / 8}, d{{-kHuge / 4, 0, 0}, kHuge / 8}, near = merge(c, d);
  EXPECT_GE(near.radius, kHuge / 8 * 3);
  EXPECT_LE(near.radius, kHuge / 8 * Real(3.01));
}

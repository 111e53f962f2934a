// Containment in exact rational arithmetic: the one file of this room that pays for the big numbers
#include "tests/support/exact.hpp"

#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/bounding/aabb_forms.hpp>
#include <sudar/bounding/calipers.hpp>
#include <sudar/bounding/obb.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_rotation;
using sudar_test::Rational;

namespace {
double random_double(Random& random, int spread) {
  return random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.below(2 * spread + 1)) - spread);
}
template <class T>
struct Range {
  Rational lo[3], hi[3];
  Range(const Aabb<3, T>& a) {
    for (int i = 0; i < 3; ++i) lo[i] = a.lo[i], hi[i] = a.hi[i];
  }
  Range(const AabbMinWidth<3, T>& a) {
    for (int i = 0; i < 3; ++i) lo[i] = a.lo[i], hi[i] = Rational(a.lo[i]) + Rational(a.width[i]);
  }
  Range(const AabbCenterRadius<3, T>& a) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = Rational(a.center[i]) - Rational(a.radius[i]);
      hi[i] = Rational(a.center[i]) + Rational(a.radius[i]);
    }
  }
  bool holds(const Range& b) const {
    for (int i = 0; i < 3; ++i)
      if (b.lo[i] < lo[i] || b.hi[i] > hi[i]) return false;
    return true;
  }
  bool meets(const Range& b) const {
    for (int i = 0; i < 3; ++i)
      if (b.hi[i] < lo[i] || b.lo[i] > hi[i]) return false;
    return true;
  }
  Rational width() const { return hi[0] - lo[0]; }
};

template <class T>
Aabb<3, T> random_box(Random& random) {
  Aabb<3, T> box;
  for (int i = 0; i < 3; ++i) {
    const T a = static_cast<T>(random_double(random, 12)), b = static_cast<T>(random_double(random, 12));
    box.lo[i] = a < b ? a : b, box.hi[i] = a < b ? b : a;
  }
  return box;
}

template <class T>
void expect_forms_never_lose() {
  Random random(campaign_seed(21));
  for (int n = 0; n < 3000; ++n) {
    const Aabb<3, T> a = random_box<T>(random), b = random_box<T>(random);
    const auto aw = to_min_width(a), bw = to_min_width(b);
    const auto ac = to_center_radius(a), bc = to_center_radius(b);
    const Range<T> ra(a), rb(b), raw(aw), rbw(bw), rac(ac), rbc(bc);
    // Around in every direction
    EXPECT_TRUE(raw.holds(ra) && rac.holds(ra));
    EXPECT_TRUE(Range<T>(to_min_max(aw)).holds(raw) && Range<T>(to_min_max(ac)).holds(rac));
    EXPECT_TRUE(Range<T>(to_center_radius(aw)).holds(raw) && Range<T>(to_min_width(ac)).holds(rac));
    // By no more than a few roundings
    const Rational size = abs(ra.lo[0]) + abs(ra.hi[0]);
    const Rational slack = size * Rational(4 * std::numeric_limits<T>::epsilon());
    EXPECT_LE(raw.width(), ra.width() + slack);
    EXPECT_LE(rac.width(), ra.width() + slack);
    // Merge contains both
    const Range<T> mw(merge(aw, bw)), mc(merge(ac, bc));
    EXPECT_TRUE(mw.holds(raw) && mw.holds(rbw));
    EXPECT_TRUE(mc.holds(rac) && mc.holds(rbc));
    EXPECT_EQ(merge(aw, aw), aw);
    EXPECT_EQ(merge(ac, ac), ac);
    // Overlap never misses
    EXPECT_EQ(overlap(a, b), ra.meets(rb));
    if (raw.meets(rbw)) {
      EXPECT_TRUE(overlap(aw, bw) && overlap(bw, aw));
    }
    if (rac.meets(rbc)) {
      EXPECT_TRUE(overlap(ac, bc) && overlap(bc, ac));
    }
    if (overlap(aw, bw)) {
      EXPECT_TRUE(
          overlap(expand(to_min_max(aw), T(0.001) * (abs(a.lo) + abs(a.hi) + abs(b.lo) + abs(b.hi))), to_min_max(bw)));
    }
  }
}
}  // namespace

TEST(AabbForms, ConversionsAndMergeContainExactlyAndOverlapNeverMisses) {
  expect_forms_never_lose<float>();
  expect_forms_never_lose<double>();
}

TEST(AabbForms, TouchingCountsNanDoesNot) {
  const AabbMinWidth<2> a{{0, 0}, {1, 1}}, b{{1, 1}, {2, 2}}, c{{Real(1.5), 0}, {1, 1}};
  EXPECT_TRUE(overlap(a, b) && overlap(b, a));
  EXPECT_FALSE(overlap(a, c) || overlap(c, a));
  EXPECT_TRUE(contains(a, Vec2{1, 0}));
  EXPECT_FALSE(contains(a, Vec2{1, Real(1.01)}));
  const AabbCenterRadius<2> d{{0, 0}, {1, 1}}, e{{2, 2}, {1, 1}}, f{{3, 0}, {1, 1}};
  EXPECT_TRUE(overlap(d, e) && overlap(e, d));
  EXPECT_FALSE(overlap(d, f) || overlap(f, d));
  EXPECT_TRUE(contains(d, Vec2{1, -1}));
  EXPECT_EQ(merge(d, e), (AabbCenterRadius<2>{{1, 1}, {2, 2}}));
  EXPECT_EQ(merge(a, b), (AabbMinWidth<2>{{0, 0}, {3, 3}}));
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_FALSE(overlap(a, AabbMinWidth<2>{{nan, 0}, {1, 1}}));
  EXPECT_FALSE(overlap(a, AabbMinWidth<2>{{0, 0}, {nan, 1}}) && overlap(AabbMinWidth<2>{{0, 0}, {nan, 1}}, a));
  EXPECT_FALSE(overlap(d, AabbCenterRadius<2>{{0, 0}, {nan, 1}}));
  EXPECT_FALSE(overlap(d, AabbCenterRadius<2>{{nan, 0}, {1, 1}}));
}

TEST(SphereFit, ContainsEveryPointExactly) {
  Random random(campaign_seed(22));
  for (std::size_t n = 0; n < sudar_test::soak(400); ++n) {
    std::vector<Vec3d> points;
    const int spread = static_cast<int>(random.below(30));
    for (std::size_t i = 0, count = 1 + random.below(40); i < count; ++i)
      points.push_back({random_double(random, spread), random_double(random, spread), random_double(random, spread)});
    if (n % 2 == 1)
      for (Vec3d& p : points) p = normalized(p) * 3.0 + Vec3d{1000, 0, 0};
    const auto welzl = [](std::span<const Vec3d> p) noexcept { return welzl_sphere<3>(p); };
    for (const auto& sphere : {*mean_sphere<3>(points), *box_sphere<3>(points), *ritter_sphere<3>(points),
                               *smallest_sphere<3>(points), *welzl(points), *brute_force_sphere<3>(points)}) {
      const Rational r2 = Rational(sphere.radius) * Rational(sphere.radius);
      for (const Vec3d& p : points) {
        Rational d2 = 0;
        for (int i = 0; i < 3; ++i) {
          const Rational d = Rational(p[i]) - Rational(sphere.center[i]);
          d2 += d * d;
        }
        EXPECT_LE(d2, r2);
      }
    }
  }
}

namespace {
using Exact3 = std::array<Rational, 3>;
template <class T>
Exact3 exact(const BasicVec3<T>& v) {
  return {Rational(v.x), Rational(v.y), Rational(v.z)};
}
Rational dot(const Exact3& a, const Exact3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Exact3 cross(const Exact3& a, const Exact3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Oracle: the boxes as exact parallelepipeds centre + sum of s_i axis_i half_i, each grown by `margin`, on all 15 axes
template <class T>
bool exact_overlap(const Obb<3, T>& a, const Obb<3, T>& b, const Rational& margin) {
  std::vector<Exact3> ea, eb, directions;
  for (int i = 0; i < 3; ++i) ea.push_back(exact(a.axes[i])), eb.push_back(exact(b.axes[i]));
  for (int i = 0; i < 3; ++i) {
    directions.push_back(cross(ea[(i + 1) % 3], ea[(i + 2) % 3]));
    directions.push_back(cross(eb[(i + 1) % 3], eb[(i + 2) % 3]));
    for (int j = 0; j < 3; ++j) directions.push_back(cross(ea[i], eb[j]));
  }
  Exact3 apart = exact(b.center);
  for (int i = 0; i < 3; ++i) apart[i] -= Rational(a.center[i]);
  for (const Exact3& n : directions) {
    Rational reach = 0;
    for (int i = 0; i < 3; ++i) {
      reach += abs(dot(ea[i], n)) * (Rational(a.half[i]) + margin);
      reach += abs(dot(eb[i], n)) * (Rational(b.half[i]) + margin);
    }
    if (abs(dot(apart, n)) > reach) return false;
  }
  return true;
}

template <class T>
std::array<BasicVec3<T>, 3> rotated_axes(const BasicQuat<T>& q) {
  return {rotate(q, BasicVec3<T>{1, 0, 0}), rotate(q, BasicVec3<T>{0, 1, 0}), rotate(q, BasicVec3<T>{0, 0, 1})};
}

template <class T>
void expect_obb_never_misses() {
  Random random(campaign_seed(23));
  std::size_t hits = 0, near = 0;
  const std::size_t count = sudar_test::soak(6000);
  for (std::size_t n = 0; n < count; ++n) {
    Obb<3, T> a, b;
    const BasicQuat<T> q = random_rotation<T>(random);
    a.axes = rotated_axes(q);
    // Unrelated, parallel, nearly parallel, and sharing one direction
    switch (n % 4) {
      case 0:
        b.axes = rotated_axes(random_rotation<T>(random));
        break;
      case 1:
        b.axes = {a.axes[1], a.axes[2], a.axes[0]};
        break;
      case 2: {
        const T tilt = static_cast<T>(random.uniform(-1, 1) * std::ldexp(1.0, -static_cast<int>(random.below(30))));
        b.axes = rotated_axes(normalized(q * BasicQuat<T>{1, tilt, 0, tilt / 2}));
        break;
      }
      default:
        b.axes = rotated_axes(normalized(q * BasicQuat<T>{T(random.uniform(-1, 1)), 0, 0, 1}));
        break;
    }
    for (int i = 0; i < 3; ++i) {
      a.half[i] = T(random.uniform(0, 2)), b.half[i] = T(random.uniform(0, 2));
      a.center[i] = T(random.uniform(-5, 5)), b.center[i] = T(random.uniform(-5, 5));
    }
    if (n % 3 == 0) {
      // Put b so that it touches a: a corner of one on a corner of the other, or flush faces
      const int k = static_cast<int>(random.below(8));
      if (n % 2 == 0)
        b.center += corner(a, k) - corner(b, static_cast<int>(random.below(8)));
      else if (n % 4 == 1)
        b.center = a.center + a.axes[0] * (a.half[0] + b.half[2]) + a.axes[1] * T(0.25);
    }
    if (n % 7 == 0) a.half.x = 0;
    const Rational size = 30;
    const bool got = overlap(a, b);
    EXPECT_EQ(got, overlap(b, a) ? true : got);
    if (exact_overlap(a, b, 0)) {
      EXPECT_TRUE(got) << n;
      ++hits;
    }
    if (got) {
      const bool really = exact_overlap(a, b, size * Rational(64 * std::numeric_limits<T>::epsilon()));
      EXPECT_TRUE(really || n % 4 == 2) << n;
      ++near;
    }
  }
  EXPECT_GT(hits, count / 12);
  EXPECT_LT(near, count * 5 / 6);
}
}  // namespace

TEST(Obb, NeverMissesAnOverlap) {
  expect_obb_never_misses<float>();
  expect_obb_never_misses<double>();
}

TEST(ObbFit, ContainsEveryPointExactly) {
  // Oracle: the slab set |(p - centre) · axis| <= half in rational arithmetic
  Random random(campaign_seed(24));
  for (std::size_t n = 0; n < sudar_test::soak(200); ++n) {
    std::vector<Vec3d> points;
    std::vector<Vec2d> flat;
    const int spread = static_cast<int>(random.below(20));
    for (std::size_t i = 0, count = 1 + random.below(30); i < count; ++i) {
      points.push_back({random_double(random, spread), random_double(random, spread), random_double(random, spread)});
      if (n % 3 == 1) points.back() = points.back() + Vec3d{1e5, -1e6, 0};
      if (n % 3 == 2) points.back().z = points.back().x + points.back().y;
      flat.push_back({points.back().x, points.back().y});
    }
    for (const auto& fit : {smallest_box(points), principal_box(points)}) {
      ASSERT_TRUE(fit.ok());
      for (const Vec3d& p : points) {
        EXPECT_TRUE(contains(*fit, p));
        Exact3 d = exact(p);
        for (int i = 0; i < 3; ++i) d[i] -= Rational(fit->center[i]);
        for (int i = 0; i < 3; ++i) EXPECT_LE(abs(dot(d, exact(fit->axes[i]))), Rational(fit->half[i]));
      }
    }
    const auto rectangle = smallest_rectangle(flat);
    ASSERT_TRUE(rectangle.ok());
    for (const Vec2d& p : flat) {
      const Rational dx = Rational(p.x) - Rational(rectangle->center.x),
                     dy = Rational(p.y) - Rational(rectangle->center.y);
      for (int i = 0; i < 2; ++i)
        EXPECT_LE(abs(Rational(dx * rectangle->axes[i].x + dy * rectangle->axes[i].y)), Rational(rectangle->half[i]));
    }
  }
}

TEST(ObbFit, DotSignIsExact) {
  // Oracle: rationals, on vectors that are perpendicular or nearly so
  Random random(campaign_seed(25));
  int zeros = 0;
  for (int n = 0; n < 20000; ++n) {
    const int spread = n % 4 == 0 ? 900 : 3;
    const auto coordinate = [&] {
      return n % 2 == 0
                 ? std::ldexp(std::floor(random.uniform(-8, 8)), static_cast<int>(random.below(spread)) - spread / 2)
                 : random_double(random, spread);
    };
    Vec2d a{coordinate(), coordinate()}, b{coordinate(), coordinate()}, c{coordinate(), coordinate()};
    Vec2d d = c + perp(b - a);
    if (n % 5 == 0) d.x = next_up(d.x);
    if (n % 7 == 0) d = {coordinate(), coordinate()};
    if (!is_finite(d)) continue;
    const Rational exact_dot = (Rational(b.x) - Rational(a.x)) * (Rational(d.x) - Rational(c.x)) +
                               (Rational(b.y) - Rational(a.y)) * (Rational(d.y) - Rational(c.y));
    const Rational exact_cross = (Rational(b.x) - Rational(a.x)) * (Rational(d.y) - Rational(c.y)) -
                                 (Rational(b.y) - Rational(a.y)) * (Rational(d.x) - Rational(c.x));
    EXPECT_EQ(dot_sign(a, b, c, d), exact_dot.sign());
    EXPECT_EQ(cross_sign(a, b, c, d), exact_cross.sign());
    zeros += exact_dot.sign() == 0;
  }
  EXPECT_GT(zeros, 500);
}

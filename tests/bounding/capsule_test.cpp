#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/capsule.hpp>
#include <sudar/bounding/cylinder.hpp>
#include <sudar/bounding/swept.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;

namespace {
constexpr Real kClose = std::is_same_v<Real, float> ? Real(1e-4) : Real(1e-12);

// Oracle: ternary search over both cores, on which the distance is convex
template <int D>
double sampled_core_distance(const Capsule<D>& s, const Capsule<D>& t) {
  const Vec<D, double> sa = vec_cast<double>(s.a), sb = vec_cast<double>(s.b);
  Capsule<D, double> other{vec_cast<double>(t.a), vec_cast<double>(t.b), 0};
  double lo = 0, hi = 1;
  for (int k = 0; k < 100; ++k) {
    const double m1 = lo + (hi - lo) / 3, m2 = hi - (hi - lo) / 3;
    if (squared_distance_to_core(other, lerp(sa, sb, m1)) < squared_distance_to_core(other, lerp(sa, sb, m2)))
      hi = m2;
    else
      lo = m1;
  }
  return std::sqrt(squared_distance_to_core(other, lerp(sa, sb, (lo + hi) / 2)));
}

template <int D>
void expect_core_distances() {
  Random random(campaign_seed(51));
  for (int n = 0; n < 3000; ++n) {
    Capsule<D> s{random_point<D, Real>(random, 1), random_point<D, Real>(random, 1), Real(0.25)};
    Capsule<D> t{random_point<D, Real>(random, 1), random_point<D, Real>(random, 1), Real(0.125)};
    if (n % 5 == 1) t.b = t.a + (s.b - s.a);  // parallel
    if (n % 5 == 2) t.b = t.a;                // a point
    if (n % 5 == 3) t.a = s.b;                // sharing an end
    const double expected = sampled_core_distance<D>(s, t);
    EXPECT_NEAR(std::sqrt(double(squared_distance_of_cores(s, t))), expected, kClose) << n;
    if (std::fabs(expected - 0.375) > 1e-3) {
      EXPECT_EQ(overlap(s, t), expected <= 0.375);
    }
    const Aabb<D> box = bounding_box(s);
    for (int k = 0; k < 10; ++k) {
      const Vec<D> p =
          lerp(s.a, s.b, Real(random.uniform())) + normalized(random_point<D, Real>(random, 1)) * Real(0.2499);
      EXPECT_TRUE(contains(s, p));
      EXPECT_TRUE(contains(box, p));
      EXPECT_TRUE(overlap(s, Sphere<D>{p, 0}) && overlap(Sphere<D>{p, 0}, s));
    }
  }
}
}  // namespace

TEST(Capsule, CoreDistanceMatchesASearch) {
  expect_core_distances<2>();
  expect_core_distances<3>();
}

// Oracle: the cores were laid through one point, up to the rounding of their ends
TEST(Capsule, CoresThatCrossAtASmallAngle) {
  Random random(campaign_seed(57));
  const Real rounding = 16 * std::numeric_limits<Real>::epsilon();
  for (int n = 0; n < 5000; ++n) {
    const double angle = std::exp2(-random.uniform(4, 30));
    const Vec3d u = normalized(vec_cast<double>(random_point<3, Real>(random, 1)));
    Vec3d side, up;
    make_frame(u, side, up);
    const Vec3d v = normalized(u + side * angle), c = vec_cast<double>(random_point<3, Real>(random, 1));
    const double s = random.uniform(), t = random.uniform();
    const Capsule3 a{vec_cast<Real>(c - u * s), vec_cast<Real>(c + u * (1 - s)), 0};
    const Capsule3 b{vec_cast<Real>(c - v * t), vec_cast<Real>(c + v * (1 - t)), 0};
    EXPECT_LE(std::sqrt(squared_distance_of_cores(a, b)), rounding) << angle;
    EXPECT_TRUE(overlap(Capsule3{a.a, a.b, rounding}, b));
  }
}

TEST(Capsule, NanIsAMiss) {
  const Capsule3 a{{0, 0, 0}, {4, 0, 0}, 1};
  for (int k = 0; k < 2; ++k) {
    Capsule3 bad = a;
    (k == 0 ? bad.a : bad.b).x = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_FALSE(overlap(a, bad) || overlap(bad, a));
    EXPECT_FALSE(contains(bad, a.a) || contains(bad, a.b));
    EXPECT_FALSE(contains(swept(bad, Vec3{1, 1, 1}), a.a));
    EXPECT_FALSE(contains(swept(a, Vec3{1, bad.a.x + bad.b.x, 1}), a.a));
  }
}

TEST(Capsule, TouchingCountsAndClosedForms) {
  const Capsule3 a{{0, 0, 0}, {4, 0, 0}, 1}, above{{2, 3, 0}, {2, 9, 0}, 2}, apart{{2, Real(3.01), 0}, {2, 9, 0}, 2};
  EXPECT_TRUE(overlap(a, above));
  EXPECT_FALSE(overlap(a, apart));
  EXPECT_TRUE(contains(a, Vec3{5, 0, 0}));
  EXPECT_FALSE(contains(a, Vec3{Real(5.01), 0, 0}));
  EXPECT_NEAR(volume(a), 4 * kPi + kPi * 4 / 3, 1e-4);
  EXPECT_NEAR(volume(Capsule2{{0, 0}, {3, 4}, 2}), 20 + 4 * kPi, 1e-4);
  EXPECT_EQ(volume(Capsule2{{0, 0}, {3, 4}, 0}), 0);
  Capsule3 bad = a;
  bad.b.x = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_FALSE(overlap(bad, Capsule3{{100, 0, 0}, {101, 0, 0}, 1}));
  EXPECT_FALSE(contains(bad, Vec3{9, 9, 9}));
}

TEST(Capsule, UnderAPoseContainsTheImages) {
  Random random(campaign_seed(52));
  for (int n = 0; n < 1000; ++n) {
    const Capsule3 c{random_point<3, Real>(random, 10), random_point<3, Real>(random, 10), Real(random.uniform(0, 3))};
    const Pose3 pose{random_point<3, Real>(random, 100), normalized(Quat{1, Real(random.uniform(-1, 1)), 2, -1})};
    const Capsule3 image = transform(pose, c);
    for (int k = 0; k < 10; ++k) {
      const Vec3 p = lerp(c.a, c.b, Real(random.uniform())) +
                     normalized(random_point<3, Real>(random, 1)) * (c.radius * Real(0.9999));
      EXPECT_TRUE(contains(image, transform(pose, p)));
    }
  }
}

TEST(Cylinder, ContainsItsPointsAndItsBoxDoes) {
  Random random(campaign_seed(53));
  for (int n = 0; n < 1000; ++n) {
    const Cylinder<> c{random_point<3, Real>(random, 10), normalized(random_point<3, Real>(random, 1)),
                       Real(random.uniform(0.1, 3)), Real(random.uniform(0.1, 3))};
    const Pose3 pose{random_point<3, Real>(random, 10), normalized(Quat{1, Real(random.uniform(-1, 1)), 2, -1})};
    const Cylinder<> moved = transform(pose, c);
    Vec3 u, v;
    make_frame(c.axis, u, v);
    for (int k = 0; k < 10; ++k) {
      const Vec2 disc = normalized(random_point<2, Real>(random, 1)) * (c.radius * Real(0.9999));
      const Vec3 p =
          c.center + c.axis * (c.half_height * Real(random.uniform(-0.9999, 0.9999))) + u * disc.x + v * disc.y;
      EXPECT_TRUE(contains(c, p));
      EXPECT_TRUE(contains(bounding_box(c), p));
      EXPECT_TRUE(contains(moved, transform(pose, p)));
      EXPECT_FALSE(contains(c, p + c.axis * (c.half_height * 2)));
      EXPECT_FALSE(contains(c, c.center + (u * disc.x + v * disc.y) * Real(1.01)));
    }
  }
  EXPECT_NEAR(volume(Cylinder<>{{}, {0, 0, 1}, 3, 2}), 24 * kPi, 1e-3);
}

TEST(Cylinder, NeverMissesAnOverlap) {
  // Oracle: a point drawn inside of both
  Random random(campaign_seed(54));
  int apart = 0;
  for (int n = 0; n < 20000; ++n) {
    Cylinder<> c[2];
    Vec3 p[2];
    for (int k = 0; k < 2; ++k) {
      c[k] = {random_point<3, Real>(random, 4), normalized(random_point<3, Real>(random, 1)),
              Real(random.uniform(0, 2)), Real(random.uniform(0, 2))};
      if (n % 3 == 0 && k == 1) c[1].axis = c[0].axis;
      Vec3 u, v;
      make_frame(c[k].axis, u, v);
      const Vec2 disc = normalized(random_point<2, Real>(random, 1)) * (c[k].radius * Real(random.uniform()));
      p[k] = c[k].center + c[k].axis * (c[k].half_height * Real(random.uniform(-1, 1))) + u * disc.x + v * disc.y;
    }
    apart += !overlap(c[0], c[1]);
    c[1].center += p[0] - p[1];
    EXPECT_TRUE(overlap(c[0], c[1])) << n;
  }
  EXPECT_GT(apart, 5000);
  // Side by side, on top of each other, touching
  const Cylinder<> a{{0, 0, 0}, {0, 0, 1}, 1, 1};
  EXPECT_TRUE(overlap(a, Cylinder<>{{2, 0, 0}, {0, 0, 1}, 1, 1}));
  EXPECT_FALSE(overlap(a, Cylinder<>{{Real(2.01), 0, 0}, {0, 0, 1}, 1, 1}));
  EXPECT_TRUE(overlap(a, Cylinder<>{{0, 0, 2}, {0, 0, 1}, 1, 1}));
  EXPECT_FALSE(overlap(a, Cylinder<>{{0, 0, Real(2.01)}, {0, 0, 1}, 1, 1}));
}

TEST(Swept, VolumesContainTheWholeMotion) {
  Random random(campaign_seed(55));
  for (int n = 0; n < 2000; ++n) {
    const Vec3 motion = random_point<3, Real>(random, 5);
    const Sphere3 ball{random_point<3, Real>(random, 5), Real(random.uniform(0, 2))};
    const Capsule3 rod{random_point<3, Real>(random, 5), random_point<3, Real>(random, 5),
                       Real(random.uniform(0.01, 2))};
    const Vec3 p = random_point<3, Real>(random, 5), q = random_point<3, Real>(random, 5);
    const Aabb3 box{min(p, q), max(p, q)};
    const Aabb3 box_path = swept(box, motion);
    const Capsule3 ball_path = swept(ball, motion);
    const SweptCapsule<3> rod_path = swept(rod, motion);
    const Aabb3 rod_box = bounding_box(rod_path);
    for (int k = 0; k <= 10; ++k) {
      const Vec3 shift = motion * (Real(k) / 10);
      const Vec3 out = normalized(random_point<3, Real>(random, 1));
      EXPECT_TRUE(contains(expand(box_path, kClose), Aabb3{box.lo + shift, box.hi + shift}));
      EXPECT_TRUE(contains(ball_path, ball.center + shift + out * (ball.radius * Real(0.9999))));
      const Vec3 on_rod = lerp(rod.a, rod.b, Real(random.uniform())) + shift + out * (rod.radius * Real(0.9999));
      EXPECT_TRUE(contains(rod_path, on_rod));
      EXPECT_TRUE(contains(expand(rod_box, kClose), on_rod));
      EXPECT_TRUE(overlap(rod_path, Sphere3{on_rod, Real(0.01)}));
    }
    EXPECT_TRUE(contains(box_path, box));
    // A sphere's sweep in the plane, and a point well outside of it
    EXPECT_FALSE(contains(rod_path, rod.a + Vec3{100, 0, 0}));
  }
}

// A capsule that moves nearly along itself sweeps a parallelogram with hardly any height
TEST(Swept, CapsuleThatMovesNearlyAlongItself) {
  Random random(campaign_seed(58));
  const Real rounding = 64 * std::numeric_limits<Real>::epsilon();
  for (int n = 0; n < 5000; ++n) {
    const Vec3d d = normalized(vec_cast<double>(random_point<3, Real>(random, 1)));
    Vec3d side, up;
    make_frame(d, side, up);
    const Vec3 u = vec_cast<Real>(d);
    const Vec3 v = vec_cast<Real>((d + side * std::exp2(-random.uniform(4, 30))) * random.uniform(-2, 2));
    const SweptCapsule<3> path = swept(Capsule3{{0, 0, 0}, u, rounding}, v);
    const Vec3 p = u * Real(random.uniform()) + v * Real(random.uniform());
    EXPECT_TRUE(contains(path, p)) << n;
    EXPECT_FALSE(contains(path, p + vec_cast<Real>(up) * (4 * path.radius))) << n;
  }
}

TEST(Swept, MovingBoxNeverMissesFarOut) {
  // Products of two coordinates are past the largest number
  const Real s = std::sqrt(std::numeric_limits<Real>::max()) * 1000;
  const Aabb2 moving{{-2 * s, -2 * s}, {-s, -s}}, fixed{{s / 2, s / 2}, {s, s}};
  EXPECT_TRUE(swept_overlap(moving, Vec2{3 * s, Real(2.5) * s}, fixed));
  EXPECT_FALSE(swept_overlap(moving, Vec2{-3 * s, Real(2.5) * s}, fixed));
}

TEST(Swept, MovingBoxNeverMisses) {
  // Oracle: the boxes at many instants
  Random random(campaign_seed(56));
  int rejected = 0;
  for (int n = 0; n < 20000; ++n) {
    const Vec3 p = random_point<3, Real>(random, 3), q = random_point<3, Real>(random, 3);
    const Vec3 r = random_point<3, Real>(random, 3), s = random_point<3, Real>(random, 3),
               motion = random_point<3, Real>(random, 8);
    const Aabb3 moving{min(p, q), max(p, q)}, fixed{min(r, s), max(r, s)};
    bool met = false;
    for (int k = 0; k <= 64; ++k) {
      const Vec3 shift = motion * (Real(k) / 64);
      met |= overlap(Aabb3{moving.lo + shift, moving.hi + shift}, fixed);
    }
    const bool hit = swept_overlap(moving, motion, fixed);
    EXPECT_TRUE(hit || !met);
    rejected += !hit && overlap(swept(moving, motion), fixed);
  }
  EXPECT_GT(rejected, 100);
  // A diagonal motion that passes a corner: touching it counts, a miss does not
  const Aabb2 unit{{0, 0}, {1, 1}};
  EXPECT_TRUE(swept_overlap(unit, Vec2{4, 4}, Aabb2{{3, 1}, {4, 2}}));
  EXPECT_FALSE(swept_overlap(unit, Vec2{4, 4}, Aabb2{{Real(3.1), 1}, {4, 2}}));
  EXPECT_TRUE(overlap(swept(unit, Vec2{4, 4}), Aabb2{{Real(3.1), 1}, {4, 2}}));
  EXPECT_FALSE(swept_overlap(unit, Vec2{std::numeric_limits<Real>::quiet_NaN(), 0}, unit));
}

TEST(Swept, VolumeMatchesTheClosedForm) {
  // A unit core moved across itself by 2, radius 1
  const SweptCapsule<3> slab = swept(Capsule3{{0, 0, 0}, {1, 0, 0}, 1}, Vec3{0, 2, 0});
  EXPECT_NEAR(volume(slab), 2 * 2 + 3 * kPi + kPi * 4 / 3, 1e-4);
  const SweptCapsule<2> flat = swept(Capsule2{{0, 0}, {1, 0}, 1}, Vec2{0, 2});
  EXPECT_NEAR(volume(flat), 2 + 6 + kPi, 1e-4);
}

// The time of impact of any two shapes: closed forms, all methods, compounds and meshes, bad input
#include "tests/continuous/asked_time.hpp"
#include "tests/continuous/motion_promise.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include "tests/support/told_tolerance.hpp"
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kMethods;
using sudar_test::MovingBody;
using sudar_test::soak;
using sudar_test::toi;

TEST(TimeOfImpact, SpheresHaveAClosedForm) {
  Random random(campaign_seed(5));
  int hits = 0;
  for (int n = 0; n < 500; ++n) {
    MovingBody<3> a{*make_sphere3(random.uniform(0.1, 1))}, b{*make_sphere3(random.uniform(0.1, 1))};
    aim(random, a, 3, 0.5), aim(random, b, 4, 0.5);
    a.motion.angular = unit_vector<3>(random) * 30.0;  // spheres do not care
    const Vec3d p = b.pose.position - a.pose.position, v = b.motion.linear - a.motion.linear;
    const double r = a.shape.as<SphereShape3>().radius + b.shape.as<SphereShape3>().radius;
    const double qa = dot(v, v), qb = dot(p, v), qc = dot(p, p) - r * r, d = qb * qb - qa * qc;
    if (qc <= 0 || std::fabs(d) < 1e-3) continue;
    const double t = d > 0 && qb < 0 ? (-qb - std::sqrt(d)) / qa : 2;
    for (const ToiMethod method : kMethods) {
      const ToiAnswer3 x = toi(a, b, {.method = method, .tolerance = 1e-9});
      ASSERT_EQ(x.hit, t <= 1) << sudar_test::written_motion(a, b);
      if (!x.hit) continue;
      ++hits;
      EXPECT_NEAR(x.t_lo, t, 1e-7);
      EXPECT_LE(x.t_lo, t * (1 + 1e-13));
      const Vec3d apart = normalized(p + v * t);
      EXPECT_NEAR(dot(x.normal, apart), 1, 1e-6);
    }
    ASSERT_FALSE(HasFailure()) << sudar_test::written_motion(a, b);
  }
  EXPECT_GT(hits, 100);
}

// A ball on its way to a plane, a rod that falls onto one turning, and a plane that turns up to a ball
TEST(TimeOfImpact, PlanesHaveAClosedForm) {
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0);
  for (const ToiMethod method : kMethods) {
    const ToiAnswer3 fall = toi<3>({ground}, {*make_sphere3(0.5), {{0, 0, 4}, {}}, {{3, 0, -7}, {5, 6, 7}}},
                                   {.method = method, .tolerance = 1e-9});
    ASSERT_TRUE(fall.hit);
    EXPECT_NEAR(fall.t_lo, 0.5, 1e-8);
    EXPECT_LE(fall.t_lo, 0.5);
    EXPECT_NEAR(fall.normal.z, 1, 1e-12);
    // Height of the lower end: 4 - 4 t - |sin(w t)|
    const double w = 3;
    MovingBody<3> rod{*make_segment3({-1, 0, 0}, {1, 0, 0}), {{0, 0, 4}, {}}, {{0, 0, -4}, {0, w, 0}}};
    double lo = 0, hi = 1;
    for (int k = 0; k < 80; ++k) {
      const double t = (lo + hi) / 2;
      (4 - 4 * t - std::fabs(std::sin(w * t)) > 0 ? lo : hi) = t;
    }
    const ToiAnswer3 turning = toi<3>({ground}, rod, {.method = method, .tolerance = 1e-9});
    ASSERT_TRUE(turning.hit);
    EXPECT_NEAR(turning.t_lo, lo, 1e-8);
    EXPECT_LE(turning.t_lo, lo + 1e-15);
    // From the other side
    const ToiAnswer3 swapped = toi<3>(rod, {ground}, {.method = method, .tolerance = 1e-9});
    EXPECT_NEAR(swapped.t_lo, lo, 1e-8);
    EXPECT_NEAR(swapped.normal.z, -1, 1e-9);
  }
  // The plane z = 0 turns about y at 1 rad/s; the ball sits at (-2, 0, 1) with radius 0.5: 2 sin t - cos t = -0.5 …
  const ToiAnswer3 swing = toi<3>({ground, {}, {{}, {0, 1, 0}}}, {*make_sphere3(0.5), {{-2, 0, 1}, {}}});
  ASSERT_TRUE(swing.hit);
  // distance(t) = cos t - 2 sin t - 0.5
  EXPECT_NEAR(std::cos(swing.t_lo) - 2 * std::sin(swing.t_lo), 0.5, 1e-9);
  EXPECT_LT(swing.t_lo, 0.5);
}

// A rod that turns about its middle hits a ball; full turns in one step are no way around it
TEST(TimeOfImpact, ATurningRodHitsABall) {
  for (const double turns : {0.3, 1.0, 7.25, 100.0, -3.0}) {
    const double w = 2 * kPi * turns;
    const MovingBody<3> rod{*make_segment3({-1, 0, 0}, {1, 0, 0}), {}, {{}, Vec3d{0, 0, w}}};
    const MovingBody<3> ball{*make_sphere3(0.05), {{0, 0.9, 0}, {}}};
    // Touches when the angle between rod and centre is asin(0.05 / 0.9)
    const double t = (kPi / 2 - std::asin(0.05 / 0.9)) / std::fabs(w);
    for (const ToiMethod method : kMethods) {
      const ToiAnswer3 x = toi(rod, ball, {.method = method});
      ASSERT_TRUE(x.hit);
      EXPECT_NEAR(x.t_lo, t, 1e-9) << turns;
      EXPECT_LE(x.t_lo, t * (1 + 1e-12));
      EXPECT_LE(x.separation, 2 * x.tolerance);
      EXPECT_EQ(x.status, QueryStatus::converged);
    }
    // Just out of reach, for any number of turns
    const MovingBody<3> out{*make_sphere3(0.05), {{0, 1.0500001, 0}, {}}};
    const ToiAnswer3 miss = toi(rod, out);
    EXPECT_FALSE(miss.hit);
    EXPECT_LT(miss.iterations, 10);
  }
  // In the plane
  const MovingBody<2> rod{*make_segment2({-1, 0}, {1, 0}), {}, {{}, 2 * kPi}};
  const ToiAnswer2 x = toi<2>(rod, {*make_segment2({-1, 0.5}, {1, 0.5})});
  ASSERT_TRUE(x.hit);
  EXPECT_NEAR(x.t_lo, 1.0 / 12, 1e-10);
}

// Closed sets: what touches at the start is hit at once, whether it presses, slides or parts; nothing moves: as at rest
TEST(TimeOfImpact, TheStartIsDecidedAtRest) {
  const Shape3 box = *make_box3({0.5, 0.5, 0.5});
  for (const Vec3d v : {Vec3d{-1, 0, 0}, Vec3d{0, 3, 0}, Vec3d{1, 0, 0}, Vec3d{}}) {
    const ToiAnswer3 touch = toi<3>({box}, {box, {{1, 0, 0}, {}}, {v, {}}});
    EXPECT_TRUE(touch.hit);
    EXPECT_EQ(touch.t_hi, 0);
    EXPECT_EQ(touch.kind, ContactKind::polygon);
  }
  const ToiAnswer3 sliding = toi<3>({box}, {box, {{1, 0, 0}, {}}, {{0, 2, 0}, {}}});
  ASSERT_TRUE(sliding.t_last.has_value());
  EXPECT_NEAR(*sliding.t_last, 0.5, 1e-6);
  EXPECT_FALSE(toi<3>({box}, {box, {{next_up(1.0), 0, 0}, {}}, {{0, 3, 0}, {}}}).hit);
  EXPECT_FALSE(toi<3>({box}, {box, {{1.1, 0, 0}, {}}}).hit);
  // A solid that holds the other one
  const Mesh shell = *box_mesh({3, 3, 3});
  const Shape3 solid = *make_mesh_shape3(shell.vertices, shell.triangles, true);
  const Shape3 hollow = *make_mesh_shape3(shell.vertices, shell.triangles, false);
  EXPECT_EQ(toi<3>({solid}, {box, {}, {{1, 0, 0}, {}}}, {.t_max = 10}).t_lo, 0);
  EXPECT_NEAR(toi<3>({hollow}, {box, {}, {{1, 0, 0}, {}}}, {.t_max = 10}).t_lo, 2.5, 1e-9);
}

// Bodies of parts against the least of their parts, in every method
TEST(TimeOfImpact, PartsAreTheLeastOfTheirPieces) {
  Random random(campaign_seed(9));
  std::size_t hits = 0;
  for (int n = 0; n < 60; ++n) {
    std::vector<CompoundChild3> children;
    for (int k = 0; k < 5; ++k)
      children.push_back(
          {sudar_test::random_convex3(random, 0.4, false), {point_in_ball<3>(random), unit_quaternion(random)}});
    MovingBody<3> a{*make_compound3(children)}, b{*make_compound3(children)};
    aim(random, a, 3, 0.3), aim(random, b, 3, 0.6);
    a.motion.angular = point_in_ball<3>(random) * 10.0;
    b.motion.angular = point_in_ball<3>(random) * 10.0;
    const ToiAnswer3 x = toi(a, b), y = toi(a, b, {.method = ToiMethod::conservative});
    const double sampled = sampled_contact<3>(a, b, 1, 200);
    EXPECT_EQ(x.status, QueryStatus::converged);
    if (!x.hit) {
      EXPECT_LT(sampled, 0) << n;
    }
    if (sampled >= 0) {
      EXPECT_LE(x.t_lo, sampled) << n;
    }
    if (x.hit && y.status == QueryStatus::converged) {
      ++hits;
      EXPECT_TRUE(y.hit);
      EXPECT_NEAR(x.t_lo, y.t_lo, 1e-4) << n;
      const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
      EXPECT_LE(distance(a.shape, b.shape, pair.at(x.t_hi)).separation, 2 * x.tolerance);
    }
    ASSERT_FALSE(HasFailure()) << sudar_test::written_motion(a, b);
  }
  EXPECT_GT(hits, 10u);
}

// A hit is within twice the tolerance, also where nothing is touched; what stays farther apart is none
TEST(TimeOfImpact, AGrazeIsWithinTwiceTheTolerance) {
  const double tolerance = 1e-3;
  int hits = 0;
  const Shape3 capsule = *make_capsule3({0, 0, -1}, {0, 0, 1}, 0.5), box = *make_box3({1, 1, 1});
  for (const double gap : {0.2 * tolerance, 0.9 * tolerance, 1.5 * tolerance, 2.1 * tolerance, 5 * tolerance})
    for (const ToiMethod method : kMethods)
      for (const double turn : {0.0, 2.0}) {
        // The capsule turns about its own axis
        const MovingBody<3> moving{capsule, {{-4, 1.5 + gap, 0}, {}}, {{8, 0, 0}, {0, 0, turn}}};
        const ToiAnswer3 x = toi<3>({box}, moving, {.method = method, .tolerance = tolerance});
        ASSERT_EQ(x.status, QueryStatus::converged) << gap << " " << static_cast<int>(method);
        if (!x.hit) continue;
        ++hits;
        EXPECT_LE(gap, 2 * tolerance) << static_cast<int>(method);
        EXPECT_LE(x.separation, 2 * tolerance);
        const MovingPair3 pair({}, {}, moving.pose, moving.motion);
        EXPECT_LE(distance(box, capsule, pair.at(x.t_hi)).separation, 2 * tolerance);
      }
  EXPECT_GE(hits, 6);
}

TEST(TimeOfImpact, MeshesFieldsChainsAndPolygons) {
  // A ball rolls its way around a torus' hole and hits the inner side
  const Mesh torus = *torus_mesh(2, 0.5, 48, 24);
  const Shape3 ring = *make_mesh_shape3(torus.vertices, torus.triangles, true);
  const ToiAnswer3 through = toi<3>({ring}, {*make_sphere3(0.3), {{0, 0, 5}, {}}, {{0, 0, -10}, {}}});
  EXPECT_FALSE(through.hit);
  const ToiAnswer3 inner = toi<3>({ring}, {*make_sphere3(0.3), {}, {{4, 0, 0}, {}}});
  ASSERT_TRUE(inner.hit);
  EXPECT_NEAR(inner.t_lo, (1.5 - 0.3) / 4, 5e-3);
  // Mesh against mesh: two boxes of triangles, closed form
  const Mesh cube = *box_mesh({1, 1, 1});
  const Shape3 block = *make_mesh_shape3(cube.vertices, cube.triangles, true);
  const ToiAnswer3 blocks = toi<3>({block}, {block, {{5, 0.3, 0.2}, {}}, {{-10, 0, 0}, {}}});
  ASSERT_TRUE(blocks.hit);
  EXPECT_NEAR(blocks.t_lo, 0.3, 1e-10);
  EXPECT_NEAR(blocks.normal.x, 1, 1e-9);
  EXPECT_EQ(blocks.kind, ContactKind::polygon);
  // A bullet through a terrain
  std::vector<double> heights(32 * 32);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = 0.1 * static_cast<double>(i % 7);
  const Shape3 field = *make_height_field3(heights, 32, 32, {1, 1});
  const MovingBody<3> bullet{*make_sphere3(0.01), {{15.3, 15.4, 500}, {}}, {{0, 0, -1000}, {}}};
  const ToiAnswer3 shot = toi<3>({field}, bullet);
  ASSERT_TRUE(shot.hit);
  EXPECT_NEAR(shot.t_lo, 0.4995, 1e-3);
  // Mesh on a half-space
  const ToiAnswer3 ground = toi<3>({*make_halfspace3({0, 0, 1}, 0)}, {block, {{0, 0, 4}, {}}, {{0, 0, -6}, {}}});
  ASSERT_TRUE(ground.hit);
  EXPECT_NEAR(ground.t_lo, 0.5, 1e-10);
  // In the plane: an L turns into a chain
  const std::vector<Vec2d> corner = {{0, 0}, {2, 0}, {2, 0.5}, {0.5, 0.5}, {0.5, 2}, {0, 2}};
  const MovingBody<2> l{*make_concave_polygon2(corner), {}, {{}, 2}};
  const std::vector<Vec2d> line = {{-3, 1.5}, {-0.8, 1.5}, {-0.8, 3}};
  const MovingBody<2> chain{*make_chain2(line)};
  const ToiAnswer2 swing = toi(l, chain);
  ASSERT_TRUE(swing.hit);
  const double sampled = sampled_contact<2>(l, chain, 1, 20000);
  EXPECT_LE(swing.t_lo, sampled);
  EXPECT_GE(swing.t_lo, sampled - 1e-4);
}

// Two edges that are parallel up to rounding span no axis to speak of. Oracles: exact integers on a lattice say whether and when
// they meet; the distance at the times that are told
TEST(TimeOfImpact, EdgesThatAreNearlyParallel) {
  Random random(campaign_seed(93));
  std::size_t hits = 0, misses = 0;
  const auto check = [&](const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s, const Vec3d& from,
                         const Vec3d& by) {
    const MovingBody<3> a{*make_segment3(p, q)}, b{*make_segment3(r, s), {from, {}}, {by, {}}};
    const ToiAnswer3 x = toi(a, b);
    const auto exact = edge_edge_impact({p, q, r + from, s + from}, {p, q, r + from + by, s + from + by});
    ASSERT_TRUE(exact.ok());
    const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
    if (exact->hit) {
      ++hits;
      ASSERT_TRUE(x.hit);
      EXPECT_LE(x.t_lo, exact->t);
    }
    if (!x.hit) {
      ++misses;
      return;
    }
    EXPECT_EQ(x.status, QueryStatus::converged);
    EXPECT_LE(distance(a.shape, b.shape, pair.at(x.t_hi)).separation, 2 * x.tolerance);
    EXPECT_LE(x.tolerance, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, x.t_hi, x.t_hi));
    ASSERT_TRUE(x.t_last.has_value());
    EXPECT_GE(*x.t_last, x.t_hi);
    EXPECT_LE(distance(a.shape, b.shape, pair.at(*x.t_last)).separation, 2 * x.tolerance_last);
    EXPECT_LE(x.tolerance_last, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, *x.t_last, 1));
    if (exact->hit) {
      EXPECT_GE(*x.t_last, exact->t_lower - 2 * x.tolerance / length(by));
    }
    // What becomes of them later is no matter of the first time
    const ToiAnswer3 longer = toi(a, b, {.t_max = 0x1p30});
    if (exact->hit) {
      ASSERT_TRUE(longer.hit);
    }
    if (!longer.hit) return;
    EXPECT_LE(longer.tolerance, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, longer.t_hi, longer.t_hi));
    EXPECT_LE(distance(a.shape, b.shape, pair.at(longer.t_hi)).separation, 2 * longer.tolerance);
  };
  // What a campaign found: they came to rest 4e-9 before they met
  const Vec3d end{-0.9427263736724854, 0.31906482577323914, 0.0004062652587890625};
  const Vec3d one{1.25, -0.9745083451271057, 0.931856304887333}, two{1.25, -0.9745083675370552, 0.9318562746047974};
  check(one, end, two, end, {0, 0, 1}, {0, 0, -2});
  check(two, end, one, end, {0, 0, 1}, {0, 0, -2});
  // Steps of 2^-40 at most 2 from the origin: all sums are exact
  const auto on_lattice = [&](double reach, int bits) {
    Vec3d v;
    for (int i = 0; i < 3; ++i)
      v[i] = std::ldexp(std::round(random.uniform(-reach, reach) * std::ldexp(1.0, bits)), -bits);
    return v;
  };
  for (std::size_t n = 0; n < soak(600); ++n) {
    const double tilt = std::ldexp(1.0, -static_cast<int>(10 + random.below(26)));
    const Vec3d p = on_lattice(1, 20), q = on_lattice(1, 20), way = on_lattice(0.5, 10);
    const Vec3d r = p + on_lattice(tilt, 40), s = q + on_lattice(tilt, 40);
    check(p, q, r, s, way, way * -2.0);
  }
  EXPECT_GT(hits, soak(600) / 8);
  EXPECT_GT(misses, soak(600) / 100);
}

// The axes that are given up leave nothing behind, also where the search after them has no work left
TEST(TimeOfImpact, WhatIsBegunAgainBeginsAgain) {
  // A point passes the sharp end of a sliver, about which its sides say little
  const std::vector<Vec2d> sliver = {{0, 0}, {1.1641532182693481e-10, 0.5}, {0, 0.875}};
  const MovingBody<2> a{*make_polygon2(sliver)};
  const MovingBody<2> b{*make_point2({-0.5, 0}), {{-1, 2.3750000000582077}, {}}, {{2, -2}, {}}};
  const ToiAnswer2 x = toi(a, b, {.max_iterations = 1, .contacts = false});
  EXPECT_EQ(x.status, QueryStatus::max_iterations);
  EXPECT_TRUE(x.hit);
  EXPECT_EQ(x.t_hi, 1);
  EXPECT_FALSE(x.t_last.has_value());
  EXPECT_GT(x.separation, 2 * x.tolerance);
  EXPECT_NEAR(length(x.normal), 1, 1e-12);
}

namespace {

AnyShape<2> cube(std::integral_constant<int, 2>, double half) { return *make_box2({half, half}); }
AnyShape<3> cube(std::integral_constant<int, 3>, double half) { return *make_box3({half, half, half}); }
Rot2d any_turn(std::integral_constant<int, 2>, Random& random) { return unit_rotation(random); }
Quatd any_turn(std::integral_constant<int, 3>, Random& random) { return unit_quaternion(random); }

// As near as it says, and not coarser than rounding
template <int D>
void expect_near(const MovingBody<D>& a, const MovingBody<D>& b, double t, double tolerance, double clock) {
  const MovingPair<D> pair(a.pose, a.motion, b.pose, b.motion);
  ASSERT_LE(distance(a.shape, b.shape, pair.at(t)).separation, 2 * tolerance * (1 + 1e-6))
      << sudar_test::written_motion(a, b);
  ASSERT_LE(tolerance, sudar_test::coarsest_tolerance<D>(a.shape, b.shape, pair, t, clock))
      << sudar_test::written_motion(a, b);
}

template <int D>
void slides_of_turned_bodies() {
  using V = Vec<D, double>;
  constexpr std::integral_constant<int, D> kDim;
  Random random(campaign_seed(96 + 3 - D));
  std::size_t hits = 0;
  for (std::size_t n = 0; n < soak(2000) && !testing::Test::HasFailure(); ++n) {
    const auto turn = any_turn(kDim, random);
    const double gap = std::exp2(random.uniform(-45, -20)), small = random.uniform(0.05, 0.5);
    MovingBody<D> a{cube(kDim, 1), {{}, turn}}, b{cube(kDim, small), {{}, turn}};
    if (random.coin()) std::swap(a.shape, b.shape);
    V place, way;
    for (int i = 0; i < D - 1; ++i) place[i] = random.uniform(-1, 1), way[i] = random.uniform(-2, 2);
    place[D - 1] = 1 + small + gap, way[D - 1] = -gap * random.uniform(0.9, 2);
    b.pose.position = rotate(turn, place), b.motion.linear = rotate(turn, way);
    const ToiAnswer<D> x = toi(a, b, {.t_max = 2});
    if (!x.hit) continue;
    ++hits;
    ASSERT_EQ(x.status, QueryStatus::converged) << sudar_test::written_motion(a, b);
    ASSERT_TRUE(x.t_last.has_value());
    expect_near(a, b, x.t_lo, x.tolerance, x.t_hi);
    expect_near(a, b, x.t_hi, x.tolerance, x.t_hi);
    expect_near(a, b, *x.t_last, x.tolerance_last, 2);
    // What becomes of them later is no matter of the first time
    const ToiAnswer<D> longer = toi(a, b, {.t_max = 0x1p30});
    ASSERT_TRUE(longer.hit);
    expect_near(a, b, longer.t_lo, longer.tolerance, longer.t_hi);
    expect_near(a, b, longer.t_hi, longer.tolerance, longer.t_hi);
  }
  EXPECT_GT(hits, soak(2000) / 10);
}

}  // namespace

// Bodies turned alike slide along each other, closing so slowly that rounding has its say about when: what is told is near then.
// Oracle: the distance at the times that are told
TEST(TimeOfImpact, SlidesOfTurnedBodies) {
  slides_of_turned_bodies<2>();
  slides_of_turned_bodies<3>();
}

namespace {

struct RunOut {
  std::size_t ended = 0, ran_out = 0, met = 0, missed = 0;
};
// Oracle: samples of the way
template <int D>
void expect_conservative(const MovingBody<D>& a, const MovingBody<D>& b, RunOut& seen) {
  const double sampled = sampled_contact<D>(a, b, 1, 20000);
  ++(sampled < 0 ? seen.missed : seen.met);
  for (const ToiMethod method : kMethods)
    for (const int limit : {1, 3, 20, 5000}) {
      const ToiAnswer<D> x = toi(a, b, {.method = method, .max_iterations = limit});
      const bool out = x.status == QueryStatus::max_iterations;
      ++(out ? seen.ran_out : seen.ended);
      if (out) {
        EXPECT_TRUE(x.hit);
        EXPECT_EQ(x.t_hi, 1);
      } else {
        EXPECT_EQ(x.hit, sampled >= 0);
      }
      if (sampled >= 0) {
        EXPECT_LE(x.t_lo, sampled);
      }
    }
}

}  // namespace

// When the work runs out, the answer says so, and what it says of the time before is true
TEST(TimeOfImpact, RunningOutIsConservative) {
  // Square wheels that turn a hundred times a hair above a plate that turns too: they come down onto it at once, late, or never
  RunOut seen;
  const MovingBody<3> wheel{*make_box3({1, 1, 0.1}), {{0, 0, 0.3}, {}}, {{0, 0, -0.05}, {3, 200, 100}}};
  for (const double height : {-1.1, -1.2, -1.21, -1.22, -1.23, -1.8})
    expect_conservative<3>(wheel, {*make_box3({5, 5, 0.1}), {{0, 0, height}, {}}, {{}, {0.01, 0, 50}}}, seen);
  const MovingBody<2> square{*make_box2({1, 1}), {{0, 0.3}, {}}, {{0, -0.05}, 200}};
  for (const double height : {-1.1, -1.22, -1.24, -1.25, -1.8})
    expect_conservative<2>(square, {*make_box2({5, 0.1}), {{0, height}, {}}, {{}, 0.01}}, seen);
  EXPECT_GE(seen.met, 7u);
  EXPECT_GE(seen.missed, 2u);
  EXPECT_GE(seen.ended, 25u);
  EXPECT_GE(seen.ran_out, 50u);
}

TEST(TimeOfImpact, BadInputIsRefused) {
  const Shape3 ball = *make_sphere3(1), plane = *make_halfspace3({0, 0, 1}, 0);
  const Pose3d far{{9, 0, 0}, {}};
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto code = [&](const Motion3& m, const ToiOptions& o, const Shape3& a, const Shape3& b) {
    const auto x = time_of_impact(a, {}, {}, b, far, m, o);
    return x.ok() ? std::optional<ErrorCode>() : x.error().code;
  };
  EXPECT_EQ(code({{nan, 0, 0}, {}}, {}, ball, ball), ErrorCode::non_finite);
  EXPECT_EQ(code({{}, {0, infinity, 0}}, {}, ball, ball), ErrorCode::non_finite);
  for (int k = 0; k < 3; ++k) {
    Motion3 motion;
    motion.angular[k] = nan;
    EXPECT_EQ(code(motion, {}, ball, ball), ErrorCode::non_finite);
    motion.angular[(k + 1) % 3] = 1;
    EXPECT_EQ(code(motion, {}, ball, ball), ErrorCode::non_finite);
  }
  EXPECT_EQ(code({}, {.t_max = -1}, ball, ball), ErrorCode::invalid_argument);
  EXPECT_EQ(code({}, {.t_max = nan}, ball, ball), ErrorCode::non_finite);
  EXPECT_EQ(code({{1e300, 0, 0}, {}}, {}, ball, ball), ErrorCode::too_large);
  EXPECT_EQ(code({{}, {1e12, 0, 0}}, {}, ball, ball), ErrorCode::too_large);
  EXPECT_EQ(code({}, {.tolerance = -1}, ball, ball), ErrorCode::invalid_argument);
  EXPECT_EQ(code({}, {.max_iterations = 0}, ball, ball), ErrorCode::invalid_argument);
  EXPECT_EQ(code({}, {}, plane, plane), ErrorCode::unsupported);
  EXPECT_EQ(code({{}, {1, 0, 0}}, {.method = ToiMethod::moving_sat}, ball, ball), ErrorCode::unsupported);
  EXPECT_EQ(code({}, {}, ball, ball), std::nullopt);
  // No bound on the speed of a plane that turns: only the search for an impact goes along with it
  for (const ToiMethod method : kMethods)
    EXPECT_EQ(code({{}, {1, 0, 0}}, {.method = method}, ball, plane),
              method == ToiMethod::automatic ? std::nullopt : std::optional(ErrorCode::unsupported));
  EXPECT_EQ(time_of_impact(ball, {{nan, 0, 0}, {}}, {}, ball, far, {}).error().element, 0u);
  EXPECT_EQ(time_of_impact(ball, {{}, {0, 0, 0, 0}}, {}, ball, far, {}).error().code, ErrorCode::degenerate);
  // Denormal speeds end, and hit nothing
  EXPECT_FALSE(toi<3>({ball}, {*make_triangle3({9, 0, 0}, {9, 1, 0}, {9, 0, 1}), {}, {{-6.9e-42, 0, 0}, {}}}).hit);
  EXPECT_FALSE(toi<3>({ball}, {ball, {{9, 0, 0}, {}}, {{-5e-324, 0, 0}, {5e-324, 0, 0}}}).hit);
}

// Sizes, places, speeds and turns of any magnitude: an answer in bounded work, and nothing before it
TEST(TimeOfImpact, AnyMagnitude) {
  Random random(campaign_seed(77));
  const auto magnitude = [&](double lo, double hi) { return std::exp2(random.uniform(lo, hi)); };
  for (int n = 0; n < 3000; ++n) {
    const double size = magnitude(-30, 30), far = size * magnitude(0, 60);
    MovingBody<3> a{sudar_test::random_convex3(random, size, true)};
    MovingBody<3> b{sudar_test::random_convex3(random, size * magnitude(-18, 18), true)};
    aim(random, b, far, size);
    a.pose.position = unit_vector<3>(random) * (random.coin() ? size : far);
    const double t_max = magnitude(-30, 30);
    b.motion.linear = b.motion.linear / t_max;
    a.motion.angular = unit_vector<3>(random) * (magnitude(-20, 10) / t_max);
    b.motion.angular = unit_vector<3>(random) * (magnitude(-20, 10) / t_max);
    sudar_test::MotionCase<3> c = sudar_test::motion_case(a, b, t_max);
    c.loose = true;
    const auto broken = [&](const sudar_test::MotionCase<3>& other) {
      return sudar_test::broken_at_any_magnitude(other, n % 4 == 0);
    };
    const std::string wrong = broken(c);
    ASSERT_EQ(wrong, "") << shrunk_case(c, wrong, broken);
  }
}

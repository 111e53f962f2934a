// The last time of contact of bodies that do not turn: closed forms by all methods, and what the end of a long way rounds
#include "tests/continuous/asked_time.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include "tests/support/told_tolerance.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kMethods;
using sudar_test::MovingBody;
using sudar_test::soak;
using sudar_test::toi;

// Without rotation the last time is known as well, by whatever method. Oracle: closed forms.
TEST(TimeOfImpact, TheLastTimeOfLinearMotion) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const Shape3 block = *make_mesh_shape3(cube.vertices, cube.triangles, true), box = *make_box3({1, 1, 1});
  const std::vector<CompoundChild3> children = {{*make_sphere3(0.5), {{0, 0.3, 0}, {}}},
                                                {*make_sphere3(0.25), {{-1, 0, 0}, {}}}};
  const Shape3 pair = *make_compound3(children);
  struct Case {
    const Shape3 &a, &b;
    double front, back;  // how far b's front and a's back reach along x
  };
  const Shape3 ball = *make_sphere3(0.5), capsule = *make_capsule3({0, -0.3, 0}, {0, 0.3, 0}, 0.5);
  for (const Case& c : {Case{box, ball, 1.5, 1.5}, Case{box, capsule, 1.5, 1.5}, Case{block, block, 2, 2},
                        Case{block, capsule, 1.5, 1.5}, Case{box, pair, 1.5, 2.25}}) {
    const MovingBody<3> moving{c.b, {{-4, 0.2, 0.1}, {}}, {{8, 0, 0}, {}}};
    for (const ToiMethod method : kMethods) {
      const ToiAnswer3 x = toi<3>({c.a}, moving, {.method = method});
      ASSERT_TRUE(x.hit && x.t_last.has_value());
      EXPECT_NEAR(x.t_lo, (4 - c.front) / 8, 1e-9);
      EXPECT_NEAR(*x.t_last, (4 + c.back) / 8, 1e-9);
      EXPECT_GE(*x.t_last, x.t_hi);
      EXPECT_GE(x.tolerance_last, x.tolerance);
      const ToiAnswer3 first = toi<3>({c.a}, moving, {.method = method, .last = false});
      EXPECT_FALSE(first.t_last.has_value());
      EXPECT_EQ(first.tolerance_last, 0);
      // It is still there at the end, or was there from the start
      EXPECT_EQ(toi<3>({c.a}, moving, {.t_max = 0.5, .method = method}).t_last, 0.5);
      MovingBody<3> leaving = moving;
      leaving.pose.position.x = 0;
      EXPECT_NEAR(*toi<3>({c.a}, leaving, {.method = method}).t_last, c.back / 8, 1e-9);
      MovingBody<3> turning = moving;
      turning.motion.angular = {0, 0, 1};
      if (c.b.kind() != ShapeKind3::sphere) {
        EXPECT_FALSE(toi<3>({c.a}, turning, {.method = method}).t_last.has_value());
      }
      // Where the work runs out there is none
      const ToiAnswer3 given_up = toi<3>({c.a}, moving, {.method = method, .max_iterations = 1});
      EXPECT_EQ(given_up.t_last.has_value(), given_up.status == QueryStatus::converged);
    }
  }
  // Balls, and a graze that is nearer than the tolerance: of a moment
  for (const ToiMethod method : kMethods) {
    const auto pass = [&](double aside, double ahead = 4, const Vec3d& turn = {}) {
      return toi<3>({ball}, {ball, {{-ahead, aside, 0}, {}}, {{8, 0, 0}, turn}}, {.method = method, .tolerance = 1e-3});
    };
    // Turning changes nothing of a ball, and nor does where it starts
    for (const Vec3d& turn : {Vec3d{}, Vec3d{1, 2, 3}})
      for (const double ahead : {4.0, 0.2}) {
        const ToiAnswer3 x = pass(0.6, ahead, turn);
        ASSERT_TRUE(x.hit && x.t_last.has_value());
        EXPECT_NEAR(*x.t_last, (ahead + 0.8) / 8, 1e-9);
      }
    const ToiAnswer3 graze = pass(1 + 1e-6);
    EXPECT_EQ(graze.hit, method != ToiMethod::automatic);
    if (graze.hit) {
      EXPECT_EQ(graze.t_last, graze.t_hi);
    }
  }
  // A half-space is left upwards only
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0);
  EXPECT_EQ(toi<3>({ground}, {ball, {{0, 0, 2}, {}}, {{0, 0, -4}, {}}}).t_last, 1);
  EXPECT_NEAR(*toi<3>({ground}, {block, {}, {{0, 0, 4}, {}}}).t_last, 0.25, 1e-9);
}

// The last time is looked for from the end of the way. What that rounds is the last time's, and the first one's tolerance is what
// it is without. Oracle: the same question without a last time; the distance at both times
TEST(TimeOfImpact, TheEndOfALongWayRoundsTheLastTimeOnly) {
  Random random(campaign_seed(97));
  std::size_t coarser = 0;
  for (std::size_t n = 0; n < soak(300) && !HasFailure(); ++n) {
    MovingBody<3> a{*make_box3({1, 1, 1})}, b{*make_capsule3({0, 0, -0.3}, {0, 0.2, 0.3}, 0.5)};
    if (random.coin()) std::swap(a.shape, b.shape);
    b.motion.linear = unit_vector<3>(random);
    b.pose = {b.motion.linear * -4.0 + point_in_ball<3>(random), unit_quaternion(random)};
    const double end = std::exp2(random.uniform(4, 30));
    const ToiAnswer3 x = toi(a, b, {.t_max = end}), first = toi(a, b, {.t_max = end, .last = false});
    ASSERT_EQ(x.hit, first.hit);
    if (!x.hit) continue;
    ASSERT_TRUE(x.t_last.has_value());
    EXPECT_FALSE(first.t_last.has_value());
    EXPECT_EQ(x.tolerance, first.tolerance);
    EXPECT_EQ(x.t_hi, first.t_hi);
    const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
    EXPECT_LE(x.tolerance, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, x.t_hi, x.t_hi));
    EXPECT_GE(x.tolerance_last, x.tolerance);
    EXPECT_LE(x.tolerance_last, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, *x.t_last, end));
    EXPECT_LE(distance(a.shape, b.shape, pair.at(*x.t_last)).separation, 2 * x.tolerance_last * (1 + 1e-6));
    EXPECT_LE(*x.t_last, 10);
    coarser += x.tolerance_last > x.tolerance;
  }
  EXPECT_GT(coarser, soak(300) / 20);
}

// However long the way, the last time is that of the last contact up to the tolerance that is told with it: a clock that has shown
// 2^24 seconds knows a time to 2^-29 of one, in which what is fast goes far. Oracle: a straight way out, along which the bodies are
// in each other before its end and apart after it
TEST(TimeOfImpact, ALastTimeThatRoundingTellsEarlyIsWithinItsTolerance) {
  Random random(campaign_seed(98));
  const auto check = [](const MovingBody<3>& a, const MovingBody<3>& b, const ToiOptions& options) {
    const ToiAnswer3 x = toi(a, b, options);
    ASSERT_TRUE(x.hit);
    ASSERT_EQ(x.status, QueryStatus::converged);
    ASSERT_TRUE(x.t_last.has_value());
    ASSERT_LT(*x.t_last, options.t_max);
    const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
    const auto separation = [&](double t) { return distance(a.shape, b.shape, pair.at(t)).separation; };
    EXPECT_LE(std::fabs(separation(*x.t_last)), 2 * x.tolerance_last * (1 + 1e-6));
    EXPECT_LE(x.tolerance_last, sudar_test::coarsest_tolerance<3>(a.shape, b.shape, pair, *x.t_last, options.t_max));
    // A few roundings of that time itself are allowed for
    const double later = *x.t_last + 2 * x.tolerance_last / pair.speed();
    EXPECT_GT(separation(next_up(next_up(later))), 0) << *x.t_last << " " << x.tolerance_last;
  };
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0), ball = *make_sphere3(1);
  check({ground}, {ball, {{0, 0, -5e10}, {}}, {{0, 0, 7000.0 / 3}, {}}}, {.t_max = 3.3e7});
  const Shape3 box = *make_box3({1, 1, 1}), capsule = *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.5);
  const Shape3 can = *make_cylinder3(1, 1), hull = *make_hull_shape3(box_mesh({1, 1, 1})->vertices);
  for (std::size_t n = 0; n < soak(300) && !HasFailure(); ++n) {
    const double way = std::exp2(random.uniform(10, 40)), speed = std::exp2(random.uniform(-20, 20));
    const ToiOptions options{.t_max = way / speed * random.uniform(1.1, 2), .contacts = false};
    // From deep under the ground, or from far away and through the other one, level with it
    check({ground}, {n % 2 == 0 ? ball : capsule, {{0, 0, -way}, {}}, {{0, 0, speed}, {}}}, options);
    for (const auto& [a, b] : {std::pair{ball, ball}, {box, ball}, {box, capsule}, {can, ball}, {hull, box}})
      check({a}, {b, {{-way, 0.25, 0.125}, {}}, {{speed, 0, 0}, {}}}, options);
  }
}

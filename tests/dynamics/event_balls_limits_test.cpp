// Balls of any size and speed, places where time hardly passes, and numbers that doors refuse
#include "tests/dynamics/cube_box.hpp"
#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/dynamics/ball_impact.hpp>
#include <sudar/dynamics/event_balls_plain.hpp>
#include <sudar/dynamics/stepped_balls.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::cube_box;
using sudar_test::kInf;
using sudar_test::kNaN;

// The places and velocities of two balls that came head-on, and whether they met
template <int D>
void check_head_on(double radius, double apart, double speed, Random& random) {
  EventBallsOptions<D> options;
  options.box = {Vec<D, double>{} - cube_box<D>(4 * apart).hi, cube_box<D>(4 * apart).hi};
  const Vec<D, double> way = normalized(sudar_test::random_point<D>(random));
  std::vector<Ball<D>> two(2);
  two[0].position = way * -apart, two[0].velocity = way * speed;
  two[1].position = way * apart, two[1].velocity = way * -speed;
  two[0].radius = two[1].radius = radius;
  auto balls = EventBalls<D>::make(two, options);
  ASSERT_TRUE(balls) << balls.error().message();
  ASSERT_EQ(*balls->run(1.5 * apart / speed, 1000), EventStop::time);
  EXPECT_GE(balls->counts().collisions, 1u) << radius << " " << apart << " " << speed;
  if (radius > 0x1p-40 * apart) {
    EXPECT_EQ(balls->counts().collisions, 1u) << radius << " " << apart << " " << speed;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Ball<D> ball = balls->ball(i);
    ASSERT_TRUE(is_finite(ball.position) && is_finite(ball.velocity));
    EXPECT_NEAR(length(ball.velocity) / speed, 1, 1e-13);
  }
}

}  // namespace

TEST(EventBalls, SmallAndSlowBallsMeet) {
  // Head-on they meet whatever their size is beside their distance; below a rounding of it they are points
  Random random(campaign_seed(12));
  for (const double radius : {1e-3, 1e-6, 1e-9, 1e-12, 1e-17})
    for (std::uint64_t i = 0; i < sudar_test::soak(100); ++i) {
      check_head_on<2>(radius, 1, 1, random);
      check_head_on<3>(radius, 1, 1, random);
    }
  for (const double speed : {1e-10, 1e-60, 1e-130, 1e17}) check_head_on<3>(1e-6, 1, speed, random);
  check_head_on<2>(1e-17, 1e-15, 1e-17, random);
  // Both on one point: rounding has left no line of centres
  EventBallsOptions<2> options;
  options.box = {{-8, -8}, {8, 8}};
  const std::vector<Ball2> points{{{-1, 0}, {1, 0}, 1e-17, 1}, {{1, 0}, {-1, 0}, 1e-17, 3}};
  auto on_one_point = EventBalls<2>::make(points, options);
  ASSERT_TRUE(on_one_point);
  ASSERT_EQ(*on_one_point->run(2, 1000), EventStop::time);
  EXPECT_EQ(on_one_point->ball(0).velocity, (Vec2d{-2, 0}));
  EXPECT_EQ(on_one_point->ball(1).velocity, (Vec2d{0, 0}));
  check_head_on<2>(1e10, 1e17, 1e18, random);

  // Which of them meet is decided to about a rounding of their size: aimed to pass at a share of the reach
  for (const double reach : {0x1p-5, 0x1p-12, 0x1p-30, 0x1p-48})
    for (const double share : {-0x1p-40, 0x1p-40}) {
      const double past = reach * (1 + share);
      EXPECT_EQ(time_to_meet<2>({1, past}, {-1, 0}, reach) < kNever, share < 0) << reach;
      EXPECT_EQ(time_to_meet<3>({1, 0, past}, {-1, 0, 0}, reach) < kNever, share < 0) << reach;
      EXPECT_EQ(time_to_meet<3>({1, 0, past}, {-0x1p-400, 0, 0}, reach) < kNever, share < 0) << reach;
    }
  // What one form says of balls that are near enough for the other is the same
  for (std::uint64_t i = 0; i < sudar_test::soak(10000); ++i) {
    const Vec3d offset = sudar_test::random_point<3>(random, -3, 3), velocity = sudar_test::random_point<3>(random);
    const double t = time_to_meet<3>(offset, velocity, 0.5), far = time_to_meet_far<3>(offset, velocity, 0.5, kNever);
    const double past = length(cross(offset, velocity)) / length(velocity);
    if (std::fabs(past - 0.5) > 1e-9) {
      EXPECT_EQ(t < kNever, far < kNever);
    }
    if (t < kNever && past < 0.49) {
      EXPECT_NEAR(far, t, 1e-12 * (1 + t));
    }
  }
  EXPECT_EQ(time_to_meet<2>({1024, 0}, {-1, 0}, 0.5, 500), kNever);
  EXPECT_EQ(time_to_meet<2>({1024, 0}, {-1, 0}, 0.5, 1024), 1023.5);
  EXPECT_EQ(time_to_meet<2>({1024, 0}, {}, 0.5), kNever);
  EXPECT_EQ(time_to_meet<2>({1024, 0}, {-0x1p-1000, 0}, 0.5), kNever);
}

TEST(EventBalls, TimePassesWhereBallsLie) {
  // Hops shorter than a rounding of the time that has passed, from the first second on, and after years with the
  // defaults
  EventBallsOptions<2> options;
  options.box = {{-10, -10}, {10, 10}};
  options.wall_restitution = 0.5;
  Ball2 ball;
  ball.radius = 0.5;
  ball.position = {0, -9};
  const auto times_pass = [&](double end) {
    auto balls = EventBalls<2>::make(std::span(&ball, 1), options);
    ASSERT_TRUE(balls) << balls.error().message();
    double before = -1;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(*balls->run(end, 1000), EventStop::limit);
      EXPECT_GT(balls->time(), before);
      before = balls->time();
      EXPECT_NEAR(balls->ball(0).position.y, -9.5, 0.6);
    }
    // The plain version knows the same hops
    std::vector<Ball2> plain{ball};
    std::vector<BallEvent> log;
    EXPECT_EQ(*run_events_plain(plain, options, end, 3000, &log), EventStop::limit);
    EXPECT_GT(log.back().time, log[2000].time);
  };
  options.gravity = {0, -10};
  options.contact_time = 1e-17;
  times_pass(100);
  options.gravity = {0, -1e-20};
  options.contact_time = kBallContactTime;
  ball.position = {0, 9};
  times_pass(1e13);
  // With two balls on top of each other
  options.gravity = {0, -10};
  options.contact_time = 1e-17;
  options.restitution = 0.5;
  std::vector<Ball2> two(2, ball);
  two[0].position = {0, -9};
  two[1].position = {0, -7.5};
  auto balls = EventBalls<2>::make(two, options);
  ASSERT_TRUE(balls);
  double before = -1;
  for (int i = 0; i < 4; ++i, before = balls->time()) {
    ASSERT_TRUE(balls->run(100, 20000));
    EXPECT_GT(balls->time(), before);
  }
}

TEST(EventBalls, ARunInWhichTimeStandsStillEnds) {
  // No room between two walls, which the slack of the first test lets through
  EventBallsOptions<2> options;
  options.box = {{1, 0}, {1, 1}};
  Ball2 ball;
  ball.radius = 1e-13;
  ball.position = {1, 0.5};
  ball.velocity = {1, 1};
  auto balls = EventBalls<2>::make(std::span(&ball, 1), options);
  ASSERT_TRUE(balls) << balls.error().message();
  EXPECT_EQ(*balls->run(1), EventStop::limit);
  EXPECT_EQ(balls->time(), 0);
  EXPECT_TRUE(is_finite(balls->ball(0).position) && is_finite(balls->ball(0).velocity));
}

TEST(EventBalls, NumbersOutOfRangeAreRefused) {
  const auto code_of = [](auto box, auto change) {
    constexpr int kDim = decltype(box.lo)::kDim;
    EventBallsOptions<kDim> options;
    options.box = box;
    Ball<kDim> ball;
    ball.position = (box.lo + box.hi) / 2;
    change(ball, options);
    const auto made = EventBalls<kDim>::make(std::span(&ball, 1), options);
    SteppedBallsOptions<kDim> stepped;
    stepped.box = options.box, stepped.gravity = options.gravity;
    const auto steps = SteppedBalls<kDim>::make(std::span(&ball, 1), stepped);
    EXPECT_FALSE(made);
    EXPECT_FALSE(steps);
    if (!made && !steps) {
      EXPECT_EQ(made.error(), steps.error());
    }
    return made ? ErrorCode{} : made.error().code;
  };
  // Boxes that are turned inside out, by less than the slack of the test whether a ball fits
  const auto small = [](auto& ball, auto&) { ball.radius = 1e-13; };
  EXPECT_EQ(code_of(Aabb<2, double>{{1, 1}, {1 - 1e-13, 1 - 1e-13}}, small), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(Aabb<2, double>{{1, 0}, {1 - 1e-13, 1}}, small), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(Aabb<3, double>{{1, 1, 1}, {1 - 1e-13, 1 - 1e-13, 1 - 1e-13}}, small), ErrorCode::invalid_argument);
  const Aabb<2, double> box = cube_box<2>(10);
  const Aabb<2, double> huge{{-1e60, -1e60}, {1e60, 1e60}};
  EXPECT_EQ(code_of(huge, [](auto&, auto&) {}), ErrorCode::too_large);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.mass = 1.7e308; }), ErrorCode::too_large);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.mass = 1e-310; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.radius = 1e-80; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.radius = 1e80; }), ErrorCode::too_large);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.position.x = 1e80; }), ErrorCode::too_large);
  EXPECT_EQ(code_of(box, [](auto& b, auto&) { b.velocity.x = 1e200; }), ErrorCode::too_large);
  EXPECT_EQ(code_of(box, [](auto&, auto& o) { o.gravity.y = -1e308; }), ErrorCode::too_large);

  // Hops whose speed would be zero, or beyond all others
  Ball2 ball;
  ball.position = {5, 5};
  EventBallsOptions<2> options;
  options.box = box;
  options.gravity = {0, -1e-10};
  options.contact_time = 1e-310;
  EXPECT_EQ(EventBalls<2>::make(std::span(&ball, 1), options).error().code, ErrorCode::invalid_argument);
  options.contact_time = 1e100;
  EXPECT_EQ(EventBalls<2>::make(std::span(&ball, 1), options).error().code, ErrorCode::invalid_argument);
}

TEST(EventBalls, MassesAtTheEndsOfTheirRange) {
  EventBallsOptions<2> options;
  options.box = {{-10, -10}, {10, 10}};
  std::vector<Ball2> two(2);
  two[0] = {{-2, 0}, {1, 0}, 0.5, kHeaviestBall};
  two[1] = {{2, 0}, {-1, 0}, 0.5, kHeaviestBall};
  for (const double mass : {kHeaviestBall, kLightestBall}) {
    two[1].mass = mass;
    auto balls = EventBalls<2>::make(two, options);
    ASSERT_TRUE(balls);
    ASSERT_EQ(*balls->run(2, 1000), EventStop::time);
    EXPECT_EQ(balls->counts().collisions, 1u);
    EXPECT_NEAR(balls->ball(0).velocity.x, mass == kHeaviestBall ? -1 : 1, 1e-15);
    EXPECT_NEAR(balls->ball(1).velocity.x, mass == kHeaviestBall ? 1 : 3, 1e-15);
    EXPECT_TRUE(std::isfinite(balls->energy()));
  }
}

TEST(EventBalls, ThePlainVersionRefusesTheSameTimes) {
  EventBallsOptions<2> options;
  options.box = {{-10, -10}, {10, 10}};
  std::vector<Ball2> balls(1);
  balls[0].velocity = {1, 0};
  const std::vector<Ball2> before = balls;
  EXPECT_EQ(run_events_plain(balls, options, kNaN, 100).error().code, ErrorCode::non_finite);
  EXPECT_EQ(run_events_plain(balls, options, -1, 100).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(run_events_plain(balls, options, kInf, EventBalls<2>::kNoLimit).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(balls, before);
  balls[0].velocity = {};
  EXPECT_EQ(*run_events_plain(balls, options, kInf, 100), EventStop::time);
  EXPECT_EQ(balls[0].position, Vec2d{});
}

TEST(SteppedBalls, AStepThatLeavesTheDoublesChangesNothing) {
  SteppedBallsOptions<2> options;
  options.box = {{-10, -10}, {10, 10}};
  options.spring = {1e308, 0};
  std::vector<Ball2> two(2);
  two[0] = {{-0.4, 0}, {1, 0}, 0.5, kLightestBall};
  two[1] = {{0.4, 0}, {-1, 0}, 0.5, kLightestBall};
  for (const BallResponse response : {BallResponse::impulse, BallResponse::translation, BallResponse::spring}) {
    options.response = response;
    auto balls = SteppedBalls<2>::make(two, options);
    ASSERT_TRUE(balls);
    const auto done = balls->step(0.01);
    EXPECT_EQ(done.ok(), response != BallResponse::spring);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::non_finite);
      EXPECT_TRUE(std::equal(two.begin(), two.end(), balls->balls().begin()));
      EXPECT_EQ(balls->time(), 0);
      EXPECT_EQ(balls->collisions(), 0u);
    }
    for (const Ball2& ball : balls->balls()) EXPECT_TRUE(is_finite(ball.velocity));
  }
  options.response = BallResponse::impulse;
  options.gravity = {0, -0x1p60};
  auto falling = SteppedBalls<2>::make(two, options);
  ASSERT_TRUE(falling);
  bool ended = false;
  for (int i = 0; i < 100; ++i) ended = ended || !falling->step(1e290);
  EXPECT_FALSE(std::isnan(falling->energy()));
  for (const Ball2& ball : falling->balls()) EXPECT_TRUE(is_finite(ball.position) && is_finite(ball.velocity));
}

TEST(EventBalls, Doors) {
  EventBallsOptions<2> options;
  options.box = cube_box<2>(10);
  std::vector<Ball2> balls(2);
  balls[0].position = {2, 2};
  balls[1].position = {4, 2};
  const auto code = [&](auto change) {
    auto b = balls;
    auto o = options;
    change(b, o);
    const auto made = EventBalls<2>::make(b, o);
    return made ? std::pair(ErrorCode{}, std::size_t{99}) : std::pair(made.error().code, made.error().element);
  };
  using B = std::vector<Ball2>;
  using O = EventBallsOptions<2>;
  EXPECT_EQ(code([](B&, O&) {}).second, 99u);
  EXPECT_EQ(code([](B& b, O&) { b.clear(); }).first, ErrorCode::empty_input);
  EXPECT_EQ(code([](B& b, O&) { b[1].velocity.x = kNaN; }), std::pair(ErrorCode::non_finite, std::size_t{1}));
  EXPECT_EQ(code([](B& b, O&) { b[1].radius = 0; }), std::pair(ErrorCode::invalid_argument, std::size_t{1}));
  EXPECT_EQ(code([](B& b, O&) { b[1].mass = -1; }), std::pair(ErrorCode::invalid_argument, std::size_t{1}));
  EXPECT_EQ(code([](B& b, O&) { b[1].position.x = 3.9; }).first, ErrorCode::degenerate);
  EXPECT_EQ(code([](B& b, O&) { b[1].position.x = 9.5; }), std::pair(ErrorCode::degenerate, std::size_t{1}));
  EXPECT_EQ(code([](B&, O& o) { o.restitution = 1.5; }).first, ErrorCode::invalid_argument);
  EXPECT_EQ(code([](B&, O& o) { o.box.hi.x = kInf; }).first, ErrorCode::non_finite);
  EXPECT_EQ(code([](B&, O& o) { o.contact_time = -1; }).first, ErrorCode::invalid_argument);
  EXPECT_EQ(code([](B&, O& o) {
              o.contact_time = 0;
              o.gravity.y = -1;
            }).first,
            ErrorCode::invalid_argument);
  auto made = EventBalls<2>::make(balls, options);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->run(kNaN).error().code, ErrorCode::non_finite);
  // Touching balls at rest have nothing to do, for ever
  EXPECT_EQ(*made->run(kInf), EventStop::time);
  EXPECT_EQ(*made->run(5), EventStop::time);
  EXPECT_EQ(made->run(4).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(made->counts().collisions, 0u);
  // What moves in a box hits its walls for ever
  balls[1].velocity.x = 1;
  auto moving = EventBalls<2>::make(balls, options);
  ASSERT_TRUE(moving);
  EXPECT_EQ(moving->run(kInf).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(*moving->run(kInf, 3), EventStop::limit);

  SteppedBallsOptions<2> stepped;
  stepped.box = options.box;
  stepped.broadphase = "nothing";
  EXPECT_EQ(SteppedBalls<2>::make(balls, stepped).error().code, ErrorCode::unknown_id);
  stepped.broadphase = "grid";
  auto steps = SteppedBalls<2>::make(balls, stepped);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->step(0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(steps->step(kNaN).error().code, ErrorCode::non_finite);
}

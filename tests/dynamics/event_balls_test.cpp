#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/dynamics/ball_impact.hpp>
#include <sudar/dynamics/event_balls_plain.hpp>
#include <sudar/dynamics/stepped_balls.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kInf;

template <int D>
Aabb<D, double> cube_box(double width) {
  Aabb<D, double> box;
  for (int i = 0; i < D; ++i) box.hi[i] = width;
  return box;
}

// Balls that do not overlap, the largest first, thrown in until they fit; all anew where the large ones left no room
template <int D>
std::vector<Ball<D>> thrown_balls(Random& random, std::size_t count, double width, double least, double largest) {
  std::vector<Ball<D>> balls;
  int anew = 0;
  while (balls.size() < count) {
    Ball<D> ball;
    const double share = static_cast<double>(balls.size()) / static_cast<double>(count);
    ball.radius = largest * std::exp(std::log(least / largest) * share);
    ball.mass = ball.radius * ball.radius * ball.radius * 8;
    bool fits = false;
    for (int tries = 0; tries < 10000 && !fits; ++tries) {
      ball.position = sudar_test::random_point<D>(random, ball.radius, width - ball.radius);
      fits = std::all_of(balls.begin(), balls.end(), [&](const Ball<D>& b) {
        return distance(b.position, ball.position) > b.radius + ball.radius;
      });
    }
    if (!fits) {
      balls.clear();
      if (++anew <= 100) continue;
      ADD_FAILURE() << "no room for " << count << " balls";
      return balls;
    }
    ball.velocity = sudar_test::random_point<D>(random);
    balls.push_back(ball);
  }
  return balls;
}

// Equal balls of diameter 1 on a lattice, with a share of the box filled
template <int D>
std::vector<Ball<D>> lattice_balls(Random& random, std::size_t count, double fill, double& width) {
  const double volume = D == 2 ? kPi / 4 : kPi / 6;
  width = std::pow(static_cast<double>(count) * volume / fill, 1.0 / D);
  const std::size_t side = static_cast<std::size_t>(std::ceil(std::pow(static_cast<double>(count), 1.0 / D) - 1e-9));
  std::vector<Ball<D>> balls(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (int a = 0; a < D; ++a, rest /= side) {
      balls[i].position[a] = (static_cast<double>(rest % side) + 0.5) * width / static_cast<double>(side);
      balls[i].velocity[a] = random.uniform(-1, 1);
    }
    balls[i].radius = 0.5;
  }
  return balls;
}

template <int D>
double deepest_overlap(const EventBalls<D>& balls) {
  double deepest = 0;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Ball<D> a = balls.ball(i), b = balls.ball(j);
      deepest = std::max(deepest, a.radius + b.radius - distance(a.position, b.position));
    }
  return deepest;
}

// The first collisions are those of the plain version: the same balls at the same times, until chaos has made rounding large
template <int D>
void check_against_plain(std::uint64_t seed, const EventBallsOptions<D>& given, double least, double largest) {
  Random random(campaign_seed(seed));
  const std::size_t n = 40;
  EventBallsOptions<D> options = given;
  options.box = cube_box<D>(D == 2 ? 6 : 3.5);
  std::vector<Ball<D>> balls = thrown_balls<D>(random, n, options.box.hi[0], least, largest);
  auto fast = EventBalls<D>::make(balls, options);
  ASSERT_TRUE(fast) << fast.error().message();
  std::vector<BallEvent> fast_log, plain_log;
  const std::uint64_t events = 5 * n;
  EXPECT_EQ(*fast->run(kInf, events, &fast_log), EventStop::limit);
  EXPECT_EQ(*run_events_plain(balls, options, kInf, events, &plain_log), EventStop::limit);
  ASSERT_EQ(fast_log.size(), plain_log.size());
  // What rounding has become by now. Chaos lets it grow from collision to collision, but not to anything at once.
  double error = 1e-14;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < fast_log.size(); ++i, ++compared) {
    const double off = std::fabs(fast_log[i].time - plain_log[i].time);
    ASSERT_LT(off, 1e5 * error) << i;
    error = std::max(error, off);
    if (error > 1e-7) break;
    const bool wall = fast_log[i].b == BallEvent::kWall;
    ASSERT_EQ(wall, plain_log[i].b == BallEvent::kWall) << i;
    EXPECT_EQ(wall ? fast_log[i].a : std::min(fast_log[i].a, fast_log[i].b), plain_log[i].a) << i;
    EXPECT_EQ(std::max(fast_log[i].a, fast_log[i].b), plain_log[i].b) << i;
  }
  EXPECT_GT(compared, n);
}

// Galperin's billiard: a light ball between a wall and a heavy one that comes in meets the two ⌊π √(mass ratio)⌋ times
std::uint64_t galperin_count(double ratio) {
  EventBallsOptions<2> options;
  options.box = {{0, 0}, {1e6, 2}};
  Ball2 light, heavy;
  light.position = {2, 1};
  heavy.position = {10, 1};
  heavy.velocity = {-1, 0};
  heavy.mass = ratio;
  light.radius = heavy.radius = 0.5;
  auto balls = EventBalls<2>::make(std::vector<Ball2>{light, heavy}, options);
  EXPECT_TRUE(balls);
  EXPECT_TRUE(balls->run(1000));
  return balls->counts().collisions + balls->counts().wall_hits;
}

}  // namespace

TEST(EventBalls, FirstCollisionsAreThoseOfThePlainVersion) {
  for (std::uint64_t seed = 1; seed <= sudar_test::soak(4); ++seed) {
    check_against_plain<2>(seed, {}, 0.2, 0.2);
    check_against_plain<3>(seed, {}, 0.2, 0.2);
    // Radii of many sizes: nested grids
    check_against_plain<2>(seed, {}, 0.01, 1.2);
    check_against_plain<3>(seed, {}, 0.01, 0.9);
    EventBallsOptions<3> falling;
    falling.gravity = {0, 0.5, -2};
    falling.restitution = 0.9;
    falling.wall_restitution = 0.8;
    check_against_plain<3>(seed, falling, 0.02, 0.5);
  }
}

TEST(EventBalls, MassesCountTheDigitsOfPi) {
  EXPECT_EQ(galperin_count(1), 3u);
  EXPECT_EQ(galperin_count(100), 31u);
  EXPECT_EQ(galperin_count(1e4), 314u);
  EXPECT_EQ(galperin_count(1e8), 31415u);
  EXPECT_EQ(galperin_count(1e10), 314159u);
}

TEST(EventBalls, CradleAndSingleBall) {
  // Five in a row: the velocity of the first is that of the last. Then a ball alone: its way folded at the walls.
  EventBallsOptions<2> options;
  options.box = {{0, 0}, {100, 4}};
  std::vector<Ball2> cradle(5);
  for (std::size_t i = 0; i < 5; ++i) cradle[i].position = {10 + 2.5 * static_cast<double>(i), 2};
  cradle[0].velocity = {2, 0};
  auto balls = EventBalls<2>::make(cradle, options);
  ASSERT_TRUE(balls);
  EXPECT_EQ(*balls->run(10), EventStop::time);
  EXPECT_EQ(balls->counts().collisions, 4u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(balls->ball(i).velocity, (Vec2d{i == 4 ? 2.0 : 0.0, 0}));
  EXPECT_DOUBLE_EQ(balls->ball(4).position.x, 10 + 4 * 2.5 + 2 * (10 - 4 * 0.25));

  EventBallsOptions<3> box;
  box.box = cube_box<3>(3);
  Ball3 one;
  one.position = {1.5, 1.5, 1.5};
  one.velocity = {1, 0.7, -0.3};
  auto alone = EventBalls<3>::make(std::span(&one, 1), box);
  ASSERT_TRUE(alone);
  ASSERT_TRUE(alone->run(1234.5));
  for (int a = 0; a < 3; ++a) {
    // On a circle of twice the free width, 1
    const double x = std::fabs(std::remainder(0.5 + one.velocity[a] * 1234.5, 2.0));
    EXPECT_NEAR(alone->ball(0).position[a], 1 + x, 1e-9);
  }
}

TEST(EventBalls, EnergyOfAnElasticGasStays) {
  Random random(campaign_seed(7));
  double width = 0;
  const auto balls = lattice_balls<3>(random, 1000, 0.2, width);
  EventBallsOptions<3> options;
  options.box = cube_box<3>(width);
  auto gas = EventBalls<3>::make(balls, options);
  ASSERT_TRUE(gas);
  const double energy = gas->energy();
  const std::uint64_t events = sudar_test::soak(200000);
  EXPECT_EQ(*gas->run(kInf, events), EventStop::limit);
  EXPECT_NEAR(gas->energy(), energy, 1e-12 * energy);
  EXPECT_LT(deepest_overlap(*gas), 1e-11);
  for (std::size_t i = 0; i < gas->size(); ++i)
    for (int a = 0; a < 3; ++a) {
      EXPECT_GT(gas->ball(i).position[a], 0.5 - 1e-11);
      EXPECT_LT(gas->ball(i).position[a], width - 0.5 + 1e-11);
    }
}

TEST(EventBalls, CollisionRateIsEnskogs) {
  // Oracle: kinetic theory. Collisions a second of n equal spheres at contact value g: n/2 · 4 d² ρ g √(π kT/m), with g by
  // Carnahan and Starling. Centres keep half a diameter from the walls, and those near a wall have partners on one side
  // only: of the pairs at distance d in a cube of width w, a share of about 1 − 3/2 d/w + 2/π (d/w)² is inside.
  Random random(8);
  double width = 0;
  const auto balls = lattice_balls<3>(random, 1728, 0.02, width);
  EventBallsOptions<3> options;
  options.box = cube_box<3>(width);
  auto gas = EventBalls<3>::make(balls, options);
  ASSERT_TRUE(gas);
  ASSERT_TRUE(gas->run(40));
  const std::uint64_t before = gas->counts().collisions;
  ASSERT_TRUE(gas->run(140));
  const double rate = static_cast<double>(gas->counts().collisions - before) / 100;
  const double n = 1728, w = width - 1, density = n / (w * w * w), eta = density * kPi / 6;
  const double temperature = 2 * gas->energy() / (3 * n), contact = (1 - eta / 2) / std::pow(1 - eta, 3);
  const double inside = 1 - 1.5 / w + 2 / kPi / (w * w);
  const double theory = n / 2 * 4 * density * contact * std::sqrt(kPi * temperature) * inside;
  EXPECT_NEAR(rate / theory, 1, 0.03);
}

TEST(EventBalls, CollapseIsHeldByTheGuard) {
  // Three balls on a line with a restitution below 7 − 4√3 collapse: without the guard they meet until rounding leaves
  // nothing of their relative velocities, with it a few times, and then they part
  EventBallsOptions<2> options;
  options.box = {{0, 0}, {1000, 2}};
  options.restitution = 0.05;
  std::vector<Ball2> line(3);
  line[0].position = {400, 1};
  line[0].velocity = {1, 0};
  line[1].position = {403, 1};
  line[2].position = {406.5, 1};
  line[2].velocity = {-1, 0};
  const auto fastest = [](const EventBalls<2>& balls) {
    double relative = 0;
    for (std::size_t i = 0; i < 3; ++i)
      relative = std::max(relative, distance(balls.ball(i).velocity, balls.ball(0).velocity));
    return relative;
  };
  options.contact_time = 0;
  auto collapsed = EventBalls<2>::make(line, options);
  ASSERT_TRUE(collapsed);
  EXPECT_EQ(*collapsed->run(50, 100000), EventStop::time);
  EXPECT_LT(fastest(*collapsed), 1e-15);
  options.contact_time = 1e-3;
  auto held = EventBalls<2>::make(line, options);
  ASSERT_TRUE(held);
  EXPECT_EQ(*held->run(50, 100000), EventStop::time);
  EXPECT_GT(held->counts().held, 0u);
  EXPECT_LT(2 * held->counts().collisions, collapsed->counts().collisions);
  EXPECT_GT(fastest(*held), 1e-6);
  EXPECT_LT(length(held->momentum()), 1e-14);

  // A gas with loss cools as Haff's law says, E₀ / (1 + t/τ)², and goes on
  Random random(9);
  double width = 0;
  const auto balls = lattice_balls<2>(random, 400, 0.3, width);
  EventBallsOptions<2> cooling;
  cooling.box = cube_box<2>(width);
  cooling.restitution = 0.9;
  auto gas = EventBalls<2>::make(balls, cooling);
  ASSERT_TRUE(gas);
  const double start = gas->energy();
  std::vector<double> left;
  for (const double t : {5.0, 10.0, 20.0}) {
    EXPECT_EQ(*gas->run(t), EventStop::time);
    left.push_back(std::sqrt(start / gas->energy()) - 1);  // t/τ
  }
  EXPECT_NEAR(left[1] / left[0], 2, 0.25);
  EXPECT_NEAR(left[2] / left[0], 4, 0.8);
}

TEST(EventBalls, BouncesComeToRestUnderGravity) {
  // A dropped ball: its bounces fall off as the restitution says, then it lies on the floor, hopping by micrometres
  EventBallsOptions<2> options;
  options.box = {{0, 0}, {4, 100}};
  options.gravity = {0, -10};
  options.wall_restitution = 0.5;
  options.contact_time = 1e-3;
  Ball2 ball;
  ball.position = {2, 6};
  auto drop = EventBalls<2>::make(std::span(&ball, 1), options);
  ASSERT_TRUE(drop);
  std::vector<BallEvent> log;
  ASSERT_TRUE(drop->run(2.99, 5, &log));
  ASSERT_EQ(log.size(), 5u);
  double fall = std::sqrt(2 * 5 / 10.0), speed = 10 * fall, at = fall;
  for (const BallEvent& event : log) {
    EXPECT_NEAR(event.time, at, 1e-12);
    speed *= 0.5;
    at += 2 * speed / 10;
  }
  EXPECT_EQ(*drop->run(10, 100000), EventStop::time);
  EXPECT_NEAR(drop->ball(0).position.y, 1, 1e-5);
  EXPECT_LT(std::fabs(drop->ball(0).velocity.y), 0.011);
  // Elastic: energy with its potential part stays
  options.wall_restitution = 1;
  options.restitution = 1;
  Random random(campaign_seed(10));
  options.box = cube_box<2>(6);
  auto gas = EventBalls<2>::make(thrown_balls<2>(random, 40, 6, 0.1, 0.4), options);
  ASSERT_TRUE(gas);
  const double energy = gas->energy();
  ASSERT_TRUE(gas->run(100));
  EXPECT_GT(gas->counts().collisions, 1000u);
  EXPECT_NEAR(gas->energy(), energy, 1e-9 * std::fabs(energy));
}

TEST(EventBalls, SteppedBallsApproachTheExactOnes) {
  // Two balls on a line have a closed form; steps come nearer to it as they get shorter
  EventBallsOptions<3> exact;
  exact.box = cube_box<3>(20);
  std::vector<Ball3> two(2);
  two[0].position = {5, 10, 10};
  two[0].velocity = {3, 0.1, 0};
  two[1].position = {12, 10.5, 10};
  two[1].mass = 2;
  auto events = EventBalls<3>::make(two, exact);
  ASSERT_TRUE(events);
  ASSERT_TRUE(events->run(3));
  double last = kInf;
  for (const double dt : {0.05, 0.005, 0.0005}) {
    SteppedBallsOptions<3> options;
    options.box = exact.box;
    auto steps = SteppedBalls<3>::make(two, options);
    ASSERT_TRUE(steps);
    for (int i = 0; i < static_cast<int>(3 / dt + 0.5); ++i) ASSERT_TRUE(steps->step(dt));
    const double error = distance(steps->balls()[1].position, events->ball(1).position);
    EXPECT_LT(error, last / 3);
    last = error;
  }
  EXPECT_LT(last, 0.01);
}

TEST(SteppedBalls, KeepTheEnergyOfAGas) {
  Random random(campaign_seed(11));
  double width = 0;
  const auto balls = lattice_balls<3>(random, 216, 0.2, width);
  SteppedBallsOptions<3> options;
  options.box = cube_box<3>(width);
  for (const BallResponse response : {BallResponse::impulse, BallResponse::translation, BallResponse::spring}) {
    options.response = response;
    options.spring = {1e5, 0};
    auto gas = SteppedBalls<3>::make(balls, options);
    ASSERT_TRUE(gas);
    const double energy = gas->energy();
    for (int i = 0; i < 3000; ++i) ASSERT_TRUE(gas->step(5e-4));
    EXPECT_GT(gas->collisions(), 100u);
    // What springs hold at the end is not in the energy
    double held = 0;
    for (std::size_t k = 0; k < balls.size() && response == BallResponse::spring; ++k)
      for (std::size_t j = 0; j < k; ++j) {
        const Ball3 &one = gas->balls()[j], &two = gas->balls()[k];
        const double overlap = std::max(0.0, one.radius + two.radius - distance(one.position, two.position));
        held += options.spring.stiffness / 2 * overlap * overlap;
      }
    EXPECT_NEAR(gas->energy() + held, energy, 0.01 * energy) << static_cast<int>(response);
  }
  // The same for every broad phase
  options.response = BallResponse::translation;
  auto other = options;
  other.broadphase = "sap";
  auto a = SteppedBalls<3>::make(balls, options), b = SteppedBalls<3>::make(balls, other);
  ASSERT_TRUE(a && b);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(a->step(1e-2) && b->step(1e-2));
  EXPECT_TRUE(std::equal(a->balls().begin(), a->balls().end(), b->balls().begin()));
}

namespace {

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
  using sudar_test::kNaN;
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
  using sudar_test::kNaN;
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

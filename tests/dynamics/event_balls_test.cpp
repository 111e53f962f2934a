#include "tests/dynamics/cube_box.hpp"
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
using sudar_test::cube_box;
using sudar_test::kInf;

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

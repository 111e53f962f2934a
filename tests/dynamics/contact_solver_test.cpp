// What:    The contact solvers of plane and space against closed forms: slopes, impacts, towers, spinning tops; the same
//          bits for every instruction set and thread count; what the doors refuse.
#include "tests/dynamics/hand_made.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/dynamics/colouring.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace sudar {
namespace {

using sudar_test::campaign_seed;
using sudar_test::fastest;
using sudar_test::HandMade;
using sudar_test::step_tower;
using sudar_test::tower;
using sudar_test::unit_cube;

constexpr double kGravity = 9.81;

// Closed form: rests while tan(angle) < friction, else accelerates by g (sin - friction · cos)
template <int D>
void slide_down(double friction, double slope, bool slides) {
  HandMade<D> t = tower<D>(1, 0);
  const double angle = std::atan(slope);
  Vec<D, double> g{};
  g[0] = kGravity * std::sin(angle);
  g[D - 1] = -kGravity * std::cos(angle);
  t.bodies[1].acceleration = g;
  double early = 0;
  for (int k = 0; k < 90; ++k) {
    t.bodies[0].position[0] = t.bodies[1].position[0];
    step_tower(t, friction);
    if (k == 29) early = t.bodies[1].velocity[0];
  }
  const double gained = t.bodies[1].velocity[0] - early;
  const double wanted = kGravity * (std::sin(angle) - friction * std::cos(angle));
  EXPECT_NEAR(gained, slides ? wanted : 0, slides ? 1e-3 * wanted : 1e-6) << D << "D, friction " << friction;
  if (!slides) {
    EXPECT_NEAR(early, 0, 1e-6);
  }
  EXPECT_NEAR(t.bodies[1].position[D - 1], 0.5, 1e-3);
}
TEST(ContactSolver, SlidesExactlyWhereTheSlopeIsSteeperThanFriction) {
  for (const double friction : {0.1, 0.3, 0.6}) {
    slide_down<2>(friction, 0.97 * friction, false);
    slide_down<3>(friction, 0.97 * friction, false);
    slide_down<2>(friction, 1.1 * friction, true);
    slide_down<3>(friction, 1.1 * friction, true);
  }
}

// Closed form of a central impact, all masses and restitutions
template <int D>
void head_on(double mass_a, double mass_b, double restitution) {
  HandMade<D> t;
  Vec<D, double> x{}, n{};
  n[0] = 1;
  t.bodies.push_back(unit_cube<D>(mass_a, x));
  t.bodies[0].velocity[0] = 2;
  x[0] = 1;
  t.bodies.push_back(unit_cube<D>(mass_b, x));
  t.bodies[1].velocity[0] = -3;
  t.touch(0, 1, n, n * 0.5, 0, 0.5, restitution);
  t.step();
  const double total = mass_a + mass_b, common = (2 * mass_a - 3 * mass_b) / total;
  EXPECT_NEAR(t.bodies[0].velocity[0], common - mass_b / total * restitution * 5, 5e-12) << mass_a << ' ' << mass_b;
  EXPECT_NEAR(t.bodies[1].velocity[0], common + mass_a / total * restitution * 5, 5e-12) << mass_a << ' ' << mass_b;
}
TEST(ContactSolver, CentralImpactsFollowTheClosedForm) {
  for (const double ratio : {1e-3, 0.1, 1.0, 7.0, 1e3})
    for (const double restitution : {0.5, 1.0}) {
      head_on<2>(1, ratio, restitution);
      head_on<3>(1, ratio, restitution);
    }
}
TEST(ContactSolver, SlowImpactsDoNotBounce) {
  HandMade<3> t;
  t.bodies = {unit_cube<3>(1, {}), unit_cube<3>(1, {1, 0, 0})};
  t.bodies[0].velocity.x = 0.9;
  t.touch(0, 1, {1, 0, 0}, {0.5, 0, 0}, 0, 0, 1);
  t.step();
  EXPECT_NEAR(t.bodies[0].velocity.x, 0.45, 1e-9);
  EXPECT_NEAR(t.bodies[1].velocity.x, 0.45, 1e-9);
}

// Not touching yet: held at the surface, not before and not behind it
TEST(ContactSolver, WhatWouldPassWithinTheStepIsHeldAtTheSurface) {
  HandMade<3> t = tower<3>(1, 0);
  t.bodies[1].position.z = 0.5 + 0.05;
  t.bodies[1].velocity.z = -10;
  t.rest_on(0, 1, 0.5);
  t.step();
  EXPECT_NEAR(t.bodies[1].position.z, 0.5, 1e-4);
  EXPECT_NEAR(t.bodies[1].velocity.z, 0, 1e-3);
}

template <int D>
void tower_stands(std::uint32_t count, int steps, double push, double limit) {
  HandMade<D> t = tower<D>(count, kGravity);
  t.bodies[count].position[0] = push;
  for (int k = 0; k < steps; ++k) step_tower(t, 0.6);
  EXPECT_LT(fastest(t), limit) << D << "D, " << count << " cubes";
  for (std::uint32_t i = 1; i <= count; ++i) {
    // Each interface gives way by less than 1 % of the edge under all the load above
    const double sink = t.bodies[i - 1].position[D - 1] + 1 - t.bodies[i].position[D - 1];
    EXPECT_GT(sink, -1e-4);
    EXPECT_LT(sink, 0.01);
    EXPECT_NEAR(t.bodies[i].position[0], i == count ? push : 0, 0.01);
  }
}
TEST(ContactSolver, TowersOfHandMadeManifoldsStand) {
  tower_stands<2>(20, 2400, 0, 1e-3);
  tower_stands<3>(20, 2400, 0, 1e-3);
  tower_stands<3>(10, 1200, 0.1, 3e-3);
  tower_stands<2>(10, 1200, 0.1, 3e-3);
}

// What presses as hard as three hundred of it lies as deep as the spring of its floor yields, weight over stiffness; where
// springs harden it is no deeper than twice that depth
template <int D>
void heavy_stays_out() {
  for (const double firm : {0.0, 0.004}) {
    HandMade<D> t = tower<D>(1, 300 * kGravity);
    t.settings.firm_depth = firm;
    for (int k = 0; k < 300; ++k) step_tower(t, 0.6);
    const double depth = 0.5 - t.bodies[1].position[D - 1];
    if (firm == 0) {
      EXPECT_NEAR(depth, D == 2 ? 0.026 : 0.021, 0.003);
    } else {
      EXPECT_LT(depth, 2 * firm);
    }
    EXPECT_LT(fastest(t), 1e-3);
  }
}
TEST(ContactSolver, DeepContactsAreFirm) {
  heavy_stays_out<2>();
  heavy_stays_out<3>();
}

// At rest, the impulses of the lowest contact carry the whole weight
TEST(ContactSolver, ImpulsesCarryTheWeight) {
  HandMade<3> t = tower<3>(5, kGravity);
  for (int k = 0; k < 600; ++k) step_tower(t, 0.6);
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += t.impulses[static_cast<std::size_t>(i)].normal;
  const double h = t.settings.dt / t.settings.substeps;
  EXPECT_NEAR(sum, 5 * 1000 * kGravity * h, 0.01 * sum);
}

TEST(ContactSolver, WarmStartConvergesFaster) {
  double sunk[2];
  for (const bool warm : {false, true}) {
    HandMade<3> t = tower<3>(8, kGravity);
    t.settings.warm_start = warm ? 1 : 0;
    for (int k = 0; k < 120; ++k) step_tower(t, 0.6);
    sunk[warm ? 1 : 0] = 7.5 - t.bodies[8].position.z;
  }
  EXPECT_LT(sunk[1], 0.02);
  EXPECT_GT(sunk[0], 3 * sunk[1]);
}

// A kinematic body keeps its velocity and gives it to what lies on it
TEST(ContactSolver, KinematicBodiesCarryOthersAndAreNotMoved) {
  HandMade<3> t = tower<3>(1, kGravity);
  t.bodies[0].velocity = {0.5, 0, 0.25};
  for (int k = 0; k < 120; ++k) step_tower(t, 0.6);
  EXPECT_EQ(t.bodies[0].velocity, (Vec3d{0.5, 0, 0.25}));
  EXPECT_NEAR(t.bodies[0].position.z, -0.5 + 0.5, 1e-12);
  EXPECT_NEAR(distance(t.bodies[1].velocity, Vec3d{0.5, 0, 0.25}), 0, 1e-6);
}

// A cube that spins on its face is slowed by the moment of friction: mass · g · friction · distance of the corners
TEST(ContactSolver, SpinningCubesAreSlowedByTwist) {
  HandMade<3> t = tower<3>(1, kGravity);
  t.bodies[1].angular_velocity = {0, 0, 10};
  const double friction = 0.1, slow = 6 * kGravity * friction * std::sqrt(0.5);
  for (int k = 0; k < 60; ++k) step_tower(t, friction);
  EXPECT_NEAR(t.bodies[1].angular_velocity.z, 10 - slow, 0.01 * slow);
  for (int k = 0; k < 120; ++k) step_tower(t, friction);
  EXPECT_NEAR(t.bodies[1].angular_velocity.z, 0, 1e-9);
}

// Contacts of random bodies in random directions, some of them fixed
template <int D>
HandMade<D> heap(std::size_t count, std::uint64_t seed, bool isolated) {
  HandMade<D> t;
  Random random(campaign_seed(seed));
  const auto vec = [&](double size) {
    Vec<D, double> v;
    for (int i = 0; i < D; ++i) v[i] = random.uniform(-size, size);
    return v;
  };
  for (std::size_t i = 0; i < count; ++i) {
    t.bodies.push_back(unit_cube<D>(std::exp(random.uniform(-2, 2)), vec(3)));
    SolverBody<D>& b = t.bodies.back();
    b.velocity = vec(3);
    if constexpr (D == 2) {
      b.angular_velocity = random.uniform(-3, 3);
    } else {
      b.angular_velocity = vec(3);
      b.inverse_inertia = b.inverse_inertia + outer(b.velocity, b.velocity) * 0.1;
    }
    if (!isolated && i % 7 == 0) b = SolverBody<D>{};
  }
  for (std::size_t k = 0; k < 3 * count; ++k) {
    ContactInput<D> c;
    c.a = static_cast<std::uint32_t>(random.uniform(0, static_cast<double>(count)));
    c.b = static_cast<std::uint32_t>(random.uniform(0, static_cast<double>(count)));
    if (c.a == c.b) continue;
    c.normal = normalized(vec(1));
    c.friction = random.uniform(0, 1);
    c.restitution = random.coin() ? 0 : random.uniform(0, 1);
    c.first = static_cast<std::uint32_t>(t.points.size());
    c.count = 1 + static_cast<std::uint32_t>(random.uniform(0, kMaxContactPoints<D>));
    const Vec<D, double> middle = (t.bodies[c.a].position + t.bodies[c.b].position) / 2.0;
    for (std::uint32_t i = 0; i < c.count; ++i) t.points.push_back({middle + vec(0.5), random.uniform(-0.02, 0.02)});
    t.contacts.push_back(c);
  }
  t.impulses.resize(t.points.size());
  for (PointImpulse<D>& p : t.impulses) p = {random.uniform(0, 0.1), vec(0.01), D == 3 ? 0.001 : 0};
  return t;
}

template <int D>
void keeps_momentum() {
  HandMade<D> t = heap<D>(40, 5, true);
  for (PointImpulse<D>& p : t.impulses) p.friction = {};
  const auto momentum = [&] {
    Vec<D, double> sum{};
    for (const SolverBody<D>& b : t.bodies) sum += b.velocity / b.inverse_mass;
    return sum;
  };
  double size = 0;
  for (const SolverBody<D>& b : t.bodies) size += length(b.velocity) / b.inverse_mass;
  for (int k = 0; k < 20; ++k) {
    const Vec<D, double> before = momentum();
    t.step();
    EXPECT_LE(distance(before, momentum()), 1e-12 * size);
  }
}
TEST(ContactSolver, IsolatedBodiesKeepTheirMomentum) {
  keeps_momentum<2>();
  keeps_momentum<3>();
}
// One pair, off centre, in its own frame of reference: also the angular momentum, about the common point
TEST(ContactSolver, APairKeepsItsAngularMomentum) {
  HandMade<3> t;
  t.bodies = {unit_cube<3>(1, {}), unit_cube<3>(3, {0.9, 0.4, 0.2})};
  t.bodies[0].velocity = {3, 0.5, 0};
  t.bodies[1].angular_velocity = {0.1, 2, -1};
  t.touch(0, 1, normalized(Vec3d{1, 0.2, 0.1}), {0.5, 0.3, 0.1}, -0.01, 0.7, 0.4);
  const Vec3d about = t.points[0].position, x0 = t.bodies[0].position, x1 = t.bodies[1].position;
  // Impulses act where the bodies were at the start of the step
  const auto momentum = [&] {
    return t.bodies[0].angular_velocity * (1.0 / 6) + t.bodies[1].angular_velocity * 0.5 +
           cross(x0 - about, t.bodies[0].velocity) + cross(x1 - about, t.bodies[1].velocity) * 3.0;
  };
  const Vec3d before = momentum();
  t.step();
  EXPECT_NE(t.bodies[0].velocity, (Vec3d{3, 0.5, 0}));
  EXPECT_NEAR(distance(before, momentum()), 0, 1e-12 * length(before));
}

template <int D>
bool same_bits(const HandMade<D>& a, const HandMade<D>& b) {
  return std::memcmp(a.bodies.data(), b.bodies.data(), a.bodies.size() * sizeof(a.bodies[0])) == 0 &&
         std::memcmp(a.impulses.data(), b.impulses.data(), a.impulses.size() * sizeof(a.impulses[0])) == 0;
}
template <int D>
void same_everywhere() {
  HandMade<D> plain = heap<D>(150, 11, false);
  plain.settings.plain = true;
  for (int k = 0; k < 3; ++k) plain.step();
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    const std::unique_ptr<Executor> executor = make_executor(threads);
    HandMade<D> fast = heap<D>(150, 11, false);
    fast.settings.executor = executor.get();
    for (int k = 0; k < 3; ++k) fast.step();
    EXPECT_TRUE(same_bits(plain, fast)) << D << "D, " << threads << " threads";
  }
}
TEST_SIMD(ContactSolver, SameBitsPlainInLanesAndOnThreads) {
  same_everywhere<2>();
  same_everywhere<3>();
}

// Brute force: neighbours differ, and a star needs as many colours as it has links
TEST(ContactSolver, ColoursKeepMovableBodiesApart) {
  Random random(campaign_seed(3));
  std::vector<Link> links;
  std::vector<std::uint8_t> movable(60, 1);
  for (std::uint32_t i = 0; i < 60; i += 5) movable[i] = 0;
  for (int k = 0; k < 2000; ++k) {
    const auto a = static_cast<std::uint32_t>(random.uniform(0, 60)), b = (a + 1 + k % 50) % 60;
    links.push_back({a, b});
  }
  for (std::uint32_t k = 0; k < 150; ++k) links.push_back({1, 2 + k % 57});
  std::vector<std::uint32_t> colours(links.size());
  Colouring colouring;
  const std::uint32_t count = colouring.colour(links, movable, colours);
  std::vector<std::uint8_t> used(std::size_t{count} * 60, 0), seen(count, 0);
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (colours[k] == kNoColour) {
      EXPECT_EQ(movable[links[k].a] + movable[links[k].b], 0);
      continue;
    }
    ASSERT_LT(colours[k], count);
    seen[colours[k]] = 1;
    for (const std::uint32_t end : {links[k].a, links[k].b}) {
      if (movable[end] == 0) continue;
      EXPECT_EQ(used[std::size_t{colours[k]} * 60 + end]++, 0);
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
}

TEST(ContactSolver, DoorsSayWhatIsWrongAndChangeNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [&](auto&& spoil) {
    HandMade<3> t = tower<3>(2, kGravity);
    t.rest_on(0, 1, 0.5);
    t.rest_on(1, 2, 0.5);
    t.impulses.resize(8);
    t.joints.push_back(make_joint3(JointKind::ball, 0, {}, 1, {}, {}));
    spoil(t);
    const std::vector<SolverBody3> before = t.bodies;
    const auto done = t.solver.solve(t.bodies, t.contacts, t.points, t.impulses, t.joints, t.settings);
    EXPECT_FALSE(done.ok());
    EXPECT_EQ(std::memcmp(before.data(), t.bodies.data(), before.size() * sizeof(before[0])), 0);
    return done ? Error{ErrorCode::unsupported} : done.error();
  };
  using H = HandMade<3>;
  EXPECT_EQ(error_of([](H& t) { t.contacts[1].b = 9; }), (Error{ErrorCode::index_out_of_range, 1}));
  EXPECT_EQ(error_of([](H& t) { t.contacts[0].b = 0; }), (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(error_of([](H& t) { t.contacts[1].count = 5; }), (Error{ErrorCode::index_out_of_range, 1}));
  EXPECT_EQ(error_of([](H& t) { t.contacts[1].first = 0xfffffffeu; }), (Error{ErrorCode::index_out_of_range, 1}));
  EXPECT_EQ(error_of([](H& t) { t.contacts[0].friction = -1; }), (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(error_of([&](H& t) { t.contacts[1].normal.x = nan; }), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(error_of([&](H& t) { t.points[5].separation = nan; }), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(error_of([&](H& t) { t.bodies[2].velocity.y = nan; }), (Error{ErrorCode::non_finite, 2}));
  EXPECT_EQ(error_of([](H& t) { t.bodies[1].inverse_mass = -1; }), (Error{ErrorCode::invalid_argument, 1}));
  EXPECT_EQ(error_of([](H& t) { t.impulses.pop_back(); }).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([](H& t) { t.settings.dt = 0; }).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([](H& t) { t.settings.substeps = 0; }).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([](H& t) { t.joints[0].b = 7; }), (Error{ErrorCode::index_out_of_range, 0}));
  EXPECT_EQ(error_of([](H& t) { t.joints[0].hinge.lower = 1, t.joints[0].hinge.upper = 0; }),
            (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(error_of([](H& t) { t.joints[0].frame_a.rotation = {0, 0, 0, 0}; }), (Error{ErrorCode::degenerate, 0}));
  // Nothing at all, contacts without points, and contacts among fixed bodies are no error
  ContactSolver3 solver;
  EXPECT_TRUE(solver.solve({}, {}, {}, {}, {}, {}).ok());
  std::vector<SolverBody3> fixed(2);
  const std::vector<ContactInput3> contacts = {{0, 1, 0, 0, {0, 0, 1}, 0, 0}, {0, 1, 0, 1, {0, 0, 1}, 0, 0}};
  const std::vector<ContactPointInput3> points(1);
  std::vector<PointImpulse3> impulses = {{1, {1, 0, 0}, 1}};
  const auto done = solver.solve(fixed, contacts, points, impulses, {}, {});
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->bundles, 0u);
  EXPECT_EQ(impulses[0].normal, 0);
}

}  // namespace
}  // namespace sudar

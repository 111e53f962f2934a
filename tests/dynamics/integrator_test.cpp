#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/dynamics/integrator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

constexpr auto kNoForce2 = [](double, const RigidState2&) { return Wrench2{}; };
constexpr auto kNoForce3 = [](double, const RigidState3&) { return Wrench3{}; };
constexpr Integrator kAllMethods[] = {Integrator::semi_implicit_euler, Integrator::explicit_euler,
                                      Integrator::runge_kutta4};

template <class State, class Mass, class Law>
State run_steps(Integrator method, State state, const Mass& mass, double span, int steps, const Law& law) {
  for (int i = 0; i < steps; ++i) state = advance(method, state, mass, span * i / steps, span / steps, law);
  return state;
}

double rotation_error(const Quatd& a, const Quatd& b) {
  const Quatd d = conjugate(a) * b;
  return 2 * length(Vec3d{d.x, d.y, d.z});
}

// Without torque a body with two equal moments turns about L at |L|/I₁ and about its own axis at L₃ (1/I₃ − 1/I₁)
Quatd free_top(const Quatd& start, const Vec3d& angular_momentum, double across, double along, double time) {
  const double size = length(angular_momentum);
  const double about_axis = dot(rotate(start, Vec3d{0, 0, 1}), angular_momentum) * (1 / along - 1 / across);
  return Quatd::from_axis_angle(angular_momentum / size, size / across * time) * start *
         Quatd::from_axis_angle({0, 0, 1}, about_axis * time);
}

}  // namespace

TEST(Integrator, RungeKuttaIsOfOrderFour) {
  // Oracle: the closed form of the symmetric top
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const double across = random.uniform(0.5, 2), along = random.uniform(0.5, 2);
    const auto mass = make_mass(random.uniform(0.1, 10), Mat3d::diagonal({across, across, along}));
    ASSERT_TRUE(mass);
    RigidState3 start;
    start.rotation = sudar_test::random_rotation(random);
    start.angular_momentum = sudar_test::random_point<3>(random, 3);
    start.momentum = sudar_test::random_point<3>(random);
    const Quatd truth = free_top(start.rotation, start.angular_momentum, across, along, 1);
    const auto error = [&](Integrator method, int steps) {
      return rotation_error(run_steps(method, start, *mass, 1.0, steps, kNoForce3).rotation, truth);
    };
    const double coarse = error(Integrator::runge_kutta4, 40), fine = error(Integrator::runge_kutta4, 80);
    EXPECT_LT(fine, 1e-6);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.35);
    // Semi-implicit Euler takes the angular velocity in the middle of the turn, which is all there is without torque
    const auto order = [&](Integrator euler) { return std::log2(error(euler, 2000) / error(euler, 4000)); };
    EXPECT_NEAR(order(Integrator::semi_implicit_euler), 2, 0.15);
    EXPECT_NEAR(order(Integrator::explicit_euler), 1, 0.15);
  }
}

TEST(Integrator, EnergyOfAFreeBodyConvergesWithOrderFour) {
  // Three different moments, also near the unstable axis: ½ ω·L is what it was, up to h⁴
  const auto mass = make_mass(2, Mat3d::diagonal({1, 2, 3}));
  ASSERT_TRUE(mass);
  RigidState3 start;
  start.rotation = normalized(Quatd{1, 0.2, -0.3, 0.1});
  start.angular_momentum = rotate(start.rotation, Vec3d{0.05, 2, 0.05});
  start.momentum = {1, 2, 3};
  const double energy = kinetic_energy(start, *mass);
  double last = 0;
  for (const int steps : {200, 400, 800}) {
    const RigidState3 end = run_steps(Integrator::runge_kutta4, start, *mass, 10.0, steps, kNoForce3);
    const double drift = std::fabs(kinetic_energy(end, *mass) - energy) / energy;
    EXPECT_TRUE(last == 0 || last / drift > 12) << steps << ' ' << last / drift;
    last = drift;
  }
  EXPECT_LT(last, 1e-8);
}

// A box of (1, 2, 3) that tumbles for ten seconds, in the steps of a world: ½ ω·L is what it was
TEST(Integrator, FreeBodiesKeepTheirEnergy) {
  const auto mass = make_mass(48, Mat3d::diagonal({208, 160, 80}));
  ASSERT_TRUE(mass);
  RigidState3 start;
  start.angular_momentum = {208 * 6, 160 * 6, 0};
  const double energy = kinetic_energy(start, *mass);
  const auto drift = [&](Integrator method, int steps) {
    double most = 0;
    RigidState3 state = start;
    for (int i = 0; i < steps; ++i) {
      state = advance(method, state, *mass, 0, 10.0 / steps, kNoForce3);
      most = std::max(most, std::fabs(kinetic_energy(state, *mass) - energy) / energy);
    }
    return most;
  };
  EXPECT_LT(drift(Integrator::semi_implicit_euler, 600), 5e-3);
  EXPECT_LT(drift(Integrator::semi_implicit_euler, 2400), 1e-4);
  EXPECT_GT(drift(Integrator::explicit_euler, 2400), 0.1);
}

TEST(Integrator, MomentaOfAFreeBodyStayToTheLastBit) {
  Random random(campaign_seed(5));
  const auto mass = make_mass(3, Mat3d::diagonal({1, 2, 2.5}));
  const auto flat = make_mass(3, 0.5);
  ASSERT_TRUE(mass && flat);
  for (const Integrator method : kAllMethods) {
    RigidState3 start;
    start.rotation = sudar_test::random_rotation(random);
    start.momentum = sudar_test::random_point<3>(random);
    start.angular_momentum = sudar_test::random_point<3>(random);
    const RigidState3 end = run_steps(method, start, *mass, 5.0, 1000, kNoForce3);
    EXPECT_EQ(end.momentum, start.momentum);
    EXPECT_EQ(end.angular_momentum, start.angular_momentum);
    const Quatd& q = end.rotation;
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    // The centre goes straight on
    EXPECT_LT(distance(end.position, start.momentum / 3 * 5), 1e-12);

    RigidState2 disc;
    disc.momentum = {1, 2};
    disc.angular_momentum = 0.25;
    const RigidState2 later = run_steps(method, disc, *flat, 2.0, 4000, kNoForce2);
    EXPECT_EQ(later.angular_momentum, 0.25);
    EXPECT_EQ(later.momentum, disc.momentum);
    const Rot2d truth = Rot2d::from_angle(1);
    EXPECT_NEAR(later.rotation.c, truth.c, 1e-4);
    EXPECT_NEAR(later.rotation.s, truth.s, 1e-4);
  }
}

TEST(Integrator, ForcesAndTorquesOfTheState) {
  // A mass on a spring and a disc on a torsion spring: cos(t) after one second. Explicit Euler gains energy, semi-implicit
  // Euler keeps it within bounds over a thousand turns.
  const auto flat = make_mass(1, 1.0);
  const auto solid = make_mass(1, Mat3d{});
  ASSERT_TRUE(flat && solid);
  const auto spring2 = [](double, const RigidState2& s) {
    return Wrench2{-s.position, -arc_tangent(s.rotation.s, s.rotation.c)};
  };
  const auto spring3 = [](double, const RigidState3& s) { return Wrench3{-s.position, {}}; };
  RigidState2 start2;
  start2.position = {1, 0};
  start2.rotation = Rot2d::from_angle(1);
  RigidState3 start3;
  start3.position = {0, 0, 1};
  const RigidState2 end2 = run_steps(Integrator::runge_kutta4, start2, *flat, 1.0, 200, spring2);
  const RigidState3 end3 = run_steps(Integrator::runge_kutta4, start3, *solid, 1.0, 200, spring3);
  EXPECT_NEAR(end2.position.x, std::cos(1.0), 1e-10);
  EXPECT_NEAR(arc_tangent(end2.rotation.s, end2.rotation.c), std::cos(1.0), 1e-9);
  EXPECT_NEAR(end3.position.z, std::cos(1.0), 1e-10);
  EXPECT_NEAR(end3.momentum.z, -std::sin(1.0), 1e-10);

  const auto energy = [&](const RigidState3& s) { return kinetic_energy(s, *solid) + length_squared(s.position) / 2; };
  const int steps = 100000;
  const double bounded = energy(run_steps(Integrator::semi_implicit_euler, start3, *solid, 6283, steps, spring3));
  const double gained = energy(run_steps(Integrator::explicit_euler, start3, *solid, 6283, steps, spring3));
  EXPECT_NEAR(bounded, 0.5, 0.05);
  EXPECT_GT(gained, 100);
}

TEST(Integrator, ForcesThatChangeWithTime) {
  // Momentum is the integral of the force: order four is exact for cubics
  const auto mass = make_mass(2, Mat3d{});
  ASSERT_TRUE(mass);
  const auto law = [](double t, const RigidState3&) { return Wrench3{{t * t * t, 1, 0}, {0, 0, t}}; };
  const RigidState3 end = run_steps(Integrator::runge_kutta4, RigidState3{}, *mass, 2.0, 3, law);
  EXPECT_NEAR(end.momentum.x, 4, 1e-14);
  EXPECT_NEAR(end.momentum.y, 2, 1e-14);
  EXPECT_NEAR(end.angular_momentum.z, 2, 1e-14);
  EXPECT_NEAR(end.position.y, 1, 1e-14);
}

TEST(Integrator, TurnsExactlyAndToFirstOrder) {
  Random random(campaign_seed(6));
  for (int i = 0; i < 100; ++i) {
    const Quatd q = sudar_test::random_rotation(random);
    const Vec3d omega = sudar_test::random_point<3>(random, 2);
    const Quatd exact = turned_exactly(q, omega, 1);
    Quatd sum = q;
    for (int k = 0; k < 1000; ++k) sum = turned(sum, omega, 1e-3);
    EXPECT_LT(rotation_error(exact, sum), 1e-5);
    // I⁻¹ along the axes of the world turns with the body
    const Mat3d inverse_inertia = Mat3d::diagonal({1, 2, 3});
    const Vec3d v = sudar_test::random_point<3>(random);
    const Vec3d turned_there = rotate(q, inverse_inertia * rotate(conjugate(q), v));
    EXPECT_LT(distance(world_inverse_inertia(q, inverse_inertia) * v, turned_there), 1e-14);
  }
  EXPECT_EQ(turned_exactly(Quatd{}, {}, 1), Quatd{});
}

TEST(Integrator, DoorsAndBodiesThatStand) {
  using sudar_test::kInf;
  using sudar_test::kNaN;
  EXPECT_EQ(make_mass(0, 1.0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_mass(kNaN, 1.0).error().code, ErrorCode::non_finite);
  EXPECT_EQ(make_mass(1, kInf).error().code, ErrorCode::non_finite);
  EXPECT_EQ(make_mass(1, 0.0).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_mass(5e-324, 1.0).error().code, ErrorCode::too_large);
  EXPECT_EQ(make_mass(-1, Mat3d{}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_mass(1, Mat3d::diagonal({1, 1, 0})).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_mass(1, Mat3d::diagonal({1, kNaN, 1})).error().code, ErrorCode::non_finite);
  EXPECT_TRUE(make_mass(1e-200, Mat3d::diagonal({1e-200, 1e-200, 1e-200})).ok());
  RigidState3 wall;
  wall.momentum = {1, 2, 3};
  const auto push = [](double, const RigidState3&) { return Wrench3{{1, 1, 1}, {1, 1, 1}}; };
  for (const Integrator method : kAllMethods) EXPECT_EQ(advance(method, wall, RigidMass3{}, 0, 1, push), wall);
  EXPECT_EQ(kinetic_energy(wall, RigidMass3{}), 0);
}

// What:    Joints of plane and space against closed forms: pendulums, springs, motors, limits, chains, welds, a wheel.
#include "tests/dynamics/hand_made.hpp"
#include <sudar/dynamics/softness.hpp>
#include <sudar/dynamics/solver_tolerance.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace sudar {
namespace {

using sudar_test::fastest;
using sudar_test::HandMade;
using sudar_test::unit_cube;

constexpr double kEarth = 9.81;

Pose3d pose_of(const SolverBody3& b) { return {b.position, b.rotation}; }
Pose2d pose_of(const SolverBody2& b) { return {b.position, b.rotation}; }
Joint3 link(JointKind kind, const std::vector<SolverBody3>& bodies, std::uint32_t a, std::uint32_t b,
            const Pose3d& frame) {
  return make_joint3(kind, a, pose_of(bodies[a]), b, pose_of(bodies[b]), frame);
}
Joint2 link(JointKind kind, const std::vector<SolverBody2>& bodies, std::uint32_t a, std::uint32_t b,
            const Pose2d& frame) {
  return make_joint2(kind, a, pose_of(bodies[a]), b, pose_of(bodies[b]), frame);
}
// Where a joint's two anchors have come apart
template <int D, class Joint>
double opening(const std::vector<SolverBody<D>>& bodies, const Joint& j) {
  return distance(transform(pose_of(bodies[j.a]), j.frame_a.position),
                  transform(pose_of(bodies[j.b]), j.frame_b.position));
}
// Body 0 is fixed at the origin, body 1 a unit cube at `at`
template <int D>
HandMade<D> held(const Vec<D, double>& at, double gravity) {
  HandMade<D> t;
  t.bodies.resize(1);
  t.bodies.push_back(unit_cube<D>(2, at));
  t.bodies[1].acceleration[D - 1] = -gravity;
  return t;
}

// Time between the first and the last upward crossing of zero over their number
template <class F>
double period_of(F&& step, double dt, int steps) {
  double before = 0, first = -1, last = -1;
  int turns = -1;
  for (int k = 0; k < steps; ++k) {
    const double x = step();
    if (k > 0 && before < 0 && x >= 0) {
      last = (k + before / (before - x)) * dt;
      if (turns < 0) first = last;
      ++turns;
    }
    before = x;
  }
  return turns > 0 ? (last - first) / turns : 0;
}

// A cube on a rod of length 2 to its centre: the inertia about the pivot is m L² + m / 6
template <int D>
void pendulum(JointKind kind) {
  const double length = 2, angle = 0.05;
  Vec<D, double> at{};
  at[0] = length * std::sin(angle);
  at[D - 1] = -length * std::cos(angle);
  HandMade<D> t = held<D>(at, kEarth);
  Pose<D, double> frame{};
  if constexpr (D == 3) frame.rotation = Quatd::from_axis_angle({0, 0, 1}, kPi / 2);  // x along the world's y
  t.joints.push_back(link(kind, t.bodies, 0, 1, frame));
  const double period = period_of([&] { return t.step(), t.bodies[1].position[0]; }, t.settings.dt, 1200);
  const double wanted = 2 * kPi * std::sqrt((length * length + 1.0 / 6) / (kEarth * length));
  EXPECT_NEAR(period, wanted, 0.005 * wanted) << D << "D";
  EXPECT_LT((opening<D>(t.bodies, t.joints[0])), 1e-3);
}
TEST(Joint, PendulumsKeepTheirPeriod) {
  pendulum<2>(JointKind::revolute);
  pendulum<3>(JointKind::ball);
  pendulum<3>(JointKind::revolute);
}
// On a thread the cube need not turn with it: a point mass
TEST(Joint, APendulumOnAThreadIsAPointMass) {
  HandMade<3> t = held<3>({0.1, 0, -2}, kEarth);
  t.bodies[1].inverse_inertia = Mat3d::diagonal({0, 0, 0});
  t.joints.push_back(make_distance_joint3(0, {}, 1, pose_of(t.bodies[1]), {}, t.bodies[1].position));
  const double length = t.joints[0].length;
  const double period = period_of([&] { return t.step(), t.bodies[1].position.x; }, t.settings.dt, 1200);
  EXPECT_NEAR(period, 2 * kPi * std::sqrt(length / kEarth), 0.01 * period);
  EXPECT_NEAR(slide_of(t.joints[0], {}, pose_of(t.bodies[1])), length, 1e-3);
}

template <int D>
void chain_holds(JointKind kind) {
  constexpr std::uint32_t kLinks = 20;
  HandMade<D> t;
  t.bodies.resize(1);
  for (std::uint32_t i = 1; i <= kLinks; ++i) {
    Vec<D, double> at{};
    at[0] = i - 0.5;
    t.bodies.push_back(unit_cube<D>(1, at));
    t.bodies.back().acceleration[D - 1] = -kEarth;
    at[0] = i - 1;
    t.joints.push_back(link(kind, t.bodies, i - 1, i, {at, {}}));
  }
  double worst = 0;
  for (int k = 0; k < 600; ++k) {
    t.step();
    for (const auto& j : t.joints) worst = std::max(worst, opening<D>(t.bodies, j));
  }
  EXPECT_LT(worst, 0.05) << D << "D";
  EXPECT_LT(t.bodies[kLinks].position[D - 1], -1);
  EXPECT_TRUE(std::isfinite(fastest(t)));
}
TEST(Joint, ChainsHold) {
  chain_holds<2>(JointKind::revolute);
  chain_holds<3>(JointKind::ball);
}

// A beam of cubes welded to a wall
template <int D>
void weld_is_stiff() {
  HandMade<D> t;
  t.bodies.resize(1);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    Vec<D, double> at{};
    at[0] = i - 0.5;
    t.bodies.push_back(unit_cube<D>(1, at));
    t.bodies.back().acceleration[D - 1] = -kEarth;
    at[0] = i - 1;
    t.joints.push_back(link(JointKind::weld, t.bodies, i - 1, i, {at, {}}));
  }
  for (int k = 0; k < 300; ++k) t.step();
  EXPECT_NEAR(t.bodies[3].position[D - 1], 0, 0.03) << D << "D";
  EXPECT_NEAR(t.bodies[3].position[0], 2.5, 0.01);
  EXPECT_LT(fastest(t), 1e-3);
}
TEST(Joint, WeldedBeamsAreStiff) {
  weld_is_stiff<2>();
  weld_is_stiff<3>();
}

// Torque over inertia until the speed is reached; a limit stops it
TEST(Joint, MotorsPushWithTheirForceAndStopAtLimits) {
  HandMade<3> t = held<3>({0, 0, 0}, 0);
  t.joints.push_back(link(JointKind::revolute, t.bodies, 0, 1, {}));
  t.joints[0].hinge.motor_speed = 2;
  t.joints[0].hinge.motor_force = 0.5;
  for (int k = 0; k < 30; ++k) t.step();
  EXPECT_NEAR(t.bodies[1].angular_velocity.x, 0.5 * 3 * 0.5, 1e-6);  // inverse inertia 3
  for (int k = 0; k < 60; ++k) t.step();
  EXPECT_NEAR(t.bodies[1].angular_velocity.x, 2, 1e-6);
  t.joints[0].hinge.upper = hinge_of(t.joints[0], {}, pose_of(t.bodies[1])) + 0.5;
  for (int k = 0; k < 60; ++k) t.step();
  EXPECT_NEAR(t.bodies[1].angular_velocity.x, 0, 1e-3);
  EXPECT_NEAR(hinge_of(t.joints[0], {}, pose_of(t.bodies[1])), t.joints[0].hinge.upper, 5e-3);

  HandMade<2> s = held<2>({0, 0}, 0);
  s.joints.push_back(link(JointKind::prismatic, s.bodies, 0, 1, {{}, Rot2d::from_angle(0.3)}));
  s.joints[0].slide.motor_speed = -1;
  s.joints[0].slide.motor_force = 1;
  s.joints[0].slide.lower = -1;
  for (int k = 0; k < 60; ++k) s.step();
  EXPECT_NEAR(length(s.bodies[1].velocity), 0.5, 1e-6);
  for (int k = 0; k < 240; ++k) s.step();
  EXPECT_NEAR(slide_of(s.joints[0], {}, pose_of(s.bodies[1])), -1, 5e-3);
  EXPECT_NEAR(cross(s.bodies[1].position, Vec2d{std::cos(0.3), std::sin(0.3)}), 0, 1e-6);
}

// Springs swing with their own hertz: on a slide, about a hinge, between two anchors
TEST(Joint, SpringsHaveTheirHertz) {
  const double hertz = 0.5;
  const auto spring = [&](JointDrive& d, double rest) {
    d.spring_hertz = hertz;
    d.spring_damping = 0;
    d.rest = rest;
  };
  HandMade<3> slide = held<3>({1, 0, 0}, 0);
  slide.joints.push_back(link(JointKind::prismatic, slide.bodies, 0, 1, {}));
  slide.bodies[1].position.x = 1.5;
  spring(slide.joints[0].slide, 0);
  EXPECT_NEAR(period_of([&] { return slide.step(), slide.bodies[1].position.x - 1; }, 1.0 / 60, 900), 2, 0.02);
  EXPECT_NEAR(slide.bodies[1].position.y, 0, 1e-9);

  HandMade<2> hinge = held<2>({0, 0}, 0);
  hinge.joints.push_back(link(JointKind::revolute, hinge.bodies, 0, 1, {}));
  hinge.bodies[1].rotation = Rot2d::from_angle(0.5);
  spring(hinge.joints[0].hinge, 0);
  EXPECT_NEAR(period_of([&] { return hinge.step(), hinge.bodies[1].rotation.s; }, 1.0 / 60, 900), 2, 0.02);

  HandMade<2> rod = held<2>({3, 0}, 0);
  rod.joints.push_back(make_distance_joint2(0, {}, 1, pose_of(rod.bodies[1]), {}, rod.bodies[1].position));
  spring(rod.joints[0].slide, 2.5);
  EXPECT_NEAR(period_of([&] { return rod.step(), rod.bodies[1].position.x - 2.5; }, 1.0 / 60, 900), 2, 0.02);
}

// The load of a car on its suspension sinks by g / (2 pi hertz)²; the motor turns the wheel about its axle alone
TEST(Joint, WheelsCarryAndTurn) {
  HandMade<3> t;
  t.bodies.resize(1);  // the axle, held
  t.bodies.push_back(unit_cube<3>(2, {0, 0, 0}));
  t.bodies[1].acceleration.z = -kEarth;
  // x up (suspension), y along the world's y (axle)
  t.joints.push_back(link(JointKind::wheel, t.bodies, 0, 1, {{}, Quatd::from_axis_angle({0, 1, 0}, -kPi / 2)}));
  JointDrive &slide = t.joints[0].slide, &hinge = t.joints[0].hinge;
  slide.spring_hertz = 2;
  slide.spring_damping = 0.7;
  slide.lower = -0.5;
  slide.upper = 0.5;
  hinge.motor_speed = 5;
  hinge.motor_force = 100;
  for (int k = 0; k < 300; ++k) t.step();
  EXPECT_NEAR(t.bodies[1].position.z, -kEarth / (16 * kPi * kPi), 1e-3);
  EXPECT_NEAR(distance(t.bodies[1].angular_velocity, Vec3d{0, 5, 0}), 0, 1e-6);
  EXPECT_NEAR(std::hypot(t.bodies[1].position.x, t.bodies[1].position.y), 0, 1e-9);

  HandMade<2> p = held<2>({0, 0}, kEarth);
  p.joints.push_back(link(JointKind::wheel, p.bodies, 0, 1, {{}, Rot2d::from_angle(kPi / 2)}));
  p.joints[0].slide.spring_hertz = 2;
  p.joints[0].slide.spring_damping = 0.7;
  p.joints[0].hinge.motor_speed = -5;
  p.joints[0].hinge.motor_force = 100;
  for (int k = 0; k < 300; ++k) p.step();
  EXPECT_NEAR(p.bodies[1].position.y, -kEarth / (16 * kPi * kPi), 1e-3);
  EXPECT_NEAR(p.bodies[1].angular_velocity, -5, 1e-6);
}

// Shoulders: the cone holds the arm, the twist limit its turning
TEST(Joint, BallsStopAtTheirConeAndTwist) {
  HandMade<3> t = held<3>({1, 0, 0}, kEarth);
  t.joints.push_back(link(JointKind::ball, t.bodies, 0, 1, {}));
  t.joints[0].cone = 0.6;
  t.joints[0].hinge.lower = -0.2;
  t.joints[0].hinge.upper = 0.2;
  t.bodies[1].angular_velocity.x = 3;
  double swing = 0, twist = 0;
  for (int k = 0; k < 600; ++k) {
    t.step();
    swing = std::max(swing, std::acos(rotate(t.bodies[1].rotation, Vec3d{1, 0, 0}).x));
    twist = std::max(twist, std::fabs(hinge_of(t.joints[0], {}, pose_of(t.bodies[1]))));
  }
  EXPECT_GT(swing, 0.59);
  EXPECT_LT(swing, 0.65);
  EXPECT_LT(twist, 0.25);
}

// Two bodies in space and nothing else
template <int D>
void keeps_momentum_of_joints() {
  HandMade<D> t;
  for (int i = 0; i < 6; ++i) {
    Vec<D, double> at{};
    at[0] = i;
    t.bodies.push_back(unit_cube<D>(1 + i, at));
    t.bodies.back().velocity[1] = i % 3 - 1;
  }
  constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::weld, JointKind::wheel,
                                  JointKind::revolute};
  for (std::uint32_t i = 0; i < 5; ++i) {
    Vec<D, double> at{};
    at[0] = i + 0.5;
    t.joints.push_back(link(kKinds[i], t.bodies, i, i + 1, {at, {}}));
  }
  const auto momentum = [&] {
    Vec<D, double> sum{};
    for (const SolverBody<D>& b : t.bodies) sum += b.velocity / b.inverse_mass;
    return sum;
  };
  for (int k = 0; k < 60; ++k) {
    const Vec<D, double> before = momentum();
    t.step();
    EXPECT_LE(distance(before, momentum()), 1e-12 * 20);
  }
}
TEST(Joint, JoinedBodiesKeepTheirMomentum) {
  keeps_momentum_of_joints<2>();
  keeps_momentum_of_joints<3>();
}

// A wagon on four balls as wheels, driven by the motors of its rear axle: it comes to the speed of its wheels' rims, and the
// springs carry it
HandMade<3> wagon() {
  HandMade<3> t;
  t.bodies.resize(1);
  t.bodies[0].position.z = -0.5;  // the ground, its upper face at 0
  t.bodies.push_back(unit_cube<3>(100, {0, 0, 1.2}));
  t.bodies[1].acceleration.z = -kEarth;
  for (int k = 0; k < 4; ++k) {
    const Vec3d at{(k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 0.8 : -0.8, 0.5};
    t.bodies.push_back(unit_cube<3>(10, at));
    t.bodies.back().acceleration.z = -kEarth;
    const auto wheel = static_cast<std::uint32_t>(2 + k);
    t.joints.push_back(link(JointKind::wheel, t.bodies, 1, wheel, {at, Quatd::from_axis_angle({0, 1, 0}, -kPi / 2)}));
    JointDrive &slide = t.joints.back().slide, &hinge = t.joints.back().hinge;
    slide.spring_hertz = 4;
    slide.spring_damping = 0.7;
    slide.lower = -0.3;
    slide.upper = 0.3;
    if ((k & 1) == 0) {
      hinge.motor_speed = 4;
      hinge.motor_force = 60;
    }
  }
  return t;
}
void drive(HandMade<3>& t) {
  t.clear_contacts();
  for (std::uint32_t k = 2; k < 6; ++k) {
    const Vec3d x = t.bodies[k].position;
    t.touch(0, k, {0, 0, 1}, {x.x, x.y, (x.z - 0.5) / 2}, x.z - 0.5, 0.9, 0);
  }
  t.step();
}
TEST(Joint, AWagonDrives) {
  HandMade<3> t = wagon();
  for (int k = 0; k < 600; ++k) drive(t);
  EXPECT_NEAR(t.bodies[1].velocity.x, 4 * 0.5, 0.02);
  EXPECT_NEAR(t.bodies[1].velocity.z, 0, 1e-3);
  EXPECT_GT(t.bodies[1].position.x, 10);
  EXPECT_NEAR(t.bodies[1].position.y, 0, 1e-3);
  EXPECT_LT(t.bodies[1].position.z, 1.2);
  EXPECT_GT(t.bodies[1].position.z, 1.1);
  for (const Joint3& j : t.joints)
    EXPECT_NEAR(std::fabs(slide_of(j, pose_of(t.bodies[1]), pose_of(t.bodies[j.b]))), 0, 0.1);
}

// Many wagons at once: joints and contacts on any number of threads give the same bits
TEST(Joint, SameBitsOnThreads) {
  std::vector<SolverBody3> plain;
  for (const unsigned threads : {0u, 1u, 2u, 8u}) {
    HandMade<3> many;
    many.bodies.resize(1);
    many.bodies[0].position.z = -0.5;
    for (std::uint32_t w = 0; w < 60; ++w) {
      const HandMade<3> one = wagon();
      for (std::size_t k = 1; k < one.bodies.size(); ++k) many.bodies.push_back(one.bodies[k]);
      for (Joint3 j : one.joints) {
        j.a += 5 * w;
        j.b += 5 * w;
        j.hinge.motor_speed *= w;
        many.joints.push_back(j);
      }
    }
    const std::unique_ptr<Executor> executor = make_executor(threads);
    if (threads > 0) many.settings.executor = executor.get();
    for (int k = 0; k < 20; ++k) {
      many.clear_contacts();
      for (std::uint32_t w = 0; w < 60; ++w)
        for (std::uint32_t i = 2; i < 6; ++i) {
          const Vec3d x = many.bodies[5 * w + i].position;
          many.touch(0, 5 * w + i, {0, 0, 1}, {x.x, x.y, (x.z - 0.5) / 2}, x.z - 0.5, 0.9, 0);
        }
      many.step();
    }
    if (threads == 0) plain = many.bodies;
    ASSERT_EQ(plain.size(), many.bodies.size());
    EXPECT_EQ(std::memcmp(plain.data(), many.bodies.data(), plain.size() * sizeof(plain[0])), 0) << threads;
  }
}

// The same joint with rotations of another length is the same joint
template <int D>
void any_length_of_rotation(JointKind kind) {
  const auto end_of = [&](double length) {
    Vec<D, double> at{};
    at[0] = 1;
    HandMade<D> t = held<D>(at, kEarth);
    t.joints.push_back(link(kind, t.bodies, 0, 1, {}));
    for (auto* frame : {&t.joints[0].frame_a, &t.joints[0].frame_b}) {
      if constexpr (D == 2) {
        frame->rotation = {frame->rotation.c * length, frame->rotation.s * length};
      } else {
        const Quatd q = frame->rotation;
        frame->rotation = {q.w * length, q.x * length, q.y * length, q.z * length};
      }
    }
    double most = 0;
    for (int k = 0; k < 120; ++k) t.step(), most = std::max(most, fastest(t));
    EXPECT_LT(most, 20) << D << "D, length " << length << ", kind " << static_cast<int>(kind);
    return t.bodies[1].position;
  };
  const auto unit = end_of(1);
  for (const double length : {30.0, 1e70, 1e-70}) EXPECT_LT(distance(end_of(length), unit), 1e-9);
}
TEST(Joint, RotationsOfFramesMayHaveAnyLength) {
  for (const JointKind kind : {JointKind::weld, JointKind::revolute, JointKind::prismatic, JointKind::wheel}) {
    any_length_of_rotation<2>(kind);
    any_length_of_rotation<3>(kind);
  }
}

template <class Joint>
void refuses_numbers() {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto code = [](auto change) {
    Joint joint;
    change(joint);
    const Result<void> checked = check(joint);
    EXPECT_FALSE(checked);
    return checked ? ErrorCode::empty_input : checked.error().code;
  };
  EXPECT_TRUE(check(Joint{}));
  EXPECT_EQ(code([&](Joint& j) { j.kind = static_cast<JointKind>(77); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&](Joint& j) { j.frame_a.position[0] = nan; }), ErrorCode::non_finite);
  EXPECT_EQ(code([&](Joint& j) { j.frame_b.position[1] = 1e300; }), ErrorCode::too_large);
  EXPECT_EQ(code([&](Joint& j) { j.length = 1e300; }), ErrorCode::too_large);
  EXPECT_EQ(code([&](Joint& j) { j.length = inf; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&](Joint& j) { j.hertz = 1e200; }), ErrorCode::too_large);
  EXPECT_EQ(code([&](Joint& j) { j.damping = 1e200; }), ErrorCode::too_large);
  EXPECT_EQ(code([&](Joint& j) { j.hertz = nan; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&](Joint& j) { j.linear_impulse[0] = nan; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&](Joint& j) { j.linear_impulse[1] = inf; }), ErrorCode::invalid_argument);
  for (JointDrive Joint::*drive : {&Joint::slide, &Joint::hinge}) {
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).lower = (j.*drive).upper = inf; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).lower = (j.*drive).upper = -inf; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).lower = (j.*drive).upper = 1e308; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).lower = nan; }), ErrorCode::invalid_argument);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).spring_hertz = 1e200; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).spring_damping = 1e200; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).rest = 1e200; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).rest = nan; }), ErrorCode::invalid_argument);
    EXPECT_EQ(code([&](Joint& j) { (j.*drive).motor_impulse = nan; }), ErrorCode::invalid_argument);
  }
  // No limit on one side may be any number
  Joint open;
  open.slide.lower = -std::numeric_limits<double>::max(), open.slide.upper = inf;
  EXPECT_TRUE(check(open));
}
TEST(Joint, NumbersThatAJointCannotHaveAreRefused) {
  refuses_numbers<Joint2>();
  refuses_numbers<Joint3>();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Joint2 flat;
  flat.angular_impulse = nan;
  EXPECT_EQ(check(flat).error().code, ErrorCode::invalid_argument);
  Joint3 joint;
  joint.angular_impulse.y = nan;
  EXPECT_EQ(check(joint).error().code, ErrorCode::invalid_argument);
  joint = {};
  joint.cone_impulse = nan;
  EXPECT_EQ(check(joint).error().code, ErrorCode::invalid_argument);
}

// Springs at the ends of what is taken, in steps of any length: coefficients of a constraint, never NaN
TEST(Joint, SoftnessIsFiniteForStepsOfAnyLength) {
  for (const double hertz : {5e-324, 1e-300, 1.0, kMostHertz})
    for (const double damping : {0.0, 1.0, kMostDampingRatio})
      for (const double h : {1e-300, 1e-150, 1.0 / 300, 1e150, 1e300}) {
        const Softness s = make_soft(hertz, damping, h);
        EXPECT_TRUE(std::isfinite(s.bias_rate)) << hertz << " " << damping << " " << h;
        EXPECT_GE(s.mass_scale, 0);
        EXPECT_LE(s.mass_scale, 1);
        EXPECT_GE(s.impulse_scale, 0);
        EXPECT_LE(s.impulse_scale, 1);
      }
}

}  // namespace
}  // namespace sudar

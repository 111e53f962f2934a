// The world: doors, free motion, steps, sleep, snapshots, recordings. Oracles: closed forms of free motion, momentum that
// stays, the same world run again.
#include <sudar/broadphase/registry.hpp>
#include <sudar/dynamics/recording.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace sudar;

template <int D>
WorldOptions<D> weightless() {
  WorldOptions<D> options;
  options.gravity = {};
  return options;
}
Shape3 cube(double half = 0.5) { return *make_box3({half, half, half}); }

TEST(World, DoorsRefuseWhatCannotBe) {
  auto world = *World<3>::make();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto code = [&](BodySpec<3> spec) { return world.add_body(spec).error().code; };
  EXPECT_EQ(code({.shape = *make_point3({})}), ErrorCode::degenerate);
  EXPECT_EQ(code({.shape = *make_halfspace3({0, 0, 1}, 0)}), ErrorCode::unsupported);
  EXPECT_EQ(code({.shape = cube(), .pose = {{nan, 0, 0}, {}}}), ErrorCode::non_finite);
  EXPECT_EQ(code({.shape = cube(), .pose = {{}, {0, 0, 0, 0}}}), ErrorCode::degenerate);
  EXPECT_EQ(code({.shape = cube(), .density = 0}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.shape = cube(), .mass = MassProperties3{}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.shape = cube(), .material = {0.5, -0.1}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.shape = cube(), .material = {-1, 0}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.shape = cube(), .linear_damping = -1}), ErrorCode::invalid_argument);
  EXPECT_EQ(world.scene().size(), 0u);
  const BodyId<3> body = *world.add_body({.shape = cube()});
  EXPECT_EQ(world.apply_force(body, {nan, 0, 0}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(world.set_material(body, {0, -1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.move_to(body, {}, 1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.add_joint(body, body, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.step(0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.step(nan).error().code, ErrorCode::non_finite);
  ASSERT_TRUE(world.remove_body(body).ok());
  EXPECT_EQ(world.remove_body(body).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(world.set_velocity(body, {}).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(world.remove_joint({}).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(World<3>::make({.broadphase = "none"}).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(World<3>::make({.substeps = 0}).error().code, ErrorCode::invalid_argument);
}

// A weld whose frames are longer or shorter than one holds as any other
TEST(World, FramesOfJointsAreBroughtToUnitLength) {
  for (const double length : {1.0, 30.0, 1e70, 1e200, 1e-200}) {
    auto world = *World<3>::make();
    const BodyId<3> wall = *world.add_body({.shape = cube(0.1), .kind = BodyKind::fixed});
    const BodyId<3> arm = *world.add_body({.shape = cube(0.1), .pose = {{1, 0, 0}, {}}, .can_sleep = false});
    Joint3 joint = *world.make_joint(JointKind::weld, wall, arm, {});
    joint.frame_a.rotation = joint.frame_b.rotation = {0, 0, 0, length};
    const auto id = world.add_joint(wall, arm, joint);
    ASSERT_TRUE(id.ok()) << length << " " << id.error().message();
    EXPECT_EQ(world.joint(*id)->joint.frame_a.rotation, (Quatd{0, 0, 0, 1}));
    for (int k = 0; k < 60; ++k) ASSERT_TRUE(world.step(1.0 / 60).ok());
    ASSERT_TRUE(world.contains(arm)) << length;
    EXPECT_LT(length_squared(world.pose(arm).position - Vec3d{1, 0, 0}), 1e-2) << length;
    EXPECT_LT(length_squared(world.velocity(arm)), 1e-2) << length;
    // Also the frame of make_joint
    const Joint3 other = *world.make_joint(JointKind::weld, wall, arm, {{}, {length, 0, 0, 0}});
    EXPECT_EQ(other.frame_a.rotation, Quatd{});
  }
}

TEST(World, DoorsOfJointsRefuseWhatCannotBe) {
  auto world = *World<3>::make();
  const BodyId<3> a = *world.add_body({.shape = cube()}),
                  b = *world.add_body({.shape = cube(), .pose = {{2, 0, 0}, {}}});
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto code = [&](auto change) {
    Joint3 joint;
    change(joint);
    const auto added = world.add_joint(a, b, joint);
    EXPECT_FALSE(added);
    return added ? ErrorCode::empty_input : added.error().code;
  };
  EXPECT_EQ(code([&](Joint3& j) { j.frame_a.position.x = 1e20; }), ErrorCode::too_large);
  EXPECT_EQ(code([&](Joint3& j) { j.frame_b.position.x = inf; }), ErrorCode::non_finite);
  EXPECT_EQ(code([&](Joint3& j) { j.frame_b.rotation = {0, 0, 0, 0}; }), ErrorCode::degenerate);
  EXPECT_EQ(code([&](Joint3& j) { j.linear_impulse.x = nan; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&](Joint3& j) { j.hertz = 1e200; }), ErrorCode::too_large);
  EXPECT_EQ(world.make_joint(JointKind::weld, a, b, {{nan, 0, 0}, {}}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(world.make_joint(JointKind::weld, a, b, {{1e300, 0, 0}, {}}).error().code, ErrorCode::too_large);
  EXPECT_EQ(world.make_joint(JointKind::weld, a, b, {{}, {0, 0, 0, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(world.make_distance_joint(a, b, {nan, 0, 0}, {}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(world.make_distance_joint(a, b, {}, {0, 1e300, 0}).error().code, ErrorCode::too_large);
  EXPECT_EQ(world.joints().size(), 0u);
  const auto id = world.add_joint(a, b, *world.make_joint(JointKind::revolute, a, b, {{1, 0, 0}, {}}));
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(world.set_hinge(*id, {.spring_hertz = 1e200}).error().code, ErrorCode::too_large);
  EXPECT_EQ(world.set_hinge(*id, {.lower = inf}).error().code, ErrorCode::too_large);
  EXPECT_TRUE(world.set_hinge(*id, {.lower = -1, .upper = 1}).ok());
}

// The ends of frames are those of the door: what stands far out takes no part of them away from a step
TEST(World, AJointBetweenTheEndsOfTheWorldIsStepped) {
  auto world = *World<3>::make();
  const double end = 0x1p60;
  const BodyId<3> far = *world.add_body({.shape = cube(), .pose = {{end, end, end}, {}}, .kind = BodyKind::fixed});
  const BodyId<3> near = *world.add_body({.shape = cube()});
  Joint3 joint;
  joint.kind = JointKind::distance;
  joint.frame_a.position = {end, end, end};
  ASSERT_TRUE(world.add_joint(far, near, joint).ok());
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(world.step(1.0 / 60).ok());
}

// What two joints give a body that is as heavy as can be against each other leaves the doubles before the body does:
// the next step begins without it, and is taken
TEST(World, ImpulsesOfJointsThatOverflowAreForgotten) {
  WorldOptions<3> options = weightless<3>();
  options.substeps = 1;
  options.relax = 0;
  auto world = *World<3>::make(options);
  MassProperties3 heavy;
  heavy.mass = 1.7e308;
  heavy.inertia = Mat3d::diagonal({1e300, 1e300, 1e300});
  const BodyId<3> wall = *world.add_body({.shape = cube(), .kind = BodyKind::fixed});
  const BodyId<3> body = *world.add_body(
      {.shape = cube(), .pose = {{1, 0, 0}, {}}, .mass = heavy, .velocity = {-0.9, 0, 0}, .can_sleep = false});
  for (const double impulse : {1.7e308, -1.7e308}) {
    Joint3 joint = *world.make_distance_joint(wall, body, {}, {1, 0, 0});
    joint.linear_impulse.x = impulse;
    ASSERT_TRUE(world.add_joint(wall, body, joint).ok());
  }
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    ASSERT_TRUE(world.contains(body));
    world.joints().for_each(
        [](JointId<3>, const WorldJoint<3>& joint) { EXPECT_TRUE(std::isfinite(joint.joint.linear_impulse.x)); });
  }
}

TEST(World, StateHoldsMomentaAndVelocitiesFollow) {
  auto world = *World<3>::make(weightless<3>());
  const BodyId<3> body = *world.add_body({.shape = *make_box3({0.5, 1, 0.25}),
                                          .pose = {{1, 2, 3}, Quatd::from_axis_angle({0, 0, 1}, 1)},
                                          .velocity = {1, 2, 3},
                                          .angular_velocity = {0.3, -0.2, 0.9}});
  const double mass = 1000;
  EXPECT_EQ(world.body(body)->state.momentum, (Vec3d{1, 2, 3} * mass));
  EXPECT_LT(length(world.angular_velocity(body) - Vec3d{0.3, -0.2, 0.9}), 1e-14);
  // An impulse beside the centre: P += J, L += r × J
  const Vec3d at = world.pose(body).position + Vec3d{0, 0.5, 0}, impulse{10, 0, 0};
  const Vec3d before = world.body(body)->state.angular_momentum;
  ASSERT_TRUE(world.apply_impulse(body, impulse, at).ok());
  EXPECT_EQ(world.velocity(body).x, 1 + 10 / mass);
  EXPECT_LT(length(world.body(body)->state.angular_momentum - before - Vec3d{0, 0, -5}), 1e-12);
  // A force acts for one step
  ASSERT_TRUE(world.apply_force(body, {0, 0, mass}).ok());
  ASSERT_TRUE(world.step(0.01).ok());
  EXPECT_NEAR(world.velocity(body).z, 3.01, 1e-12);
  ASSERT_TRUE(world.step(0.01).ok());
  EXPECT_NEAR(world.velocity(body).z, 3.01, 1e-12);
}

TEST(World, FreeRotationKeepsItsMomentumToTheBit) {
  for (const Integrator method :
       {Integrator::semi_implicit_euler, Integrator::explicit_euler, Integrator::runge_kutta4}) {
    WorldOptions<3> options = weightless<3>();
    options.integrator = method;
    options.sleeping = false;
    auto world = *World<3>::make(options);
    const BodyId<3> body = *world.add_body({.shape = *make_box3({0.5, 1, 0.25}), .angular_velocity = {5, 0.05, 0.05}});
    const RigidState3 start = world.body(body)->state;
    const double energy = world.kinetic_energy();
    bool turned_over = false;
    for (int i = 0; i < 600; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60).ok());
      turned_over = turned_over || rotate(world.pose(body).rotation, Vec3d{1, 0, 0}).x < 0;
    }
    EXPECT_EQ(world.body(body)->state.angular_momentum, start.angular_momentum);
    EXPECT_EQ(world.body(body)->state.momentum, start.momentum);
    // About its middle axis a body does not stay: the gyroscopic term is there
    EXPECT_TRUE(turned_over);
    if (method == Integrator::runge_kutta4) {
      EXPECT_NEAR(world.kinetic_energy(), energy, 1e-5 * energy);
    }
  }
}

TEST(World, FallsAsTheMethodSays) {
  WorldOptions<2> options;
  options.gravity = {0, -10};
  auto world = *World<2>::make(options);
  const BodyId<2> body = *world.add_body({.shape = *make_circle2(1), .velocity = {3, 0}});
  const BodyId<2> drag =
      *world.add_body({.shape = *make_circle2(1), .pose = {{100, 0}, {}}, .linear_damping = 2, .gravity_scale = 0});
  ASSERT_TRUE(world.set_velocity(drag, {1, 0}).ok());
  const int n = 60 * options.substeps;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60).ok());
  // Semi-implicit: y = -g h² n (n + 1) / 2
  const double h = 1.0 / n;
  EXPECT_NEAR(world.pose(body).position.y, -10 * h * h * n * (n + 1) / 2, 1e-11);
  EXPECT_NEAR(world.pose(body).position.x, 3, 1e-12);
  EXPECT_NEAR(world.velocity(body).y, -10, 1e-12);
  double slowed = 1;
  for (int i = 0; i < n; ++i) slowed /= 1 + 2 * h;
  EXPECT_NEAR(world.velocity(drag).x, slowed, 1e-13);
}

TEST(World, KinematicBodiesGoWhereTheyAreTold) {
  auto world = *World<3>::make();
  const BodyId<3> body = *world.add_body({.shape = cube(), .kind = BodyKind::kinematic});
  const Pose3d there{{1, 2, 3}, Quatd::from_axis_angle({0, 0, 1}, 2)};
  ASSERT_TRUE(world.move_to(body, there, 0.5).ok());
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(world.step(0.02).ok());
  EXPECT_LT(length(world.pose(body).position - there.position), 1e-13);
  EXPECT_NEAR(world.pose(body).rotation.z, there.rotation.z, 1e-13);
  EXPECT_EQ(world.body(body)->state.momentum, Vec3d{});
}

TEST(World, LongStepsBecomeSlowMotion) {
  WorldOptions<2> options = weightless<2>();
  auto world = *World<2>::make(options);
  const BodyId<2> body = *world.add_body({.shape = *make_circle2(1), .velocity = {1, 0}});
  EXPECT_EQ(*world.step(10), options.max_dt);
  EXPECT_NEAR(world.pose(body).position.x, options.max_dt, 1e-15);
  // Fixed steps: what does not fill one waits, what is too much is dropped
  RunReport report = *world.run(options.fixed_dt * 1.5);
  EXPECT_EQ(report.steps, 1);
  EXPECT_NEAR(report.rest, 0.5, 1e-12);
  report = *world.run(options.fixed_dt * 0.75);
  EXPECT_EQ(report.steps, 1);
  EXPECT_NEAR(report.rest, 0.25, 1e-12);
  report = *world.run(1);
  EXPECT_EQ(report.steps, options.max_steps);
  EXPECT_NEAR(report.dropped + report.simulated, 1 + 0.25 * options.fixed_dt, 1e-12);
  EXPECT_EQ(report.rest, 0);
}

TEST(World, WhatIsNotFiniteIsTakenOutAndTheRestGoesOn) {
  auto world = *World<3>::make();
  const BodyId<3> lost = *world.add_body({.shape = cube()});
  const BodyId<3> stays = *world.add_body({.shape = cube(), .pose = {{0.5, 0, 0}, {}}});
  const auto joint = world.make_joint(JointKind::ball, lost, stays, {});
  ASSERT_TRUE(joint.ok());
  const auto id = world.add_joint(lost, stays, *joint);
  ASSERT_TRUE(id.ok());
  ASSERT_TRUE(world.apply_force(lost, {1e308, 1e308, 0}).ok());
  ASSERT_TRUE(world.apply_force(lost, {1e308, 1e308, 0}).ok());
  ASSERT_TRUE(world.step(1.0 / 60).ok());
  ASSERT_EQ(world.events().size(), 1u);
  EXPECT_EQ(world.events()[0].kind, WorldEventKind::taken_out);
  EXPECT_EQ(world.events()[0].a, lost);
  EXPECT_FALSE(world.contains(lost));
  EXPECT_EQ(world.joint(*id), nullptr);
  ASSERT_TRUE(world.contains(stays));
  EXPECT_NEAR(world.velocity(stays).z, -9.81 / 60, 1e-12);
  ASSERT_TRUE(world.step(1.0 / 60).ok());
  EXPECT_TRUE(world.events().empty());
}

}  // namespace

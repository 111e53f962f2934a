// Numbers at the ends of what the doors of a world accept: frictions, restitutions, dampings, places of centres of mass, and
// the impulses that joints begin with. None of them stops a step, and what cannot be is refused where it is given.
// Oracles: an unrelated ball falls as it falls alone; a world in which nothing slides with 1e100 lives on as with more.
#include "tests/dynamics/world_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace sudar;
using namespace sudar_test;

constexpr double kMost = std::numeric_limits<double>::max(), kLeast = std::numeric_limits<double>::denorm_min();

template <int D>
ShapeOf<D> ball(double radius = 0.5) {
  if constexpr (D == 2) {
    return *make_circle2(radius);
  } else {
    return *make_sphere3(radius);
  }
}
template <int D>
Vec<D, double> along(double x, double height = 0) {
  Vec<D, double> v = up<D>(height);
  v[0] = x;
  return v;
}
template <int D>
MassProperties<D> mass_at(const Vec<D, double>& center) {
  MassProperties<D> mass;
  mass.mass = 1;
  mass.center = center;
  if constexpr (D == 2) {
    mass.xx = mass.yy = 0.5;
  } else {
    mass.inertia = Mat3d::diagonal({1, 1, 1});
  }
  return mass;
}
template <int D>
bool finite_impulses(const World<D>& world) {
  for (const PointImpulse<D>& p : world.impulses())
    if (!finite_impulse<D>(p)) return false;
  return true;
}

// A box and a ball that slide on a floor, one falling beside them: how high that one is after a second, and all states
template <int D>
std::pair<double, std::uint64_t> slide(const Material& floor, const Material& other, double damping = 0) {
  auto world = *World<D>::make();
  const BodyId<D> alone = *world.add_body({.shape = ball<D>(), .pose = {along<D>(50, 60), {}}});
  EXPECT_TRUE(
      world.add_body({.shape = block<D>(5), .pose = {up<D>(-5), {}}, .kind = BodyKind::fixed, .material = floor}).ok());
  for (const double x : {-2.0, 2.0})
    EXPECT_TRUE(world
                    .add_body({.shape = x < 0 ? block<D>(0.5) : ball<D>(),
                               .pose = {along<D>(x, 0.49), {}},
                               .velocity = along<D>(1),
                               .material = other,
                               .linear_damping = damping,
                               .angular_damping = damping})
                    .ok());
  for (int i = 0; i < 60; ++i) {
    const auto done = world.step(1.0 / 60);
    EXPECT_TRUE(done.ok()) << floor.friction << ' ' << other.friction << ": " << done.error().message();
    if (!done) break;
    EXPECT_TRUE(finite_impulses(world));
  }
  return {world.pose(alone).position[D - 1], world.state_hash()};
}
template <int D>
void slides_go_on() {
  const auto ordinary = slide<D>({0.6, 0}, {0.6, 0}), held = slide<D>({1e100, 0}, {1e100, 0});
  EXPECT_NE(held.second, ordinary.second);
  const Material most{kMost, 0}, least{kLeast, 0};
  for (const auto& [a, b] : {std::pair{Material{1.4e154, 0}, Material{1.4e154, 0}}, {most, {1.25, 0}}, {most, most}}) {
    EXPECT_EQ(slide<D>(a, b), held) << a.friction << ' ' << b.friction;
    EXPECT_EQ(slide<D>(b, a), held) << a.friction << ' ' << b.friction;
  }
  for (const auto& [a, b] : {std::pair{Material{0, kMost}, Material{0, 0}},
                             {{kMost, kMost}, {kMost, kMost}},
                             {least, least},
                             {{1e-200, 0}, {1e-200, 0}},
                             {most, {0, 0}},
                             {most, least}})
    EXPECT_EQ(slide<D>(a, b).first, ordinary.first) << a.friction << ' ' << b.friction;
  for (const double damping : {1e308, kMost}) EXPECT_EQ(slide<D>({}, {}, damping).first, ordinary.first) << damping;
}
TEST(WorldLimits, NoFrictionRestitutionOrDampingStopsAStep2) { slides_go_on<2>(); }
TEST(WorldLimits, NoFrictionRestitutionOrDampingStopsAStep3) { slides_go_on<3>(); }

template <int D>
void centres_have_a_place() {
  const Rot<D, double> turn = normalized([] {
    if constexpr (D == 2) {
      return Rot2d{1, 0.3};
    } else {
      return Quatd{1, 0.3, 0.2, 0.1};
    }
  }());
  for (const BodyKind kind : {BodyKind::fixed, BodyKind::kinematic, BodyKind::dynamic}) {
    auto world = *World<D>::make();
    for (const double far : {0x1p61, 1e19, 1e20, 1e308, kMost})
      for (const Vec<D, double>& center : {up<D>(far), up<D>(-far), along<D>(far, far)}) {
        const auto added = world.add_body(
            {.shape = ball<D>(), .pose = {along<D>(1e10), turn}, .kind = kind, .mass = mass_at<D>(center)});
        ASSERT_FALSE(added) << far;
        EXPECT_EQ(added.error().code, ErrorCode::too_large) << far;
      }
    EXPECT_EQ(world.scene().size(), 0u);
    // Far in the shape's frame, near in the world
    const auto added =
        world.add_body({.shape = ball<D>(), .pose = {up<D>(-1e18), {}}, .kind = kind, .mass = mass_at<D>(up<D>(1e18))});
    ASSERT_TRUE(added.ok());
    EXPECT_EQ(world.set_pose(*added, {up<D>(5e17), {}}).error().code, ErrorCode::too_large);
    EXPECT_EQ(world.pose(*added).position, up<D>(-1e18));
    if (kind == BodyKind::kinematic) {
      EXPECT_EQ(world.move_to(*added, {up<D>(5e17), {}}, 1e9).error().code, ErrorCode::too_large);
    }
    EXPECT_TRUE(world.set_pose(*added, {up<D>(-1.1e18), {}}).ok());
    EXPECT_TRUE(world.step(1.0 / 60).ok());
    EXPECT_TRUE(world.contains(*added));
  }
}
TEST(WorldLimits, CentresOfMassBeyondTheWorldAreRefused2) { centres_have_a_place<2>(); }
TEST(WorldLimits, CentresOfMassBeyondTheWorldAreRefused3) { centres_have_a_place<3>(); }

// Its centre of mass is known when it is weighed
TEST(WorldLimits, ABodyIsNotWeighedBeyondTheWorld) {
  auto world = *World<3>::make();
  const BodyId<3> body = *world.add_body(
      {.shape = *make_capsule3({1e6, 0, 0}, {1e6, 0, 1}, 1), .pose = {{0x1p60, 0, 0}, {}}, .kind = BodyKind::fixed});
  const auto weighed = world.set_kind(body, BodyKind::dynamic);
  ASSERT_FALSE(weighed);
  EXPECT_EQ(weighed.error().code, ErrorCode::too_large);
  EXPECT_EQ(world.body(body)->kind, BodyKind::fixed);
  EXPECT_EQ(world.pose(body).position, (Vec3d{0x1p60, 0, 0}));
  EXPECT_TRUE(world.set_pose(body, {}).ok());
  EXPECT_TRUE(world.set_kind(body, BodyKind::dynamic).ok());
}

// As far as a centre may be and as a frame may be from it, at the same side, turned
TEST(WorldLimits, NoJointThatIsAcceptedStopsAStep) {
  const double end = 0x1p60;
  for (const BodyKind kind : {BodyKind::fixed, BodyKind::kinematic})
    for (const Vec3d& center : {Vec3d{0, 1e18, 0}, Vec3d{end, end, end}, Vec3d{0, 1e19, 0}, Vec3d{0, 1e20, 0}})
      for (const Vec3d& frame : {Vec3d{}, Vec3d{end, end, end}, Vec3d{-end, end, -end}}) {
        auto world = *World<3>::make();
        const auto anchor = world.add_body({.shape = ball<3>(), .kind = kind, .mass = mass_at<3>(center)});
        EXPECT_EQ(anchor.ok(), max_abs(center) <= end);
        if (!anchor) continue;
        const BodyId<3> held = *world.add_body({.shape = ball<3>(), .pose = {{3, 0, 0}, {}}});
        const BodyId<3> alone = *world.add_body({.shape = ball<3>(), .pose = {{50, 0, 0}, {}}});
        Joint3 joint;
        joint.frame_a = {frame, normalized(Quatd{1, 2, 3, 4})};
        ASSERT_TRUE(world.add_joint(*anchor, held, joint).ok());
        for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60).ok()) << center.x << ' ' << frame.x;
        EXPECT_LT(world.pose(alone).position.z, -0.1);
      }
}

// A body that is lost leaves no impulses that are no numbers
TEST(WorldLimits, ImpulsesAreFiniteWhereABodyIsLost) {
  std::size_t lost = 0;
  for (const double speed : {1e110, 1e140, 1e200, 1e300})
    for (const JointKind kind : {JointKind::prismatic, JointKind::wheel, JointKind::revolute}) {
      auto world = *World<3>::make();
      const BodyId<3> a = *world.add_body({.shape = ball<3>()});
      const BodyId<3> b = *world.add_body({.shape = ball<3>(), .pose = {{0.4, 0, 0}, {}}});
      Joint3 joint;
      joint.kind = kind;
      joint.frame_b.position.x = -0.4;
      joint.slide = joint.hinge = {.motor_speed = speed, .motor_force = speed};
      ASSERT_TRUE(world.add_joint(a, b, joint, true).ok());
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(world.step(1.0 / 60).ok());
        EXPECT_TRUE(finite_impulses(world)) << speed;
      }
      lost += !world.contains(a) || !world.contains(b);
    }
  EXPECT_GT(lost, 0u);
  // A blow as large
  for (const double speed : {1e100, 1e150, 1e300}) {
    auto world = *World<3>::make();
    add_floor<3>(world);
    const auto tower = add_tower<3>(world, 3);
    take_steps(world, 2);
    ASSERT_TRUE(world.apply_force(tower[1], {0, 0, -speed}).ok());
    for (int i = 0; i < 3; ++i) {
      take_steps(world, 1);
      EXPECT_TRUE(finite_impulses(world)) << speed;
    }
  }
}

template <int D>
void warm_starts_end() {
  auto world = *World<D>::make();
  const BodyId<D> a = *world.add_body({.shape = ball<D>(), .kind = BodyKind::fixed});
  const BodyId<D> b = *world.add_body({.shape = ball<D>(), .pose = {along<D>(2), {}}});
  const auto code = [&](auto change) {
    JointOf<D> joint = *world.make_joint(JointKind::ball, a, b, {});
    change(joint);
    const auto added = world.add_joint(a, b, joint);
    return added ? ErrorCode::empty_input : added.error().code;
  };
  for (const double huge : {1e20, -1e150, 1e300}) {
    EXPECT_EQ(code([&](auto& j) { j.linear_impulse[0] = huge; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](auto& j) { j.slide.spring_impulse = huge; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](auto& j) { j.slide.lower_impulse = huge; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](auto& j) { j.slide.upper_impulse = huge; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](auto& j) { j.slide.motor_impulse = huge; }), ErrorCode::too_large);
    EXPECT_EQ(code([&](auto& j) { j.hinge.motor_impulse = huge; }), ErrorCode::too_large);
    if constexpr (D == 2) {
      EXPECT_EQ(code([&](auto& j) { j.angular_impulse = huge; }), ErrorCode::too_large);
    } else {
      EXPECT_EQ(code([&](auto& j) { j.angular_impulse.z = huge; }), ErrorCode::too_large);
      EXPECT_EQ(code([&](auto& j) { j.cone_impulse = huge; }), ErrorCode::too_large);
    }
  }
  EXPECT_EQ(world.joints().size(), 0u);
  // What a body that heavy can take
  MassProperties<D> mass = mass_at<D>({});
  mass = scaled(mass, 1e60);
  const BodyId<D> c = *world.add_body({.shape = ball<D>(), .pose = {along<D>(4), {}}, .mass = mass});
  JointOf<D> joint = *world.make_joint(JointKind::ball, a, c, {});
  joint.linear_impulse[D - 1] = 9.81 / 60 * 1e60;
  ASSERT_TRUE(world.add_joint(a, c, joint).ok());
  take_steps(world, 10);
  EXPECT_TRUE(world.contains(b) && world.contains(c));
}
TEST(WorldLimits, JointsDoNotBeginWithWhatThrowsABodyOut2) { warm_starts_end<2>(); }
TEST(WorldLimits, JointsDoNotBeginWithWhatThrowsABodyOut3) { warm_starts_end<3>(); }

}  // namespace

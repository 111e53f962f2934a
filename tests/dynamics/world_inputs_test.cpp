// The inputs of a world and what they leave behind: bodies that cannot be, kinds that change, impulses that stay with
// their bodies, sleep that ends, hits that are told. Oracles: closed forms, and what a bystander does without them.
#include "tests/dynamics/world_scenes.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/threads.hpp"
#include <sudar/dynamics/recording.hpp>

#include <gtest/gtest.h>
#include <tests/support/numbers.hpp>

namespace {

using namespace sudar;
using namespace sudar_test;

template <int D>
WorldOptions<D> without_gravity() {
  WorldOptions<D> options;
  options.gravity = {};
  return options;
}

template <int D>
int events_of(const World<D>& world, WorldEventKind kind) {
  int count = 0;
  for (const WorldEvent<D>& event : world.events()) count += event.kind == kind;
  return count;
}

// One step takes `bad` out and says so; a box that falls beside it falls on
void expect_taken_out(World<3>& world, BodyId<3> bad) {
  const BodyId<3> falls = *world.add_body({.shape = block<3>(0.5), .pose = {{50, 0, 100}, {}}});
  bool told = false;
  for (int i = 0; i < 3; ++i) {
    const Vec3d gravity = world.gravity();
    const double before = world.velocity(falls).z;
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    told = told || (events_of(world, WorldEventKind::taken_out) == 1 && world.events()[0].a == bad);
    ASSERT_TRUE(world.contains(falls));
    EXPECT_NEAR(world.velocity(falls).z - before, gravity.z / 60, 1e-9);
  }
  EXPECT_TRUE(told);
  EXPECT_FALSE(world.contains(bad));
}

TEST(WorldInputs, WhatCannotBeIsTakenOutWhateverItsKind) {
  {
    auto world = *World<3>::make();
    const BodyId<3> lift = *world.add_body({.shape = block<3>(0.5), .kind = BodyKind::kinematic});
    EXPECT_EQ(world.move_to(lift, {{1, 0, 0}, {}}, 1e-310).error().code, ErrorCode::non_finite);
    ASSERT_TRUE(world.set_velocity(lift, {1e300, 0, 0}).ok());
    expect_taken_out(world, lift);
  }
  {
    // Beside a wall, where its way is looked at
    auto world = *World<3>::make();
    ASSERT_TRUE(world.add_body({.shape = block<3>(0.5), .kind = BodyKind::fixed}).ok());
    const BodyId<3> top =
        *world.add_body({.shape = block<3>(0.5), .pose = {{1.1, 0, 0}, {}}, .angular_velocity = {0, 0, 1e11}});
    expect_taken_out(world, top);
  }
  {
    // In contact, where the solver looks at it
    auto world = *World<3>::make();
    add_floor<3>(world);
    const BodyId<3> box = *world.add_body({.shape = block<3>(0.5), .pose = {{0, 0, 0.5}, {}}});
    ASSERT_TRUE(world.set_gravity_scale(box, 1e308).ok());
    ASSERT_TRUE(world.set_gravity({0, 0, -10}).ok());
    expect_taken_out(world, box);
  }
  {
    // A fast one whose way leads out of the world
    auto world = *World<3>::make();
    const BodyId<3> far = *world.add_body({.shape = block<3>(0.5),
                                           .pose = {{0x1p60, 0, 0}, {}},
                                           .kind = BodyKind::kinematic,
                                           .velocity = {0x1p39, 0, 0}});
    expect_taken_out(world, far);
  }
}

TEST(WorldInputs, OptionsAreCheckedAtTheDoor) {
  const auto code = [](WorldOptions<2> options) { return World<2>::make(options).error().code; };
  EXPECT_EQ(code({.contact_hertz = kNaN}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.relax = -1}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.push_speed = -1}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.sleep_time = kNaN}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.restitution_threshold = kNaN}), ErrorCode::invalid_argument);
}

// What the old body at an index, or the body at its old place, carried is nobody's
TEST(WorldInputs, ImpulsesStayWithTheirBodies) {
  auto world = *World<3>::make();
  add_floor<3>(world);
  const BodyId<3> crate = *world.add_body({.shape = block<3>(0.5), .pose = {{0, 0, 0.5}, {}}});
  take_steps(world, 30);
  ASSERT_TRUE(world.remove_body(crate).ok());
  const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.5), .pose = {{0, 0, 0.5}, {}}, .density = 0.002});
  ASSERT_EQ(ball.index, crate.index);
  take_steps(world, 1);
  EXPECT_LT(std::fabs(world.velocity(ball).z), 0.05);

  // A box that carried fifty times its weight jumps aside
  const BodyId<3> below = *world.add_body({.shape = block<3>(0.5), .pose = {{20, 0, 0.5}, {}}});
  ASSERT_TRUE(world.add_body({.shape = block<3>(0.5), .pose = {{20, 0, 1.5}, {}}, .density = 50000}).ok());
  take_steps(world, 60);
  ASSERT_TRUE(world.set_pose(below, {{10, 0, 0.5}, {}}).ok());
  take_steps(world, 1);
  EXPECT_LT(std::fabs(world.velocity(below).z), 0.1);
}

TEST(WorldInputs, AKindThatChangesKeepsMassPlaceAndSpeed) {
  auto world = *World<3>::make(without_gravity<3>());
  MassProperties3 five;
  five.mass = 5;
  five.center = {0, 0, 0.25};
  five.inertia = Mat3d::diagonal({1, 2, 3});
  const BodyId<3> body = *world.add_body({.shape = block<3>(0.5), .mass = five, .velocity = {1, 0, 0}});
  for (const BodyKind kind : {BodyKind::kinematic, BodyKind::dynamic}) {
    ASSERT_TRUE(world.set_kind(body, kind).ok());
    EXPECT_EQ(world.pose(body).position, Vec3d{});
    EXPECT_EQ(world.velocity(body), (Vec3d{1, 0, 0}));
  }
  EXPECT_EQ(world.body(body)->mass.mass, 5);
  EXPECT_EQ(world
                .set_kind(*world.add_body({.shape = *make_halfspace3({0, 0, 1}, -9), .kind = BodyKind::fixed}),
                          BodyKind::dynamic)
                .error()
                .code,
            ErrorCode::unsupported);

  // A cone that turns about its origin becomes dynamic: its points go on as they did, and its joint holds the same point
  const BodyId<3> hook = *world.add_body({.shape = block<3>(0.1), .pose = {{5, 0, 1}, {}}, .kind = BodyKind::fixed});
  const BodyId<3> cone = *world.add_body({.shape = *make_cone3(1, 1),
                                          .pose = {{5, 0, 0}, {}},
                                          .kind = BodyKind::kinematic,
                                          .angular_velocity = {0, 1, 0}});
  const auto made = world.make_joint(JointKind::ball, hook, cone, {{5, 0, 1}, {}});
  const JointId<3> joint = *world.add_joint(hook, cone, *made);
  ASSERT_TRUE(world.set_kind(cone, BodyKind::dynamic).ok());
  const WorldBody<3>& now = *world.body(cone);
  EXPECT_LT(length(now.state.position - Vec3d{5, 0, -0.5}), 1e-12);
  EXPECT_LT(length(world.velocity(cone) - Vec3d{-0.5, 0, 0}), 1e-12);
  const Vec3d anchor =
      transform(Pose3d{now.state.position, now.state.rotation}, world.joint(joint)->joint.frame_b.position);
  EXPECT_LT(length(anchor - Vec3d{5, 0, 1}), 1e-12);
}

TEST(WorldInputs, WhatHangsWakesWhenItsHookMoves) {
  for (const bool kind_changes : {false, true}) {
    auto world = *World<3>::make();
    const BodyId<3> hook = *world.add_body({.shape = block<3>(0.1), .pose = {{0, 0, 5}, {}}, .kind = BodyKind::fixed});
    const BodyId<3> weight = *world.add_body({.shape = block<3>(0.2), .pose = {{0, 0, 3}, {}}});
    ASSERT_TRUE(world.add_joint(hook, weight, *world.make_distance_joint(hook, weight, {0, 0, 5}, {0, 0, 3})).ok());
    take_steps(world, 120);
    ASSERT_TRUE(world.body(weight)->asleep);
    if (kind_changes) {
      ASSERT_TRUE(world.set_kind(hook, BodyKind::dynamic).ok());
    } else {
      ASSERT_TRUE(world.set_pose(hook, {{0, 0, 6}, {}}).ok());
    }
    take_steps(world, 1);
    EXPECT_FALSE(world.body(weight)->asleep);
    take_steps(world, 60);
    if (kind_changes) {
      EXPECT_LT(world.pose(weight).position.z, 0);
    } else {
      EXPECT_NEAR(world.pose(weight).position.z, 4, 0.1);
    }
  }
}

// A bounce lasts no step: whether they touch where one begins is rounding, that they met is not
TEST(WorldInputs, EveryBounceIsAHit) {
  for (const double restitution : {0.0, 0.5, 1.0})
    for (int i = 0; i < 40; ++i) {
      auto world = *World<3>::make(without_gravity<3>());
      const BodyId<3> wall = *world.add_body({.shape = *make_box3({1, 1, 0.5}), .kind = BodyKind::fixed});
      const double gap = 0.0005 * i + 1e-4;
      const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.1),
                                              .pose = {{0, 0, 0.6 + gap}, {}},
                                              .velocity = {0, 0, -5},
                                              .material = {0, restitution}});
      int hits = 0;
      for (int step = 0; step < 5; ++step) {
        take_steps(world, 1);
        for (const WorldEvent<3>& event : world.events()) {
          if (event.kind != WorldEventKind::hit) continue;
          ++hits;
          EXPECT_EQ(event.a, wall);
          EXPECT_EQ(event.b, ball);
          EXPECT_NEAR(event.speed, 5, 1e-9);
          EXPECT_NEAR(event.normal.z, 1, 1e-12);
        }
      }
      EXPECT_EQ(hits, 1) << gap << ' ' << restitution;
      EXPECT_NEAR(world.velocity(ball).z, 5 * restitution, 0.01);
    }
}

TEST(WorldInputs, DriftsForEverWhereNothingHoldsIt) {
  auto world = *World<2>::make(without_gravity<2>());
  const BodyId<2> slow = *world.add_body({.shape = *make_circle2(0.5), .velocity = {0.04, 0}});
  const BodyId<2> still = *world.add_body({.shape = *make_circle2(0.5), .pose = {{0, 5}, {}}});
  const Vec2d momentum = world.momentum();
  take_steps(world, 120);
  EXPECT_EQ(world.momentum(), momentum);
  EXPECT_NEAR(world.pose(slow).position.x, 0.08, 1e-12);
  EXPECT_TRUE(world.body(still)->asleep);
}

TEST(WorldInputs, ForcesAreOfTheNextStepAndTurnNothingThatIsFixed) {
  auto world = *World<3>::make(without_gravity<3>());
  const BodyId<3> upright = *world.add_body({.shape = block<3>(0.5), .fixed_rotation = true});
  ASSERT_TRUE(world.apply_torque(upright, {1000, 0, 0}).ok());
  ASSERT_TRUE(world.apply_force(upright, {0, 0, 1000}, {0.5, 0, 0}).ok());
  ASSERT_TRUE(world.apply_angular_impulse(upright, {0, 5, 0}).ok());
  take_steps(world, 2);
  EXPECT_EQ(world.body(upright)->state.angular_momentum, Vec3d{});
  EXPECT_GT(world.velocity(upright).z, 0);
  // Put to sleep, it forgets what pushed it
  ASSERT_TRUE(world.apply_force(upright, {1000, 0, 0}).ok());
  ASSERT_TRUE(world.set_awake(upright, false).ok());
  take_steps(world, 2);
  ASSERT_TRUE(world.set_awake(upright, true).ok());
  take_steps(world, 2);
  EXPECT_EQ(world.velocity(upright), Vec3d{});
  // Turned by what may turn it
  ASSERT_TRUE(world.set_damping(upright, 1, 0).ok());
  ASSERT_TRUE(world.set_velocity(upright, {1, 0, 0}).ok());
  take_steps(world, 60);
  EXPECT_NEAR(world.velocity(upright).x, std::exp(-1.0), 0.01);
}

// A blow in a very short step is not given many times over in the long one after it
TEST(WorldInputs, TowersStandUnderStepsOfAnyLength) {
  auto world = *World<3>::make();
  add_floor<3>(world);
  const std::vector<BodyId<3>> tower = add_tower<3>(world, 6);
  const BodyId<3> drop = *world.add_body({.shape = block<3>(0.5), .pose = {{0, 0, 6.5 + 0.3}, {}}});
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(world.step(i % 2 == 0 ? 1e-6 : 1.0 / 60).ok());
  for (std::size_t i = 0; i < tower.size(); ++i)
    EXPECT_NEAR(world.pose(tower[i]).position.z, 0.5 + static_cast<double>(i), 0.05) << i;
  EXPECT_NEAR(world.pose(drop).position.z, 6.5, 0.05);
}

bool not_with_zero(void*, std::uint32_t a, std::uint32_t) { return a != 0; }

TEST(WorldInputs, TheCallersWordCountsForFastBodiesToo) {
  auto world = *World<3>::make(without_gravity<3>());
  world.set_pair_callback({not_with_zero, nullptr});
  ASSERT_TRUE(world.add_body({.shape = *make_box3({0.01, 5, 5}), .kind = BodyKind::fixed}).ok());
  const BodyId<3> fast =
      *world.add_body({.shape = *make_sphere3(0.1), .pose = {{-1, 0, 0}, {}}, .velocity = {240, 0, 0}});
  const BodyId<3> slow =
      *world.add_body({.shape = *make_sphere3(0.1), .pose = {{-0.2, 2, 0}, {}}, .velocity = {3, 0, 0}});
  take_steps(world, 10);
  EXPECT_GT(world.pose(fast).position.x, 10);
  EXPECT_GT(world.pose(slow).position.x, 0.2);
  // Questions see the bodies where they are
  const auto ray = world.questions().cast_ray({{30, 2, 0}, {-1, 0, 0}}, 100);
  ASSERT_TRUE(ray.ok());
  EXPECT_EQ(ray->id, slow.index);
  ASSERT_TRUE(world.set_broadphase("sap").ok());
  EXPECT_EQ(world.options().broadphase, "sap");
  EXPECT_EQ(world.set_broadphase("none").error().code, ErrorCode::unknown_id);
}

// A life of random inputs. Oracles: the same life under another broad phase and three threads, restored half-way, and
// replayed from its recording.
template <int D>
class RandomLife {
 public:
  RandomLife(World<D>& world, std::uint64_t seed) : world_(world), random_(campaign_seed(seed)) {}

  void act() {
    if (ids_.size() < 12 || one_in(6)) return add();
    const BodyId<D> body = ids_[random_.below(ids_.size())];
    if (!world_.contains(body)) return;
    const Vec<D, double> v = point_in_ball<D>(random_) * 5.0, at = world_.pose(body).position;
    const double x = random_.uniform(0, 2);
    switch (random_.below(20)) {
      case 0:
        return expect(world_.remove_body(body));
      case 1:
        return expect(world_.set_pose(body, {at + v * 0.1, {}}));
      case 2:
        return expect(world_.set_velocity(body, v));
      case 3:
        return expect(world_.apply_force(body, v * 1000.0, at + v * 0.05));
      case 4:
        return expect(world_.apply_impulse(body, v * 100.0, at));
      case 5:
        return expect(world_.set_kind(body, static_cast<BodyKind>(random_.below(3))));
      case 6:
        return expect(world_.set_awake(body, one_in(2)));
      case 7:
        return expect(world_.set_bullet(body, one_in(2)));
      case 8:
        return expect(world_.set_sensor(body, one_in(4)));
      case 9:
        return expect(world_.set_material(body, {x, x / 2}));
      case 10:
        return expect(world_.set_damping(body, x, x));
      case 11:
        return expect(world_.set_gravity_scale(body, x));
      case 12:
        return expect(world_.set_filter(body, {1, one_in(4) ? 0u : ~0u, 0}));
      case 13:
        return expect(world_.set_gravity(standard_gravity<D>() * x));
      case 14:
        return join(body, ids_[random_.below(ids_.size())]);
      case 15:
        return change_joint(x);
      case 16:
        return move(body, at + v * 0.1);
      case 17:
        return expect(world_.set_broadphase(one_in(2) ? "grid" : "sap"));
      default:
        return expect(world_.apply_angular_impulse(body, spin(x * 10)));
    }
  }

 private:
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  void expect(const Result<void>& done) { EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message()); }
  Angular<D> spin(double rate) {
    if constexpr (D == 2) {
      return rate;
    } else {
      return unit_vector<3>(random_) * rate;
    }
  }
  void add() {
    BodySpec<D> spec{.shape = block<D>(random_.uniform(0.1, 0.5))};
    spec.pose.position = point_in_ball<D>(random_) * 3.0;
    spec.pose.position[D - 1] += 3.5;
    spec.velocity = point_in_ball<D>(random_) * (one_in(5) ? 200.0 : 5.0);
    spec.kind = one_in(6) ? BodyKind::kinematic : BodyKind::dynamic;
    spec.bullet = one_in(4), spec.sensor = one_in(8), spec.fixed_rotation = one_in(8);
    const auto added = world_.add_body(spec);
    ASSERT_TRUE(added.ok());
    ids_.push_back(*added);
  }
  void join(BodyId<D> a, BodyId<D> b) {
    if (a == b || !world_.contains(b)) return;
    const JointKind kinds[] = {JointKind::ball, JointKind::weld, JointKind::prismatic};
    const auto joint = world_.make_joint(kinds[random_.below(3)], a, b, world_.pose(a));
    const auto added = world_.add_joint(a, b, *joint, one_in(2));
    ASSERT_TRUE(added.ok());
    joints_.push_back(*added);
  }
  void change_joint(double x) {
    if (joints_.empty()) return;
    const JointId<D> joint = joints_[random_.below(joints_.size())];
    if (world_.joint(joint) == nullptr) return;
    if (one_in(3)) return expect(world_.remove_joint(joint));
    JointDrive drive;
    drive.motor_speed = x, drive.motor_force = 100 * x;
    expect(one_in(2) ? world_.set_slide(joint, drive) : world_.set_hinge(joint, drive));
  }
  void move(BodyId<D> body, const Vec<D, double>& to) {
    if (!world_.body(body)->is_kinematic()) return;
    expect(world_.move_to(body, {to, {}}, 0.2));
  }

  World<D>& world_;
  Random random_;
  std::vector<BodyId<D>> ids_;
  std::vector<JointId<D>> joints_;
};

template <int D>
void one_life(std::uint64_t seed) {
  sudar_test::Threads threads(3);
  WorldOptions<D> other;
  other.broadphase = "dynamic_tree";
  other.executor = &threads;
  auto first = *World<D>::make(), second = *World<D>::make(other);
  add_floor<D>(first), add_floor<D>(second);
  WorldRecording<D> recording;
  ASSERT_TRUE(first.record(&recording).ok());
  RandomLife<D> one(first, seed), two(second, seed);
  for (int step = 0; step < 60; ++step) {
    SCOPED_TRACE("life " + std::to_string(seed) + " in " + std::to_string(D) + "D, step " + std::to_string(step));
    for (int k = 0; k < 2; ++k) one.act(), two.act();
    if (step % 20 == 10) {
      WorldSnapshot<D> snapshot;
      ASSERT_TRUE(second.save(snapshot).ok());
      ASSERT_TRUE(second.restore(snapshot).ok());
    }
    const double dt = step % 7 == 0 ? 1.0 / 200 : 1.0 / 60;
    ASSERT_TRUE(first.step(dt).ok() && second.step(dt).ok());
    ASSERT_EQ(first.state_hash(), second.state_hash());
    ASSERT_EQ(std::vector<WorldEvent<D>>(first.events().begin(), first.events().end()),
              std::vector<WorldEvent<D>>(second.events().begin(), second.events().end()));
  }
  auto again = *World<D>::make({.broadphase = "sort_sweep"});
  const auto report = replay(recording, again);
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->divergence.has_value()) << report->divergence->message();
}
TEST(WorldInputs, OneLifeForEveryBroadPhaseThreadCountRestoreAndReplay) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    one_life<2>(seed);
    one_life<3>(seed);
  }
}

}  // namespace

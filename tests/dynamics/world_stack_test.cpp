// Stacks and piles: what stands keeps standing, what falls comes to rest, and everything is the same bits every time.
#include "tests/dynamics/world_scenes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/dynamics/recording.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using namespace sudar_test;

template <int D>
void tower_stands(int count, double seconds, bool sleeping, double deep = 0.01) {
  WorldOptions<D> options;
  options.sleeping = sleeping;
  auto world = *World<D>::make(options);
  add_floor<D>(world);
  const std::vector<BodyId<D>> tower = add_tower<D>(world, count);
  take_steps(world, static_cast<int>(seconds * 60));
  EXPECT_LT(fastest(world), 1e-3);
  for (int i = 0; i < count; ++i) {
    const Pose<D, double> pose = world.pose(tower[static_cast<std::size_t>(i)]);
    EXPECT_NEAR(pose.position[D - 1], i + 0.5, 0.01 * count);
    EXPECT_LT(std::fabs(pose.position[0]), 0.01);
    // The angle between its up and the world's
    const double cosine = dot(rotate(pose.rotation, up<D>(1)), up<D>(1));
    EXPECT_LT(arc_cosine(cosine) * 180 / kPi, 0.1) << i;
  }
  EXPECT_LT(deepest(world), deep);
}
TEST(WorldStack, TowerOfTwentyStands2) {
  tower_stands<2>(20, 60, true);
  tower_stands<2>(20, 60, false);
}
TEST(WorldStack, TowerOfTwentyStands3) {
  tower_stands<3>(20, 60, true);
  tower_stands<3>(20, 60, false);
}

// As worlds are by default: it sleeps before it sways. Kept awake, it buckles after about twenty seconds.
TEST(WorldStack, TowerOfFortyStands) {
  tower_stands<2>(40, 60, true, 0.012);
  tower_stands<3>(40, 60, true, 0.012);
}

template <int D>
void pyramid_rests(int rows) {
  auto world = *World<D>::make();
  add_floor<D>(world);
  const std::vector<BodyId<D>> blocks = add_pyramid<D>(world, rows);
  std::vector<Pose<D, double>> start;
  for (const BodyId<D> id : blocks) start.push_back(world.pose(id));
  take_steps(world, 360);
  EXPECT_EQ(world.stats().awake, 0u);
  EXPECT_LT(deepest(world), 0.01);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    EXPECT_LT(length(world.pose(blocks[i]).position - start[i].position), 0.15) << i;
}
TEST(WorldStack, PyramidComesToRest2) { pyramid_rests<2>(20); }
TEST(WorldStack, PyramidComesToRest3) { pyramid_rests<3>(20); }

TEST(WorldStack, PileInAPitComesToRest) {
  const int count = static_cast<int>(std::min<std::size_t>(soak(150), 1000));
  auto world = *World<3>::make();
  const double half = count < 500 ? 2.5 : 5;
  const std::vector<BodyId<3>> pile = add_pile(world, count, half);
  for (int i = 0; i < 1200 && (i < 60 || world.stats().awake > 0); ++i) take_steps(world, 1);
  EXPECT_EQ(world.stats().awake, 0u);
  EXPECT_LT(deepest(world), 0.01);
  for (const BodyId<3> id : pile) {
    const Vec3d at = world.pose(id).position;
    EXPECT_TRUE(std::fabs(at.x) < half && std::fabs(at.y) < half && at.z > 0.4) << id.index;
  }
}

// Two bodies that meet far from everything: whatever the contact does, it does to both
template <int D>
void momentum_stays() {
  WorldOptions<D> options;
  options.gravity = {};
  options.sleeping = false;
  auto world = *World<D>::make(options);
  Random random(campaign_seed(3));
  for (int i = 0; i < 30; ++i) {
    BodySpec<D> spec{.shape = block<D>(0.5)};
    spec.pose.position = point_in_ball<D>(random) * 4.0;
    spec.velocity = -spec.pose.position * random.uniform(0.5, 3);
    spec.density = random.uniform(1, 100);
    spec.material.restitution = 0.5;
    ASSERT_TRUE(world.add_body(spec).ok());
  }
  double size = 0;
  for (const WorldBody<D>& body : world.bodies()) size += length(body.state.momentum);
  for (int i = 0; i < 200; ++i) {
    const Vec<D, double> before = world.momentum();
    take_steps(world, 1);
    ASSERT_LT(length(world.momentum() - before), 1e-12 * size) << i;
  }
}
TEST(WorldStack, MomentumOfAnIsolatedSystemStays2) { momentum_stays<2>(); }
TEST(WorldStack, MomentumOfAnIsolatedSystemStays3) { momentum_stays<3>(); }

// A bit of everything: a tower that a ball knocks over, a chain, something kinematic
template <int D>
void add_mess(World<D>& world) {
  add_floor<D>(world);
  add_tower<D>(world, 6);
  BodySpec<D> ball{.shape = block<D>(0.4), .bullet = true};
  ball.pose.position = up<D>(2.5);
  ball.pose.position[0] = -6;
  ball.velocity[0] = 40;
  ASSERT_TRUE(world.add_body(ball).ok());
  BodySpec<D> lift{.shape = block<D>(0.5), .kind = BodyKind::kinematic};
  lift.pose.position = up<D>(0.6);
  lift.pose.position[0] = 3;
  lift.velocity = up<D>(0.5);
  ASSERT_TRUE(world.add_body(lift).ok());
  BodyId<D> last = *world.add_body({.shape = block<D>(0.2), .pose = {up<D>(9), {}}, .kind = BodyKind::fixed});
  for (int i = 1; i <= 4; ++i) {
    BodySpec<D> link{.shape = block<D>(0.2)};
    link.pose.position = up<D>(9);
    link.pose.position[0] = 0.5 * i;
    const BodyId<D> next = *world.add_body(link);
    Pose<D, double> frame{link.pose.position, {}};
    frame.position[0] -= 0.25;
    ASSERT_TRUE(world.add_joint(last, next, *world.make_joint(JointKind::ball, last, next, frame)).ok());
    last = next;
  }
}

TEST(WorldStack, SleepsAsAnIslandAndWakesWhenTouched) {
  auto world = *World<3>::make();
  const BodyId<3> floor = add_floor<3>(world);
  const std::vector<BodyId<3>> tower = add_tower<3>(world, 3);
  const BodyId<3> apart = *world.add_body({.shape = block<3>(0.5), .pose = {{10, 0, 0.5}, {}}});
  int slept = 0;
  for (int i = 0; i < 120; ++i) {
    take_steps(world, 1);
    for (const WorldEvent<3>& event : world.events()) slept += event.kind == WorldEventKind::fell_asleep;
  }
  EXPECT_EQ(slept, 4);
  EXPECT_EQ(world.stats().awake, 0u);
  EXPECT_EQ(world.stats().islands, 2u);
  // What sleeps keeps its bits
  const std::uint64_t hash = world.state_hash();
  take_steps(world, 10);
  EXPECT_EQ(world.state_hash(), hash);
  // A push wakes the tower and not the other
  ASSERT_TRUE(world.apply_impulse(tower[2], {2000, 0, 0}, world.pose(tower[2]).position).ok());
  take_steps(world, 1);
  EXPECT_FALSE(world.body(tower[0])->asleep);
  EXPECT_TRUE(world.body(apart)->asleep);
  // A wall that is put into it wakes it
  const BodyId<3> wall = *world.add_body({.shape = block<3>(0.5), .pose = {{50, 0, 0.5}, {}}, .kind = BodyKind::fixed});
  take_steps(world, 1);
  EXPECT_TRUE(world.body(apart)->asleep);
  ASSERT_TRUE(world.set_pose(wall, {{10.9, 0, 0.5}, {}}).ok());
  take_steps(world, 30);
  EXPECT_LT(world.pose(apart).position.x, 9.95);
  // Without its floor, it falls
  ASSERT_TRUE(world.remove_body(floor).ok());
  take_steps(world, 10);
  EXPECT_LT(world.velocity(apart).z, -1);
}

// What sleeps undisturbed takes no part in islands, the solver and the narrow phase, however much of it there is; and it is as
// it was when it is woken
TEST(WorldStack, WhatSleepsIsNotLookedAt) {
  auto world = *World<3>::make();
  add_floor<3>(world);
  std::vector<BodyId<3>> towers;
  for (int i = 0; i < 400; ++i)
    for (int k = 0; k < 2; ++k)
      towers.push_back(
          *world.add_body({.shape = block<3>(0.5), .pose = {{3.0 * (i % 20), 3.0 * (i / 20), 0.5 + k}, {}}}));
  for (int i = 0; i < 120 && (i < 60 || world.stats().awake > 0); ++i) take_steps(world, 1);
  ASSERT_EQ(world.stats().awake, 0u);
  EXPECT_EQ(world.stats().islands, 400u);
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(world.add_body({.shape = block<3>(0.5), .pose = {{1.5 + 6.0 * i, 1.5, 1.0}, {}}}).ok());
  const std::uint32_t pairs = 800;  // of the towers
  for (int i = 0; i < 30; ++i) {
    take_steps(world, 1);
    EXPECT_EQ(world.stats().awake, 5u);
    EXPECT_EQ(world.stats().islands, 405u);
    EXPECT_EQ(world.stats().island_bodies, 5u);
    EXPECT_LE(world.stats().awake_contacts, 10u);
    EXPECT_LE(world.scene().computed_pairs(), 25u);
    EXPECT_LE(world.scene().live().pairs.size(), 25u);
    EXPECT_GE(world.scene().contacts().size(), pairs);
    EXPECT_EQ(world.impulses().size(), world.scene().points().size());
  }
  // Everybody on the tower that is pushed, and nobody else
  ASSERT_TRUE(world.apply_impulse(towers[101], {0, 0, 10}, world.pose(towers[101]).position).ok());
  take_steps(world, 1);
  EXPECT_EQ(world.stats().awake, 7u);
  EXPECT_EQ(world.stats().island_bodies, 7u);
  EXPECT_EQ(world.stats().islands, 405u);
  EXPECT_FALSE(world.body(towers[100])->asleep);
  // The lower one carries the upper one at once
  double least = 1;
  for (const SceneContact<3>& contact : world.scene().contacts())
    if (contact.a == towers[100].index && contact.b == towers[101].index)
      for (std::uint32_t k = contact.first; k < contact.first + contact.count; ++k)
        least = std::min(least, world.impulses()[k].normal);
  EXPECT_GT(least, 0);
  take_steps(world, 1);
  EXPECT_EQ(world.stats().island_bodies, 7u);
  // All of them together when gravity changes
  ASSERT_TRUE(world.set_gravity({0, 0, -5}).ok());
  take_steps(world, 1);
  EXPECT_EQ(world.stats().awake, 805u);
}

template <int D>
void goes_on_with_the_same_bits() {
  auto world = *World<D>::make();
  add_mess<D>(world);
  take_steps(world, 40);
  WorldSnapshot<D> snapshot;
  ASSERT_TRUE(world.save(snapshot).ok());
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 60; ++i) {
    take_steps(world, 1);
    expected.push_back(world.state_hash());
  }
  // In the same world, and in another one with another broad phase
  auto other = *World<D>::make({.broadphase = "sap"});
  for (World<D>* w : {&world, &other}) {
    ASSERT_TRUE(w->restore(snapshot).ok());
    for (const std::uint64_t hash : expected) {
      take_steps(*w, 1);
      ASSERT_EQ(w->state_hash(), hash);
    }
  }
}
TEST(WorldStack, GoesOnWithTheSameBitsAfterRestore2) { goes_on_with_the_same_bits<2>(); }
TEST(WorldStack, GoesOnWithTheSameBitsAfterRestore3) { goes_on_with_the_same_bits<3>(); }

TEST(WorldStack, ReplaysAndSaysWhereItDiffers) {
  auto world = *World<3>::make();
  WorldRecording<3> recording;
  take_steps(world, 2);
  ASSERT_TRUE(world.record(&recording).ok());
  add_mess<3>(world);
  const BodyId<3> extra = *world.add_body({.shape = block<3>(0.3), .pose = {{0, 5, 1}, {}}});
  take_steps(world, 20);
  ASSERT_TRUE(world.apply_impulse(extra, {1, 2, 3}, {0, 5, 1.1}).ok());
  take_steps(world, 10);
  ASSERT_TRUE(world.remove_body(extra).ok());
  take_steps(world, 10);
  ASSERT_TRUE(world.record(nullptr).ok());
  EXPECT_EQ(recording.hashes.size(), 40u);

  auto same = *World<3>::make({.broadphase = "grid"});
  const auto report = replay(recording, same);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->steps, 40u);
  EXPECT_FALSE(report->divergence.has_value());

  // Another impulse: the body and the field of the first step after it
  WorldRecording<3> forged = recording;
  for (WorldInput<3>& input : forged.inputs)
    if (input.kind == InputKind::impulse) input.vector.x = 1.5;
  const auto other = replay(forged, same);
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(other->divergence.has_value());
  EXPECT_EQ(*other->divergence, (Divergence{20, extra.index, BodyField::position}));
  EXPECT_EQ(other->divergence->message(),
            "first differs at step 20, body " + std::to_string(extra.index) + ", position");
  // A body that one of them has not
  for (std::size_t i = 0; i < forged.inputs.size(); ++i)
    if (forged.inputs[i].kind == InputKind::remove_body)
      forged.inputs.erase(forged.inputs.begin() + static_cast<long>(i));
  for (WorldInput<3>& input : forged.inputs)
    if (input.kind == InputKind::impulse) input.vector.x = 1;
  EXPECT_EQ(*replay(forged, same)->divergence, (Divergence{30, extra.index, BodyField::presence}));
}

}  // namespace

// Worlds in which most sleep, with and without what sleeps being kept apart. Oracles: the twin that walks all pairs in every
// step, and islands by a loop over all contacts and joints.
#include "tests/dynamics/world_scenes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/dynamics/recording.hpp>
#include <sudar/geom/disjoint_sets.hpp>

#include <gtest/gtest.h>
#include <tests/support/random.hpp>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace sudar;
using namespace sudar_test;

// Of what can be moved, by contacts that push and joints
template <int D>
std::uint32_t islands_by_loop(const World<D>& world) {
  DisjointSets sets(static_cast<std::uint32_t>(world.bodies().size()));
  const auto dynamic = [&](std::uint32_t i) { return world.bodies()[i].is_dynamic(); };
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    if (dynamic(a) && dynamic(b)) sets.join(a, b);
  };
  std::set<IdPair> jointed;
  world.joints().for_each([&](JointId<D>, const WorldJoint<D>& joint) {
    link(joint.a.index, joint.b.index);
    if (!joint.collide) jointed.insert(make_pair_of(joint.a.index, joint.b.index));
  });
  for (const SceneContact<D>& contact : world.scene().contacts())
    if (!contact.sensor && !jointed.contains({contact.a, contact.b})) link(contact.a, contact.b);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) count += dynamic(i) && sets.find(i) == i;
  return count;
}

template <int D>
void expect_same_world(const World<D>& a, const World<D>& b) {
  const auto equal = [](auto x, auto y, auto same) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), same); };
  const auto plain = [](const auto& x, const auto& y) { return x == y; };
  ASSERT_EQ(a.state_hash(), b.state_hash());
  // Pairs, contacts, points with what they were, what the narrow phase remembers
  ASSERT_EQ(a.scene().hash(), b.scene().hash());
  ASSERT_TRUE(equal(a.scene().removed_points(), b.scene().removed_points(), plain));
  const SceneEvents<D> of_a = a.scene().events(), of_b = b.scene().events();
  for (const auto& [x, y] : {std::pair(of_a.pairs, of_b.pairs), std::pair(of_a.touching, of_b.touching)}) {
    ASSERT_TRUE(equal(x.begin, y.begin, plain));
    ASSERT_TRUE(equal(x.stay, y.stay, plain));
    ASSERT_TRUE(equal(x.end, y.end, plain));
  }
  ASSERT_TRUE(equal(a.events(), b.events(), plain));
  ASSERT_TRUE(equal(a.impulses(), b.impulses(), [](const PointImpulse<D>& x, const PointImpulse<D>& y) {
    return x.normal == y.normal && x.friction == y.friction && x.twist == y.twist;
  }));
  ASSERT_EQ(a.impulses().size(), a.scene().points().size());
  ASSERT_EQ(a.stats().awake, b.stats().awake);
  ASSERT_EQ(a.stats().islands, b.stats().islands);
  ASSERT_EQ(a.stats().awake_contacts, b.stats().awake_contacts);
}

// Any door but for those that name no body, in both worlds
template <int D>
WorldInput<D> any_input(Random& random, BodyId<D> body, const World<D>& world) {
  constexpr InputKind kKinds[] = {InputKind::remove_body, InputKind::set_pose,    InputKind::set_velocity,
                                  InputKind::impulse,     InputKind::set_kind,    InputKind::set_awake,
                                  InputKind::set_awake,   InputKind::set_sensor,  InputKind::set_filter,
                                  InputKind::set_filter,  InputKind::set_gravity, InputKind::set_bullet,
                                  InputKind::set_material};
  WorldInput<D> input{.kind = kKinds[random.below(std::size(kKinds))], .body = body};
  input.vector = random_point<D>(random, 5);
  if (input.kind == InputKind::set_material) input.vector[0] = 0.5, input.vector[1] = 0;
  if (input.kind == InputKind::set_gravity) input.vector = up<D>(random.uniform(-12, -8));
  input.point = input.pose.position = random_point<D>(random, 4);
  input.pose.position[D - 1] = random.uniform(0.4, 4);
  // Where it is, too: its contacts begin anew
  if (random.below(4) == 0) input.pose = world.pose(body);
  input.value = static_cast<double>(random.below(input.kind == InputKind::set_kind ? 3 : 2));
  if (random.coin()) input.filter = {1u << random.below(2), static_cast<std::uint32_t>(1 + random.below(3)), 0};
  return input;
}

// Towers that fall asleep and are disturbed now and then
template <int D>
void live_asleep(std::uint64_t seed, int steps, double& slept) {
  Random random(campaign_seed(seed));
  const auto all = broadphases();
  WorldOptions<D> options;
  options.substeps = 2;
  options.sleep_time = 0.15;
  options.broadphase = all[seed % all.size()].name;
  auto a = *World<D>::make(options);
  options.rest_apart = false;
  options.broadphase = "sort_sweep";
  auto b = *World<D>::make(options);
  std::vector<BodyId<D>> ids;
  WorldRecording<D> recording;
  const auto add = [&](const BodySpec<D>& spec) {
    const BodyId<D> id = *a.add_body(spec);
    ASSERT_EQ(*b.add_body(spec), id);
    if (id.index > 0) ids.push_back(id);
  };
  add({.shape = block<D>(8), .pose = {up<D>(-8), {}}, .kind = BodyKind::fixed});
  for (int tower = 0; tower < 7; ++tower)
    for (int k = 0; k <= tower % 3; ++k) {
      Vec<D, double> at = up<D>(0.5 + k);
      at[0] = 1.2 * tower - 4;
      add({.shape = block<D>(0.5), .pose = {at, {}}});
    }
  ASSERT_TRUE(a.record(&recording).ok());
  for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
    const std::uint64_t doors = step % 40 < 25 ? random.below(10) / 9 : random.below(3);
    for (std::uint64_t k = 0; k < doors && !ids.empty(); ++k) {
      const BodyId<D> one = ids[random.below(ids.size())], other = ids[random.below(ids.size())];
      switch (random.below(10)) {
        case 0: {
          BodySpec<D> spec{.shape = block<D>(random.uniform(0.2, 0.5)),
                           .pose = {random_point<D>(random, 3) + up<D>(3.5), {}},
                           .kind = static_cast<BodyKind>(std::min<std::uint64_t>(random.below(6), 2))};
          if (spec.kind == BodyKind::kinematic && random.coin()) spec.velocity[0] = random.uniform(-20, 20);
          add(spec);
          break;
        }
        case 1: {
          const auto joint = a.make_joint(JointKind::revolute, one, other, a.pose(one));
          const bool collide = random.coin();
          ASSERT_EQ(a.add_joint(one, other, *joint, collide).ok(), b.add_joint(one, other, *joint, collide).ok());
          break;
        }
        case 2: {
          std::vector<JointId<D>> joints;
          a.joints().for_each([&](JointId<D> id, const WorldJoint<D>&) { joints.push_back(id); });
          if (joints.empty()) break;
          const JointId<D> gone = joints[random.below(joints.size())];
          ASSERT_TRUE(a.remove_joint(gone).ok() && b.remove_joint(gone).ok());
          break;
        }
        case 3:
          ASSERT_TRUE(a.set_broadphase(all[random.below(all.size())].name).ok());
          break;
        case 4: {
          // What is saved of one goes on in the other, or in itself
          if (random.below(3) != 0) break;
          WorldSnapshot<D> snapshot;
          const bool back = random.coin();
          ASSERT_TRUE((back ? a : b).save(snapshot).ok());
          ASSERT_TRUE(a.restore(snapshot).ok());
          ASSERT_TRUE(back || a.record(&recording).ok());
          break;
        }
        default: {
          const WorldInput<D> input = any_input<D>(random, one, a);
          ASSERT_EQ(a.apply(input).ok(), b.apply(input).ok());
        }
      }
      std::erase_if(ids, [&](BodyId<D> id) { return !a.contains(id); });
    }
    ASSERT_TRUE(a.step(1.0 / 60).ok() && b.step(1.0 / 60).ok());
    std::erase_if(ids, [&](BodyId<D> id) { return !a.contains(id); });
    expect_same_world(a, b);
    const auto out = [](const WorldEvent<D>& event) { return event.kind == WorldEventKind::taken_out; };
    if (std::none_of(a.events().begin(), a.events().end(), out)) {
      ASSERT_EQ(a.stats().islands, islands_by_loop(a));
    }
    slept += a.scene().resting().empty() ? 0 : 1.0 / steps;
    EXPECT_TRUE(b.scene().resting().empty());
  }
  if (recording.hashes.empty()) return;
  options.broadphase = "dynamic_tree";
  options.rest_apart = true;
  auto again = *World<D>::make(options);
  const auto report = replay(recording, again);
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->divergence.has_value());
}

template <int D>
void sleep_campaign() {
  double slept = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) live_asleep<D>(seed, static_cast<int>(soak(150)), slept);
  EXPECT_GT(slept / 8, 0.2);
}

TEST(WorldSleep, WhatIsKeptApartIsWhatItWouldBe2) { sleep_campaign<2>(); }
TEST(WorldSleep, WhatIsKeptApartIsWhatItWouldBe3) { sleep_campaign<3>(); }

}  // namespace

// What:    Worlds for the tests of memory that runs out: a busy one, one of which a part sleeps, and a crowd.
#pragma once

#include "tests/dynamics/world_scenes.hpp"
#include "tests/narrowphase/one_of_each.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sudar_test {

template <int D>
struct WorldSubject {
  World<D> world;
  std::vector<BodyId<D>> bodies;
  std::uint64_t hash, scene_hash;
};

// A tower, a joint, a bullet on its way through it, and something that will be lost
template <int D>
WorldSubject<D> busy_world(int steps) {
  WorldOptions<D> options;
  options.substeps = 2;
  options.broadphase = "dynamic_tree";
  auto made = World<D>::make(options);
  EXPECT_TRUE(made.ok());
  WorldSubject<D> out{*std::move(made), {}, 0, 0};
  World<D>& world = out.world;
  add_floor<D>(world);
  out.bodies = add_tower<D>(world, 4);
  const auto joint = world.make_joint(JointKind::revolute, out.bodies[2], out.bodies[3], {up<D>(3), {}});
  EXPECT_TRUE(joint.ok() && world.add_joint(out.bodies[2], out.bodies[3], *joint).ok());
  Vec<D, double> at = up<D>(0.5), fast{};
  at[0] = -3, fast[0] = 200;
  out.bodies.push_back(*world.add_body({.shape = block<D>(0.1), .pose = {at, {}}, .velocity = fast, .bullet = true}));
  // Faster than worlds know
  EXPECT_TRUE(world.add_body({.shape = block<D>(0.1), .pose = {up<D>(50), {}}, .velocity = up<D>(0x1p41)}).ok());
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(world.step(1.0 / 60).ok());
  out.hash = world.state_hash();
  out.scene_hash = world.scene().hash();
  return out;
}

// Two towers of which one sleeps and is kept apart, while the other is about to be, and something falls on the first
template <int D>
WorldSubject<D> sleepy_world(int steps) {
  WorldOptions<D> options;
  options.substeps = 2;
  options.sleep_time = 0.05;
  auto made = World<D>::make(options);
  EXPECT_TRUE(made.ok());
  WorldSubject<D> out{*std::move(made), {}, 0, 0};
  add_floor<D>(out.world);
  out.bodies = add_tower<D>(out.world, 3);
  Vec<D, double> at = up<D>(0.5);
  at[0] = 5;
  out.bodies.push_back(*out.world.add_body({.shape = block<D>(0.5), .pose = {at, {}}}));
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(out.world.step(1.0 / 60).ok());
  EXPECT_FALSE(out.world.scene().resting().empty());
  EXPECT_TRUE(out.world.apply_impulse(out.bodies[3], up<D>(1), at).ok());
  out.bodies.push_back(*out.world.add_body({.shape = block<D>(0.25), .pose = {up<D>(3.3), {}}, .velocity = up<D>(-5)}));
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(out.world.step(1.0 / 60).ok());
  out.hash = out.world.state_hash();
  out.scene_hash = out.world.scene().hash();
  return out;
}

// So many bodies that steps have tasks for other threads: piles, joints between them, and a volley of bullets
template <int D>
WorldSubject<D> crowded_world(int steps, Executor* executor) {
  WorldOptions<D> options;
  options.substeps = 2;
  options.executor = executor;
  auto made = World<D>::make(options);
  EXPECT_TRUE(made.ok());
  WorldSubject<D> out{*std::move(made), {}, 0, 0};
  World<D>& world = out.world;
  add_floor<D>(world);
  Random random(5);
  for (int i = 0; i < 150; ++i) {
    Vec<D, double> at = up<D>(0.4 + 0.7 * (i / 15));
    at[0] = 0.75 * (i % 15);
    out.bodies.push_back(*world.add_body({.shape = block<D>(0.4), .pose = {at, {}}}));
  }
  for (std::size_t i = 15; i < 60; ++i) {
    const auto joint = world.make_joint(JointKind::revolute, out.bodies[i], out.bodies[i + 15], {});
    EXPECT_TRUE(joint.ok() && world.add_joint(out.bodies[i], out.bodies[i + 15], *joint).ok());
  }
  for (int i = 0; i < 12; ++i) {
    Vec<D, double> at = up<D>(0.5 + 0.6 * i), fast{};
    at[0] = -4, fast[0] = 300;
    out.bodies.push_back(
        *world.add_body({.shape = block<D>(0.05), .pose = {at, {}}, .velocity = fast, .bullet = true}));
  }
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(world.step(1.0 / 60).ok());
  out.hash = world.state_hash();
  out.scene_hash = world.scene().hash();
  return out;
}

}  // namespace sudar_test

// Memory that runs out at every point of a world's calls. Doors are all or nothing. A step that runs out of memory says so;
// the world is whole, and goes back to a snapshot from before with the bits that it had.
#include "tests/dynamics/world_scenes.hpp"
#include "tests/faults/failing_new.hpp"
#include <sudar/dynamics/recording.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using namespace sudar_test;

namespace {

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

template <int D>
void expect_finite(const World<D>& world) {
  for (const WorldBody<D>& body : world.bodies())
    if (body.is_dynamic()) for_each_number(body.state, [](BodyField, double x) { ASSERT_TRUE(std::isfinite(x)); });
}

template <int D>
void fail_steps(WorldSubject<D> (*make)(int), std::vector<int> counts) {
  for (const int before : counts) {
    SCOPED_TRACE(before);
    WorldSubject<D> rich = make(before);
    WorldSnapshot<D> snapshot;
    ASSERT_TRUE(rich.world.save(snapshot).ok());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(rich.world.step(1.0 / 60).ok());
    const std::uint64_t wanted = rich.world.state_hash();
    const std::size_t points =
        fail_everywhere([&] { return make(before); }, [](WorldSubject<D>& s) { return s.world.step(1.0 / 60); },
                        [&](WorldSubject<D>& s) {
                          expect_finite(s.world);
                          ASSERT_TRUE(s.world.step(1.0 / 60).ok());
                          expect_finite(s.world);
                          ASSERT_TRUE(s.world.restore(snapshot).ok());
                          EXPECT_EQ(s.world.state_hash(), s.hash);
                          for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.world.step(1.0 / 60).ok());
                          EXPECT_EQ(s.world.state_hash(), wanted);
                        });
    EXPECT_GT(points, make == busy_world<D> && before == 0 ? 50u : 2u);
  }
}

template <int D, class Call>
void fail_door(const char* name, Call call) {
  SCOPED_TRACE(name);
  const std::size_t points = fail_everywhere([] { return busy_world<D>(2); }, call,
                                             [](WorldSubject<D>& s) {
                                               EXPECT_EQ(s.world.state_hash(), s.hash);
                                               EXPECT_EQ(s.world.scene().hash(), s.scene_hash);
                                               EXPECT_TRUE(s.world.step(1.0 / 60).ok());
                                             });
  EXPECT_GT(points, 0u);
}

template <int D>
void fail_doors() {
  const BodySpec<D> spec{.shape = block<D>(0.25), .pose = {up<D>(9), {}}};
  WorldSnapshot<D> snapshot;
  ASSERT_TRUE(busy_world<D>(1).world.save(snapshot).ok());
  fail_door<D>("add_body", [&](WorldSubject<D>& s) -> Result<void> {
    for (int i = 0; i < 12; ++i)
      if (const auto id = s.world.add_body(spec); !id) {
        s.hash = s.world.state_hash();
        s.scene_hash = s.world.scene().hash();
        return id.error();
      }
    return {};
  });
  fail_door<D>("add_joint", [&](WorldSubject<D>& s) -> Result<void> {
    const auto joint = s.world.make_joint(JointKind::weld, s.bodies[0], s.bodies[1], {});
    if (!joint) return joint.error();
    for (int i = 0; i < 4; ++i)
      if (const auto id = s.world.add_joint(s.bodies[0], s.bodies[1], *joint); !id) return id.error();
    return {};
  });
  fail_door<D>("remove_body", [](WorldSubject<D>& s) { return s.world.remove_body(s.bodies[3]); });
  fail_door<D>("save", [](WorldSubject<D>& s) {
    WorldSnapshot<D> out;
    return s.world.save(out);
  });
  fail_door<D>("restore", [&](WorldSubject<D>& s) { return s.world.restore(snapshot); });
  fail_door<D>("record", [](WorldSubject<D>& s) {
    WorldRecording<D> recording;
    const auto begun = s.world.record(&recording);
    (void)s.world.record(nullptr).ok();
    return begun;
  });
}

}  // namespace

TEST(AllocationFailure, AStepThatRunsOutOfMemoryLeavesAWorldThatGoesOn2) { fail_steps<2>(busy_world<2>, {0, 3}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLeavesAWorldThatGoesOn3) { fail_steps<3>(busy_world<3>, {0, 3}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLosesNobodyWhoSleeps2) { fail_steps<2>(sleepy_world<2>, {0, 1, 2, 8}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLosesNobodyWhoSleeps3) { fail_steps<3>(sleepy_world<3>, {0, 1, 2, 8}); }
TEST(AllocationFailure, EveryDoorOfAWorldIsAllOrNothing2) { fail_doors<2>(); }
TEST(AllocationFailure, EveryDoorOfAWorldIsAllOrNothing3) { fail_doors<3>(); }

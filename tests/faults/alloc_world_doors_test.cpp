// Memory that runs out at every point of a world's doors: all or nothing. The world goes on as one that nobody knocked at, and
// the call that is made again has the effect that it would have had.
#include "tests/faults/failing_new.hpp"
#include "tests/faults/fault_worlds.hpp"
#include "tests/faults/other_threads.hpp"
#include <sudar/dynamics/recording.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using namespace sudar_test;

namespace {

constexpr double kStep = 1.0 / 60;

// With a recording, so that doors note what they did
template <int D>
struct WatchedWorld {
  WorldSubject<D> subject;
  std::unique_ptr<WorldRecording<D>> recording;
  JointId<D> joint{};

  World<D>& world() { return subject.world; }
  const std::vector<BodyId<D>>& bodies() const { return subject.bodies; }
};

template <int D>
WatchedWorld<D> watched(WorldSubject<D> (*make)(int)) {
  WatchedWorld<D> out{make(2), std::make_unique<WorldRecording<D>>()};
  World<D>& world = out.world();
  // Something fixed that was never weighed, with a mass that takes memory
  if constexpr (D == 2)
    out.subject.bodies.push_back(
        *world.add_body({.shape = one_of_each2()[9], .pose = {{40, 2}, {}}, .kind = BodyKind::fixed}));
  else
    out.subject.bodies.push_back(
        *world.add_body({.shape = one_of_each3()[12], .pose = {{40, 0, 2}, {}}, .kind = BodyKind::fixed}));
  out.subject.bodies.push_back(
      *world.add_body({.shape = block<D>(0.5), .pose = {up<D>(30), {}}, .kind = BodyKind::kinematic}));
  const auto joint = world.make_joint(JointKind::weld, out.bodies()[0], out.bodies()[1], {});
  EXPECT_TRUE(joint.ok());
  out.joint = *world.add_joint(out.bodies()[0], out.bodies()[1], *joint);
  EXPECT_TRUE(world.step(kStep).ok());
  EXPECT_TRUE(world.record(out.recording.get()).ok());
  out.subject.hash = world.state_hash();
  out.subject.scene_hash = world.scene().hash();
  return out;
}

template <int D>
std::uint64_t hash_later(World<D>& world) {
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(world.step(kStep).ok());
  return world.state_hash();
}

template <int D>
using MakeWorld = WorldSubject<D> (*)(int);

template <int D, class Call>
void fail_door(const char* name, Call call, std::vector<MakeWorld<D>> worlds = {busy_world<D>, sleepy_world<D>}) {
  SCOPED_TRACE(name);
  for (const MakeWorld<D> make : worlds) {
    WatchedWorld<D> undisturbed = watched<D>(make), called = watched<D>(make);
    const std::uint64_t goes_on = hash_later(undisturbed.world());
    ASSERT_TRUE(call(called).ok());
    const std::uint64_t goes_on_called = hash_later(called.world());
    bool again = false;
    const auto unchanged = [&](WatchedWorld<D>& w) {
      EXPECT_EQ(w.world().state_hash(), w.subject.hash);
      EXPECT_EQ(w.world().scene().hash(), w.subject.scene_hash);
      EXPECT_TRUE(w.recording->inputs.empty() && w.recording->bodies.empty() && w.recording->joints.empty());
      // By turns: as if nobody had called, and called once more
      again = !again;
      if (again) {
        ASSERT_TRUE(call(w).ok());
        EXPECT_EQ(hash_later(w.world()), goes_on_called);
      } else {
        EXPECT_EQ(hash_later(w.world()), goes_on);
      }
    };
    (void)fail_everywhere([&] { return watched<D>(make); }, call, unchanged);
  }
}

// Doors whose call must ask for memory at all
template <int D, class Call>
void fail_hungry_door(const char* name, Call call,
                      std::vector<MakeWorld<D>> worlds = {busy_world<D>, sleepy_world<D>}) {
  const std::size_t before = failure_points().tried;
  fail_door<D>(name, call, std::move(worlds));
  EXPECT_GT(failure_points().tried, before) << name;
}

template <int D>
void fail_doors() {
  using W = WatchedWorld<D>;
  const BodySpec<D> spec{.shape = block<D>(0.25), .pose = {up<D>(9), {}}};
  WorldSnapshot<D> snapshot;
  ASSERT_TRUE(busy_world<D>(1).world.save(snapshot).ok());
  fail_hungry_door<D>("add_body", [&](W& w) { return w.world().add_body(spec); });
  fail_hungry_door<D>("add_joint", [&](W& w) -> Result<JointId<D>> {
    const auto joint = w.world().make_joint(JointKind::weld, w.bodies()[1], w.bodies()[2], {});
    if (!joint) return joint.error();
    return w.world().add_joint(w.bodies()[1], w.bodies()[2], *joint);
  });
  fail_hungry_door<D>("remove_body", [](W& w) { return w.world().remove_body(w.bodies()[1]); });
  fail_hungry_door<D>("set_broadphase", [](W& w) { return w.world().set_broadphase("sap"); });
  fail_hungry_door<D>("save", [](W& w) {
    WorldSnapshot<D> out;
    return w.world().save(out);
  });
  fail_hungry_door<D>("restore", [&](W& w) { return w.world().restore(snapshot); });
  fail_door<D>("set_executor", [](W& w) { return w.world().set_executor(other_threads()); });
  fail_door<D>("set_parameter", [](W& w) -> Result<void> {
    const auto parameters = w.world().scene().broadphase().parameters();
    if (parameters.empty()) return {};
    return w.world().set_parameter(parameters[0].name, parameters[0].highest);
  });

  // Many, until vectors have grown; those that came in are in
  EXPECT_GT(fail_everywhere([] { return busy_world<D>(2); },
                            [&](WorldSubject<D>& s) -> Result<void> {
                              for (int i = 0; i < 12; ++i)
                                if (const auto id = s.world.add_body(spec); !id) {
                                  s.hash = s.world.state_hash();
                                  s.scene_hash = s.world.scene().hash();
                                  return id.error();
                                }
                              return {};
                            },
                            [](WorldSubject<D>& s) {
                              EXPECT_EQ(s.world.state_hash(), s.hash);
                              EXPECT_EQ(s.world.scene().hash(), s.scene_hash);
                              EXPECT_TRUE(s.world.step(kStep).ok());
                            }),
            0u);
}

// Every input that is a value, to a body, a joint or the world
template <int D>
void fail_inputs() {
  for (int kind = 0; kind <= static_cast<int>(InputKind::set_hinge); ++kind) {
    const auto input_kind = static_cast<InputKind>(kind);
    if (input_kind == InputKind::step || input_kind == InputKind::add_body || input_kind == InputKind::add_joint)
      continue;
    fail_hungry_door<D>(to_string(input_kind).data(),
                        [&](WatchedWorld<D>& w) {
                          WorldInput<D> input{.kind = input_kind, .body = w.bodies()[1], .joint = w.joint};
                          input.pose.position = up<D>(20);
                          input.vector = up<D>(0.25), input.point = up<D>(1);
                          input.value = 1;
                          // The fixed one that becomes dynamic, and the kinematic one that is moved to a place
                          const std::size_t count = w.bodies().size();
                          if (input_kind == InputKind::set_kind)
                            input.body = w.bodies()[count - 2], input.value = static_cast<double>(BodyKind::dynamic);
                          if (input_kind == InputKind::move_to) input.body = w.bodies()[count - 1];
                          input.filter = {.layer = 2, .mask = 1};
                          return w.world().apply(input);
                        },
                        {kind % 2 == 0 ? busy_world<D> : sleepy_world<D>});
  }
}

// What is recorded goes on being recorded when another recording cannot begin
template <int D>
void fail_record() {
  WorldRecording<D> other;
  const std::size_t points = fail_everywhere([] { return watched<D>(busy_world<D>); },
                                             [&](WatchedWorld<D>& w) {
                                               const auto begun = w.world().record(&other);
                                               if (begun) (void)w.world().record(nullptr).ok();
                                               return begun;
                                             },
                                             [](WatchedWorld<D>& w) {
                                               EXPECT_EQ(w.world().state_hash(), w.subject.hash);
                                               ASSERT_TRUE(w.world().step(kStep).ok());
                                               EXPECT_EQ(w.recording->inputs.size(), 1u);
                                               EXPECT_EQ(w.recording->hashes.size(), 1u);
                                             });
  EXPECT_GT(points, 0u);
  EXPECT_GT(fail_everywhere([] { return World<D>::make(); }), 0u);
}

// A replay that runs out of memory says so, and the recording is as it was
template <int D>
void fail_replay() {
  WatchedWorld<D> recorded = watched<D>(busy_world<D>);
  World<D>& world = recorded.world();
  const BodyId<D> added = *world.add_body({.shape = block<D>(0.25), .pose = {up<D>(9), {}}});
  const auto joint = world.make_joint(JointKind::weld, added, recorded.bodies()[0], {});
  ASSERT_TRUE(joint.ok() && world.add_joint(added, recorded.bodies()[0], *joint).ok());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(world.step(kStep).ok());
  ASSERT_TRUE(world.record(nullptr).ok());
  const auto empty_world = [] { return *World<D>::make({.substeps = 2}); };
  const auto same = [&](World<D>& other) {
    const auto report = replay(*recorded.recording, other);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->steps, 2u);
    EXPECT_FALSE(report->divergence.has_value());
  };
  EXPECT_GT(fail_everywhere(
                empty_world, [&](World<D>& other) { return replay(*recorded.recording, other); }, same),
            50u);
}

// Time that has passed waits until there is memory
template <int D>
void fail_run() {
  WorldSubject<D> rich = busy_world<D>(0);
  ASSERT_TRUE(rich.world.run(2.5 * kStep).ok());
  const std::size_t points =
      fail_everywhere([] { return busy_world<D>(0); }, [](WorldSubject<D>& s) { return s.world.run(2.5 * kStep); },
                      [&](WorldSubject<D>& s) {
                        const auto rest = s.world.run(0);
                        ASSERT_TRUE(rest.ok());
                        EXPECT_EQ(s.world.steps(), rich.world.steps());
                        EXPECT_NEAR(rest->rest, 0.5, 1e-9);
                      });
  EXPECT_GT(points, 50u);
}

}  // namespace

TEST(AllocationFailure, EveryDoorOfAWorldIsAllOrNothing2) { fail_doors<2>(); }
TEST(AllocationFailure, EveryDoorOfAWorldIsAllOrNothing3) { fail_doors<3>(); }
TEST(AllocationFailure, EveryInputOfAWorldIsAllOrNothing2) { fail_inputs<2>(); }
TEST(AllocationFailure, EveryInputOfAWorldIsAllOrNothing3) { fail_inputs<3>(); }
TEST(AllocationFailure, ARecordingGoesOnWhenAnotherCannotBegin2) { fail_record<2>(); }
TEST(AllocationFailure, ARecordingGoesOnWhenAnotherCannotBegin3) { fail_record<3>(); }
TEST(AllocationFailure, ReplaysSayThatMemoryRanOut2) { fail_replay<2>(); }
TEST(AllocationFailure, ReplaysSayThatMemoryRanOut3) { fail_replay<3>(); }
TEST(AllocationFailure, TimeThatPassedWaitsForMemory2) { fail_run<2>(); }
TEST(AllocationFailure, TimeThatPassedWaitsForMemory3) { fail_run<3>(); }

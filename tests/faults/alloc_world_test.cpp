// Memory that runs out at every point of a world's step. It says so; the world is whole, goes on, and goes back to a snapshot
// from before with the bits that it had.
#include "tests/faults/failing_new.hpp"
#include "tests/faults/fault_worlds.hpp"
#include "tests/faults/other_threads.hpp"
#include <sudar/dynamics/recording.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using namespace sudar_test;

namespace {

template <int D>
void expect_finite(const World<D>& world) {
  for (const WorldBody<D>& body : world.bodies())
    if (body.is_dynamic()) for_each_number(body.state, [](BodyField, double x) { ASSERT_TRUE(std::isfinite(x)); });
}

template <int D, class Make>
std::size_t fail_steps_of(Make make, std::size_t most = kEveryPoint, Whose whose = Whose::everybodys) {
  WorldSubject<D> rich = make();
  WorldSnapshot<D> snapshot;
  EXPECT_TRUE(rich.world.save(snapshot).ok());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(rich.world.step(1.0 / 60).ok());
  const std::uint64_t wanted = rich.world.state_hash();
  return fail_everywhere(
      make, [](WorldSubject<D>& s) { return s.world.step(1.0 / 60); },
      [&](WorldSubject<D>& s) {
        expect_finite(s.world);
        ASSERT_TRUE(s.world.step(1.0 / 60).ok());
        expect_finite(s.world);
        ASSERT_TRUE(s.world.restore(snapshot).ok());
        EXPECT_EQ(s.world.state_hash(), s.hash);
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.world.step(1.0 / 60).ok());
        EXPECT_EQ(s.world.state_hash(), wanted);
      },
      most, whose);
}

template <int D>
void fail_steps(WorldSubject<D> (*make)(int), std::vector<int> counts) {
  for (const int before : counts) {
    SCOPED_TRACE(before);
    EXPECT_GT(fail_steps_of<D>([&] { return make(before); }), make == busy_world<D> && before == 0 ? 50u : 2u);
  }
}

template <int D>
void fail_crowded_steps() {
  for (const int before : {0, 2}) {
    SCOPED_TRACE(before);
    const auto make = [&] { return crowded_world<D>(before, &other_threads()); };
    EXPECT_GT(fail_steps_of<D>(make, 6), 4u);
    EXPECT_GT(fail_steps_of<D>(make, 6, Whose::other_threads), 0u);
  }
}

// A step that failed half-way is not in the recording, and nothing after it: what is there can be replayed
template <int D>
void fail_recorded_steps() {
  struct Recorded {
    WorldSubject<D> subject;
    std::unique_ptr<WorldRecording<D>> recording;
  };
  const auto make = [] {
    Recorded out{busy_world<D>(2), std::make_unique<WorldRecording<D>>()};
    EXPECT_TRUE(out.subject.world.record(out.recording.get()).ok());
    EXPECT_TRUE(out.subject.world.step(1.0 / 60).ok());
    EXPECT_TRUE(out.subject.world.set_gravity(up<D>(-5)).ok());
    return out;
  };
  std::size_t ended = 0;
  const std::size_t points = fail_everywhere(
      make, [](Recorded& r) { return r.subject.world.step(1.0 / 60); },
      [&](Recorded& r) {
        World<D>& world = r.subject.world;
        ASSERT_TRUE(world.step(1.0 / 60).ok());
        // Unless there was no room for it in the first place: then the next one is the one that it was
        const std::size_t steps = r.recording->hashes.size();
        EXPECT_TRUE(steps == 1 || (steps == 2 && r.recording->hashes.back() == world.state_hash()));
        EXPECT_EQ(r.recording->inputs.size(), steps + 1);
        ended += steps == 1;
        const auto report = replay(*r.recording, world);
        ASSERT_TRUE(report.ok());
        EXPECT_EQ(report->steps, steps);
        EXPECT_FALSE(report->divergence.has_value());
      });
  EXPECT_GT(points, 4u);
  EXPECT_GT(ended, 0u);
}

}  // namespace

TEST(AllocationFailure, AStepThatRunsOutOfMemoryLeavesAWorldThatGoesOn2) { fail_steps<2>(busy_world<2>, {0, 3}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLeavesAWorldThatGoesOn3) { fail_steps<3>(busy_world<3>, {0, 3}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLosesNobodyWhoSleeps2) { fail_steps<2>(sleepy_world<2>, {0, 1, 2, 8}); }
TEST(AllocationFailure, AStepThatRunsOutOfMemoryLosesNobodyWhoSleeps3) { fail_steps<3>(sleepy_world<3>, {0, 1, 2, 8}); }
TEST(AllocationFailure, StepsWithTasksInOtherThreads2) { fail_crowded_steps<2>(); }
TEST(AllocationFailure, StepsWithTasksInOtherThreads3) { fail_crowded_steps<3>(); }
TEST(AllocationFailure, ARecordingEndsBeforeAStepThatRanOutOfMemory2) { fail_recorded_steps<2>(); }
TEST(AllocationFailure, ARecordingEndsBeforeAStepThatRanOutOfMemory3) { fail_recorded_steps<3>(); }

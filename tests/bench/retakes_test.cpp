// What:    Rounds that are disturbed and taken again, and work that takes turns.
// Oracle:  bounds by hand; another thread on the same processor, which is there for one round only; contestants whose work and
//          failures are known.
#include "bench/retakes.hpp"

#include "bench/harness.hpp"
#include "bench/pinning.hpp"
#include "bench/tallies.hpp"
#include "bench/turns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

using namespace sudar_bench;

TEST(BenchRetakes, AreBoundedInNumberAndInTime) {
  Retakes retakes(2, 3, 100);
  EXPECT_FALSE(retakes.allowed(0, 1)) << "nothing has been timed yet, and half of that is nothing";
  retakes.add_regular(100);
  EXPECT_TRUE(retakes.allowed(0, 50));
  EXPECT_FALSE(retakes.allowed(0, 51));
  for (int i = 0; i < 3; ++i) retakes.add(0, 10);
  EXPECT_FALSE(retakes.allowed(0, 1)) << "as often as there are rounds";
  EXPECT_TRUE(retakes.allowed(1, 20)) << "the other one may still";
  EXPECT_FALSE(retakes.allowed(1, 21)) << "in the time that is left for both";
  retakes.add_regular(10000);
  EXPECT_TRUE(retakes.allowed(1, 70));
  EXPECT_FALSE(retakes.allowed(1, 71)) << "the limit of all";
  EXPECT_EQ(retakes.count(0), 3);
  EXPECT_EQ(retakes.count(1), 0);
}

// Spins on the processor of races while it is asked to
class Intruder {
 public:
  Intruder()
      : thread_([this] {
          const PinnedHere pinned(true);
          while (!over_)
            if (!active_) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }) {}
  ~Intruder() {
    over_ = true;
    thread_.join();
  }
  Intruder(const Intruder&) = delete;
  Intruder& operator=(const Intruder&) = delete;

  void set(bool active) { active_ = active; }

 private:
  std::atomic<bool> active_{false}, over_{false};
  std::thread thread_;
};

// Milliseconds of the clock, so that it takes longer for whoever shares the processor to do as much
double spin(double ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(ms);
  double turns = 0;
  while (std::chrono::steady_clock::now() < end) turns += 1, keep(turns);
  return 0;
}

TEST(BenchRetakes, ADisturbedRoundIsTakenAgain) {
  if (processors_allowed() < 2) GTEST_SKIP() << "the intruder needs the processor of the race, and not this one";
  Intruder intruder;
  std::ostringstream progress;
  Session session({}, progress);
  constexpr int kRounds = 6;
  int calls = 0;
  const auto rows = session.race("t", "w", kRounds, 0, {{"ours", "", [&] {
                                                           // The warm-up is the first
                                                           intruder.set(++calls == 4);
                                                           return spin(60);
                                                         }}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].rounds, kRounds);
  EXPECT_GE(rows[0].repeated, 1);
  EXPECT_LE(rows[0].repeated, kRounds);
  EXPECT_EQ(calls, 1 + kRounds + rows[0].repeated);
  EXPECT_EQ(rows[0].times.size(), static_cast<std::size_t>(kRounds));
  std::vector<PartResult> parts(1);
  parts[0].results = session.results();
  const RoundTally tally = rounds_of_all(parts);
  EXPECT_EQ(tally.timed, static_cast<std::size_t>(kRounds));
  EXPECT_EQ(tally.repeated, static_cast<std::size_t>(rows[0].repeated));
  EXPECT_EQ(tally.disturbed, static_cast<std::size_t>(rows[0].disturbed));
}

TEST(BenchRetakes, WhoIsAlwaysDisturbedComesToAnEnd) {
  if (processors_allowed() < 2) GTEST_SKIP() << "there is one processor only";
  Intruder intruder;
  intruder.set(true);
  std::ostringstream progress;
  Session session({}, progress);
  int calls = 0;
  const auto rows = session.race("t", "w", 4, 0, {{"ours", "", [&] {
                                                     ++calls;
                                                     return spin(40);
                                                   }}});
  EXPECT_EQ(rows[0].rounds, 4);
  EXPECT_EQ(calls, 5 + rows[0].repeated);
  EXPECT_GE(rows[0].repeated, 1);
  EXPECT_LE(rows[0].repeated, 4);
  EXPECT_GE(rows[0].disturbed, 1) << "told, though it was taken again";
}

TEST(BenchTurns, WhoFailsIsARowAndTheRestGoesOn) {
  std::ostringstream progress;
  Session session({}, progress);
  int begun = 0, blocks = 0, judged = 0;
  const auto begin = [&](double ms) { return [ms]() -> std::function<void()> { return [ms] { spin(ms); }; }; };
  const auto late = std::make_shared<int>(0);
  const auto rows =
      race_in_turns(session, "t", "w", {3, 4, 2},
                    {{"ours", "",
                      [&]() -> std::function<void()> {
                        ++begun;
                        return [&] { spin(2), ++blocks; };
                      },
                      [&] { ++judged; }},
                     {"twice as slow", "1", begin(4)},
                     {"cannot begin", "1", []() -> std::function<void()> { throw std::runtime_error("not today"); }},
                     {"late", "1",
                      [late]() -> std::function<void()> {
                        return [late] {
                          if (++*late == 7) throw std::runtime_error("enough");
                        };
                      }},
                     {"judged", "1", begin(1), [] { throw std::runtime_error("no answer"); }}});
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].trouble, "");
  // The warm-up has a world of its own, of one block
  EXPECT_EQ(begun, 4);
  EXPECT_EQ(blocks, 1 + 3 * 4);
  EXPECT_EQ(judged, 1);
  EXPECT_EQ(rows[0].rounds, 3);
  EXPECT_EQ(rows[0].table, "t");
  EXPECT_EQ(rows[0].workload, "w");
  // Of one step, of which a block has two; put together from blocks, it is no more than that of any round
  EXPECT_GE(rows[0].min_ms, 1);
  EXPECT_LE(rows[0].min_ms, rows[0].median_ms);
  EXPECT_EQ(rows[0].ratio_to_best, 1);
  EXPECT_GT(speedup_over(rows[0], rows[1]).minima, 1.2);
  EXPECT_GT(speedup_over(rows[0], rows[1]).rounds, 1.2);
  EXPECT_EQ(rows[2].trouble, "threw: not today");
  EXPECT_EQ(rows[3].trouble, "threw: enough");
  EXPECT_EQ(*late, 7) << "it is left out from then on";
  EXPECT_EQ(rows[4].trouble, "threw: no answer");
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_EQ(rows[i].rounds, 0);
    EXPECT_FALSE(std::isfinite(rows[i].min_ms));
    EXPECT_FALSE(std::isfinite(rows[i].ratio_to_best));
    EXPECT_EQ(speedup_over(rows[0], rows[i]).minima, 0) << "no speed-up over who did not come to an end";
  }
}

}  // namespace

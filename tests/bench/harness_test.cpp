// What:    The race track on made-up contestants, in this process.
// Oracle:  what each of them does is known.
#include "bench/harness.hpp"

#include "bench/compare.hpp"
#include "bench/part_file.hpp"
#include "bench/pinning.hpp"
#include "bench/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace {

using namespace sudar_bench;

double work(int loops) {
  double sum = 0;
  for (int i = 0; i < loops; ++i) sum += 1.0 / (1 + i), keep(sum);
  return sum;
}

TEST(BenchTrack, WhoThrowsIsARowAndTheRestGoesOn) {
  std::ostringstream progress;
  Session session({}, progress);
  int calls = 0;
  const auto rows = session.race("t", "w", 3, 0,
                                 {{"ours", "", [] { return 1.0; }},
                                  {"late", "1",
                                   [&]() -> double {
                                     if (++calls > 2) throw std::runtime_error("enough");
                                     return 1;
                                   }},
                                  {"number", "1", []() -> double { throw 7; }},
                                  {"answer", "1", [] { return 0.0; }, []() -> double { throw std::bad_alloc(); }}});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].trouble, "");
  EXPECT_EQ(rows[0].rounds, 3);
  EXPECT_EQ(rows[1].trouble, "threw: enough");
  EXPECT_EQ(rows[1].rounds, 0);
  EXPECT_EQ(rows[2].trouble, "threw something that is no exception");
  EXPECT_NE(rows[3].trouble, "");
  EXPECT_EQ(session.race("t", "next", 3, 0, {{"ours", "", [] { return 1.0; }}})[0].rounds, 3);
  // Those that cannot be made have a row as well
  EXPECT_TRUE(session.made("t", "before", "fine", "1", [] {}));
  EXPECT_FALSE(session.made("t", "before", "bad", "1", [] { throw std::runtime_error("no"); }));
  EXPECT_EQ(session.results().measurements.back().trouble, "threw: no");
}

TEST(BenchTrack, ShortWorkIsRepeatedAndLongWorkIsNot) {
  std::ostringstream progress;
  Session session({}, progress);
  long short_calls = 0;
  const auto rows = session.race("t", "w", 5, 0,
                                 {{"short", "",
                                   [&] {
                                     ++short_calls;
                                     return work(20) * 0;
                                   }},
                                  {"long", "1", [] { return work(2000000) * 0; }}});
  EXPECT_GT(rows[0].calls, 100);
  EXPECT_GE(short_calls, 6L * rows[0].calls);
  EXPECT_EQ(rows[1].calls, 1);
  // A call, not a round: a hundred thousand times less work
  EXPECT_LT(rows[0].min_ms * 1000, rows[1].min_ms);
  EXPECT_EQ(rows[0].rounds, 5);
  // The middle of the rounds lies between their percentiles, and both ways of the ratio are there
  EXPECT_LE(rows[1].ratio_low, rows[1].ratio_median);
  EXPECT_LE(rows[1].ratio_median, rows[1].ratio_high);
  const Speedup speedup = speedup_over_best_peer(rows);
  EXPECT_GT(speedup.minima, 1000);
  EXPECT_GT(speedup.rounds, 1000);
}

TEST(BenchTrack, RacesOfOneThreadHaveOneProcessor) {
  const int all = processors_allowed();
  if (all < 2) GTEST_SKIP() << "there is one processor only";
  std::ostringstream progress;
  Session session({}, progress);
  int seen = 0;
  const std::vector<Contestant> look = {{"look", "", [&] {
                                           seen = processors_allowed();
                                           return work(2000000);
                                         }}};
  session.race("t", "w", 3, 0, look);
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(processors_allowed(), all);
  {
    const auto cores = session.all_cores();
    session.race("t", "several threads", 3, 0, look);
    EXPECT_EQ(seen, all);
  }
  Options free;
  free.pin = false;
  Session unpinned(free, progress);
  unpinned.race("t", "w", 3, 0, look);
  EXPECT_EQ(seen, all);
}

TEST(BenchTrack, BarsThatNobodyMeasuresAreCounted) {
  std::ostringstream progress;
  Session session({}, progress);
  session.expect_bar("met", 1);
  session.expect_bar("forgotten", 1);
  session.bar_at_most("met", 1, 0.5);
  session.bar_at_least("ratio", 2, Speedup{3, 2.5});
  Report report{"t", {}, {}, {}, {}, 0};
  report.parts.resize(1);
  report.parts[0].suite = "s", report.parts[0].part = "p", report.parts[0].results = session.results();
  // Through the file and back
  const auto file = std::filesystem::temp_directory_path() / "sudar-bench-harness-test.json";
  ASSERT_TRUE(write_part(report.parts[0], {}, file.string()));
  const auto again = read_part(file.string());
  std::filesystem::remove(file);
  ASSERT_TRUE(again.has_value());
  report.parts[0] = *again;
  EXPECT_EQ(to_string(bars_met(report)), "2 of 3 bars met, 1 not measured");
  EXPECT_FALSE(report.complete());
  ASSERT_EQ(troubles_of(report).size(), 1u);
  EXPECT_EQ(troubles_of(report)[0], "s/p: bar not measured: forgotten");
  EXPECT_EQ(seen_text(report.parts[0].results.bars[2]), "3 (2.5 in the middle round)");
  // So is an input that is not there
  report.parts[0].results.bars.clear();
  EXPECT_TRUE(report.complete());
  report.parts[0].results.missing_inputs = {"cases.jsonl"};
  EXPECT_FALSE(report.complete());
}

}  // namespace

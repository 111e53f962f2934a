// What:    The race track on made-up contestants, in this process.
// Oracle:  what each of them does is known.
#include "bench/harness.hpp"

#include "bench/compare.hpp"
#include "bench/part_file.hpp"
#include "bench/pinning.hpp"
#include "bench/report.hpp"
#include "bench/suites.hpp"
#include "bench/tallies.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
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
  EXPECT_EQ(to_string(bars_of_all(report.parts)), "2 of 3 bars met, 1 not measured");
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

TEST(BenchTrack, ABarAgainstPeersIsNotMeasuredWhenNoneCameToAnEnd) {
  std::ostringstream progress;
  Options with_peers;
  with_peers.peers = true;
  Session asked(with_peers, progress), alone({}, progress);
  const auto fail = []() -> double { throw std::runtime_error("no"); };
  for (Session* session : {&asked, &alone}) {
    const auto only_ours = session->race("t", "a", 3, 0, {{"ours", "", [] { return work(2000); }}});
    session->bar_against_peers("nobody there", 1, speedup_over_best_peer(only_ours));
  }
  // Nobody to race: no bar
  EXPECT_TRUE(alone.results().bars.empty() && asked.results().bars.empty());
  const auto failed = asked.race("t", "b", 3, 0, {{"ours", "", [] { return work(2000); }}, {"peer", "1", fail}});
  asked.bar_against_peers("peer failed", 1, speedup_over_best_peer(failed));
  const auto ours = asked.race("t", "c", 3, 0, {{"ours", "", fail}, {"peer", "1", [] { return work(2000); }}});
  asked.bar_against_peers("ours failed", 1, speedup_over_best_peer(ours));
  const auto both = asked.race(
      "t", "d", 3, 0, {{"ours", "", [] { return work(200) * 0; }}, {"peer", "1", [] { return work(200000) * 0; }}});
  asked.bar_against_peers("both", 1, speedup_over_best_peer(both));
  const std::vector<Bar>& bars = asked.results().bars;
  ASSERT_EQ(bars.size(), 3u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_FALSE(bars[i].measured || bars[i].passed) << bars[i].what;
  EXPECT_TRUE(bars[2].measured && bars[2].passed);
  EXPECT_GT(bars[2].seen_by_rounds, 1);
}

PartResult part_with(const char* suite, const char* part, std::vector<Bar> bars, const char* trouble = "") {
  PartResult out;
  out.suite = suite, out.part = part, out.trouble = trouble;
  out.results.bars = std::move(bars);
  return out;
}

TEST(BenchTrack, BarsAreCountedByCapability) {
  const Bar met{"met", 1, 2, true}, missed{"missed", 2, 1.9, false, true, 0, Bar::Side::at_least},
      unseen{"unseen", 1, 0, false, false};
  Report report{"all", {}, {}, {}, {}, 0};
  report.parts = {part_with("narrowphase", "boxes", {met, missed}),
                  part_with("seeds", "balls", {met}),
                  part_with("program", "lab", {unseen}),
                  part_with("program", "check", {met}),
                  part_with("rays", "rays", {}),
                  part_with("continuous", "ccd", {}, "crashed"),
                  part_with("narrowphase", "hulls", {met}),
                  part_with("harness", "the run", {missed})};
  // One row for all parts of a capability; a part that failed before it had a bar is told
  const std::vector<std::vector<std::string>> expected = {{"narrow phase", "3", "2", "1", "0", "0"},
                                                          {"evaluation", "2", "1", "1", "0", "0"},
                                                          {"lab", "1", "0", "0", "1", "0"},
                                                          {"check and query", "1", "1", "0", "0", "0"},
                                                          {"continuous", "0", "0", "0", "0", "1"}};
  EXPECT_EQ(capability_table(report.parts).rows, expected);
  EXPECT_EQ(to_string(bars_of_all(report.parts)), "4 of 7 bars met, 1 not measured");
  // Every suite has one, and an unknown one its name
  for (const Suite& suite : suites()) EXPECT_FALSE(suite.capability.empty()) << suite.name;
  EXPECT_EQ(capability_of("none", "x"), "none");
  // In all the forms of a report
  std::ostringstream text;
  print_results(report, text);
  EXPECT_NE(text.str().find("bars by capability"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("\n  narrow phase     3     2    1       0             0"), std::string::npos)
      << text.str();
  EXPECT_NE(text.str().find("  MISSED  missed: required ≥ 2, seen 1.9, missed by 5 %"), std::string::npos)
      << text.str();
  EXPECT_NE(text.str().find("  UNSEEN  unseen: required 1, not measured"), std::string::npos) << text.str();
  EXPECT_TRUE(text.str().ends_with("\n4 of 7 bars met, 1 not measured\n")) << text.str();
  const std::string markdown = to_markdown(report), html = to_html(report);
  EXPECT_NE(markdown.find("| narrow phase | 3 | 2 | 1 | 0 | 0 |"), std::string::npos);
  EXPECT_NE(markdown.find("| narrow phase | missed | ≥ 2 | 1.9 | **missed by 5 %** |"), std::string::npos);
  EXPECT_NE(markdown.find("| lab | unseen | 1 |  | **not measured** |"), std::string::npos);
  EXPECT_NE(html.find("<tr><td>narrow phase<td class=n>3<td class=n>2<td class=n>1"), std::string::npos);
}

TEST(BenchTrack, AMissedBarSaysWhatIsMissing) {
  EXPECT_EQ(verdict_text({"", 2, 2.5, true}), "pass");
  EXPECT_EQ(verdict_text({"", 2, 1.9, false}), "missed by 5 %");
  EXPECT_EQ(verdict_text({"", 0.5, 2, false}), "missed by 300 %");
  EXPECT_EQ(verdict_text({"", 0, 3, false}), "missed by 3");
  EXPECT_EQ(verdict_text({"", 1, std::numeric_limits<double>::infinity(), false}), "missed");
  EXPECT_EQ(verdict_text({"", 1, 0, false, false}), "not measured");
}

}  // namespace

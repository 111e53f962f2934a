#include "bench/statistics.hpp"

#include "bench/losses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace sudar_bench;

// Oracle: by hand
TEST(BenchStatistics, LeastMedianAndSpread) {
  const Summary s = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(s.count, 5);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.median, 3);
  EXPECT_NEAR(s.spread, (4.6 - 1.4) / 3, 1e-12);
  EXPECT_EQ(summarize({}).count, 0);
  EXPECT_EQ(summarize({7}).spread, 0);
  EXPECT_EQ(median_of({1, 2, 3, 4}), 2.5);
  // One interrupted round in twenty is no spread
  std::vector<double> steady(20, 1.0);
  steady[3] = 100;
  EXPECT_EQ(summarize(steady).spread, 0);
}

TEST(BenchStatistics, RatiosAreTakenRoundByRound) {
  // Both double when the machine is busy: the ratio stays
  const RatioRange r = ratio_range(std::vector<double>{2, 4, 2, 4, 2}, std::vector<double>{1, 2, 1, 2, 1});
  EXPECT_EQ(r.low, 2);
  EXPECT_EQ(r.high, 2);
  EXPECT_EQ(ratio_range(std::vector<double>{}, std::vector<double>{1}).high, 0);
}

// Oracle: power laws, whose growth and crossings are known
TEST(BenchStatistics, GrowthAndCrossingsOfPowerLaws) {
  std::vector<CurvePoint> square;
  for (const double x : {10., 100., 1000., 10000.}) square.push_back({x, 1e-6 * x * x});
  EXPECT_NEAR(growth_exponent(square), 2, 1e-12);
  ASSERT_TRUE(crossing(square, 4).has_value());
  EXPECT_NEAR(*crossing(square, 4), 2000, 1e-6);
  EXPECT_FALSE(crossing(square, 1e6).has_value());
  EXPECT_EQ(*crossing(square, 1e-9), 10);
  EXPECT_EQ(growth_exponent(std::vector<CurvePoint>{{1, 1}}), 0);
}

Measurement row(const char* name, const char* version, double ms, int disagreements = 0, const char* trouble = "") {
  Measurement m;
  m.table = "t", m.workload = "w", m.contestant = name, m.version = version;
  m.min_ms = m.median_ms = *trouble != 0 ? std::numeric_limits<double>::infinity() : ms;
  m.disagreements = disagreements, m.trouble = trouble;
  return m;
}

TEST(BenchLosses, OursIsTheFirstAndAFailedPeerIsNone) {
  std::vector<PartResult> parts(1);
  auto& rows = parts[0].results.measurements;
  rows = {row("ours", "", 3), row("ours, other", "", 1), row("slow", "1", 4), row("fast", "2", 2, 1),
          row("dead", "3", 0, 0, "crashed")};
  Balance b = balance_of(parts);
  ASSERT_EQ(b.losses.size(), 1u);
  EXPECT_EQ(b.races, 1u);
  EXPECT_EQ(b.losses[0].peer, "fast 2");
  EXPECT_DOUBLE_EQ(b.losses[0].ratio, 1.5);
  EXPECT_EQ(b.losses[0].faster_of_ours, "ours, other");
  ASSERT_EQ(b.standings.size(), 1u);
  EXPECT_DOUBLE_EQ(b.standings[0].ratio, 2.0 / 3);
  EXPECT_TRUE(b.losses[0].peer_disagrees);
  EXPECT_NE(sentence(b.losses[0]).find("; its answers are not ours."), std::string::npos);
  // Judged one by one
  rows[3].disagreements = 38, rows[3].of = 2000, rows[3].why = "it prefers faces";
  EXPECT_NE(sentence(balance_of(parts).losses[0]).find("; 38 of its 2000 answers are wrong: it prefers faces."),
            std::string::npos);
  // Even, and won
  rows = {row("ours", "", 1.02), row("peer", "1", 1)};
  EXPECT_EQ(balance_of(parts).even, 1u);
  EXPECT_TRUE(balance_of(parts).losses.empty());
  rows = {row("ours", "", 1), row("dead", "1", 0, 0, "timed out")};
  EXPECT_EQ(balance_of(parts).races, 0u);
  rows = {row("ours", "", 0, 0, "crashed"), row("peer", "1", 1)};
  EXPECT_EQ(balance_of(parts).losses.size(), 1u);
}

}  // namespace

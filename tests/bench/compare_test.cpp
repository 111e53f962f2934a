// What:    Two results.json side by side, in numbers made up by hand.
// Oracle:  what was put into them.
#include "bench/compare.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace sudar_bench;

struct Row {
  std::string race, contestant, version;
  double ms, spread = 0.02, low = 1, high = 1;
};

class BenchCompare : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("sudar-bench-compare-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The exit code; what was said is in said_
  int compare(const std::vector<Row>& older, const std::vector<Row>& newer) {
    write("old.json", older);
    write("new.json", newer);
    std::ostringstream out, errors;
    const int code = compare_results((folder_ / "old.json").string(), (folder_ / "new.json").string(), out, errors);
    said_ = out.str() + errors.str();
    return code;
  }
  bool said(const std::string& text) const { return said_.find(text) != std::string::npos; }

  std::string said_;

 private:
  void write(const char* name, const std::vector<Row>& rows) const {
    std::ofstream file(folder_ / name);
    file << R"({"schema":"sudar/bench-1","suite":"s","measurements":[)";
    const char* comma = "";
    for (const Row& row : rows) {
      file << comma << R"({"table":"t","workload":")" << row.race << R"(","contestant":")" << row.contestant
           << R"(","version":")" << row.version << R"(","ms_min":)" << row.ms << R"(,"ms_median":)" << row.ms
           << R"(,"spread":)" << row.spread << R"(,"ratio_p10":)" << row.low << R"(,"ratio_p90":)" << row.high
           << R"(,"trouble":""})";
      comma = ",";
    }
    file << "]}";
  }

  std::filesystem::path folder_;
};

TEST_F(BenchCompare, RatiosAreCountedAndTheWorstIsNamed) {
  // Four races, ours with 1 ms: the peers' ratios are 2, 3, 4 and 5
  std::vector<Row> older, newer;
  for (int i = 0; i < 4; ++i) {
    const std::string race(1, static_cast<char>('a' + i));
    for (auto* rows : {&older, &newer}) {
      rows->push_back({race, "ours", "", 1});
      rows->push_back({race, "peer", "1", 2.0 + i});
    }
  }
  EXPECT_EQ(compare(older, newer), 0);
  EXPECT_TRUE(said("ratios to ours in the same race: 4 compared, 4 within 15 % of those before, 0 changed")) << said_;
  // One by 10 %, one by 40 % to our advantage
  newer[1].ms = 2.2, newer[3].ms = 4.2;
  EXPECT_EQ(compare(older, newer), 0);
  EXPECT_TRUE(said("4 compared, 3 within 15 % of those before, 1 changed beyond the noise")) << said_;
  EXPECT_TRUE(said("ratio   t, b: peer, over ours: +40 % (noise 15 %)")) << said_;
  EXPECT_TRUE(said("the worst is t, b: peer: +40 %")) << said_;
  // To our disadvantage, and no row of ours got slower
  newer[3].ms = 1.5;
  EXPECT_EQ(compare(older, newer), 1);
  EXPECT_TRUE(said("ratio   t, b: peer, over ours: -50 %")) << said_;
  EXPECT_TRUE(said("0 slower beyond the noise")) << said_;
}

TEST_F(BenchCompare, WhatScattersIsToldAndADoublingIsBelieved) {
  const auto rows = [](double ours, double peer, double spread) {
    // Between rounds the ratio goes up and down as much as the times do
    return std::vector<Row>{{"a", "ours", "", ours, spread}, {"a", "peer", "1", peer, spread, 1, 1 + spread}};
  };
  EXPECT_EQ(compare(rows(1, 4, 0.02), rows(1.4, 4, 0.02)), 1);
  EXPECT_TRUE(said("slower  t, a: ours: +40 % (noise 10 %)")) << said_;
  EXPECT_TRUE(said("ratio   t, a: peer, over ours: -28.6 % (noise 15 %)")) << said_;
  // As much, and everything scatters by more
  EXPECT_EQ(compare(rows(1, 4, 1.3), rows(1.4, 4, 1.3)), 0);
  EXPECT_TRUE(said("unsure  t, a: ours: +40 % (noise 50 %)")) << said_;
  EXPECT_TRUE(said("unsure  t, a: peer, over ours: -28.6 % (noise 50 %)")) << said_;
  EXPECT_TRUE(said("0 slower beyond the noise, 0 faster, 1 changed by more than 10 %")) << said_;
  EXPECT_TRUE(said("1 compared, 0 within 15 %")) << said_;
  // Twice as long is no noise
  EXPECT_EQ(compare(rows(1, 4, 1.3), rows(2, 4, 1.3)), 1);
  EXPECT_TRUE(said("slower  t, a: ours: +100 % (noise 50 %)")) << said_;
  EXPECT_TRUE(said("ratio   t, a: peer, over ours: -50 % (noise 50 %)")) << said_;
}

TEST_F(BenchCompare, TheMachineHasNoPartInRatios) {
  const std::vector<Row> older = {{"a", "ours", "", 1}, {"a", "ours, other", "", 3}, {"a", "peer", "1", 2}};
  std::vector<Row> newer = older;
  for (Row& row : newer) row.ms *= 1.7;
  EXPECT_EQ(compare(older, newer), 0);
  EXPECT_TRUE(said("2 compared, 2 within 15 %")) << said_;
  EXPECT_FALSE(said("slower  ")) << said_;
}

TEST_F(BenchCompare, RatiosThatAreNoNumbersAreLeftOut) {
  // The peer's ratio to ours is beyond the doubles in both runs, and one over the other is none: many of them, because a few
  // are put in order in another way
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) {
    const std::string race = "r" + std::to_string(i);
    rows.push_back({race, "ours", "", i % 2 == 0 ? 1e-300 : 1});
    rows.push_back({race, "peer", "1", i % 2 == 0 ? 1e300 : 2});
  }
  EXPECT_EQ(compare(rows, rows), 0);
  EXPECT_TRUE(said("20 compared, 20 within 15 %")) << said_;
  EXPECT_FALSE(said("nan") || said("inf")) << said_;
}

}  // namespace

// What:    Parts of a run in files: written and read back, and files that no run has written.
// Oracle:  what was put into them.
#include "bench/part_file.hpp"

#include <sudar/io/file_bytes.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace {

using namespace sudar_bench;

class BenchPart : public testing::Test {
 protected:
  void SetUp() override {
    file_ = (std::filesystem::temp_directory_path() / ("sudar-bench-part-" + std::to_string(getpid()))).string();
    PartResult part;
    part.suite = "s", part.part = "p";
    part.results.measurements.push_back({"t", "w", "ours", ""});
    part.results.measurements[0].rounds = 7, part.results.measurements[0].of = 12;
    part.results.bars.push_back({"bar", 1, 2, true, true, 0, Bar::Side::at_most});
    part.results.findings.push_back({"E1", "claim", Verdict::refuted, "ours", "chart"});
    ASSERT_TRUE(write_part(part, {}, file_));
    text_ = *sudar::read_whole_file(file_);
  }
  void TearDown() override { std::filesystem::remove(file_); }

  // With the first such piece of the text as another
  std::optional<PartResult> read_with(const std::string& piece, const std::string& other) {
    std::string text = text_;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, text.npos) << piece;
    if (at != text.npos) text.replace(at, piece.size(), other);
    EXPECT_TRUE(write_text(file_, text));
    return read_part(file_);
  }

 private:
  std::string file_, text_;
};

TEST_F(BenchPart, CountsAndNamesAreReadAsTheyWereWritten) {
  const auto part = read_with("{", "{");
  ASSERT_TRUE(part.has_value());
  ASSERT_EQ(part->results.measurements.size(), 1u);
  EXPECT_EQ(part->results.measurements[0].rounds, 7);
  EXPECT_EQ(part->results.measurements[0].of, 12u);
  EXPECT_EQ(part->results.bars[0].side, Bar::Side::at_most);
  EXPECT_EQ(part->results.findings[0].verdict, Verdict::refuted);
}

TEST_F(BenchPart, WhatIsNoCountOrNameIsRefused) {
  // A verdict of another number would be looked up beyond the names
  for (const char* other : {"-1", "3", "1e9", "1.0", "4294967297", "\"1\"", "null"})
    EXPECT_FALSE(read_with("\"verdict\": 1", std::string("\"verdict\": ") + other).has_value()) << other;
  EXPECT_TRUE(read_with("\"verdict\": 1", "\"verdict\": 2").has_value());
  for (const char* other : {"-1", "3", "1e300"})
    EXPECT_FALSE(read_with("\"side\": 2", std::string("\"side\": ") + other).has_value()) << other;
  for (const char* other : {"-7", "7.5", "1e300", "2147483648", "18446744073709551615"})
    EXPECT_FALSE(read_with("\"rounds\": 7", std::string("\"rounds\": ") + other).has_value()) << other;
  EXPECT_FALSE(read_with("\"of\": 12", "\"of\": -12").has_value());
  EXPECT_TRUE(read_with("\"of\": 12", "\"of\": 18446744073709551615").has_value());
}

TEST_F(BenchPart, BracketsWithoutEndAreRefused) {
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  EXPECT_FALSE(read_with("\"rounds\": 7", "\"rounds\": " + deep).has_value());
  // Also where nothing reads them
  EXPECT_FALSE(read_with("\"suite\"", "\"more\": " + deep + ", \"suite\"").has_value());
}

}  // namespace

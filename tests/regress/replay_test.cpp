// Cases that were found are run ever after: every line of every *.jsonl in tests/regress/cases, and of the file that SUDAR_CASE
// names, keeps the promises of the campaign that would have written it. Oracles: those of the campaigns.
#include "tests/regress/read_case.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

namespace {

using sudar_test::broken_promise_of_line;
using sudar_test::lines_of_file;

void replay(const std::string& path) {
  const std::vector<std::string> lines = lines_of_file(path);
  EXPECT_FALSE(lines.empty()) << path << " has no lines";
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(broken_promise_of_line(lines[i]), "") << path << ", line " << i + 1 << ":\n" << lines[i];
}

TEST(RegressCases, EveryCaseKeepsItsPromises) {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SUDAR_REGRESS_CASES))
    if (entry.path().extension() == ".jsonl") paths.insert(entry.path().string());
  EXPECT_GE(paths.size(), 4u);
  for (const std::string& path : paths) replay(path);
}

TEST(RegressCases, TheFileThatIsNamed) {
  const char* const path = std::getenv("SUDAR_CASE");
  if (path == nullptr) GTEST_SKIP() << "SUDAR_CASE names no file";
  replay(path);
}

// What cannot be replayed is not passed over
TEST(RegressCases, WhatIsNoCaseIsBroken) {
  for (
      const char* line :
      {"{", "[]", "{}", R"({"op":"inside","dim":3,"a":{"shape":{"type":"sphere","radius":1}},"point":[0,0,0]})",
       R"({"op":"distance","dim":4})", R"({"op":"ccd_edge_edge","t0":[[0,0,0]],"t1":[]})",
       R"({"op":"ray","dim":3,"a":{"shape":{"type":"sphere","radius":1}},"origin":[0,0,2],"direction":[0,0,0]})",
       R"({"op":"ray","dim":3,"a":{"shape":{"type":"box","half":[1,1,1]}},"origin":[-3,1,0],"direction":[1,0,0],)"
       R"("expect":{"hit":false}})",
       R"({"op":"distance","dim":2,"a":{"shape":{"type":"circle","radius":1}},"b":{"shape":{"type":"circle","radius":1},)"
       R"("pose":{"position":[2,0]}},"expect":{"hit":false}})",
       R"({"op":"ccd_edge_edge","t0":[],"t1":[],"min_separation":1})"})
    EXPECT_NE(broken_promise_of_line(line), "") << line;
}

}  // namespace

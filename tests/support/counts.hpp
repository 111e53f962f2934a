// What:    How many cases a campaign really put to its oracle, told in one line of its output, so that a soak can be summed up:
//          COUNT exact_yes_no 40000. The same number is a property of the test in gtest's reports.
// Differs: Names in use: exact_yes_no (decisions against exact numbers), exact_distance (bounds against exact distances),
//          exact_depth (bounds against exact depths),
//          exact_impacts (times of impact against exact numbers), proven_ways (of turning bodies, proven to be free until the
//          impact), impacts and public_queries (vertex–face and edge–edge), pair_calls (calls of PairCampaign), pair_slides (times
//          of impact of bodies that slide among them), pair_exempt_… (what a promise leaves out of them), memory_points (allocations that were made to fail) of memory_points_of.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace sudar_test {

inline void count_cases(const char* name, std::size_t n) {
  testing::Test::RecordProperty(name, std::to_string(n));
  std::printf("COUNT %s %zu\n", name, n);
}

}  // namespace sudar_test

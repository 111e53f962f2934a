// What:    What is counted over the parts of a run: bars by the capability they belong to, and rounds that were disturbed.
#pragma once

#include "bench/results.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_bench {

struct BarTally {
  std::size_t met = 0, all = 0, unmeasured = 0;

  std::size_t missed() const { return all - met - unmeasured; }
};
BarTally bars_of_all(std::span<const PartResult> parts);
// "3 of 5 bars met, 1 not measured"
std::string to_string(const BarTally& tally);

struct CapabilityTally {
  std::string_view capability;
  BarTally bars;
  std::size_t failed_parts = 0;  // whose bars may be lacking
};
// In the order in which they come, those without a bar or a failure left out
std::vector<CapabilityTally> bars_by_capability(std::span<const PartResult> parts);
// The same for a reader
Table capability_table(std::span<const PartResult> parts);

struct RoundTally {
  std::size_t timed = 0;      // rounds of all contestants
  std::size_t repeated = 0;   // taken again, because the processor was given to somebody else
  std::size_t disturbed = 0;  // kept although it was
};
RoundTally rounds_of_all(std::span<const PartResult> parts);
// A sentence; empty when nothing was timed in rounds
std::string to_string(const RoundTally& tally);

}  // namespace sudar_bench

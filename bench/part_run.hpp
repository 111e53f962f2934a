// What:    A part of a suite in a process of its own, watched: a contestant that crashes, or runs longer than the patience
//          allows, ends that process and not the run. The part is run again without it, and its row says why.
// Differs: What the part had found when it died is kept as far as it was written down at the last word of progress, so a
//          part that fails elsewhere than in a contestant, or is interrupted, still shows something. A part as a whole has
//          one deadline, however often it begins anew; whoever runs when it has passed is not to blame. The process has
//          a group of its own, so that nothing it started outlives it, and a folder for what is temporary.
// Fails:   no process to be had, or no file to write to: a part with nothing but its trouble.
#pragma once

#include "bench/suites.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sudar_bench {

// Lies in memory that both processes see
struct RunMarker {
  static constexpr std::size_t kLength = 512;

  void begin(const std::string& key);
  void end() { since_ns.store(0, std::memory_order_release); }
  void say(const std::string& text);

  char who[kLength] = {};
  char said[kLength] = {};
  std::atomic<std::int64_t> since_ns{0};  // 0 while nobody runs
};

// Its results, also kept in `file`
PartResult run_part_apart(std::string_view suite, const Part& part, const Options& options, const std::string& file,
                          std::ostream& progress);

}  // namespace sudar_bench

// What:    Statistics of one step: how long each stage took, and what the algorithms counted.
// Differs: Plain data owned by the caller; the library keeps no clock of its own outside of a StageTimer's life.
#pragma once

#include <sudar/core/config.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace sudar {

enum class Stage : std::uint8_t { boxes, pairs, events, manifolds, matching, islands, solve, fast_bodies, finish };
inline constexpr int kStageCount = 9;

constexpr std::string_view to_string(Stage stage) {
  constexpr std::array<std::string_view, kStageCount> kNames = {
      "boxes", "pairs", "events", "manifolds", "matching", "islands", "solve", "fast_bodies", "finish"};
  return kNames[static_cast<std::size_t>(stage)];
}

// What a broad phase counted. Fields an algorithm has no use for stay 0.
struct SearchCounters {
  std::uint64_t box_tests = 0;
  std::uint64_t swaps = 0;
  std::uint64_t nodes_visited = 0;  // nodes or cells
  std::uint64_t duplicates = 0;
  std::uint64_t rebuilds = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const SearchCounters&, const SearchCounters&) = default;
};

struct StepStats {
  std::array<double, kStageCount> stage_ms{};
  SearchCounters search;
  std::uint64_t pairs = 0;
  std::uint64_t contacts = 0;

  double& operator[](Stage stage) { return stage_ms[static_cast<std::size_t>(stage)]; }
  double operator[](Stage stage) const { return stage_ms[static_cast<std::size_t>(stage)]; }
  double total_ms() const {
    double sum = 0;
    for (double ms : stage_ms) sum += ms;
    return sum;
  }
};

// Adds the time of its own life to one stage
class StageTimer {
 public:
  StageTimer(StepStats& stats, Stage stage) : ms_(stats[stage]), start_(Clock::now()) {}
  ~StageTimer() { ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& ms_;
  Clock::time_point start_;
};

}  // namespace sudar

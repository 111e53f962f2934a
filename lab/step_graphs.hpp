// What:    What every step of a living scene took and counted: plots of the last steps, and all of them as CSV.
// Source:  seeds E13, E14.
#pragma once

#include "lab/panel.hpp"
#include <sudar/core/stats.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sudar::lab {

struct StepRow {
  std::uint64_t step = 0;
  double time = 0;                          // of the scene, seconds
  double ms = 0, lab_ms = 0;                // the step itself; what the lab adds to it
  double swap_ms = 0;                       // of a first step of another algorithm: with the swap; 0 of all others
  std::array<float, kStageCount> stages{};  // ms
  SearchCounters search;
  std::uint64_t bodies = 0, pairs = 0, contacts = 0, points = 0;
  std::string_view algorithm;  // of the registry
};

class StepGraphs {
 public:
  static constexpr std::size_t kShown = 300;    // of the plots
  static constexpr std::size_t kMost = 200000;  // rows; the older half goes then

  void clear() { rows_.clear(); }
  void add(const StepRow& row);
  const std::vector<StepRow>& rows() const { return rows_; }
  // Forgets what came after a step
  void forget_after(std::uint64_t step);
  void tell(Panel& panel, std::uint64_t now) const;
  std::string csv() const;
  // Milliseconds of a step: the middle one of the last `count`
  double typical_ms(std::size_t count = 31) const;
  // What the lab added to the last `count` steps, over what they took
  double lab_share(std::size_t count = 120) const;

 private:
  std::vector<StepRow> rows_;
};

}  // namespace sudar::lab

// What:    What `sudar sim` measures, one row a step: the time of each stage, pairs, contacts, the algorithm in use and its
//          own figures. Written as .csv or .json, summed up in a line.
#pragma once

#include <sudar/core/stats.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sudar_cli {

struct SimRow {
  double time = 0, ms = 0;  // seconds of the scene, milliseconds of the step
  std::array<double, sudar::kStageCount> stages{};
  sudar::SearchCounters search;
  std::uint64_t pairs = 0, contacts = 0, points = 0, bodies = 0, awake = 0, islands = 0, fast_hits = 0;
  std::string algorithm;
  std::uint64_t hash = 0;                                    // 0 where none was asked for
  std::vector<std::pair<std::string_view, double>> figures;  // the scene's own
};

class SimMetrics {
 public:
  // Without rows there is nothing to write, only to sum up: a long run takes eight bytes a step
  explicit SimMetrics(bool rows = true) : keeps_rows_(rows) {}
  void add(SimRow row);
  // By the ending of the path; false when it cannot be written
  bool write(const std::string& path, const std::string& scene) const;
  // "ms", "stages_ms" (means), and the counts of the last step
  void summarize(nlohmann::ordered_json& json) const;

 private:
  nlohmann::ordered_json row_json(std::size_t step) const;

  bool keeps_rows_;
  std::vector<SimRow> rows_;
  std::vector<double> ms_;
  std::array<double, sudar::kStageCount> stages_{};  // sums
  SimRow last_;
};

}  // namespace sudar_cli

#include "cli/sim_metrics.hpp"

#include "cli/text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>

namespace sudar_cli {

nlohmann::ordered_json SimMetrics::row_json(std::size_t step) const {
  const SimRow& row = rows_[step];
  nlohmann::ordered_json json;
  json["step"] = step;
  json["time"] = row.time;
  json["ms"] = row.ms;
  for (int i = 0; i < sudar::kStageCount; ++i)
    json[std::string(to_string(static_cast<sudar::Stage>(i))) + "_ms"] = row.stages[static_cast<std::size_t>(i)];
  json["pairs"] = row.pairs;
  json["contacts"] = row.contacts;
  json["points"] = row.points;
  json["bodies"] = row.bodies;
  json["awake"] = row.awake;
  json["islands"] = row.islands;
  json["fast_hits"] = row.fast_hits;
  json["algorithm"] = row.algorithm;
  json["box_tests"] = row.search.box_tests;
  json["swaps"] = row.search.swaps;
  json["nodes_visited"] = row.search.nodes_visited;
  json["duplicates"] = row.search.duplicates;
  json["rebuilds"] = row.search.rebuilds;
  json["bytes"] = row.search.bytes;
  json["hash"] = row.hash == 0 ? "" : hex(row.hash);
  for (const auto& [name, value] : row.figures) json[std::string(name)] = value;
  return json;
}

bool SimMetrics::write(const std::string& path, const std::string& scene) const {
  std::string text;
  if (path.ends_with(".json")) {
    nlohmann::ordered_json json;
    json["schema"] = "sudar/metrics-1";
    json["scene"] = scene;
    json["rows"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < rows_.size(); ++i) json["rows"].push_back(row_json(i));
    text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  } else {
    // The columns are the same in all rows of a scene
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const nlohmann::ordered_json row = row_json(i);
      std::string names, values;
      for (const auto& item : row.items()) {
        names += (names.empty() ? "" : ",") + item.key();
        values += (values.empty() ? "" : ",") +
                  (item.value().is_string() ? item.value().get<std::string>() : item.value().dump());
      }
      if (i == 0) text += names + '\n';
      text += values + '\n';
    }
  }
  return sudar::write_whole_file(path, text).ok();
}

void SimMetrics::add(SimRow row) {
  ms_.push_back(row.ms);
  for (std::size_t i = 0; i < stages_.size(); ++i) stages_[i] += row.stages[i];
  if (keeps_rows_) rows_.push_back(row);
  last_ = std::move(row);
}

void SimMetrics::summarize(nlohmann::ordered_json& json) const {
  std::vector<double> ms = ms_;
  double total = 0;
  nlohmann::ordered_json stages;
  for (const double x : ms) total += x;
  std::sort(ms.begin(), ms.end());
  const auto at = [&](double share) {
    return ms.empty() ? 0 : ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1) + 0.5)];
  };
  json["ms"] = {{"min", at(0)}, {"median", at(0.5)}, {"p95", at(0.95)}, {"total", total}};
  for (int i = 0; i < sudar::kStageCount; ++i)
    stages[std::string(to_string(static_cast<sudar::Stage>(i)))] =
        ms.empty() ? 0 : stages_[static_cast<std::size_t>(i)] / static_cast<double>(ms.size());
  json["stages_ms"] = stages;
  const SimRow& last = last_;
  json["pairs"] = last.pairs;
  json["contacts"] = last.contacts;
  json["awake"] = last.awake;
  json["algorithm"] = last.algorithm;
  json["figures"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : last.figures) json["figures"][std::string(name)] = value;
}

}  // namespace sudar_cli

#include "lab/step_graphs.hpp"

#include <algorithm>
#include <cstdio>

namespace sudar::lab {

void StepGraphs::add(const StepRow& row) {
  if (rows_.size() == kMost) rows_.erase(rows_.begin(), rows_.begin() + kMost / 2);
  rows_.push_back(row);
}

void StepGraphs::forget_after(std::uint64_t step) {
  while (!rows_.empty() && rows_.back().step > step) rows_.pop_back();
}

double StepGraphs::typical_ms(std::size_t count) const {
  std::vector<double> last;
  for (std::size_t i = rows_.size() - std::min(count, rows_.size()); i < rows_.size(); ++i) last.push_back(rows_[i].ms);
  if (last.empty()) return 0;
  std::nth_element(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2), last.end());
  return last[last.size() / 2];
}

double StepGraphs::lab_share(std::size_t count) const {
  double own = 0, added = 0;
  for (std::size_t i = rows_.size() - std::min(count, rows_.size()); i < rows_.size(); ++i) {
    own += rows_[i].ms;
    added += rows_[i].lab_ms;
  }
  return own > 0 ? added / own : 0;
}

void StepGraphs::tell(Panel& panel, std::uint64_t now) const {
  if (rows_.empty()) return;
  // Every other step where there are many: a plot has no more pixels
  const std::size_t begin = rows_.size() - std::min(kShown, rows_.size());
  const std::size_t stride = rows_.size() - begin > kShown / 2 ? 2 : 1;
  const auto plot_of = [&](const char* title, const char* unit) {
    Plot plot;
    plot.title = title;
    plot.x_label = "step";
    plot.y_label = unit;
    plot.marker_x = static_cast<double>(now);
    return plot;
  };
  const auto series_of = [&](std::string name, auto&& value) {
    PlotSeries series;
    series.name = std::move(name);
    series.x.reserve(rows_.size() - begin);
    series.y.reserve(rows_.size() - begin);
    for (std::size_t i = begin; i < rows_.size(); i += stride) {
      series.x.push_back(static_cast<double>(rows_[i].step));
      series.y.push_back(static_cast<double>(value(rows_[i])));
    }
    return series;
  };
  const auto seen = [&](auto&& value) {
    return std::any_of(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end(),
                       [&](const StepRow& row) { return value(row) != 0; });
  };

  Plot times = plot_of("Step time by stage", "ms");
  times.series.push_back(series_of("whole step", [](const StepRow& r) { return r.ms; }));
  for (std::size_t s = 0; s < static_cast<std::size_t>(kStageCount); ++s) {
    const auto value = [s](const StepRow& r) { return r.stages[s]; };
    if (seen(value)) times.series.push_back(series_of(std::string(to_string(static_cast<Stage>(s))), value));
  }
  times.series.push_back(series_of("the lab", [](const StepRow& r) { return r.lab_ms; }));
  panel.plots.push_back(std::move(times));

  Plot counts = plot_of("Pairs and contacts", "");
  counts.series.push_back(series_of("pairs", [](const StepRow& r) { return r.pairs; }));
  if (seen([](const StepRow& r) { return r.contacts; }))
    counts.series.push_back(series_of("contacts", [](const StepRow& r) { return r.contacts; }));
  if (seen([](const StepRow& r) { return r.points; }))
    counts.series.push_back(series_of("points", [](const StepRow& r) { return r.points; }));
  panel.plots.push_back(std::move(counts));

  Plot counters = plot_of("What the broad phase counted", "");
  counters.log_y = true;
  const auto add_counter = [&](const char* name, std::uint64_t SearchCounters::*field) {
    const auto value = [field](const StepRow& r) { return r.search.*field; };
    if (seen(value)) counters.series.push_back(series_of(name, value));
  };
  add_counter("box tests", &SearchCounters::box_tests);
  add_counter("swaps", &SearchCounters::swaps);
  add_counter("nodes visited", &SearchCounters::nodes_visited);
  add_counter("duplicates", &SearchCounters::duplicates);
  if (!counters.series.empty()) panel.plots.push_back(std::move(counters));
}

std::string StepGraphs::csv() const {
  std::string text = "step,time,algorithm,ms,lab_ms,bodies,pairs,contacts,points";
  for (int s = 0; s < kStageCount; ++s) text += ",ms_" + std::string(to_string(static_cast<Stage>(s)));
  text += ",box_tests,swaps,nodes_visited,duplicates,rebuilds,bytes,swap_ms\n";
  const auto number = [&](double x) {
    char digits[32];
    std::snprintf(digits, sizeof digits, ",%.6g", x);
    text += digits;
  };
  for (const StepRow& row : rows_) {
    text += std::to_string(row.step);
    number(row.time);
    text += ',' + std::string(row.algorithm);
    number(row.ms);
    number(row.lab_ms);
    for (const std::uint64_t x : {row.bodies, row.pairs, row.contacts, row.points}) text += ',' + std::to_string(x);
    for (const float ms : row.stages) number(ms);
    for (const std::uint64_t x : {row.search.box_tests, row.search.swaps, row.search.nodes_visited,
                                  row.search.duplicates, row.search.rebuilds, row.search.bytes})
      text += ',' + std::to_string(x);
    number(row.swap_ms);
    text += '\n';
  }
  return text;
}

}  // namespace sudar::lab

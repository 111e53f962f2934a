#include "lab/results_file.hpp"

#include "cli/json_text.hpp"
#include <sudar/io/double_text.hpp>
#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

using ResultsJson = nlohmann::ordered_json;

std::string cell_text(const ResultsJson& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : value.dump();
}
double number_of(const std::string& text) {
  double x = 0;
  const auto [end, status] = read_double(text, x);
  return status == std::errc() && end == text.data() + text.size() ? x : std::numeric_limits<double>::quiet_NaN();
}
std::ptrdiff_t column_of(const Table& table, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c] == name) return static_cast<std::ptrdiff_t>(c);
  return -1;
}
bool is_numbers(const Table& table, std::size_t column) {
  return !table.rows.empty() && std::all_of(table.rows.begin(), table.rows.end(),
                                            [&](const auto& row) { return std::isfinite(number_of(row[column])); });
}

}  // namespace

Result<BenchResults> read_results(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  if (const auto fault = sudar_cli::fault_of_json(*text))
    return Error{ErrorCode::bad_format, Error::kNoElement, fault->message};
  // Neither a broken file nor one of another shape throws
  const ResultsJson json = ResultsJson::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("tables") || !json["tables"].is_object())
    return Error{ErrorCode::bad_format, Error::kNoElement, "not a results.json of sudar bench"};
  BenchResults out;
  if (const auto suite = json.find("suite"); suite != json.end()) out.suite = cell_text(*suite);
  if (const auto build = json.find("build"); build != json.end() && build->is_object())
    for (const auto& [key, value] : build->items()) out.build += (out.build.empty() ? "" : ", ") + cell_text(value);
  for (const auto& [name, rows] : json["tables"].items()) {
    Table table{name, {}, {}, -1};
    if (!rows.is_array()) continue;
    for (const ResultsJson& row : rows) {
      if (!row.is_object()) continue;
      if (table.columns.empty())
        for (const auto& [key, value] : row.items()) table.columns.push_back(key);
      std::vector<std::string> cells(table.columns.size());
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (const auto value = row.find(table.columns[c]); value != row.end()) cells[c] = cell_text(*value);
      table.rows.push_back(std::move(cells));
    }
    if (!table.rows.empty()) out.tables.push_back(std::move(table));
  }
  if (const auto bars = json.find("bars"); bars != json.end() && bars->is_array())
    for (const ResultsJson& bar : *bars) {
      if (!bar.is_object()) continue;
      const auto number = [&](const char* key) {
        const auto value = bar.find(key);
        return value != bar.end() && value->is_number() ? value->get<double>() : 0.0;
      };
      const auto passed = bar.find("passed");
      const auto what = bar.find("what");
      out.bars.push_back({what != bar.end() ? cell_text(*what) : "", number("required"), number("seen"),
                          passed != bar.end() && passed->is_boolean() && passed->get<bool>()});
    }
  return out;
}

std::vector<RaceBar> race_of(const Table& table) {
  std::vector<RaceBar> out;
  const auto who = column_of(table, {"contestant"}), on = column_of(table, {"workload"}),
             ms = column_of(table, {"ms_min", "ms_median"}), version = column_of(table, {"version"});
  if (who < 0 || on < 0 || ms < 0) return out;
  for (const auto& row : table.rows) {
    const double time = number_of(row[static_cast<std::size_t>(ms)]);
    if (!std::isfinite(time)) continue;
    out.push_back({row[static_cast<std::size_t>(on)], row[static_cast<std::size_t>(who)], time,
                   version >= 0 && !row[static_cast<std::size_t>(version)].empty()});
  }
  return out;
}

Plot plot_of(const Table& table) {
  Plot plot{table.title, "", "", {}};
  std::vector<std::size_t> numbers;
  std::ptrdiff_t name = column_of(table, {"algorithm", "method", "contestant", "winner"});
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (is_numbers(table, c))
      numbers.push_back(c);
    else if (name < 0)
      name = static_cast<std::ptrdiff_t>(c);
  if (numbers.size() < 2) return plot;
  const std::size_t x = numbers.front();
  std::ptrdiff_t y = column_of(table, {"ms_median", "ms_min", "ms", "seconds", "dt_ms", "ns", "ms_a_step"});
  if (y < 0 || static_cast<std::size_t>(y) == x) y = static_cast<std::ptrdiff_t>(numbers[1]);
  plot.x_label = table.columns[x];
  plot.y_label = table.columns[static_cast<std::size_t>(y)];
  bool positive_x = true, positive_y = true;
  for (const auto& row : table.rows) {
    const std::string key = name < 0 ? plot.y_label : row[static_cast<std::size_t>(name)];
    auto curve =
        std::find_if(plot.series.begin(), plot.series.end(), [&](const PlotSeries& s) { return s.name == key; });
    if (curve == plot.series.end()) curve = plot.series.insert(curve, PlotSeries{key, {}, {}, false});
    const double px = number_of(row[x]), py = number_of(row[static_cast<std::size_t>(y)]);
    positive_x = positive_x && px > 0, positive_y = positive_y && py > 0;
    curve->x.push_back(px), curve->y.push_back(py);
  }
  // Several measurements of one number are dots, not a line that goes back and forth
  for (PlotSeries& curve : plot.series)
    curve.points = !std::is_sorted(curve.x.begin(), curve.x.end()) ||
                   std::adjacent_find(curve.x.begin(), curve.x.end()) != curve.x.end();
  // Powers of two and ten are measured at even ratios
  const auto wide = [&](bool of_x) {
    double lo = std::numeric_limits<double>::infinity(), hi = 0;
    for (const PlotSeries& curve : plot.series)
      for (const double v : of_x ? curve.x : curve.y) lo = std::min(lo, v), hi = std::max(hi, v);
    return hi > 20 * lo;
  };
  plot.log_x = positive_x && wide(true);
  plot.log_y = positive_y && wide(false);
  return plot;
}

}  // namespace sudar::lab

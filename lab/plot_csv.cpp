#include "lab/plot_csv.hpp"

#include <charconv>
#include <cmath>
#include <ostream>

namespace sudar::lab {

namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_number(double value) {
  char text[32];
  return std::isnan(value) ? std::string() : std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string column_of(const Plot& plot, const PlotSeries& curve) { return plot.title + ": " + curve.name; }

}  // namespace

void write_plots(std::ostream& out, const Panel& panel) {
  out << "plot,series,x,y\n";
  for (const Plot& plot : panel.plots)
    for (const PlotSeries& curve : plot.series)
      for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
        out << csv_text(plot.title) << ',' << csv_text(curve.name) << ',' << csv_number(curve.x[i]) << ','
            << csv_number(curve.y[i]) << '\n';
}

void PlotRecorder::add(const Panel& panel, double time) {
  if (columns_.empty())
    for (const Plot& plot : panel.plots)
      for (const PlotSeries& curve : plot.series) columns_.push_back(column_of(plot, curve));
  std::vector<double> row(columns_.size() + 1, std::numeric_limits<double>::quiet_NaN());
  row[0] = time;
  for (const Plot& plot : panel.plots)
    for (const PlotSeries& curve : plot.series) {
      if (curve.y.empty()) continue;
      const std::string name = column_of(plot, curve);
      for (std::size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i] == name) row[i + 1] = curve.y.back();
    }
  rows_.push_back(std::move(row));
}

void PlotRecorder::write(std::ostream& out) const {
  out << "frame,time";
  for (const std::string& column : columns_) out << ',' << csv_text(column);
  out << '\n';
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out << i;
    for (const double value : rows_[i]) out << ',' << csv_number(value);
    out << '\n';
  }
}

}  // namespace sudar::lab

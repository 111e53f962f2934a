#include "bench/report_overview.hpp"

#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace sudar_bench {

namespace {

constexpr double kPlotWidth = 360, kPlotHeight = 18, kPlotMargin = 8;

// Where a ratio is on the axis, which is logarithmic and the same for all
struct RatioAxis {
  double low = 0.5, high = 2;
  double at(double ratio) const {
    const double share = (std::log(std::clamp(ratio, low, high)) - std::log(low)) / (std::log(high) - std::log(low));
    return kPlotMargin + share * (kPlotWidth - 2 * kPlotMargin);
  }
};

std::string attribute(const char* name, double value) { return std::string(" ") + name + "=" + number_text(value); }

std::string vertical(double x, const char* colour) {
  return "<line" + attribute("x1", x) + attribute("x2", x) + " y1=0" + attribute("y2", kPlotHeight) +
         " stroke=\"var(--" + colour + ")\"/>";
}

std::string plot(const std::string& inside) {
  return "<svg style=\"width:" + number_text(kPlotWidth) + "px\" viewBox=\"0 0 " + number_text(kPlotWidth) + " " +
         number_text(kPlotHeight) + "\" role=img>" + inside + "</svg>";
}

// Powers of ten, with their names
std::string axis_html(const RatioAxis& axis) {
  std::string inside;
  for (double ten = std::pow(10, std::ceil(std::log10(axis.low))); ten <= axis.high * 1.001; ten *= 10)
    inside += "<text text-anchor=middle y=14" + attribute("x", axis.at(ten)) + ">" + number_text(ten) + "</text>";
  return plot(inside);
}

std::string dot_html(const Standing& s, const RatioAxis& axis) {
  const char* colour = s.ratio > kEven ? "ours" : s.ratio < 1 / kEven ? "bad" : "peer";
  const double y = kPlotHeight / 2;
  std::string inside = vertical(axis.at(1), "line");
  if (s.low > 0 && s.high > s.low)
    inside += "<line" + attribute("x1", axis.at(s.low)) + attribute("x2", axis.at(s.high)) + attribute("y1", y) +
              attribute("y2", y) + " stroke-width=2 stroke=\"var(--" + colour + ")\"/>";
  // Hollow where the peer's answers are wrong
  inside += "<circle r=4.5" + attribute("cx", axis.at(s.ratio)) + attribute("cy", y) + " stroke=\"var(--" + colour +
            ")\" stroke-width=2 fill=\"var(--" + (s.peer_disagrees ? "paper" : colour) + ")\"/>";
  return plot(inside);
}

}  // namespace

std::string overview_html(const Balance& balance) {
  if (balance.standings.empty()) return {};
  std::vector<Standing> rows = balance.standings;
  std::stable_sort(rows.begin(), rows.end(), [](const Standing& a, const Standing& b) { return a.ratio < b.ratio; });
  RatioAxis axis;
  for (const Standing& s : rows) {
    axis.low = std::min(axis.low, s.low > 0 ? std::min(s.low, s.ratio) : s.ratio);
    axis.high = std::max({axis.high, s.high, s.ratio});
  }
  std::string html =
      "<h2 id=overview>All races at a glance</h2><p class=soft>The time of the best peer over ours, by the least "
      "times; "
      "the line is from the 10th to the 90th percentile of single rounds. Right of 1 ours is faster. A hollow dot: "
      "some "
      "answers of that peer are wrong, or not ours.</p><div class=scroll><table><tr><th>race<th>best peer<th>times "
      "faster<th>" +
      axis_html(axis) + "</tr>";
  for (const Standing& s : rows)
    html += "<tr><td>" + html_text(s.table + ", " + s.workload) + "<td>" + html_text(s.peer) + "<td class=n>" +
            number_text(s.ratio) + "<td>" + dot_html(s, axis);
  return html + "</table></div>";
}

}  // namespace sudar_bench

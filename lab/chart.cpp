#include "lab/chart.hpp"

#include "lab/still_exhibit.hpp"

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr double kManyDigits = 1e5;  // there is no room for more beside the axis

// 1, 2 or 5 times a power of ten, for about five ticks
double tick_step(double range) {
  const double rough = range / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0})
    if (rough <= times * power) return times * power;
  return 10 * power;
}

void widen(double value, bool logarithmic, double& lo, double& hi) {
  if (!std::isfinite(value) || (logarithmic && !(value > 0))) return;
  lo = std::min(lo, value);
  hi = std::max(hi, value);
}

void round_ends(bool logarithmic, double& lo, double& hi) {
  if (!(lo <= hi)) lo = logarithmic ? 1 : 0, hi = logarithmic ? 10 : 1;
  if (logarithmic) {
    lo = std::pow(10.0, std::floor(std::log10(lo) + 1e-9));
    hi = std::pow(10.0, std::ceil(std::log10(hi) - 1e-9));
    if (!(lo < hi)) hi = 10 * lo;
    return;
  }
  if (!(lo < hi)) lo -= 0.5, hi += 0.5;
  const double step = tick_step(hi - lo);
  lo = std::floor(lo / step + 1e-9) * step;
  hi = std::ceil(hi / step - 1e-9) * step;
}

// value, label
std::vector<double> ticks(bool logarithmic, double lo, double hi) {
  std::vector<double> out;
  if (logarithmic) {
    for (double x = lo; x <= hi * 1.001; x *= 10) out.push_back(x);
    return out;
  }
  const double step = tick_step(hi - lo);
  for (int i = 0; lo + i * step <= hi + step / 1000; ++i) {
    const double x = lo + i * step;
    out.push_back(std::fabs(x) < step / 1000 ? 0 : x);
  }
  return out;
}

double share_of(double v, double lo, double hi, bool logarithmic) {
  if (logarithmic) v = std::log(std::max(v, lo)), lo = std::log(lo), hi = std::log(hi);
  return std::clamp((v - lo) / (hi - lo), 0.0, 1.0);
}

}  // namespace

Vec2d Chart::at(double x, double y) const {
  return {lo.x + (hi.x - lo.x) * share_of(x, x_lo, x_hi, log_x), lo.y + (hi.y - lo.y) * share_of(y, y_lo, y_hi, log_y)};
}

Chart chart_of(const Plot& plot, const Vec2d& lo, const Vec2d& hi) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Chart out{lo, hi, kFar, -kFar, kFar, -kFar, plot.log_x, plot.log_y};
  for (const PlotSeries& curve : plot.series) {
    for (const double x : curve.x) widen(x, plot.log_x, out.x_lo, out.x_hi);
    for (const double y : curve.y) widen(y, plot.log_y, out.y_lo, out.y_hi);
  }
  if (!plot.log_y) widen(0, false, out.y_lo, out.y_hi);
  if (!plot.log_x && !(out.x_lo < out.x_hi)) round_ends(false, out.x_lo, out.x_hi);
  if (plot.log_x) round_ends(true, out.x_lo, out.x_hi);
  round_ends(plot.log_y, out.y_lo, out.y_hi);
  return out;
}

void draw_axes(DrawList& list, const Plot& plot, const Chart& chart) {
  const Color ink = color_of(Ink::text), faint = color_of(Ink::text, 0.18f);
  const Vec2d size = chart.hi - chart.lo;
  // Letters keep their size however flat the chart is
  const double below = std::max(0.055 * size.y, 0.022 * size.x), beside = 0.1 * size.x;
  for (const double x : ticks(chart.log_x, chart.x_lo, chart.x_hi)) {
    const Vec2d p = chart.at(x, chart.y_lo);
    list.line(drawn_at(p), drawn_at(Vec2d{p.x, chart.hi.y}), faint, 1);
    list.label(drawn_at(Vec2d{p.x - 0.012 * size.x, p.y - below}), shown(x, 6), ink);
  }
  for (const double y : ticks(chart.log_y, chart.y_lo, chart.y_hi)) {
    const Vec2d p = chart.at(chart.x_lo, y);
    list.line(drawn_at(p), drawn_at(Vec2d{chart.hi.x, p.y}), faint, 1);
    list.label(drawn_at(Vec2d{p.x - beside, p.y}), shown(y, std::fabs(y) < kManyDigits ? 6 : 3), ink);
  }
  list.line(drawn_at(chart.lo), drawn_at(Vec2d{chart.hi.x, chart.lo.y}), ink, 1.5f);
  list.line(drawn_at(chart.lo), drawn_at(Vec2d{chart.lo.x, chart.hi.y}), ink, 1.5f);
  list.label(drawn_at(Vec2d{chart.hi.x - 0.16 * size.x, chart.lo.y - 2.1 * below}), plot.x_label, ink);
  list.label(drawn_at(Vec2d{chart.lo.x - beside, chart.hi.y + 1.6 * below}), plot.y_label, ink);
}

void draw_plot(DrawList& list, const Plot& plot, const Chart& chart, bool names) {
  draw_axes(list, plot, chart);
  const Vec2d size = chart.hi - chart.lo;
  // Names stand at the ends of their curves, and make room for each other
  struct Name {
    double y;
    std::size_t series;
  };
  std::vector<Name> at_end;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& curve = plot.series[i];
    const std::size_t n = std::min(curve.x.size(), curve.y.size());
    Vec2d last{};
    bool any = false;
    for (std::size_t k = 0; k < n; ++k) {
      if (!std::isfinite(curve.x[k]) || !std::isfinite(curve.y[k]) || (chart.log_y && !(curve.y[k] > 0))) {
        any = false;
        continue;
      }
      const Vec2d p = chart.at(curve.x[k], curve.y[k]);
      if (any && !curve.points) list.line(drawn_at(last, 1), drawn_at(p, 1), series(i), 2.5f);
      if (curve.points || n <= 24) list.point(drawn_at(p, 2), series(i), curve.points ? 7.0f : 5.0f);
      last = p, any = true;
    }
    if (any) at_end.push_back({last.y, i});
  }
  if (std::isfinite(plot.marker_x)) {
    const Vec2d p = chart.at(plot.marker_x, chart.y_lo);
    list.line(drawn_at(p, 2), drawn_at(Vec2d{p.x, chart.hi.y}, 2), color_of(Ink::highlight), 2);
  }
  if (!names) return;
  std::sort(at_end.begin(), at_end.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
  double free_from = chart.lo.y - 0.02 * size.y;
  for (Name& name : at_end) {
    name.y = std::max(name.y, free_from);
    free_from = name.y + 0.045 * size.y;
    list.label(drawn_at(Vec2d{chart.hi.x + 0.015 * size.x, name.y}, 2), plot.series[name.series].name,
               series(name.series));
  }
}

}  // namespace sudar::lab

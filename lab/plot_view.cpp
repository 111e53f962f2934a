// What:    A plot in a panel: axes with round numbers, linear or logarithmic, curves or dots, a legend, a marker for "now", and
//          the values under the pointer.
#include "lab/ui.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sudar::lab {

namespace {

// One axis: from values to shares of its length
struct Axis {
  double lo = 0, hi = 1;
  bool logarithmic = false;

  double share(double v) const {
    if (logarithmic) return (std::log10(v) - std::log10(lo)) / (std::log10(hi) - std::log10(lo));
    return (v - lo) / (hi - lo);
  }
  double value(double share) const {
    if (logarithmic) return std::pow(10, std::log10(lo) + share * (std::log10(hi) - std::log10(lo)));
    return lo + share * (hi - lo);
  }
  bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
};

constexpr double kDotRoom = 0.03;  // of the length of an axis

template <class Values>
Axis axis_of(const Plot& plot, bool logarithmic, bool from_zero, Values values) {
  Axis axis;
  axis.logarithmic = logarithmic;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const PlotSeries& curve : plot.series)
    for (const double v : values(curve))
      if (axis.shows(v)) lo = std::min(lo, v), hi = std::max(hi, v);
  if (!(lo <= hi)) {
    // Nothing to show yet
    axis.lo = 1, axis.hi = 10;
    return axis;
  }
  // Dots at the border are whole
  const bool dots = std::any_of(plot.series.begin(), plot.series.end(), [](const PlotSeries& s) { return s.points; });
  if (logarithmic) {
    const double room = !(lo < hi) ? 2 : dots ? std::pow(hi / lo, kDotRoom) : 1;
    axis.lo = lo / room, axis.hi = hi * room;
    return axis;
  }
  if (from_zero && lo > 0 && lo < 0.7 * hi) lo = 0;
  if (lo == hi) lo -= std::fabs(lo) / 2 + 0.5, hi += std::fabs(hi) / 2 + 0.5;
  const double room = dots ? kDotRoom * (hi - lo) : 0;
  axis.lo = lo == 0 ? lo : lo - room, axis.hi = hi + room;
  return axis;
}

// Round numbers, about `count` of them
std::vector<double> ticks_of(const Axis& axis, int count) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    const int first = static_cast<int>(std::ceil(std::log10(axis.lo) - 0.001));
    const int last = static_cast<int>(std::floor(std::log10(axis.hi) + 0.001));
    const int by = std::max(1, (last - first + count) / count);
    for (int i = first; i <= last; i += by) ticks.push_back(std::pow(10, i));
    if (ticks.size() < 2) ticks = {axis.lo, axis.hi};
    return ticks;
  }
  const double raw = (axis.hi - axis.lo) / std::max(1, count);
  const double ten = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw / ten > 5 ? 10 * ten : raw / ten > 2 ? 5 * ten : raw / ten > 1 ? 2 * ten : ten;
  for (double v = std::ceil(axis.lo / step) * step; v <= axis.hi + step / 1000 && ticks.size() < 20; v += step)
    ticks.push_back(std::fabs(v) < step / 1000 ? 0 : v);
  return ticks;
}

std::string tick_text(double v) {
  char text[32];
  const double size = std::fabs(v);
  std::snprintf(text, sizeof text, size >= 1e5 || (size > 0 && size < 1e-3) ? "%.0e" : "%.4g", v);
  return text;
}

ImU32 packed(Color c) { return ImGui::ColorConvertFloat4ToU32({c.r, c.g, c.b, c.a}); }

}  // namespace

void show_plot(const Plot& plot, float width, float height, float scale) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float letter = ImGui::GetFontSize() * 0.85f;
  ImFont* font = ImGui::GetFont();
  const ImU32 quiet = packed(color_of(Ink::ghost)), faint = IM_COL32(255, 255, 255, 22);
  const Axis x =
      axis_of(plot, plot.log_x, false, [](const PlotSeries& s) -> const std::vector<double>& { return s.x; });
  const Axis y = axis_of(plot, plot.log_y, true, [](const PlotSeries& s) -> const std::vector<double>& { return s.y; });

  // Room for the numbers
  const std::vector<double> y_ticks = ticks_of(y, 4), x_ticks = ticks_of(x, 4);
  float left = 0;
  for (const double v : y_ticks) left = std::max(left, font->CalcTextSizeA(letter, FLT_MAX, 0, tick_text(v).c_str()).x);
  const ImVec2 lo{at.x + left + 8 * scale, at.y + letter + 4 * scale};
  const ImVec2 hi{at.x + width - 8 * scale, at.y + height - 2 * letter - 6 * scale};
  if (hi.x <= lo.x || hi.y <= lo.y) return;
  const auto px = [&](double v) { return lo.x + static_cast<float>(x.share(v)) * (hi.x - lo.x); };
  const auto py = [&](double v) { return hi.y - static_cast<float>(y.share(v)) * (hi.y - lo.y); };
  draw.AddRectFilled(lo, hi, IM_COL32(0, 0, 0, 60), 3 * scale);
  for (const double v : y_ticks) {
    draw.AddLine({lo.x, py(v)}, {hi.x, py(v)}, faint);
    const std::string text = tick_text(v);
    const ImVec2 size = font->CalcTextSizeA(letter, FLT_MAX, 0, text.c_str());
    draw.AddText(font, letter, {lo.x - size.x - 4 * scale, py(v) - size.y / 2}, quiet, text.c_str());
  }
  for (const double v : x_ticks) {
    draw.AddLine({px(v), lo.y}, {px(v), hi.y}, faint);
    const std::string text = tick_text(v);
    const ImVec2 size = font->CalcTextSizeA(letter, FLT_MAX, 0, text.c_str());
    draw.AddText(font, letter, {std::min(px(v) - size.x / 2, hi.x - size.x), hi.y + 2 * scale}, quiet, text.c_str());
  }
  draw.AddText(font, letter, {lo.x, at.y}, quiet, plot.y_label.c_str());
  const ImVec2 x_size = font->CalcTextSizeA(letter, FLT_MAX, 0, plot.x_label.c_str());
  draw.AddText(font, letter, {hi.x - x_size.x, hi.y + letter + 3 * scale}, quiet, plot.x_label.c_str());

  // Curves
  draw.PushClipRect(lo, hi, true);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const PlotSeries& curve = plot.series[s];
    const ImU32 color = packed(series(s));
    const std::size_t count = std::min(curve.x.size(), curve.y.size());
    bool joined = false;
    ImVec2 last{};
    for (std::size_t i = 0; i < count; ++i) {
      if (!x.shows(curve.x[i]) || !y.shows(curve.y[i])) {
        joined = false;
        continue;
      }
      const ImVec2 p{px(curve.x[i]), py(curve.y[i])};
      if (curve.points || count == 1)
        draw.AddCircleFilled(p, 2.5f * scale, color, 8);
      else if (joined)
        draw.AddLine(last, p, color, 1.6f * scale);
      last = p, joined = true;
    }
  }
  if (x.shows(plot.marker_x))
    draw.AddLine({px(plot.marker_x), lo.y}, {px(plot.marker_x), hi.y}, packed(color_of(Ink::highlight)), 1.5f * scale);
  draw.PopClipRect();

  // Names, in as many rows above the x axis' name as there is room for
  float name_x = lo.x, name_y = hi.y + letter + 3 * scale;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const std::string& name = plot.series[s].name;
    if (name.empty()) continue;
    const ImVec2 size = font->CalcTextSizeA(letter, FLT_MAX, 0, name.c_str());
    if (name_x + size.x + 14 * scale > hi.x - x_size.x) break;
    draw.AddRectFilled({name_x, name_y + letter * 0.3f}, {name_x + 9 * scale, name_y + letter * 0.8f},
                       packed(series(s)), 2);
    draw.AddText(font, letter, {name_x + 13 * scale, name_y}, packed(color_of(Ink::text)), name.c_str());
    name_x += size.x + 24 * scale;
  }

  // Values where the pointer is
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.x < lo.x || mouse.x > hi.x) return;
  const double wanted = x.value((mouse.x - lo.x) / (hi.x - lo.x));
  draw.AddLine({mouse.x, lo.y}, {mouse.x, hi.y}, IM_COL32(255, 255, 255, 70));
  std::string told = plot.x_label + " " + tick_text(wanted);
  for (const PlotSeries& curve : plot.series) {
    double best = std::numeric_limits<double>::infinity(), value = 0;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      if (const double off = std::fabs(curve.x[i] - wanted); off < best) best = off, value = curve.y[i];
    if (std::isfinite(best)) told += "\n" + curve.name + " " + tick_text(value);
  }
  ImGui::SetTooltip("%s", told.c_str());
}

}  // namespace sudar::lab

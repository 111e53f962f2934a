#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sudar_bench {

double percentile(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return percentile(values, 0.5);
}

double geometric_mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

Summary summarize(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  Summary s{static_cast<int>(values.size()), values.front(), percentile(values, 0.5), 0};
  if (s.median > 0) s.spread = (percentile(values, 0.9) - percentile(values, 0.1)) / s.median;
  return s;
}

RatioRange ratio_range(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (b[i] > 0) ratios.push_back(a[i] / b[i]);
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  return {percentile(ratios, 0.1), percentile(ratios, 0.5), percentile(ratios, 0.9)};
}

double growth_exponent(std::span<const CurvePoint> curve) {
  double n = 0, mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (const CurvePoint& p : curve)
    if (p.x > 0 && p.y > 0) n += 1, mean_x += std::log(p.x), mean_y += std::log(p.y);
  if (n < 2) return 0;
  mean_x /= n, mean_y /= n;
  for (const CurvePoint& p : curve) {
    if (!(p.x > 0 && p.y > 0)) continue;
    const double dx = std::log(p.x) - mean_x;
    xy += dx * (std::log(p.y) - mean_y), xx += dx * dx;
  }
  return xx > 0 ? xy / xx : 0;
}

std::optional<double> crossing(std::span<const CurvePoint> curve, double level) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].y < level) continue;
    if (i == 0) return curve[0].x;
    const CurvePoint &a = curve[i - 1], &b = curve[i];
    if (!(a.y > 0) || !(a.x > 0)) return b.x;
    const double t = std::log(level / a.y) / std::log(b.y / a.y);
    return a.x * std::pow(b.x / a.x, t);
  }
  return std::nullopt;
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace sudar_bench

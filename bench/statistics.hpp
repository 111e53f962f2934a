// What:    What a set of measured times says: least, median, spread; ratios of times that were taken side by side; how a
//          curve grows and where it passes a level.
// Differs: Spread is the distance of the 10th from the 90th percentile over the median, so that one interrupted round does
//          not count.
// Fails:   never: no values give zeros, fewer than two points grow by nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

struct Summary {
  int count = 0;
  double min = 0, median = 0, spread = 0;
};

// p of 0 … 1, between the neighbours in rank; the values must be sorted and there must be one
double percentile(std::span<const double> sorted, double p);
double median_of(std::vector<double> values);
double geometric_mean_of(std::span<const double> values);
Summary summarize(std::vector<double> values);

// Round by round, over as many rounds as both have: the 10th, 50th and 90th percentile of a / b
struct RatioRange {
  double low = 0, middle = 0, high = 0;
};
RatioRange ratio_range(std::span<const double> a, std::span<const double> b);

struct CurvePoint {
  double x = 0, y = 0;
};
// The slope of log y over log x by least squares: 1 is linear growth, 2 quadratic
double growth_exponent(std::span<const CurvePoint> curve);
// The first x at which the curve passes from below `level` to it or above, between points along a power law. Nothing when
// it never does; the first x when it starts there.
std::optional<double> crossing(std::span<const CurvePoint> curve, double level);

// As few digits as a reader needs: 4 of them
std::string number_text(double value);

}  // namespace sudar_bench

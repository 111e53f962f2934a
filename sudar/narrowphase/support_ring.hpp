// What:    The support function of a circle about an axis, or of an ellipsoid of revolution, and straight lines below it.
// Source:  By the cosine x between the axis and a unit direction it is √(r² (1 - x²) + h² x²): concave where h is less than r,
//          which for a circle is zero, and convex where it is more.
// Differs: Over all directions of such cosines a body becomes a point and a number, with a bound from below whose error is of
//          second order in x and does not know of the angle about the axis: see depth_proof3.hpp.
// Frame:   Any with the origin in the middle.
// Fails:   no line where the support is near zero and steep.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace sudar {

struct SupportRing {
  double radius = 0, height = 0;  // zero for a circle

  struct Line {
    double slope, at_zero;
    double bend;  // times the square of how far the cosines are apart: about what is between, at most
  };
  // Nowhere above the support between two cosines: its chord, or where it is convex its tangent
  std::optional<Line> below(double from, double to) const noexcept {
    // The least of the support, beside its size
    constexpr double kSteep = 0x1p-10;
    const double size = std::max(radius, height), r = radius / size, h = height / size, k = (h - r) * (h + r);
    const auto support = [&](double x) { return std::sqrt(r * r * ((1 - x) * (1 + x)) + h * h * (x * x)); };
    const double g0 = support(from), g1 = support(to), sum = g0 + g1;
    if (!(sum > kSteep)) return std::nullopt;
    const double bend = size * (std::fabs(k) * (r * r) / (sum * sum * sum));
    if (k > 0) {
      const double middle = 0.5 * (from + to), g = support(middle), slope = k * middle / g;
      return Line{size * slope, size * (g - slope * middle), bend};
    }
    const double slope = k * (from + to) / sum;
    return Line{size * slope, size * (g0 - slope * from), bend};
  }
};

}  // namespace sudar

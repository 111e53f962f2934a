// What:    Sum of many angles, each given as a complex number (x, y) of any length, with one arc tangent at the end.
// Source:  Arguments add when complex numbers are multiplied; the full turns lost by that are counted on the way.
// Differs: The usual way takes an arc tangent for each angle. Rounding here grows in the same way, by about one unit
//          per angle. Sizes of (x, y) from 1e-300 to 1e300.
#pragma once

#include <sudar/math/scalar.hpp>

#include <cstdint>

namespace sudar {

class AngleSum {
 public:
  // Adds the angle of (x, y) in (-π, π]; (0, 0) has none and is passed over
  void add(double x, double y) {
    const double px = x_ * x - y_ * y, py = x_ * y + y_ * x;
    const double size = std::fabs(px) + std::fabs(py);
    if (!(size > 0)) return;
    // Two angles from 0 to π pass π when they come out below the axis, or have both been π; likewise downwards
    if (y_ >= 0 && y >= 0) turns_ += py < 0 || (py == 0 && px > 0 && x < 0);
    if (y_ < 0 && y < 0) turns_ -= py > 0 || (py == 0 && px < 0);
    const double inverse = 1 / size;
    x_ = px * inverse;
    y_ = py * inverse;
  }
  // In full turns
  double turns() const { return static_cast<double>(turns_) + arc_tangent(y_, x_) / (2 * kPi); }

 private:
  double x_ = 1, y_ = 0;
  std::int64_t turns_ = 0;
};

}  // namespace sudar

// What:    A spring and damper as the coefficients of a velocity constraint that is solved implicitly.
// Source:  Catto, "Soft Constraints", GDC 2011.
// Differs: The impulse is -mass_scale · effective mass · (speed + bias_rate · error) - impulse_scale · impulse so far: with
//          mass_scale 1 and the others 0 the constraint is rigid and does not look at the error.
#pragma once

#include <sudar/math/scalar.hpp>

#include <limits>

namespace sudar {

struct Softness {
  double bias_rate = 0, mass_scale = 1, impulse_scale = 0;
};

// hertz > 0; `h` is the length of the substep
inline Softness make_soft(double hertz, double damping_ratio, double h) {
  const double omega = 2 * kPi * hertz, a1 = 2 * damping_ratio + h * omega, a2 = h * omega * a1, a3 = 1 / (1 + a2);
  // One that does nothing in so short a step, and one that is rigid in so long a step
  if (!(a1 > 0)) return {0, 0, 1};
  if (!(a2 <= std::numeric_limits<double>::max())) return {omega / a1, 1, 0};
  return {omega / a1, a2 * a3, a3};
}

}  // namespace sudar

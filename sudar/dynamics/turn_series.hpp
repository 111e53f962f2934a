// What:    Cosine, and sine over the angle, of the small turns of a substep, by their series in the square of the angle.
// Differs: No root and no division; the same bits everywhere. Only up to kSeriesTurn (solver_tolerance.hpp).
#pragma once

#include <sudar/dynamics/solver_tolerance.hpp>

namespace sudar {

constexpr bool is_small_turn(double angle_squared) { return angle_squared < kSeriesTurn * kSeriesTurn; }
constexpr double cosine_series(double x) {
  return 1 + x * (-1.0 / 2 + x * (1.0 / 24 + x * (-1.0 / 720 + x * (1.0 / 40320 + x * (-1.0 / 3628800)))));
}
constexpr double sine_ratio_series(double x) {
  return 1 + x * (-1.0 / 6 + x * (1.0 / 120 + x * (-1.0 / 5040 + x * (1.0 / 362880 + x * (-1.0 / 39916800)))));
}

}  // namespace sudar

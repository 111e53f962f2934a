// What:    Every tolerance of the library, with its unit, who uses it and what breaks when it is wrong.
// Differs: Decisions on the ground floor (hulls, triangulations, point tests) use exact predicates and need none of
// these.
#pragma once

#include <sudar/core/config.hpp>

#include <limits>

namespace sudar::inline SUDAR_ABI {

// Rounding unit of double: half the distance from 1 to the next number. No unit.
inline constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

// Rounding of a point taken through a pose, relative to the sum of its coordinates' sizes and the translation. No unit.
// Used by boxes, k-DOPs and capsules under a pose. Too small: a box that was meant to contain its body under rotation
// misses it by a rounding error. Too large: only looser boxes.
template <class T>
inline constexpr T kPoseSlack = 16 * std::numeric_limits<T>::epsilon();

}  // namespace sudar::inline SUDAR_ABI

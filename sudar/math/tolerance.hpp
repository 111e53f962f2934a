// What:    Every tolerance of the library, with its unit, who uses it and what breaks when it is wrong.
// Differs: Decisions on the ground floor (hulls, triangulations, point tests) use exact predicates and need none of
// these.
#pragma once

#include <sudar/core/config.hpp>

#include <limits>

namespace sudar::inline SUDAR_ABI {

// Rounding unit of double: half the distance from 1 to the next number. No unit.
inline constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

}  // namespace sudar::inline SUDAR_ABI

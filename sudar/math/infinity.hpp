// What:    Infinity as a double, for searches that begin with nothing found.
#pragma once

#include <limits>

namespace sudar {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace sudar

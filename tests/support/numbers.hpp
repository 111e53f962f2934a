// What:    Numbers that are none, for tests of doors.
#pragma once

#include <sudar/core/config.hpp>

#include <limits>

namespace sudar_test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr sudar::Real kRealNaN = std::numeric_limits<sudar::Real>::quiet_NaN();

}  // namespace sudar_test

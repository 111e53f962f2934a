// What:    Iteration counts of campaigns: SUDAR_SOAK in the environment multiplies them (default 1; less for a quick look).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace sudar_test {

inline std::size_t soak(std::size_t n) {
  const char* factor = std::getenv("SUDAR_SOAK");
  if (factor == nullptr) return n;
  const double f = std::strtod(factor, nullptr);
  return f > 0 ? static_cast<std::size_t>(std::ceil(static_cast<double>(n) * f)) : n;
}

}  // namespace sudar_test

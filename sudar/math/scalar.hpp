// What:    Scalar functions with the same bits on every platform: neighbours of a number, outward conversions, and the
//          few transcendental functions the library needs.
// Differs: libm's sin, cos, atan2, cbrt … differ between platforms in the last bit; these use only + - * / sqrt, whose
//          results IEEE 754 fixes.
#pragma once

#include <sudar/core/config.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sudar {

inline constexpr double kPi = 3.14159265358979323846;

// The next number above / below. The infinity of that side stays, the other becomes the largest number; NaN stays.
constexpr float next_up(float x) {
  if (!(x < std::numeric_limits<float>::infinity())) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x == 0 ? 0.0f : x);
  return std::bit_cast<float>(x >= 0 ? bits + 1 : bits - 1);
}
constexpr double next_up(double x) {
  if (!(x < std::numeric_limits<double>::infinity())) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
  return std::bit_cast<double>(x >= 0 ? bits + 1 : bits - 1);
}
constexpr float next_down(float x) { return -next_up(-x); }
constexpr double next_down(double x) { return -next_up(-x); }

// Nearest float that is not above / not below x
constexpr float float_down(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) > x ? next_down(f) : f;
}
constexpr float float_up(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? next_up(f) : f;
}

struct SinCos {
  double sin, cos;
};
// Errors are at most 1 unit in the last place for sin_cos (any finite argument), cube_root and logarithm, 2 for
// arc_tangent, 3 for arc_cosine
SUDAR_API SinCos sin_cos(double radians) noexcept;
// Angle of (x, y) in (-pi, pi]; 0 for the zero vector
SUDAR_API double arc_tangent(double y, double x) noexcept;
// In [0, pi]; the argument is clamped to [-1, 1]
SUDAR_API double arc_cosine(double x) noexcept;
SUDAR_API double cube_root(double x) noexcept;
// Natural logarithm of a positive finite number
SUDAR_API double logarithm(double x) noexcept;

}  // namespace sudar

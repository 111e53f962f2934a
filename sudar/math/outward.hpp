// What:    Sums and differences rounded to one side, from the exact error of the rounded sum (TwoSum).
// Source:  Knuth, "The Art of Computer Programming" 2, 4.2.2; Boldo, Graillat, Muller, "On the robustness of the 2Sum
//          and Fast2Sum algorithms", 2017 (what happens near the largest number).
// Differs: A sum that overflows becomes the infinity of its side; where the error itself can't be formed, the result
//          moves one step outward all the same.
// Fails:   never; NaN stays NaN.
#pragma once

#include <sudar/math/scalar.hpp>

namespace sudar {

// Error of the rounded sum: a + b == s + sum_error(a, b, s) exactly
template <class T>
constexpr T sum_error(T a, T b, T s) {
  const T b_part = s - a;
  return (a - (s - b_part)) + (b - b_part);
}

// Smallest number not below a + b, and the largest not above it. NaN stays NaN.
template <class T>
constexpr T add_up(T a, T b) {
  const T s = a + b;
  return sum_error(a, b, s) <= 0 ? s : next_up(s);
}
template <class T>
constexpr T add_down(T a, T b) {
  const T s = a + b;
  return sum_error(a, b, s) >= 0 ? s : next_down(s);
}
template <class T>
constexpr T sub_up(T a, T b) {
  return add_up(a, -b);
}
template <class T>
constexpr T sub_down(T a, T b) {
  return add_down(a, -b);
}

}  // namespace sudar

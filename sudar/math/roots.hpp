// What:    Real roots of quadratic and cubic polynomials, the exact sign of a polynomial at a double, and the place
//          where a sign changes.
// Source:  Kahan, "On the cost of floating-point computation without extra-precise arithmetic", 2004 (discriminant);
//          for cubics the roots are isolated by critical points and by the exact sign of the discriminant.
// Differs: The number of roots and their multiplicity are decided exactly, for any finite coefficients (Roots.Counts*).
//          Quadratic roots are within 4 units in the last place. A simple root of a cubic is the largest double that is
//          not above it, which a time of impact wants.
// Fails:   Roots that no finite double can stand for are left out. NaN or infinity in a coefficient gives no roots.
#pragma once

#include <sudar/core/config.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace sudar {

// Ascending and different from each other, except for roots that are closer together than doubles
template <int N>
struct Roots {
  int count = 0;
  bool everywhere = false;  // all coefficients are zero
  std::array<double, N> value{};
  std::array<int, N> multiplicity{};

  constexpr void push(double x, int times = 1) {
    value[count] = x;
    multiplicity[count++] = times;
  }
  constexpr const double* begin() const { return value.data(); }
  constexpr const double* end() const { return value.data() + count; }
};

// a x² + b x + c
SUDAR_API Roots<2> quadratic_roots(double a, double b, double c) noexcept;
// a x³ + b x² + c x + d
SUDAR_API Roots<3> cubic_roots(double a, double b, double c, double d) noexcept;

// The exact sign of a polynomial at x, highest coefficient first
SUDAR_API int polynomial_sign(const std::array<double, 3>& coefficients, double x) noexcept;
SUDAR_API int polynomial_sign(const std::array<double, 4>& coefficients, double x) noexcept;

// The exact sign of the discriminant: the number of different real roots is 2, 1, 0 for +1, 0, -1 …
SUDAR_API int quadratic_discriminant_sign(double a, double b, double c) noexcept;
// … and 3, 1 or 2, 1 here
SUDAR_API int cubic_discriminant_sign(double a, double b, double c, double d) noexcept;

namespace detail {

// Doubles in order as integers: neighbours differ by one
constexpr std::int64_t rank_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? static_cast<std::int64_t>(std::uint64_t{1} << 63) - bits : bits;
}
constexpr double of_rank(std::int64_t rank) {
  return std::bit_cast<double>(rank < 0 ? static_cast<std::int64_t>(std::uint64_t{1} << 63) - rank : rank);
}

}  // namespace detail

// The largest double in [lo, hi) at which `sign_of` still has the value it has at lo, given that it has another one at
// hi: at most 64 calls, by halving the set of doubles between, whatever the scale. An exact zero is returned at once.
template <class F>
constexpr double last_before_change(F&& sign_of, double lo, double hi) {
  const int before = sign_of(lo);
  if (before == 0) return lo;
  std::int64_t a = detail::rank_of(lo), b = detail::rank_of(hi);
  while (b > a + 1) {
    // Half of each, as their sum may overflow
    const std::int64_t m = a / 2 + b / 2 + (a % 2 + b % 2) / 2;
    const std::int64_t mid = m <= a ? a + 1 : m >= b ? b - 1 : m;
    const int s = sign_of(detail::of_rank(mid));
    if (s == 0) return detail::of_rank(mid);
    (s == before ? a : b) = mid;
  }
  const double end = detail::of_rank(b);
  return sign_of(end) == 0 ? end : detail::of_rank(a);
}

}  // namespace sudar

// What:    Intervals of doubles whose operations enclose the true result: rounding goes outward.
// Source:  Moore, "Interval Analysis", 1966; IEEE 1788 for what is meant by each operation.
// Differs: The rounding mode is never touched. The rounded result and its exact error (outward.hpp, two_product) say
//          whether a bound must move to the next double, so an exact result stays exact and any other is at most one
//          unit in the last place wide per bound, as with directed rounding (Interval.AsTightAsDirectedRounding). Near
//          the limits of the exponent range, where the error is not representable, a bound always moves.
// Fails:   NaN in a bound is the caller's bug. There is no empty interval: `intersect` returns an optional.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/math/expansion.hpp>
#include <sudar/math/outward.hpp>
#include <sudar/math/scalar.hpp>

#include <cmath>
#include <limits>
#include <optional>

namespace sudar {

// One operation rounded toward -infinity; the mirror images toward +infinity follow by sign
namespace detail {

constexpr double kIntervalInfinity = std::numeric_limits<double>::infinity();

// Errors of products of such numbers are doubles
inline bool exact_error_range(double x) { return std::fabs(x) > 0x1p-960 && std::fabs(x) < 0x1p960; }

// Infinities of both signs may add up to anything
inline double add_down(double a, double b) {
  const double s = sudar::add_down(a, b);
  return std::isnan(s) ? -kIntervalInfinity : s;
}
inline double add_up(double a, double b) { return -add_down(-a, -b); }

inline double multiply_down(double a, double b) {
  if (a == 0 || b == 0) return 0;  // also when the other is infinite: the bound stands for finite numbers
  const double p = a * b;
  if (exact_error_range(p) && exact_error_range(a) && exact_error_range(b))
    return two_product(a, b).lo >= 0 ? p : next_down(p);
  return next_down(p);
}
inline double multiply_up(double a, double b) { return -multiply_down(-a, b); }

// b is not zero
inline double divide_down(double a, double b) {
  if (a == 0) return 0;
  if (std::isinf(b)) return std::isinf(a) ? -kIntervalInfinity : (a < 0) == (b < 0) ? 0 : next_down(0.0);
  const double q = a / b;
  if (exact_error_range(q) && exact_error_range(a) && exact_error_range(b)) {
    // a - q b is exact; the true quotient lies above q when it has the sign of b
    const TwoDoubles p = two_product(q, b);
    const double rest = (a - p.hi) - p.lo;
    return rest == 0 || (rest > 0) == (b > 0) ? q : next_down(q);
  }
  return next_down(q);
}
inline double divide_up(double a, double b) { return -divide_down(-a, b); }

inline double root_down(double x) {
  if (x == 0 || std::isinf(x)) return x == 0 ? 0 : std::numeric_limits<double>::max();
  const double s = std::sqrt(x);
  if (!exact_error_range(x)) return next_down(s);
  const TwoDoubles p = two_product(s, s);
  return (x - p.hi) - p.lo >= 0 ? s : next_down(s);
}
inline double root_up(double x) {
  if (x == 0 || std::isinf(x)) return x;
  const double s = std::sqrt(x);
  if (!exact_error_range(x)) return next_up(s);
  const TwoDoubles p = two_product(s, s);
  return (x - p.hi) - p.lo <= 0 ? s : next_up(s);
}

}  // namespace detail

struct Interval {
  double lo = 0, hi = 0;

  constexpr Interval() = default;
  constexpr Interval(double x) : lo(x), hi(x) {}
  constexpr Interval(double low, double high) : lo(low), hi(high) { SUDAR_ASSERT(low <= high); }

  static constexpr Interval whole() { return {-detail::kIntervalInfinity, detail::kIntervalInfinity}; }

  constexpr bool contains(double x) const { return lo <= x && x <= hi; }
  constexpr bool contains(const Interval& b) const { return lo <= b.lo && b.hi <= hi; }
  constexpr bool is_point() const { return lo == hi; }
  // +1 or -1 when all numbers inside have that sign, else 0
  constexpr int sign() const { return lo > 0 ? 1 : hi < 0 ? -1 : 0; }
  // Never less than the true width
  double width() const { return detail::add_up(hi, -lo); }
  // A finite number inside
  double middle() const {
    constexpr double kMax = std::numeric_limits<double>::max();
    const double a = lo < -kMax ? -kMax : lo, b = hi > kMax ? kMax : hi;
    const double m = a / 2 + b / 2;
    return m < a ? a : m > b ? b : m;
  }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

constexpr bool overlap(const Interval& a, const Interval& b) { return a.lo <= b.hi && b.lo <= a.hi; }
constexpr Interval hull(const Interval& a, const Interval& b) {
  return {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
constexpr std::optional<Interval> intersect(const Interval& a, const Interval& b) {
  if (!overlap(a, b)) return std::nullopt;
  return Interval{a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
constexpr Interval min(const Interval& a, const Interval& b) {
  return {a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
constexpr Interval max(const Interval& a, const Interval& b) {
  return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
constexpr Interval abs(const Interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return {-a.hi, -a.lo};
  return {0, -a.lo > a.hi ? -a.lo : a.hi};
}

constexpr Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  return {detail::add_down(a.lo, b.lo), detail::add_up(a.hi, b.hi)};
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return {detail::add_down(a.lo, -b.hi), detail::add_up(a.hi, -b.lo)};
}
inline Interval operator*(const Interval& a, const Interval& b) {
  using detail::multiply_down, detail::multiply_up;
  // Signs tell which ends meet; only when both contain zero inside are there two candidates for each bound
  if (a.lo >= 0) {
    if (b.lo >= 0) return {multiply_down(a.lo, b.lo), multiply_up(a.hi, b.hi)};
    if (b.hi <= 0) return {multiply_down(a.hi, b.lo), multiply_up(a.lo, b.hi)};
    return {multiply_down(a.hi, b.lo), multiply_up(a.hi, b.hi)};
  }
  if (a.hi <= 0) {
    if (b.lo >= 0) return {multiply_down(a.lo, b.hi), multiply_up(a.hi, b.lo)};
    if (b.hi <= 0) return {multiply_down(a.hi, b.hi), multiply_up(a.lo, b.lo)};
    return {multiply_down(a.lo, b.hi), multiply_up(a.lo, b.lo)};
  }
  if (b.lo >= 0) return {multiply_down(a.lo, b.hi), multiply_up(a.hi, b.hi)};
  if (b.hi <= 0) return {multiply_down(a.hi, b.lo), multiply_up(a.lo, b.lo)};
  return {std::fmin(multiply_down(a.lo, b.hi), multiply_down(a.hi, b.lo)),
          std::fmax(multiply_up(a.lo, b.lo), multiply_up(a.hi, b.hi))};
}
// The whole line when b contains zero
inline Interval operator/(const Interval& a, const Interval& b) {
  using detail::divide_down, detail::divide_up;
  if (b.contains(0.0)) return Interval::whole();
  if (b.hi < 0) return -a / -b;
  if (a.lo >= 0) return {divide_down(a.lo, b.hi), divide_up(a.hi, b.lo)};
  if (a.hi <= 0) return {divide_down(a.lo, b.lo), divide_up(a.hi, b.hi)};
  return {divide_down(a.lo, b.lo), divide_up(a.hi, b.lo)};
}
inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }
inline Interval& operator/=(Interval& a, const Interval& b) { return a = a / b; }

// x² over x in a: tighter than a * a when a contains zero
inline Interval sqr(const Interval& a) {
  const Interval s = abs(a);
  return {detail::multiply_down(s.lo, s.lo), detail::multiply_up(s.hi, s.hi)};
}
// √x over the x ≥ 0 in a; what lies below zero counts as zero
inline Interval sqrt(const Interval& a) {
  return {detail::root_down(a.lo > 0 ? a.lo : 0), detail::root_up(a.hi > 0 ? a.hi : 0)};
}

}  // namespace sudar

// What:    Sums and products of two doubles without error: the rounded result and what rounding took from it.
// Source:  Dekker, "A floating-point technique for extending the available precision", 1971 (split, two_product,
//          fast_two_sum); Knuth, "The Art of Computer Programming", volume 2, 1969 (two_sum).
// Fails:   two_product is exact only while its error stays in the exponent range; callers see to that.
//          Must not be compiled with value-changing floating-point options (core/config.hpp refuses -ffast-math).
#pragma once

#include <sudar/core/config.hpp>

#include <cmath>
#include <type_traits>

namespace sudar {

// hi + lo is exact, hi is the rounded result
struct TwoDoubles {
  double hi, lo;
};

constexpr TwoDoubles two_sum(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
// Needs |a| ≥ |b| or a == 0
constexpr TwoDoubles fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
constexpr TwoDoubles two_difference(double a, double b) {
  const double s = a - b;
  const double bb = a - s;
  return {s, (a - (s + bb)) + (bb - b)};
}
// Two halves of at most 26 bits each; exact for |a| < 2^996
constexpr TwoDoubles split(double a) {
  constexpr double kSplitter = 0x1p27 + 1;
  const double c = kSplitter * a;
  const double hi = c - (c - a);
  return {hi, a - hi};
}
// Exact while the lowest bit of a·b is at least 2^-1074 and |a|, |b|, |a·b| are below 2^996. Where the target has a
// fused multiply-add, it gives the error at once, and no compiler can contract the halves of Dekker's way behind our
// back; where it has none, nothing can be contracted.
constexpr TwoDoubles two_product(double a, double b) {
  const double p = a * b;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
  if (!std::is_constant_evaluated()) return {p, std::fma(a, b, -p)};
#endif
  const TwoDoubles sa = split(a), sb = split(b);
  return {p, sa.lo * sb.lo - (((p - sa.hi * sb.hi) - sa.lo * sb.hi) - sa.hi * sb.lo)};
}

}  // namespace sudar

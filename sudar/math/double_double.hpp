// What:    Numbers of twice the precision of double: an unevaluated sum hi + lo, about 106 bits.
// Source:  Dekker, "A floating-point technique for extending the available precision", 1971; the error bounds are those
//          of Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
//          arithmetic", 2017.
// Fails:   as two_product does, outside of the exponents where it is exact: callers scale first.
#pragma once

#include <sudar/math/expansion.hpp>

namespace sudar {

struct DoubleDouble {
  double hi = 0, lo = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double x) : hi(x) {}
  constexpr DoubleDouble(TwoDoubles t) : hi(t.hi), lo(t.lo) {}
  explicit constexpr operator double() const { return hi + lo; }
};

// Relative errors, apart from terms of third order (DoubleDouble.ErrorsStayBelowTheirBounds): at most 3 · 2^-106
constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const TwoDoubles s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  const TwoDoubles v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}
constexpr DoubleDouble operator-(DoubleDouble a) { return TwoDoubles{-a.hi, -a.lo}; }
constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
// At most 5 · 2^-106, and 3 · 2^-106 by a double
constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const TwoDoubles p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
constexpr DoubleDouble operator*(DoubleDouble a, double b) {
  const TwoDoubles p = two_product(a.hi, b);
  return fast_two_sum(p.hi, p.lo + a.lo * b);
}
constexpr DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) { return a = a + b; }

}  // namespace sudar

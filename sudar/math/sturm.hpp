// What:    Polynomials with exact integer coefficients: their real roots between 0 and 1, isolated, and the sign of one
//          polynomial at a root of another.
// Source:  Sturm, "Mémoire sur la résolution des équations numériques", 1829; Basu, Pollack, Roy, "Algorithms in Real
//          Algebraic Geometry", 2006, 2.2 (signed remainder sequences and the Cauchy index of q / p).
// Differs: Signs at a root are first looked for in the Bernstein coefficients over its interval, which settle all but
//          roots in common and near misses; the remainder sequence of (p, q) settles those without refining on. It counts
//          the sign of p' q; as the root is simple, p's own change tells the sign of p', and nothing is multiplied.
//          Long numbers, as of coordinates whose exponents are far apart, go another way first: the roots lie between the
//          extrema, and those between the extrema of the slope, each drawn together by quadratic interval refinement
//          (Abbott, "Quadratic Interval Refinement for Real Roots", 2006). The chain, whose numbers are five times as long,
//          is left with roots in common and double ones.
// Fails:   may throw bad_alloc: callers are behind `guarded`.
#pragma once

#include <sudar/core/config.hpp>
#include <sudar/math/big_integer.hpp>

#include <array>

namespace sudar {

// Σ coefficient[i] x^i
struct BigPolynomial {
  static constexpr int kMaxDegree = 3;
  int degree = -1;  // -1: zero everywhere
  std::array<BigInteger, kMaxDegree + 1> coefficient;

  bool is_zero() const noexcept { return degree < 0; }
  // To be called when coefficients up to `top` were set
  void settle(int top) noexcept {
    degree = top;
    while (degree >= 0 && coefficient[static_cast<std::size_t>(degree)].is_zero()) --degree;
  }
  const BigInteger& operator[](int i) const { return coefficient[static_cast<std::size_t>(i)]; }
  BigInteger& operator[](int i) { return coefficient[static_cast<std::size_t>(i)]; }
};

SUDAR_API BigPolynomial operator+(const BigPolynomial& p, const BigPolynomial& q);
SUDAR_API BigPolynomial operator-(const BigPolynomial& p, const BigPolynomial& q);
// The sum of the degrees is at most kMaxDegree
SUDAR_API BigPolynomial operator*(const BigPolynomial& p, const BigPolynomial& q);

// numerator · 2^-exponent with exponent >= 0
struct SUDAR_API DyadicPoint {
  BigInteger numerator;
  int exponent = 0;

  static DyadicPoint of(double x);
  // The largest double that is not above, and the smallest that is not below; for points of [0, 1]
  double below() const;
  double above() const;
};

SUDAR_API int sign_at(const BigPolynomial& p, const DyadicPoint& x);

// One root: strictly between lo and hi, alone there and simple; or lo itself
struct IsolatedRoot {
  DyadicPoint lo, hi;
  bool exact = false;
};

// The different roots in [0, 1], rising, and a polynomial that has each of those strictly inside once and no other root
// that `p` has not. `p` is not zero everywhere and its degree is at most 3.
struct UnitRoots {
  BigPolynomial simple;
  int count = 0;
  std::array<IsolatedRoot, 5> root;
};
SUDAR_API UnitRoots unit_roots(const BigPolynomial& p);
// The same by the chain alone, one halving for each bit between two roots: to compare with
SUDAR_API UnitRoots unit_roots_by_chain(const BigPolynomial& p);

// The sign of q, of degree at most 2, at a root of `simple`, whose interval may become shorter on the way
SUDAR_API int sign_at(const BigPolynomial& q, const BigPolynomial& simple, IsolatedRoot& root);

}  // namespace sudar

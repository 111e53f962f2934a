// What:    An interval in which a polynomial of big integers changes its sign, drawn together many bits at a step.
// Source:  Abbott, "Quadratic Interval Refinement for Real Roots", 2006.
// Differs: The chord is found in doubles, so a step gains at most 48 bits.
// Fails:   may throw bad_alloc: callers are behind `guarded`.
#pragma once

#include <sudar/math/sturm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sudar {

// p(x 2^-e) 2^(degree e)
inline BigInteger value_at(const BigPolynomial& p, const BigInteger& x, int e) {
  BigInteger value = p[p.degree];
  for (int i = p.degree - 1; i >= 0; --i) {
    value = value * x;
    if (!p[i].is_zero()) value = value + (p[i] << (e * (p.degree - i)));
  }
  return value;
}

// A place between lo and hi, over 2^e, where a polynomial changes its sign
class RootBracket {
 public:
  RootBracket(const BigPolynomial& q, const DyadicPoint& from, const DyadicPoint& to)
      : q_(q), e_(std::max(from.exponent, to.exponent)) {
    lo_ = from.numerator << (e_ - from.exponent);
    hi_ = to.numerator << (e_ - to.exponent);
    at_lo_ = value_at(q, lo_, e_);
    at_hi_ = value_at(q, hi_, e_);
  }
  const BigInteger& lo() const { return lo_; }
  const BigInteger& hi() const { return hi_; }
  int exponent() const { return e_; }
  DyadicPoint low() const { return {lo_, e_}; }
  DyadicPoint high() const { return {hi_, e_}; }

  // One step of Abbott's quadratic interval refinement: the cell of 2^bits in which the chord is zero, when q changes its
  // sign there. Each success doubles the bits of the next step, so a thousand bits take some thirty steps.
  void tighten() {
    constexpr int kMostBits = 48;
    const BigInteger width = hi_ - lo_;
    const BigInteger::Rounded f = at_lo_.rounded(), g = at_hi_.rounded();
    const double ratio = std::fabs(g.mantissa / f.mantissa);
    const double share = 1 / (1 + std::ldexp(ratio, std::clamp(g.exponent - f.exponent, -1000, 900)));
    const auto cells = static_cast<double>(std::int64_t{1} << bits_);
    const double cell = std::clamp(std::floor(share * cells), 0.0, cells - 1);
    const int e = e_ + bits_;
    BigInteger left = (lo_ << bits_) + width * BigInteger(static_cast<std::int64_t>(cell)), right = left + width;
    BigInteger at_left = value_at(q_, left, e), at_right = value_at(q_, right, e);
    if (at_left.is_zero() || at_right.is_zero()) {
      // Around the place itself: half a cell to both sides
      const BigInteger middle = (at_left.is_zero() ? left : right) << 1;
      lo_ = middle - width;
      hi_ = middle + width;
      e_ = e + 1;
      at_lo_ = value_at(q_, lo_, e_);
      at_hi_ = value_at(q_, hi_, e_);
      return;
    }
    // What stays an end is over the new power of two
    const bool below = at_left.sign() == at_lo_.sign(), above = at_right.sign() == at_hi_.sign();
    if (!below) {
      hi_ = std::move(left), at_hi_ = std::move(at_left);
      lo_ = lo_ << bits_, at_lo_ = at_lo_ << (bits_ * q_.degree);
    } else if (!above) {
      lo_ = std::move(right), at_lo_ = std::move(at_right);
      hi_ = hi_ << bits_, at_hi_ = at_hi_ << (bits_ * q_.degree);
    } else {
      lo_ = std::move(left), at_lo_ = std::move(at_left);
      hi_ = std::move(right), at_hi_ = std::move(at_right);
    }
    e_ = e;
    bits_ = below && above ? std::min(2 * bits_, kMostBits) : std::max(1, bits_ / 2);
  }

 private:
  const BigPolynomial& q_;
  BigInteger lo_, hi_, at_lo_, at_hi_;
  int e_ = 0;
  int bits_ = 4;  // of the next step
};

// The sign of p all over a bracket from its Bernstein coefficients there; zero when they differ. `slope` is p'.
inline int sign_in(const BigPolynomial& p, const BigPolynomial& slope, const RootBracket& b) {
  const BigInteger at_lo = value_at(p, b.lo(), b.exponent()), at_hi = value_at(p, b.hi(), b.exponent());
  const int s = at_lo.sign();
  if (s == 0 || at_hi.sign() != s) return 0;
  if (p.degree < 2) return s;
  // The second and the last but one, times the degree
  const BigInteger width = b.hi() - b.lo(), n(p.degree);
  if ((at_lo * n + width * value_at(slope, b.lo(), b.exponent())).sign() != s) return 0;
  return (at_hi * n - width * value_at(slope, b.hi(), b.exponent())).sign() == s ? s : 0;
}

}  // namespace sudar

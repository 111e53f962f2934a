// What:    See roots.hpp.
// Frame:   Quadratics are brought to a x² + b x + c with |a|, |c| near 1 by powers of two, which is exact; cubics are
//          never transformed, their signs are exact at any scale.
#include <sudar/math/dyadic.hpp>
#include <sudar/math/expansion.hpp>
#include <sudar/math/roots.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>

namespace sudar {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
bool finite(std::initializer_list<double> numbers) {
  for (const double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}
int common(std::initializer_list<double> numbers) { return common_exponent({numbers.begin(), numbers.size()}); }

// Roots too large for a double are left out, roots too small become zero
template <int N>
void push_finite(Roots<N>& roots, double x, int times = 1) {
  if (std::isfinite(x)) roots.push(x, times);
}

// Σ c_i x^(n-i) W^i over integers, with x = X / W
template <std::size_t N>
int exact_polynomial_sign(const std::array<double, N>& c, double x) {
  const int ec = common_exponent(std::span<const double>(c)), ex = common({x, 1.0});
  const auto big_x = to_dyadic(x, ex), w = to_dyadic(1.0, ex);
  if constexpr (N == 3) {
    const auto linear = to_dyadic(c[0], ec) * big_x + to_dyadic(c[1], ec) * w;
    return (linear * big_x + to_dyadic(c[2], ec) * (w * w)).sign();
  } else {
    const auto linear = to_dyadic(c[0], ec) * big_x + to_dyadic(c[1], ec) * w;
    const auto ww = w * w;
    const auto square = linear * big_x + to_dyadic(c[2], ec) * ww;
    return (square * big_x + to_dyadic(c[3], ec) * (ww * w)).sign();
  }
}

// Horner's rule with a bound: every monomial carries at most 2 n roundings for degree n; one is spare. An underflow in
// a product is off by 2^-1075 and then multiplied by less than (1 + |x|)^(n-1), which kTiny · size covers.
template <std::size_t N>
int polynomial_sign_of(const std::array<double, N>& c, double x) {
  constexpr double kError = (2 * N - 1) * kRoundoff, kTiny = 0x1p-1020;
  double value = c[0], size = std::fabs(c[0]) + kTiny;
  const double ax = std::fabs(x);
  for (std::size_t i = 1; i < N; ++i) {
    value = value * x + c[i];
    size = size * ax + (std::fabs(c[i]) + kTiny);
  }
  if (std::fabs(value) > kError * size + kTiny) return sign(value);
  return exact_polynomial_sign(c, x);
}

}  // namespace

int polynomial_sign(const std::array<double, 3>& coefficients, double x) noexcept {
  return polynomial_sign_of(coefficients, x);
}
int polynomial_sign(const std::array<double, 4>& coefficients, double x) noexcept {
  return polynomial_sign_of(coefficients, x);
}

int quadratic_discriminant_sign(double a, double b, double c) noexcept {
  // Three roundings at most; an infinite or tiny bound goes on to integers
  const double bb = b * b, ac4 = 4 * a * c, det = bb - ac4;
  if (std::fabs(det) > 4 * kRoundoff * (bb + std::fabs(ac4)) + 0x1p-960) return sign(det);
  const int e = common({a, b, c});
  const auto da = to_dyadic(a, e), db = to_dyadic(b, e), dc = to_dyadic(c, e);
  return (db * db - to_dyadic(4, 0) * (da * dc)).sign();
}

int cubic_discriminant_sign(double a, double b, double c, double d) noexcept {
  // 18abcd - 4b³d + b²c² - 4ac³ - 27a²d²
  {
    const double t[] = {18 * (a * d) * (b * c), -4 * (b * b) * (b * d), (b * c) * (b * c), -4 * (c * c) * (a * c),
                        -27 * (a * d) * (a * d)};
    double sum = 0, size = 0, factor = 0;
    for (const double x : t) sum += x, size += std::fabs(x);
    for (const double x : {a, b, c, d}) factor = std::fmax(factor, std::fabs(x));
    // Four roundings in a term, four in the sum, one spare; below 2^200 underflow costs less than 2^-600
    if (factor < 0x1p200 && std::fabs(sum) > 9 * kRoundoff * size + 0x1p-600) return sign(sum);
  }
  const int e = common({a, b, c, d});
  const auto da = to_dyadic(a, e), db = to_dyadic(b, e), dc = to_dyadic(c, e), dd = to_dyadic(d, e);
  const auto ac = da * dc, bd = db * dd, ad = da * dd, bc = db * dc, bb = db * db, cc = dc * dc;
  const auto four = to_dyadic(4, 0);
  const auto mixed = to_dyadic(18, 0) * (ad * bc) + bc * bc;
  const auto cubes = four * (bb * bd + cc * ac);
  return (mixed - (cubes + to_dyadic(27, 0) * (ad * ad))).sign();
}

Roots<2> quadratic_roots(double a, double b, double c) noexcept {
  Roots<2> roots;
  if (!finite({a, b, c})) return roots;
  if (a == 0) {
    if (b != 0)
      push_finite(roots, c == 0 ? 0.0 : -c / b);
    else
      roots.everywhere = c == 0;
    return roots;
  }
  if (c == 0) {
    if (b == 0) {
      roots.push(0, 2);
      return roots;
    }
    const double other = -b / a;
    if (other < 0) push_finite(roots, other);
    roots.push(0);
    if (other >= 0) push_finite(roots, other);
    return roots;
  }

  // x = 2^k y and a division by 2^ec make |a| and |c| lie in [1/4, 1); b may be anything
  int ea, eb, ec;
  double p = std::frexp(a, &ea), q = std::frexp(b, &eb), r = std::frexp(c, &ec);
  const int k = (ec - ea) >> 1;
  p = std::ldexp(p, ea + 2 * k - ec);
  const int grow = eb + k - ec;
  constexpr int kFar = 64;
  const int discriminant = b == 0 || grow < -kFar ? -sign(p) * sign(r)
                           : grow > kFar          ? 1
                                                  : quadratic_discriminant_sign(p, std::ldexp(q, grow), r);
  if (discriminant < 0) return roots;

  // -b ∓ √D without cancellation, and the other root from the product of both
  double first, second;
  int exponent_first = k, exponent_second = k;
  if (b != 0 && grow > kFar) {
    // 4ac is below the rounding of b²: the roots are -b/a and -c/b
    first = -q / p, second = -r / q;
    exponent_first += grow, exponent_second -= grow;
  } else {
    q = std::ldexp(q, grow);
    if (discriminant == 0) {
      push_finite(roots, std::ldexp(-q / (2 * p), k), 2);
      return roots;
    }
    // b² - 4ac rounded about once: the rounding errors of both products are added back
    const TwoDoubles bb = two_product(q, q), ac = two_product(4 * p, r);
    const TwoDoubles high = two_difference(bb.hi, ac.hi);
    const double s = std::sqrt(high.hi + (high.lo + (bb.lo - ac.lo)));
    const double t = -(q + std::copysign(s, q)) / 2;
    first = t / p, second = r / t;
  }
  first = std::ldexp(first, exponent_first), second = std::ldexp(second, exponent_second);
  if (second < first) std::swap(first, second);
  push_finite(roots, first);
  push_finite(roots, second);
  return roots;
}

namespace {

using Cubic = std::array<double, 4>;

// The root in [lo, hi], at whose ends the signs differ: Newton's method finds the neighbourhood, exact signs the double
double isolated_root(const Cubic& p, double lo, double hi) {
  const auto sign_of = [&](double x) { return polynomial_sign(p, x); };
  const int before = sign_of(lo);
  constexpr int kSteps = 60;
  constexpr std::int64_t kReach = 8;
  // Start in the middle, or on an open side at a bound of all roots (Cauchy)
  double x = lo / 2 + hi / 2;
  if (lo <= -kMax || hi >= kMax) {
    const double bound = 1 + std::fmax(std::fabs(p[1]), std::fmax(std::fabs(p[2]), std::fabs(p[3]))) / std::fabs(p[0]);
    x = hi >= kMax ? std::fmin(bound, hi) : std::fmax(-bound, lo);
  }
  for (int i = 0; i < kSteps; ++i) {
    const double value = ((p[0] * x + p[1]) * x + p[2]) * x + p[3];
    const double slope = (3 * p[0] * x + 2 * p[1]) * x + p[2];
    const double next = x - value / slope;
    if (!(next > lo && next < hi)) break;
    const bool close = std::fabs(next - x) <= 8 * kRoundoff * std::fabs(next);
    x = next;
    if (close) break;
  }
  const std::int64_t middle = detail::rank_of(x);
  const double a = middle - kReach > detail::rank_of(lo) ? detail::of_rank(middle - kReach) : lo;
  const double b = middle + kReach < detail::rank_of(hi) ? detail::of_rank(middle + kReach) : hi;
  if (sign_of(a) == before && sign_of(b) == -before) return last_before_change(sign_of, a, b);
  return last_before_change(sign_of, lo, hi);
}

struct Critical {
  double low, high;
};

// The largest doubles not above the two places where 3a x² + 2b x + c is zero, or the ends of the range of doubles.
// For polynomials known to have them: the derivative has the other sign at the inflection between.
Critical exact_critical_points(const Cubic& p) {
  const int rising = sign(p[0]), ec = common({p[0], p[1], p[2]});
  const auto a3 = to_dyadic(3, 0) * to_dyadic(p[0], ec), b2 = to_dyadic(2, 0) * to_dyadic(p[1], ec);
  const auto c1 = to_dyadic(p[2], ec);
  const auto sign_of = [&](double x) {
    const int ex = common({x, 1.0});
    const auto big_x = to_dyadic(x, ex), w = to_dyadic(1.0, ex);
    return ((a3 * big_x + b2 * w) * big_x + c1 * (w * w)).sign();
  };
  const double inflection = std::fmin(std::fmax(-p[1] / p[0] / 3, -kMax), kMax);
  if (sign_of(inflection) != -rising) return {inflection, inflection};
  return {sign_of(-kMax) == rising ? last_before_change(sign_of, -kMax, inflection) : -kMax,
          sign_of(kMax) == rising ? last_before_change(sign_of, inflection, kMax) : kMax};
}

// Points between the three roots, when the discriminant is positive
Critical separating_points(const Cubic& p) {
  // Scaled, because 3a may overflow. Rounding 3a moves the points; signs tell whether they still separate.
  const double largest = std::fmax(std::fmax(std::fabs(p[0]), std::fabs(p[1])), std::fabs(p[2]));
  const double scale = largest > 0x1p1000 ? 0x1p-8 : 1;
  const Roots<2> near = quadratic_roots(3 * (p[0] * scale), 2 * (p[1] * scale), p[2] * scale);
  const int rising = sign(p[0]);
  if (near.count == 2 && polynomial_sign(p, near.value[0]) == rising && polynomial_sign(p, near.value[1]) == -rising)
    return {near.value[0], near.value[1]};

  Critical exact = exact_critical_points(p);
  if (polynomial_sign(p, exact.low) != rising && polynomial_sign(p, next_up(exact.low)) == rising)
    exact.low = next_up(exact.low);
  if (polynomial_sign(p, exact.high) != -rising && polynomial_sign(p, next_up(exact.high)) == -rising)
    exact.high = next_up(exact.high);
  return exact;
}

// b² = 3ac, which with a discriminant of zero means a triple root
bool second_discriminant_is_zero(const Cubic& p) {
  const int e = common({p[0], p[1], p[2]});
  const auto a = to_dyadic(p[0], e), b = to_dyadic(p[1], e), c = to_dyadic(p[2], e);
  return (b * b - to_dyadic(3, 0) * (a * c)).sign() == 0;
}

}  // namespace

Roots<3> cubic_roots(double a, double b, double c, double d) noexcept {
  Roots<3> roots;
  if (!finite({a, b, c, d})) return roots;
  if (a == 0) {
    const Roots<2> lower = quadratic_roots(b, c, d);
    roots.everywhere = lower.everywhere;
    for (int i = 0; i < lower.count; ++i) roots.push(lower.value[i], lower.multiplicity[i]);
    return roots;
  }
  const Cubic p{a, b, c, d};
  const int rising = sign(a), discriminant = cubic_discriminant_sign(a, b, c, d);

  // A simple root between lo and hi, where the sign ought to go from `before` to -before. When it does not, the root is
  // next to that end: no double lies between it and its neighbour, or it is too large for a double.
  const auto simple = [&](double lo, double hi, int before) {
    if (polynomial_sign(p, lo) != before) {
      if (lo > -kMax) roots.push(lo);
    } else if (polynomial_sign(p, hi) != -before) {
      if (hi < kMax) roots.push(hi);
    } else {
      roots.push(isolated_root(p, lo, hi));
    }
  };
  if (discriminant < 0) {
    simple(-kMax, kMax, -rising);
  } else if (discriminant > 0) {
    const Critical m = separating_points(p);
    simple(-kMax, m.low, -rising);
    simple(m.low, m.high, rising);
    simple(m.high, kMax, -rising);
  } else if (second_discriminant_is_zero(p)) {
    push_finite(roots, -b / a / 3, 3);
  } else {
    // The double root is a critical point; the simple root lies beyond the other one
    const Critical m = exact_critical_points(p);
    if (polynomial_sign(p, m.low / 2 + m.high / 2) * rising < 0) {
      if (m.low > -kMax) roots.push(m.low, 2);
      simple(m.high, kMax, -rising);
    } else {
      simple(-kMax, m.low, -rising);
      if (m.high < kMax) roots.push(m.high, 2);
    }
  }
  return roots;
}

}  // namespace sudar

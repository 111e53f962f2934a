// What:    See sturm.hpp.
#include <sudar/math/root_bracket.hpp>
#include <sudar/math/roots.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/math/sturm.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace sudar {

namespace {

// A positive factor changes no sign: powers of two that all coefficients share are dropped
void drop_common_twos(BigPolynomial& p) {
  int zeros = -1;
  for (int i = 0; i <= p.degree; ++i)
    if (!p[i].is_zero()) zeros = zeros < 0 ? p[i].trailing_zeros() : std::min(zeros, p[i].trailing_zeros());
  if (zeros <= 0) return;
  for (int i = 0; i <= p.degree; ++i) p[i].shift_down(zeros);
}

BigPolynomial derivative(const BigPolynomial& p) {
  BigPolynomial r;
  for (int i = 1; i <= p.degree; ++i) r[i - 1] = p[i] * BigInteger(i);
  r.settle(p.degree - 1);
  return r;
}

// A positive multiple of the rest of a / b; b is not zero
BigPolynomial remainder(BigPolynomial a, const BigPolynomial& b) {
  const BigInteger& lead = b[b.degree];
  const BigInteger size = lead.sign() < 0 ? -lead : lead;
  while (a.degree >= b.degree) {
    // a · |lead| - (±a's own lead) x^k b
    const BigInteger top = lead.sign() < 0 ? -a[a.degree] : a[a.degree];
    const int shift = a.degree - b.degree;
    for (int i = 0; i < a.degree; ++i) {
      a[i] = a[i] * size;
      if (i >= shift) a[i] = a[i] - top * b[i - shift];
    }
    a.settle(a.degree - 1);
  }
  drop_common_twos(a);
  return a;
}

// A multiple of a / b, which leaves no rest
BigPolynomial quotient(BigPolynomial a, const BigPolynomial& b) {
  BigPolynomial r;
  const int top_degree = a.degree - b.degree;
  const BigInteger& lead = b[b.degree];
  for (int k = top_degree; k >= 0; --k) {
    const BigInteger top = a[k + b.degree];
    for (int i = k + 1; i <= top_degree; ++i) r[i] = r[i] * lead;
    r[k] = top;
    for (int i = 0; i < k + b.degree; ++i) {
      a[i] = a[i] * lead;
      if (i >= k) a[i] = a[i] - top * b[i - k];
    }
  }
  r.settle(top_degree);
  drop_common_twos(r);
  return r;
}

// p, q, and from then on minus the rest of the two before
struct RemainderChain {
  int count = 0;
  std::array<BigPolynomial, BigPolynomial::kMaxDegree + 3> part;

  RemainderChain(const BigPolynomial& p, const BigPolynomial& q) {
    part[count++] = p;
    if (q.is_zero()) return;
    part[count++] = q;
    while (true) {
      BigPolynomial rest = remainder(part[static_cast<std::size_t>(count - 2)], last());
      if (rest.is_zero()) return;
      for (int i = 0; i <= rest.degree; ++i) rest[i] = -std::move(rest[i]);
      part[static_cast<std::size_t>(count++)] = std::move(rest);
    }
  }
  const BigPolynomial& last() const { return part[static_cast<std::size_t>(count - 1)]; }
  int variations(const DyadicPoint& x) const {
    int before = 0, changes = 0;
    for (int i = 0; i < count; ++i) {
      const int s = sign_at(part[static_cast<std::size_t>(i)], x);
      if (s == 0) continue;
      changes += s == -before;
      before = s;
    }
    return changes;
  }
};

// (a · (4 - w) + b · w) / 4
DyadicPoint between(const DyadicPoint& a, const DyadicPoint& b, int w) {
  const int e = std::max(a.exponent, b.exponent);
  const BigInteger p = a.numerator << (e - a.exponent), q = b.numerator << (e - b.exponent);
  DyadicPoint r{p * BigInteger(4 - w) + q * BigInteger(w), e + 2};
  // Halving a hundred times must not make numbers of two hundred bits
  if (r.numerator.is_zero()) return {BigInteger(), 0};
  const int zeros = std::min(r.numerator.trailing_zeros(), r.exponent);
  r.numerator.shift_down(zeros);
  r.exponent -= zeros;
  return r;
}

// Removes the factor (x - 1); p(1) is zero
BigPolynomial without_one(const BigPolynomial& p) {
  BigPolynomial r;
  BigInteger carry;
  for (int i = p.degree; i >= 1; --i) {
    carry = carry + p[i];
    r[i - 1] = carry;
  }
  r.settle(p.degree - 1);
  return r;
}

// Removes the factor x; p(0) is zero
void drop_zero(BigPolynomial& p) {
  for (int i = 0; i < p.degree; ++i) p[i] = std::move(p[i + 1]);
  p.settle(p.degree - 1);
}
// Without the roots at 0 and 1; signs between them are the same or all turned round
BigPolynomial without_ends(BigPolynomial p) {
  while (p[0].is_zero()) drop_zero(p);
  while (sign_at(p, DyadicPoint{BigInteger(1), 0}) == 0) p = without_one(p);
  return p;
}

// A guess in (lo, hi) at whose ends p has different signs: halving in doubles
double guess_root(const BigPolynomial& p, double lo, double hi, int sign_lo) {
  int bits = 0;
  for (int i = 0; i <= p.degree; ++i) bits = std::max(bits, p[i].bits());
  double c[BigPolynomial::kMaxDegree + 1] = {};
  for (int i = 0; i <= p.degree; ++i) c[i] = p[i].scaled(bits);
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const double x = lo / 2 + hi / 2;
    if (!(x > lo && x < hi)) break;
    double value = 0;
    for (int i = p.degree; i >= 0; --i) value = value * x + c[i];
    if (value == 0) return x;
    ((value > 0) == (sign_lo > 0) ? lo : hi) = x;
  }
  return hi;
}

// Draws the ends together until no double is between them. Ends that are no doubles count as the next ones outward, so a
// single double between them is looked at, too (ImpactExact.HoldsForExponentsFarApart).
void refine(const BigPolynomial& p, IsolatedRoot& root) {
  const int sign_lo = sign_at(p, root.lo);
  double lo = root.lo.below(), hi = root.hi.above();
  if (!(next_up(lo) < hi)) return;
  // Step away from a guess, ever further, until the signs differ; then halve the doubles between
  double x = std::clamp(guess_root(p, lo, hi, sign_lo), next_up(lo), next_down(hi));
  constexpr std::int64_t kGrow = 8, kFar = std::int64_t{1} << 56;
  std::int64_t stride = 1;
  bool below = false, above = false;
  while (x > lo && x < hi) {
    const DyadicPoint at = DyadicPoint::of(x);
    const int s = sign_at(p, at);
    if (s == 0) {
      root.lo = root.hi = at;
      root.exact = true;
      return;
    }
    if (s == sign_lo)
      root.lo = at, lo = x, below = true;
    else
      root.hi = at, hi = x, above = true;
    const std::int64_t a = detail::rank_of(lo), b = detail::rank_of(hi);
    if (below && above) {
      x = detail::of_rank(a + (b - a) / 2);
    } else {
      x = detail::of_rank(below ? std::min(a + stride, b - 1) : std::max(b - stride, a + 1));
      if (stride < kFar) stride *= kGrow;
    }
  }
}

// The sign from rounded terms, or zero when rounding may have decided it. Exponents are kept apart, as most are far out of
// the range of doubles. A term carries 3 roundings of its coefficient, 4 for each power of x, and sums at most 4 more: 19
// for degree 3. What is too small to be added is far below that.
int rounded_sign(const BigPolynomial& p, const DyadicPoint& x) {
  constexpr double kError = 32 * kRoundoff;
  const BigInteger::Rounded at = x.numerator.rounded();
  double term[BigPolynomial::kMaxDegree + 1];
  int exponent[BigPolynomial::kMaxDegree + 1];
  double power = 1;
  int power_exponent = 0, top = std::numeric_limits<int>::min();
  for (int i = 0; i <= p.degree; ++i) {
    const BigInteger::Rounded c = p[i].rounded();
    term[i] = c.mantissa * power;
    exponent[i] = c.exponent + power_exponent;
    // Mantissas are below 2^64, so a term may be 2^256 times its exponent
    if (c.mantissa != 0) top = std::max(top, exponent[i]);
    power *= at.mantissa;
    power_exponent += at.exponent - x.exponent;
  }
  double sum = 0, size = 0;
  for (int i = 0; i <= p.degree; ++i) {
    constexpr int kGone = -700;
    if (term[i] == 0 || exponent[i] - top < kGone) continue;
    const double t = term[i] * std::bit_cast<double>(static_cast<std::uint64_t>(exponent[i] - top + 1023) << 52);
    sum += t;
    size += std::fabs(t);
  }
  return sum > kError * size ? 1 : sum < -kError * size ? -1 : 0;
}

// Signs of the Bernstein coefficients of q over (lo, hi); zero when they differ
int sign_over(const BigPolynomial& q, const DyadicPoint& lo, const DyadicPoint& hi) {
  const int s = sign_at(q, lo);
  if (s == 0 || sign_at(q, hi) != s) return 0;
  if (q.degree < 2) return s;
  // q0 + q1 (lo + hi) / 2 + q2 lo hi, times 2^(1 + both exponents)
  const int e = std::max(lo.exponent, hi.exponent);
  const BigInteger a = lo.numerator << (e - lo.exponent), b = hi.numerator << (e - hi.exponent);
  const BigInteger middle = (q[0] << (2 * e + 1)) + ((q[1] * (a + b)) << e) + ((q[2] * (a * b)) << 1);
  return middle.sign() == s ? s : 0;
}

// Bits of the largest coefficient above which the chain of remainders, whose numbers are five times as long, is the last
// resort; and steps of a bracket after which it is
constexpr int kWideBits = 700, kBracketSteps = 80;

bool is_wide(const BigPolynomial& p) {
  for (int i = 0; i <= p.degree; ++i)
    if (p[i].bits() > kWideBits) return true;
  return false;
}

// Certainly without a common root: modulo a prime they have none. The other way round it is only likely.
bool surely_coprime(const BigPolynomial& p, const BigPolynomial& q) {
  constexpr std::uint64_t kPrime = BigInteger::kPrime;
  using Small = std::array<std::uint64_t, BigPolynomial::kMaxDegree + 1>;
  const auto product = [](std::uint64_t x, std::uint64_t y) {
    const WideProduct w = wide_product(x, y);
    const std::uint64_t r = (w.lo & kPrime) + ((w.lo >> 61) | (w.hi << 3));
    return r >= kPrime ? r - kPrime : r;
  };
  const auto reduced = [](const BigPolynomial& x) {
    Small r{};
    for (int i = 0; i <= x.degree; ++i) r[static_cast<std::size_t>(i)] = x[i].modulo_prime();
    return r;
  };
  Small a = reduced(p), b = reduced(q);
  std::size_t m = static_cast<std::size_t>(p.degree), n = static_cast<std::size_t>(q.degree);
  if (a[m] == 0 || b[n] == 0) return false;
  while (n > 0) {
    // a · lead of b - lead of a · b, until a is the shorter one
    while (m >= n) {
      const std::uint64_t top = a[m], lead = b[n];
      for (std::size_t i = 0; i <= m; ++i) {
        a[i] = product(a[i], lead);
        if (i + n < m) continue;
        const std::uint64_t less = product(top, b[i + n - m]);
        a[i] = a[i] >= less ? a[i] - less : a[i] + kPrime - less;
      }
      while (m > 0 && a[m] == 0) --m;
      if (m == 0) break;
    }
    std::swap(a, b), std::swap(m, n);
  }
  return b[0] != 0;
}

// Where p has its extrema strictly between 0 and 1, each in a bracket in which p is not zero. False when that cannot be told:
// p is zero at one, or nearly so.
struct Extrema {
  struct Interval {
    DyadicPoint lo, hi;
  };
  int count = 0;
  std::array<Interval, 2> at;
};
bool find_extrema(const BigPolynomial& p, Extrema& out) {
  const DyadicPoint zero{BigInteger(), 0}, one{BigInteger(1), 0};
  const BigPolynomial slope = derivative(p);
  // Zeros of the slope at the ends divide nothing
  BigPolynomial inner = without_ends(slope);
  const int at_zero = sign_at(inner, zero), at_one = sign_at(inner, one);
  const auto add = [&](const DyadicPoint& from, const DyadicPoint& to) {
    RootBracket b(inner, from, to);
    for (int step = 0; step < kBracketSteps; ++step) {
      if (sign_in(p, slope, b) != 0) {
        out.at[static_cast<std::size_t>(out.count++)] = {b.low(), b.high()};
        return true;
      }
      b.tighten();
    }
    return false;
  };
  if (at_zero != at_one) return add(zero, one);
  if (inner.degree < 2) return true;
  // Two or none: by the slope where it is steepest
  const BigPolynomial bend = derivative(inner);
  const int bend_zero = sign_at(bend, zero), bend_one = sign_at(bend, one);
  if (bend_zero == 0 || bend_one == 0 || bend_zero == bend_one) return true;
  RootBracket steepest(bend, zero, one);
  for (int step = 0; step < kBracketSteps; ++step) {
    if (const int s = sign_in(inner, bend, steepest); s != 0)
      return s == at_zero || (add(zero, steepest.low()) && add(steepest.high(), one));
    steepest.tighten();
  }
  return false;
}

// The roots strictly between 0 and 1, where p is not zero at both ends: between two neighbouring extrema there is one when p
// has different signs there. False when the extrema cannot be told.
bool roots_between_extrema(const BigPolynomial& p, UnitRoots& found) {
  Extrema extrema;
  if (!surely_coprime(p, derivative(p)) || !find_extrema(p, extrema)) return false;
  DyadicPoint from{BigInteger(), 0};
  for (int k = 0; k <= extrema.count; ++k) {
    const bool last = k == extrema.count;
    const DyadicPoint to = last ? DyadicPoint{BigInteger(1), 0} : extrema.at[static_cast<std::size_t>(k)].lo;
    if (sign_at(p, from) != sign_at(p, to)) {
      IsolatedRoot root{from, to, false};
      refine(p, root);
      found.root[static_cast<std::size_t>(found.count++)] = std::move(root);
    }
    if (!last) from = extrema.at[static_cast<std::size_t>(k)].hi;
  }
  return true;
}

// What needs no chain: one change of sign among the Bernstein coefficients is one root, none is none, and a parabola shows
// its discriminant. p is not zero at 0 and 1; it becomes the polynomial of the roots. False when this is another case.
bool roots_by_signs(BigPolynomial& p, UnitRoots& found) {
  const DyadicPoint zero{BigInteger(), 0}, one{BigInteger(1), 0};
  const auto take = [&](const DyadicPoint& lo, const DyadicPoint& hi) {
    IsolatedRoot root{lo, hi, false};
    refine(p, root);
    found.root[static_cast<std::size_t>(found.count++)] = std::move(root);
  };
  // The coefficients but the first and the last, times the degree
  std::array<int, BigPolynomial::kMaxDegree + 1> signs{p[0].sign()};
  std::size_t n = 1;
  if (p.degree == 2) signs[n++] = ((p[0] << 1) + p[1]).sign();
  if (p.degree == 3) {
    const BigInteger thrice = p[0] * BigInteger(3);
    signs[n++] = (thrice + p[1]).sign();
    signs[n++] = (thrice + (p[1] << 1) + p[2]).sign();
  }
  signs[n++] = sign_at(p, one);
  int changes = 0, before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    changes += signs[i] != 0 && signs[i] == -before;
    if (signs[i] != 0) before = signs[i];
  }
  if (changes == 0) return true;
  if (changes == 1) {
    take(zero, one);
    return true;
  }
  if (p.degree != 2) return false;
  // The same sign at both ends, and an extremum between them, at which p has the sign of minus its discriminant times p[2]
  const int square = (p[1] * p[1] - ((p[2] * p[0]) << 2)).sign();
  if (square < 0) return true;
  if (square == 0) {
    p = derivative(p);
    drop_common_twos(p);
    take(zero, one);
    return true;
  }
  const int bits = std::max(p[1].bits(), p[2].bits());
  const double middle = -0.5 * p[1].scaled(bits) / p[2].scaled(bits);
  if (!(middle > 0 && middle < 1)) return false;
  const DyadicPoint between_both = DyadicPoint::of(middle);
  if (sign_at(p, between_both) != -signs[0]) return false;
  take(zero, between_both);
  take(between_both, one);
  return true;
}

// All roots; `plain`: by the chain, however long the numbers are
UnitRoots isolate(const BigPolynomial& p, bool plain) {
  UnitRoots found;
  const DyadicPoint zero{BigInteger(), 0}, one{BigInteger(1), 0};
  BigPolynomial rest = p;
  drop_common_twos(rest);
  // The ends, which the theorem leaves out
  if (rest[0].is_zero()) {
    found.root[static_cast<std::size_t>(found.count++)] = {zero, zero, true};
    while (rest[0].is_zero()) drop_zero(rest);
  }
  bool root_at_one = false;
  for (; sign_at(rest, one) == 0; root_at_one = true) rest = without_one(rest);

  const bool easy = !plain && rest.degree >= 1 &&
                    (roots_by_signs(rest, found) || (is_wide(rest) && roots_between_extrema(rest, found)));
  if (rest.degree >= 1 && !easy) {
    // The last of the chain is what p and p' share; without it each root is there once
    RemainderChain chain(rest, derivative(rest));
    bool done = false;
    if (chain.last().degree >= 1) {
      rest = quotient(rest, chain.last());
      done = !plain && is_wide(rest) && roots_between_extrema(rest, found);
      if (!done) chain = RemainderChain(rest, derivative(rest));
    }
    struct Span {
      DyadicPoint lo, hi;
      int at_lo, at_hi;
    };
    // Depth first, the left half on top. Only spans with roots are kept, so there are never more than three.
    std::array<Span, 4> stack;
    std::size_t depth = 0;
    int splits = 0;
    const auto push = [&](const DyadicPoint& lo, const DyadicPoint& hi, int at_lo, int at_hi) {
      if (at_lo != at_hi) stack[depth++] = {lo, hi, at_lo, at_hi};
    };
    if (!done) push(zero, one, chain.variations(zero), chain.variations(one));
    while (depth > 0) {
      const Span span = std::move(stack[--depth]);
      if (span.at_lo - span.at_hi == 1) {
        IsolatedRoot root{span.lo, span.hi, false};
        refine(rest, root);
        found.root[static_cast<std::size_t>(found.count++)] = std::move(root);
        continue;
      }
      // There are at most three roots, so one of four places is none. Roots that crowd at zero are far apart as doubles.
      constexpr int kPatience = 40;
      DyadicPoint middle = between(span.lo, span.hi, 2);
      if (++splits > kPatience)
        if (const std::int64_t a = detail::rank_of(span.lo.above()), b = detail::rank_of(span.hi.below()); b > a + 1)
          middle = DyadicPoint::of(detail::of_rank(a + (b - a) / 2));
      if (sign_at(rest, middle) == 0) middle = between(span.lo, span.hi, 1);
      if (sign_at(rest, middle) == 0) middle = between(span.lo, span.hi, 3);
      if (sign_at(rest, middle) == 0) middle = between(span.lo, between(span.lo, span.hi, 1), 2);
      const int at_middle = chain.variations(middle);
      push(middle, span.hi, at_middle, span.at_hi);
      push(span.lo, middle, span.at_lo, at_middle);
    }
  }
  if (root_at_one) found.root[static_cast<std::size_t>(found.count++)] = {one, one, true};
  found.simple = std::move(rest);
  return found;
}

}  // namespace

BigPolynomial operator+(const BigPolynomial& p, const BigPolynomial& q) {
  BigPolynomial r;
  for (int i = 0; i <= std::max(p.degree, q.degree); ++i)
    r[i] = i > p.degree ? q[i] : i > q.degree ? p[i] : p[i] + q[i];
  r.settle(std::max(p.degree, q.degree));
  return r;
}
BigPolynomial operator-(const BigPolynomial& p, const BigPolynomial& q) {
  BigPolynomial r;
  for (int i = 0; i <= std::max(p.degree, q.degree); ++i)
    r[i] = i > p.degree ? -q[i] : i > q.degree ? p[i] : p[i] - q[i];
  r.settle(std::max(p.degree, q.degree));
  return r;
}
BigPolynomial operator*(const BigPolynomial& p, const BigPolynomial& q) {
  BigPolynomial r;
  if (p.is_zero() || q.is_zero()) return r;
  for (int i = 0; i <= p.degree; ++i)
    for (int j = 0; j <= q.degree; ++j) {
      if (p[i].is_zero() || q[j].is_zero()) continue;
      BigInteger x = p[i] * q[j];
      if (r[i + j].is_zero())
        r[i + j] = std::move(x);
      else
        r[i + j] = r[i + j] + x;
    }
  r.settle(p.degree + q.degree);
  return r;
}

DyadicPoint DyadicPoint::of(double x) {
  const int exponent = std::min(0, odd_mantissa(x).exponent);
  return {BigInteger::of(x, exponent), -exponent};
}
double DyadicPoint::below() const {
  double x = numerator.scaled(exponent);
  const auto compare = [this](double y) {
    BigPolynomial p;
    const DyadicPoint at = of(y);
    p[0] = at.numerator;
    p[1] = -(BigInteger(1) << at.exponent);
    p.settle(1);
    return sign_at(p, *this);
  };
  // sign(y - this)
  while (compare(x) > 0) x = next_down(x);
  while (compare(next_up(x)) <= 0) x = next_up(x);
  return x;
}
double DyadicPoint::above() const {
  const double x = below();
  const DyadicPoint at = of(x);
  const int e = std::max(exponent, at.exponent);
  return ((numerator << (e - exponent)) - (at.numerator << (e - at.exponent))).is_zero() ? x : next_up(x);
}

int sign_at(const BigPolynomial& p, const DyadicPoint& x) {
  if (p.is_zero()) return 0;
  if (x.numerator.is_zero()) return p[0].sign();
  if (const int s = rounded_sign(p, x); s != 0) return s;
  BigInteger value = p[p.degree];
  for (int i = p.degree - 1; i >= 0; --i) {
    value = value * x.numerator;
    if (!p[i].is_zero()) value = value + (p[i] << (x.exponent * (p.degree - i)));
  }
  return value.sign();
}

UnitRoots unit_roots(const BigPolynomial& p) { return isolate(p, false); }
UnitRoots unit_roots_by_chain(const BigPolynomial& p) { return isolate(p, true); }

int sign_at(const BigPolynomial& q, const BigPolynomial& simple, IsolatedRoot& root) {
  if (q.is_zero()) return 0;
  if (root.exact) return sign_at(q, root.lo);
  if (const int s = sign_over(q, root.lo, root.hi); s != 0) return s;
  // Long numbers: what is no common root shows when the interval is a little shorter
  if (is_wide(simple) && surely_coprime(simple, q)) {
    RootBracket b(simple, root.lo, root.hi);
    int s = 0;
    for (int step = 0; step < kBracketSteps && s == 0; ++step) {
      b.tighten();
      s = sign_over(q, b.low(), b.high());
    }
    root.lo = b.low(), root.hi = b.high();
    if (s != 0) return s;
  }
  // The chain counts the sign of q · simple', and simple changes to its sign at hi
  const RemainderChain chain(simple, q);
  return (chain.variations(root.lo) - chain.variations(root.hi)) * sign_at(simple, root.hi);
}

}  // namespace sudar

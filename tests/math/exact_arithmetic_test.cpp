// Pairs of doubles, fixed and dyadic integers. Oracle: rational arithmetic.
#include "tests/support/exact.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/expansion.hpp>
#include <sudar/math/fixed_integer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::Rational;
using sudar_test::soak;

namespace {

template <int N>
Rational value(const Dyadic<N>& d) {
  boost::multiprecision::mpz_int sum = 0;
  for (int i = d.size - 1; i >= 0; --i) sum = (sum << 64) + d.limb[i];
  return Rational(d.negative ? boost::multiprecision::mpz_int(-sum) : sum);
}
double number(Random& random, int span) {
  if (random.below(8) == 0) return 0;
  // Few bits now and then, so that cancellation and exact zeros happen
  double m = 1 + random.uniform();
  if (random.coin()) m = static_cast<double>(1 + random.below(7));
  const double x = std::ldexp(m, static_cast<int>(random.below(2 * span)) - span);
  return random.coin() ? x : -x;
}
Rational scaled(double x, int exponent) {
  Rational q(x);
  const Rational two = 2;
  for (int i = 0; i < exponent; ++i) q /= two;
  for (int i = 0; i > exponent; --i) q *= two;
  return q;
}

}  // namespace

TEST(Expansion, PairsAreExact) {
  Random random(campaign_seed(1));
  const auto sum = [](TwoDoubles t) -> Rational { return Rational(t.hi) + Rational(t.lo); };
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const double a = number(random, 400), b = number(random, 400);
    const Rational p(a), q(b);
    ASSERT_EQ(sum(two_sum(a, b)), p + q);
    ASSERT_EQ(sum(two_difference(a, b)), p - q);
    ASSERT_EQ(sum(two_product(a, b)), p * q);
    ASSERT_EQ(sum(std::fabs(a) >= std::fabs(b) ? fast_two_sum(a, b) : fast_two_sum(b, a)), p + q);
    ASSERT_EQ(two_sum(a, b).hi, a + b);
    ASSERT_EQ(two_product(a, b).hi, a * b);
  }
}

TEST(DoubleDouble, ErrorsStayBelowTheirBounds) {
  Random random(campaign_seed(5));
  const auto value_of = [](const DoubleDouble& d) -> Rational { return Rational(d.hi) + Rational(d.lo); };
  const auto any = [&] {
    const double hi = number(random, 100);
    return DoubleDouble(two_sum(hi, hi * random.uniform(-0x1p-54, 0x1p-54)));
  };
  // In units of 2^-106 of the result; the proven bounds are that much and less than 2^-40 of it more
  const auto expect_within = [&](const DoubleDouble& got, const Rational& want, int units) {
    const Rational bound = Rational(units) * Rational(0x1p-106) * (1 + Rational(0x1p-40));
    ASSERT_LE(abs(value_of(got) - want), bound * abs(want));
    ASSERT_EQ(got.hi, got.hi + got.lo);
  };
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const DoubleDouble a = any();
    DoubleDouble b = any();
    // Cancellation down to the low parts
    if (n % 3 == 0) b = DoubleDouble(two_sum(-a.hi, b.hi == 0 ? 0 : a.lo * random.uniform(-2, 2)));
    const Rational p = value_of(a), q = value_of(b);
    expect_within(a + b, p + q, 3);
    expect_within(a - b, p - q, 3);
    expect_within(a * b, p * q, 5);
    expect_within(a * b.hi, p * Rational(b.hi), 3);
  }
}

namespace {

using Whole = boost::multiprecision::mpz_int;

template <int W>
Whole value(const FixedInteger<W>& x) {
  Whole sum = 0;
  for (int i = W - 1; i >= 0; --i) sum = (sum << 64) + x.word[i];
  return x.negative() ? Whole(sum - (Whole(1) << (64 * W))) : sum;
}
// All bits, few bits, or next to the limits of 62 bits
std::int64_t word(Random& random) {
  const auto limit = std::int64_t{1} << 62;
  switch (random.below(3)) {
    case 0:
      return static_cast<std::int64_t>(random.below(5)) - 2;
    case 1:
      return random.coin() ? limit - 1 : 1 - limit;
    default:
      return static_cast<std::int64_t>(random.next() >> 1) % limit * (random.coin() ? 1 : -1);
  }
}

}  // namespace

TEST(FixedInteger, ArithmeticIsExactWithinTheBudget) {
  Random random(campaign_seed(4));
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const std::int64_t x[5] = {word(random), word(random), word(random), word(random), word(random)};
    const auto a = to_fixed(x[0]), b = to_fixed(x[1]), c = to_fixed(x[2]), d = to_fixed(x[3]), e = to_fixed(x[4]);
    const Whole p = x[0], q = x[1], r = x[2], s = x[3], t = x[4];
    ASSERT_EQ(value(a), p);
    const auto minor = a * b - c * d;
    const auto large = minor * e;
    const auto huge = large * minor;
    ASSERT_EQ(value(minor), p * q - r * s);
    ASSERT_EQ(value(large), (p * q - r * s) * t);
    ASSERT_EQ(value(huge), (p * q - r * s) * (p * q - r * s) * t);
    ASSERT_EQ(huge.sign(), t == 0 ? 0 : minor.sign() * minor.sign() * (t > 0 ? 1 : -1));
    ASSERT_EQ(value(large + large), 2 * (p * q - r * s) * t);
    ASSERT_EQ((large - large).sign(), 0);
  }
}

TEST(Dyadic, ArithmeticIsExactAtAnyExponent) {
  Random random(campaign_seed(2));
  for (std::size_t n = 0; n < soak(1500); ++n) {
    const int span = n % 2 == 0 ? 60 : 1022;
    const std::array<double, 4> x{number(random, span), number(random, span), number(random, span),
                                  number(random, span)};
    const int e = common_exponent(x);
    const auto a = to_dyadic(x[0], e), b = to_dyadic(x[1], e), c = to_dyadic(x[2], e), d = to_dyadic(x[3], e);
    const Rational qa = scaled(x[0], e), qb = scaled(x[1], e), qc = scaled(x[2], e), qd = scaled(x[3], e);
    ASSERT_EQ(value(a), qa);
    ASSERT_EQ(value(a + b), qa + qb);
    ASSERT_EQ(value(a - b), qa - qb);
    ASSERT_EQ(value(a * b), qa * qb);
    ASSERT_EQ(value((a - b) * (c + d)), (qa - qb) * (qc + qd));
    const auto cancelled = (a + b) - a - b;
    ASSERT_EQ(cancelled.sign(), 0);
    ASSERT_EQ((a - b).sign(), Rational(qa - qb).sign());
  }
}

TEST(Dyadic, CommonExponentOfSpecialNumbers) {
  EXPECT_EQ(common_exponent(std::array{0.0, 0.0}), 0);
  EXPECT_EQ(common_exponent(std::array{8.0, 0.0, 12.0}), 2);
  EXPECT_EQ(common_exponent(std::array{5e-324, 1e308}), -1074);
  EXPECT_EQ(odd_mantissa(-6.0).mantissa, 3u);
  EXPECT_EQ(odd_mantissa(-6.0).exponent, 1);
  const auto wide = to_dyadic(1.7976931348623157e308, -1074);
  EXPECT_LE(wide.size, kDyadicLimbs);
}

TEST(Dyadic, WideProductCarries) {
  Random random(campaign_seed(3));
  const auto wide = [](std::uint64_t x) { return boost::multiprecision::mpz_int(x); };
  for (int n = 0; n < 2000; ++n) {
    const std::uint64_t a = random.coin() ? random.next() : ~std::uint64_t{0} - random.below(3), b = random.next();
    const WideProduct p = wide_product(a, b);
    ASSERT_EQ((wide(p.hi) << 64) + wide(p.lo), wide(a) * wide(b));
  }
}

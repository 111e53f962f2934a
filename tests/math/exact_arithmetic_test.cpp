// Expansions and dyadic integers. Oracle: rational arithmetic.
#include "tests/support/exact.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/expansion.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace sudar;
using sudar_test::Rational;
using sudar_test::soak;

namespace {

template <int N>
Rational value(const Expansion<N>& e) {
  Rational sum = 0;
  for (int i = 0; i < e.size; ++i) sum += Rational(e.part[i]);
  return sum;
}
// Components ascend, none is zero, and none reaches into the next
template <int N>
bool is_expansion(const Expansion<N>& e) {
  for (int i = 0; i < e.size; ++i) {
    if (e.part[i] == 0) return false;
    if (i > 0 && std::fabs(e.part[i - 1]) >= std::ldexp(1.0, odd_mantissa(e.part[i]).exponent)) return false;
  }
  return true;
}
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

TEST(Expansion, SumsAndProductsAreExact) {
  Random random(1);
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const double a = number(random, 80), b = number(random, 80), c = number(random, 80), d = number(random, 80);
    const auto ab = to_expansion(two_product(a, b)), cd = to_expansion(two_product(c, d));
    const auto sum = ab + cd, difference = ab - cd;
    const auto scaled_sum = sum * c;
    const auto product = sum * difference;
    const Rational qab = Rational(a) * Rational(b), qcd = Rational(c) * Rational(d);
    ASSERT_EQ(value(ab), qab);
    ASSERT_EQ(value(sum), qab + qcd);
    ASSERT_EQ(value(difference), qab - qcd);
    ASSERT_EQ(value(scaled_sum), (qab + qcd) * Rational(c));
    ASSERT_EQ(value(product), (qab + qcd) * (qab - qcd));
    ASSERT_EQ(product.sign(), value(product).sign());
    ASSERT_TRUE(is_expansion(sum) && is_expansion(scaled_sum) && is_expansion(product));
    ASSERT_EQ(Rational(two_sum(a, b).hi) + Rational(two_sum(a, b).lo), Rational(a) + Rational(b));
    ASSERT_EQ(Rational(two_difference(a, b).hi) + Rational(two_difference(a, b).lo), Rational(a) - Rational(b));
  }
}

TEST(Dyadic, ArithmeticIsExactAtAnyExponent) {
  Random random(2);
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
  Random random(3);
  const auto wide = [](std::uint64_t x) { return boost::multiprecision::mpz_int(x); };
  for (int n = 0; n < 2000; ++n) {
    const std::uint64_t a = random.coin() ? random.next() : ~std::uint64_t{0} - random.below(3), b = random.next();
    const WideProduct p = wide_product(a, b);
    ASSERT_EQ((wide(p.hi) << 64) + wide(p.lo), wide(a) * wide(b));
  }
}

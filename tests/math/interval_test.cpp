// Oracle: rational arithmetic.
#include "tests/support/exact.hpp"
#include "tests/support/numbers.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/interval.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kInf;
using sudar_test::Rational;
using sudar_test::soak;

namespace {

bool encloses(const Interval& i, const Rational& q) {
  return (i.lo == -kInf || Rational(i.lo) <= q) && (i.hi == kInf || q <= Rational(i.hi));
}
// The bounds are the doubles next to the true values
bool tight(const Interval& i, const Rational& low, const Rational& high) {
  return Rational(next_up(i.lo)) > low && Rational(next_down(i.hi)) < high;
}

double number(Random& random, bool wild) {
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return static_cast<double>(random.below(9)) - 4;
    default:
      break;
  }
  const int span = wild ? 1070 : 60;
  const double x = std::ldexp(1 + random.uniform(), static_cast<int>(random.below(2 * span)) - span);
  return std::isfinite(x) ? (random.coin() ? x : -x) : 1;
}
Interval interval(Random& random, bool wild) {
  const double a = number(random, wild), b = random.below(4) == 0 ? a : number(random, wild);
  return {a < b ? a : b, a < b ? b : a};
}
// Numbers inside: the ends, the middle, and one more
struct Samples {
  double x[4];
};
Samples inside(const Interval& i, Random& random) {
  const double t = random.uniform(), m = i.lo * (1 - t) + i.hi * t;
  return {{i.lo, i.hi, i.middle(), i.contains(m) ? m : i.lo}};
}

}  // namespace

TEST(Interval, OperationsEncloseEveryTrueResult) {
  Random random(campaign_seed(1));
  for (std::size_t n = 0; n < soak(6000); ++n) {
    const bool wild = n % 2 == 0;
    const Interval a = interval(random, wild), b = interval(random, wild);
    const Interval sum = a + b, difference = a - b, product = a * b, quotient = a / b, square = sqr(a), root = sqrt(a);
    for (const double x : inside(a, random).x) {
      ASSERT_TRUE(a.contains(x));
      for (const double y : inside(b, random).x) {
        const Rational p(x), q(y);
        ASSERT_TRUE(encloses(sum, p + q)) << x << " + " << y;
        ASSERT_TRUE(encloses(difference, p - q)) << x << " - " << y;
        ASSERT_TRUE(encloses(product, p * q)) << x << " * " << y;
        if (q != 0) {
          ASSERT_TRUE(encloses(quotient, p / q)) << x << " / " << y;
        }
        ASSERT_TRUE(min(a, b).contains(std::fmin(x, y)));
        ASSERT_TRUE(max(a, b).contains(std::fmax(x, y)));
        ASSERT_TRUE(hull(a, b).contains(x) && hull(a, b).contains(y));
      }
      const Rational p(x);
      ASSERT_TRUE(encloses(square, p * p));
      ASSERT_TRUE(abs(a).contains(std::fabs(x)));
      // √x lies between the bounds when x lies between their squares
      if (x >= 0) {
        ASSERT_TRUE(Rational(root.lo) * Rational(root.lo) <= p && p <= Rational(root.hi) * Rational(root.hi)) << x;
      }
    }
    if (a.width() < kInf) {
      ASSERT_GE(Rational(a.width()), Rational(a.hi) - Rational(a.lo));
    }
  }
}

TEST(Interval, AsTightAsDirectedRounding) {
  Random random(campaign_seed(2));
  for (int n = 0; n < 4000; ++n) {
    const double x = number(random, false), y = number(random, false);
    const Interval a(x), b(y);
    const Rational p(x), q(y);
    ASSERT_TRUE(tight(a + b, p + q, p + q));
    ASSERT_TRUE(tight(a * b, p * q, p * q));
    ASSERT_EQ((a * b).is_point(), Rational((a * b).lo) == p * q);
    if (y != 0) {
      ASSERT_TRUE(tight(a / b, p / q, p / q));
      ASSERT_EQ((a / b).is_point(), Rational((a / b).lo) * q == p);
    }
    const Interval r = sqrt(sqr(a));
    ASSERT_LE(r.hi, next_up(std::fabs(x)));
  }
}

TEST(Interval, ExactOperationsStayPoints) {
  EXPECT_EQ(Interval(2) + Interval(3), Interval(5));
  EXPECT_EQ(Interval(0.5) * Interval(-3), Interval(-1.5));
  EXPECT_EQ(Interval(3) / Interval(4), Interval(0.75));
  EXPECT_EQ(sqrt(Interval(9)), Interval(3));
  EXPECT_EQ(Interval(-2, 3) * Interval(-5, 7), Interval(-15, 21));
  EXPECT_EQ(sqr(Interval(-2, 3)), Interval(0, 9));
  EXPECT_EQ(Interval(1, 2) / Interval(-4, -2), Interval(-1, -0.25));
}

TEST(Interval, DivisionByZeroInsideGivesTheWholeLine) {
  EXPECT_EQ(Interval(1) / Interval(0), Interval::whole());
  EXPECT_EQ(Interval(1, 2) / Interval(-1, 1), Interval::whole());
  EXPECT_EQ(Interval(1, 2) / Interval(0, 1), Interval::whole());
}

TEST(Interval, OverflowAndInfinity) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const Interval big(kMax), sum = big + big, product = big * big;
  EXPECT_EQ(sum, Interval(kMax, kInf));
  EXPECT_EQ(product, Interval(kMax, kInf));
  EXPECT_EQ(-big - big, Interval(-kInf, -kMax));
  EXPECT_EQ(Interval::whole() * Interval(0), Interval(0));
  EXPECT_EQ(Interval::whole() + Interval(1), Interval::whole());
  EXPECT_EQ(Interval(1) / Interval(1, kInf), Interval(0, 1));
  EXPECT_EQ(Interval::whole().middle(), 0);
  EXPECT_EQ(Interval::whole().width(), kInf);
  const Interval tiny = Interval(1e-200) * Interval(1e-200);
  EXPECT_TRUE(tiny.hi > 0 && tiny.lo <= 0);
}

TEST(Interval, SetOperations) {
  EXPECT_EQ(intersect(Interval(0, 2), Interval(1, 3)), Interval(1, 2));
  EXPECT_EQ(intersect(Interval(0, 1), Interval(2, 3)), std::nullopt);
  EXPECT_EQ(intersect(Interval(0, 1), Interval(1, 3)), Interval(1));
  EXPECT_EQ(hull(Interval(0, 1), Interval(5)), Interval(0, 5));
  EXPECT_EQ(Interval(1, 2).sign(), 1);
  EXPECT_EQ(Interval(-2, -1).sign(), -1);
  EXPECT_EQ(Interval(-2, 0).sign(), 0);
}

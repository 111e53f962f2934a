// Integers of any length against 128-bit ones and identities; roots of polynomials that were made from their roots.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/math/sturm.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

BigInteger random_integer(Random& random, int words) {
  BigInteger x;
  for (int i = 0; i < words; ++i)
    x = (x << 64) + BigInteger(static_cast<std::int64_t>(random.next() >> 1)) + BigInteger(random.coin() ? 1 : 0);
  return random.coin() ? -x : x;
}

TEST(BigInteger, SmallOnesAgreeWithTheProcessor) {
  Random random(campaign_seed(1));
  for (int i = 0; i < 2000; ++i) {
    const int shift = static_cast<int>(random.below(50));
    const auto a = static_cast<std::int64_t>(random.next()) >> (10 + shift);
    const auto b = static_cast<std::int64_t>(random.next()) >> (63 - static_cast<int>(random.below(50)));
    EXPECT_TRUE((BigInteger(a) + BigInteger(b) - BigInteger(a + b)).is_zero());
    EXPECT_TRUE((BigInteger(a) - BigInteger(b) - BigInteger(a - b)).is_zero());
    EXPECT_EQ((BigInteger(a) - BigInteger(b)).sign(), a < b ? -1 : a > b);
    const double x = static_cast<double>(a >> 11), y = static_cast<double>(b >> 11);
    EXPECT_TRUE((BigInteger::of(x * 0x1p-30, -30) * BigInteger::of(y, 0) - BigInteger(a >> 11) * BigInteger(b >> 11))
                    .is_zero());
    EXPECT_EQ((BigInteger(a)).scaled(5), std::ldexp(static_cast<double>(a), -5));
  }
}

TEST(BigInteger, LongOnesKeepTheRulesOfArithmetic) {
  Random random(campaign_seed(2));
  for (int i = 0; i < 300; ++i) {
    const BigInteger a = random_integer(random, 1 + static_cast<int>(random.below(40)));
    const BigInteger b = random_integer(random, 1 + static_cast<int>(random.below(40)));
    EXPECT_TRUE(((a + b) * (a - b) - (a * a - b * b)).is_zero());
    EXPECT_TRUE(((a + b) * (a + b) - (a * a + b * b + ((a * b) << 1))).is_zero());
    EXPECT_EQ((a * b).sign(), a.sign() * b.sign());
    const int shift = static_cast<int>(random.below(300));
    BigInteger c = a << shift;
    EXPECT_EQ(c.bits(), a.bits() + shift);
    EXPECT_EQ(c.trailing_zeros(), a.trailing_zeros() + shift);
    c.shift_down(shift);
    EXPECT_TRUE((c - a).is_zero());
    // Copies and moves, short and long
    BigInteger d = a, e = b;
    std::swap(d, e);
    d = d * e;
    e = std::move(d);
    EXPECT_TRUE((e - a * b).is_zero());
  }
}

struct Fraction {
  std::int64_t n, d;  // d > 0
  double value() const { return static_cast<double>(n) / static_cast<double>(d); }
};
BigPolynomial factor(const Fraction& f) {
  BigPolynomial p;
  p[0] = BigInteger(-f.n);
  p[1] = BigInteger(f.d);
  p.settle(1);
  return p;
}

TEST(Sturm, FindsTheRootsAPolynomialWasMadeFrom) {
  Random random(campaign_seed(3));
  for (std::size_t i = 0; i < sudar_test::soak(2000); ++i) {
    BigPolynomial p;
    p[0] = BigInteger(random.coin() ? 3 : -8);
    p.settle(0);
    std::vector<double> roots;
    for (int n = 1 + static_cast<int>(random.below(3)); n > 0; --n) {
      const auto d = static_cast<std::int64_t>(1 + random.below(random.coin() ? 4 : 1000));
      const Fraction f{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * d))) - d / 2, d};
      p = p * factor(f);
      if (f.value() >= 0 && f.value() <= 1) roots.push_back(f.value());
    }
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    UnitRoots found = unit_roots(p);
    ASSERT_EQ(found.count, static_cast<int>(roots.size()));
    for (int r = 0; r < found.count; ++r) {
      IsolatedRoot& root = found.root[static_cast<std::size_t>(r)];
      const double x = roots[static_cast<std::size_t>(r)];
      EXPECT_NEAR(root.lo.below(), x, 4e-16);
      EXPECT_NEAR(root.hi.above(), x, 4e-16);
      // Signs of polynomials that have this root, lie next to it, or are far from it
      for (const auto& [shift, times] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 1}, std::pair{-1, 2}}) {
        const Fraction at{std::llround(x * 1e6) + shift, 1000000};
        BigPolynomial q = factor(at);
        if (times == 2) q = q * factor({7, 5});
        const double expected = (x * 1e6 - static_cast<double>(at.n)) * (times == 2 ? x - 1.4 : 1);
        if (std::fabs(expected) > 1e-8) {
          EXPECT_EQ(sign_at(q, found.simple, root), expected > 0 ? 1 : -1);
        }
      }
      if (p.degree <= 2) {
        EXPECT_EQ(sign_at(p, found.simple, root), 0);
      }
    }
  }
}

TEST(Sturm, SignsAtIrrationalRoots) {
  // 2 x² = 1; q = (2 x² - 1) (…) is zero there, x² + x - 1.2071 and neighbours of √½ are not
  BigPolynomial p;
  p[0] = BigInteger(-1);
  p[2] = BigInteger(2);
  p.settle(2);
  UnitRoots found = unit_roots(p);
  ASSERT_EQ(found.count, 1);
  EXPECT_FALSE(found.root[0].exact);
  EXPECT_EQ(sign_at(p, found.simple, found.root[0]), 0);
  const double half_root = std::sqrt(0.5);
  for (const double x : {std::nextafter(half_root, 0.0), half_root, std::nextafter(half_root, 1.0)}) {
    const DyadicPoint at = DyadicPoint::of(x);
    BigPolynomial q;
    q[0] = -at.numerator;
    q[1] = BigInteger(1) << at.exponent;
    q.settle(1);
    EXPECT_EQ(sign_at(q, found.simple, found.root[0]), -sign_at(p, at));
  }
}

TEST(Sturm, RootsNextToZero) {
  // (2^1000 x - 3) (2^990 x - 1) (5 x - 1): two of them far below where halving from one gets to
  BigPolynomial p = factor({1, 5});
  for (const auto& [n, bits] : {std::pair{3, 1000}, std::pair{1, 990}}) {
    BigPolynomial q;
    q[0] = BigInteger(-n);
    q[1] = BigInteger(1) << bits;
    q.settle(1);
    p = p * q;
  }
  UnitRoots found = unit_roots(p);
  ASSERT_EQ(found.count, 3);
  EXPECT_EQ(found.root[0].lo.below(), 3 * 0x1p-1000);
  EXPECT_EQ(found.root[1].lo.below(), 0x1p-990);
  EXPECT_NEAR(found.root[2].lo.below(), 0.2, 1e-16);
}

TEST(Sturm, RootsMuchCloserThanDoubles) {
  // (2^200 x - n) (2^200 x - n - 1) with n / 2^200 near 1/3
  BigInteger n;
  for (int i = 0; i < 100; ++i) n = (n << 2) + BigInteger(1);
  BigPolynomial a, b;
  a[0] = -n;
  b[0] = -(n + BigInteger(1));
  a[1] = b[1] = BigInteger(1) << 200;
  a.settle(1);
  b.settle(1);
  UnitRoots found = unit_roots(a * b);
  ASSERT_EQ(found.count, 2);
  for (const IsolatedRoot& root : {found.root[0], found.root[1]}) {
    EXPECT_LE(root.lo.below(), 1.0 / 3);
    EXPECT_NEAR(root.lo.below(), 1.0 / 3, 1e-15);
  }
  EXPECT_EQ(sign_at(a, found.simple, found.root[0]), 0);
  EXPECT_EQ(sign_at(a, found.simple, found.root[1]), 1);
  EXPECT_EQ(sign_at(b, found.simple, found.root[0]), -1);
  EXPECT_EQ(sign_at(b, found.simple, found.root[1]), 0);
}

// Small coefficients, where double roots, roots in common and roots at the ends abound: the same as by the chain
TEST(Sturm, SignsAgreeWithTheChain) {
  Random random(campaign_seed(5));
  std::size_t roots = 0;
  const std::size_t rounds = sudar_test::soak(20000);
  for (std::size_t i = 0; i < rounds; ++i) {
    BigPolynomial p;
    const int degree = 1 + static_cast<int>(random.below(3));
    for (int k = 0; k <= degree; ++k) p[k] = BigInteger(static_cast<std::int64_t>(random.below(13)) - 6);
    p.settle(degree);
    if (p.is_zero()) continue;
    UnitRoots found = unit_roots(p), plain = unit_roots_by_chain(p);
    ASSERT_EQ(found.count, plain.count) << i;
    for (int r = 0; r < found.count; ++r) {
      IsolatedRoot &x = found.root[static_cast<std::size_t>(r)], &y = plain.root[static_cast<std::size_t>(r)];
      ++roots;
      EXPECT_LE(x.lo.below(), y.hi.above());
      EXPECT_LE(y.lo.below(), x.hi.above());
      BigPolynomial q;
      for (int k = 0; k <= 2; ++k) q[k] = BigInteger(static_cast<std::int64_t>(random.below(7)) - 3);
      q.settle(2);
      EXPECT_EQ(sign_at(q, found.simple, x), sign_at(q, plain.simple, y)) << i;
    }
  }
  EXPECT_GT(roots, rounds / 4);
}

// Long numbers go between the extrema: the same roots as by the chain. Roots far apart, next to each other, double, triple
// and common; the ends and where the slope is zero.
TEST(Sturm, LongNumbersAgreeWithTheChain) {
  Random random(campaign_seed(4));
  std::size_t roots = 0, doubles = 0;
  const std::size_t rounds = sudar_test::soak(400);
  for (std::size_t i = 0; i < rounds; ++i) {
    BigPolynomial p;
    p[0] = BigInteger(random.coin() ? 3 : -8) << 900;
    p.settle(0);
    // n / 2^bits, sometimes that of the one before, or next to it
    BigInteger n;
    int bits = 0;
    for (int k = 1 + static_cast<int>(random.below(3)); k > 0; --k) {
      const auto kind = bits == 0 ? 2 : random.below(4);
      if (kind == 1) {
        const int more = 1 + static_cast<int>(random.below(300));
        n = (n << more) + BigInteger(1);
        bits += more;
      } else if (kind >= 2) {
        bits = 1 + static_cast<int>(random.below(kind == 3 ? 8 : 500));
        n = BigInteger(static_cast<std::int64_t>(random.below(std::uint64_t{1} << std::min(bits + 1, 60))));
        if (random.below(8) == 0) n = BigInteger();
      }
      BigPolynomial q;
      q[0] = -n;
      q[1] = BigInteger(1) << bits;
      q.settle(1);
      p = p * q;
    }
    // A nudge in the last of very many bits
    if (random.coin()) p[0] = p[0] + BigInteger(random.coin() ? 1 : -1);
    p.settle(p.degree);
    if (p.is_zero()) continue;
    UnitRoots found = unit_roots(p), plain = unit_roots_by_chain(p);
    ASSERT_EQ(found.count, plain.count) << i;
    doubles += plain.simple.degree < p.degree;
    for (int r = 0; r < found.count; ++r) {
      IsolatedRoot &x = found.root[static_cast<std::size_t>(r)], &y = plain.root[static_cast<std::size_t>(r)];
      ++roots;
      // To neighbouring doubles, as both promise; which ones depends on the way
      EXPECT_LE(x.lo.below(), y.hi.above());
      EXPECT_LE(y.lo.below(), x.hi.above());
      EXPECT_LE(x.hi.above(), next_up(next_up(x.lo.below())));
      for (const Fraction& at : {Fraction{1, 3}, Fraction{1, 2}, Fraction{0, 1}}) {
        const BigPolynomial q = factor(at) * factor({7, 5});
        EXPECT_EQ(sign_at(q, found.simple, x), sign_at(q, plain.simple, y));
      }
    }
  }
  EXPECT_GT(roots, rounds / 2);
  EXPECT_GT(doubles, rounds / 20);
}

}  // namespace

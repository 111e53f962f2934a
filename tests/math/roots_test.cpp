// Oracle: exact signs over rationals, and products of known roots.
#include "tests/support/exact.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/roots.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::Rational;
using sudar_test::soak;

namespace {

constexpr double kMax = std::numeric_limits<double>::max();

template <std::size_t N>
int rational_sign(const std::array<double, N>& p, const Rational& x) {
  Rational sum = 0;
  for (const double c : p) sum = sum * x + Rational(c);
  return sum.sign();
}
double any_coefficient(Random& random, int span) {
  if (random.below(8) == 0) return 0;
  const double x = std::ldexp(1 + random.uniform(), static_cast<int>(random.below(2 * span + 1)) - span);
  return random.coin() ? x : -x;
}
double small_integer(Random& random, int most) { return static_cast<double>(random.below(2 * most + 1)) - most; }
double moved(double x, int by) {
  for (; by > 0; --by) x = next_up(x);
  for (; by < 0; ++by) x = next_down(x);
  return x;
}
// A sign change within `reach` doubles on either side of x (which may be the root itself)
template <std::size_t N>
bool changes_near(const std::array<double, N>& p, double x, int reach) {
  if (rational_sign(p, Rational(x)) == 0) return true;
  const double lo = moved(x, -reach), hi = moved(x, reach);
  if (!std::isfinite(lo) || !std::isfinite(hi)) return true;
  return rational_sign(p, Rational(lo)) * rational_sign(p, Rational(hi)) <= 0;
}
// The largest double not above a simple root: zero here, or the sign changes before the next double
bool is_floor_of_root(const std::array<double, 4>& p, double x) {
  const int here = rational_sign(p, Rational(x));
  return here == 0 || rational_sign(p, Rational(next_up(x))) == -here;
}

// Another root within a few doubles: signs between them cannot be told apart
bool is_crowded(const Roots<3>& roots, int i) {
  const double x = roots.value[i];
  return (i > 0 && moved(roots.value[i - 1], 4) >= x) || (i + 1 < roots.count && moved(x, 4) >= roots.value[i + 1]);
}

}  // namespace

TEST(Roots, PolynomialSignIsExact) {
  Random random(campaign_seed(1));
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const int span = n % 2 == 0 ? 8 : 1020;
    std::array<double, 4> p;
    for (double& c : p) c = n % 3 == 0 ? small_integer(random, 9) : any_coefficient(random, span);
    const double x = n % 3 == 0 ? small_integer(random, 16) / 4 : any_coefficient(random, span);
    ASSERT_EQ(polynomial_sign(p, x), rational_sign(p, Rational(x)));
    const std::array<double, 3> q{p[0], p[1], p[2]};
    ASSERT_EQ(polynomial_sign(q, x), rational_sign(q, Rational(x)));
  }
}

TEST(Roots, CountsQuadraticRootsExactly) {
  Random random(campaign_seed(2));
  for (std::size_t n = 0; n < soak(40000); ++n) {
    double a, b, c;
    if (n % 4 == 0) {
      a = small_integer(random, 4), b = small_integer(random, 8), c = small_integer(random, 4);
    } else if (n % 4 == 1) {
      // Almost a double root: (x - r)² with a coefficient moved by an ulp or none
      const double r = random.uniform(-2, 2);
      a = 1, b = -2 * r, c = moved(r * r, static_cast<int>(random.below(3)) - 1);
    } else {
      const int span = n % 4 == 2 ? 30 : 1020;
      a = any_coefficient(random, span), b = any_coefficient(random, span), c = any_coefficient(random, span);
    }
    const Roots<2> roots = quadratic_roots(a, b, c);
    const Rational ra(a), rb(b), rc(c), d = rb * rb - 4 * ra * rc;
    ASSERT_EQ(quadratic_discriminant_sign(a, b, c), d.sign()) << a << ' ' << b << ' ' << c;
    if (a == 0 && b == 0) {
      ASSERT_EQ(roots.count, 0);
      ASSERT_EQ(roots.everywhere, c == 0);
    } else if (a != 0 && n % 4 != 3) {
      ASSERT_EQ(roots.count, d.sign() + 1) << a << ' ' << b << ' ' << c;
      if (roots.count == 1) {
        ASSERT_EQ(roots.multiplicity[0], 2);
      }
    }
    ASSERT_TRUE(std::is_sorted(roots.begin(), roots.end()));
    const std::array<double, 3> p{a, b, c};
    for (int i = 0; i < roots.count; ++i) {
      const double x = roots.value[i];
      ASSERT_TRUE(std::isfinite(x));
      // A double root has no sign change; its derivative has
      if (roots.multiplicity[i] == 2) {
        ASSERT_TRUE(changes_near(std::array<double, 2>{2 * a, b}, x, 4));
      } else if (std::fabs(x) > 1e-300) {
        // Between two roots closer than this reach the sign at both ends is the same
        const bool crowded = roots.count == 2 && moved(roots.value[0], 9) >= roots.value[1];
        if (!crowded) {
          ASSERT_TRUE(changes_near(p, x, 4)) << a << ' ' << b << ' ' << c << ": " << x;
        }
      }
    }
  }
}

TEST(Roots, QuadraticWithoutCancellationOrOverflow) {
  // x² - 1e8 x + 1: the naive formula loses half of the digits of the small root
  const Roots<2> r = quadratic_roots(1, -1e8, 1);
  EXPECT_NEAR(r.value[0] / 1.0000000000000001e-8, 1, 1e-15);
  // Coefficients whose squares overflow or underflow
  for (double s : {1e-300, 1e-160, 1e160, 1e300}) {
    const Roots<2> t = quadratic_roots(s, -3 * s, 2 * s);
    ASSERT_EQ(t.count, 2);
    EXPECT_NEAR(t.value[0], 1, 4e-16);
    EXPECT_NEAR(t.value[1], 2, 8e-16);
  }
  const Roots<2> wide = quadratic_roots(1e300, 0, -1e-300);
  ASSERT_EQ(wide.count, 2);
  EXPECT_NEAR(wide.value[1] / 1e-300, 1, 1e-15);
  // A root past the largest double is left out, the other stays
  const Roots<2> lost = quadratic_roots(1e-300, 1e300, 1);
  ASSERT_EQ(lost.count, 1);
  EXPECT_NEAR(lost.value[0] / -1e-300, 1, 1e-15);
  EXPECT_EQ(quadratic_roots(std::numeric_limits<double>::quiet_NaN(), 1, 1).count, 0);
  EXPECT_EQ(quadratic_roots(0, 2, -4).value[0], 2);
  EXPECT_TRUE(quadratic_roots(0, 0, 0).everywhere);
}

TEST(Roots, CountsCubicRootsExactly) {
  Random random(campaign_seed(3));
  std::size_t three = 0, twice = 0, triple = 0;
  for (std::size_t n = 0; n < soak(20000); ++n) {
    std::array<double, 4> p;
    if (n % 4 == 0) {
      for (double& c : p) c = small_integer(random, 6);
    } else if (n % 4 == 1) {
      // Products of known integer roots, repeated ones included
      const double x = small_integer(random, 5), y = small_integer(random, 5),
                   z = random.coin() ? y : small_integer(random, 5);
      const double s = std::ldexp(1.0, static_cast<int>(random.below(60)) - 30);
      p = {s, -(x + y + z) * s, (x * y + y * z + z * x) * s, -x * y * z * s};
    } else if (n % 4 == 2) {
      // Three roots close together, then rounded: anything may come of it
      const double r = random.uniform(-2, 2), h = std::ldexp(1.0, -static_cast<int>(random.below(30)));
      const double x = r, y = r + h, z = r - h * random.uniform();
      p = {1, -(x + y + z), x * y + y * z + z * x, -x * y * z};
    } else {
      for (double& c : p) c = any_coefficient(random, 40);
    }
    const Rational a(p[0]), b(p[1]), c(p[2]), d(p[3]);
    const Rational disc =
        18 * a * b * c * d - 4 * b * b * b * d + b * b * c * c - 4 * a * c * c * c - 27 * a * a * d * d;
    ASSERT_EQ(cubic_discriminant_sign(p[0], p[1], p[2], p[3]), disc.sign());
    const Roots<3> roots = cubic_roots(p[0], p[1], p[2], p[3]);
    if (p[0] == 0) continue;
    int with_multiplicity = 0;
    for (int i = 0; i < roots.count; ++i) with_multiplicity += roots.multiplicity[i];
    ASSERT_EQ(with_multiplicity, disc.sign() < 0 ? 1 : 3) << p[0] << ' ' << p[1] << ' ' << p[2] << ' ' << p[3];
    ASSERT_EQ(roots.count == 3, disc.sign() > 0);
    ASSERT_TRUE(std::is_sorted(roots.begin(), roots.end()));
    three += roots.count == 3;
    for (int i = 0; i < roots.count; ++i) {
      const double x = roots.value[i];
      twice += roots.multiplicity[i] == 2;
      triple += roots.multiplicity[i] == 3;
      if (roots.multiplicity[i] == 1 && !is_crowded(roots, i)) {
        ASSERT_TRUE(is_floor_of_root(p, x)) << x;
      } else if (roots.multiplicity[i] == 2) {
        // 3a x² + 2b x + c changes its sign in the next double
        const auto slope = [&](double t) {
          return Rational(3 * a * Rational(t) * Rational(t) + 2 * b * Rational(t) + c).sign();
        };
        ASSERT_TRUE(slope(x) == 0 || slope(x) != slope(next_up(x)));
      }
    }
  }
  EXPECT_GT(three, soak(20000) / 40);
  EXPECT_GT(twice, soak(20000) / 400);
  EXPECT_GT(triple, soak(20000) / 4000);
}

TEST(Roots, CubicFindsKnownRoots) {
  Random random(campaign_seed(4));
  for (int n = 0; n < 4000; ++n) {
    std::array<double, 3> r{small_integer(random, 1000), small_integer(random, 1000), small_integer(random, 1000)};
    std::sort(r.begin(), r.end());
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(1800)) - 900);
    const Roots<3> roots = cubic_roots(scale, -(r[0] + r[1] + r[2]) * scale,
                                       (r[0] * r[1] + r[1] * r[2] + r[2] * r[0]) * scale, -r[0] * r[1] * r[2] * scale);
    std::vector<double> found;
    for (int i = 0; i < roots.count; ++i)
      for (int k = 0; k < roots.multiplicity[i]; ++k) found.push_back(roots.value[i]);
    ASSERT_EQ(found.size(), 3u);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(found[i], r[i]);
  }
}

TEST(Roots, CubicAtTheEdges) {
  EXPECT_TRUE(cubic_roots(0, 0, 0, 0).everywhere);
  EXPECT_EQ(cubic_roots(0, 0, 0, 1).count, 0);
  EXPECT_EQ(cubic_roots(0, 0, 2, -1).value[0], 0.5);
  EXPECT_EQ(cubic_roots(0, 1, -3, 2).count, 2);
  EXPECT_EQ(cubic_roots(1, 0, 0, 0).multiplicity[0], 3);
  EXPECT_EQ(cubic_roots(1, 0, 0, -8).value[0], 2);
  EXPECT_EQ(cubic_roots(1, 0, 0, 5e-324).count, 1);
  EXPECT_EQ(cubic_roots(kMax, kMax, kMax, kMax).value[0], -1);
  EXPECT_EQ(cubic_roots(std::numeric_limits<double>::infinity(), 0, 0, 1).count, 0);
  // Two of the three roots lie beyond the largest double
  const Roots<3> r = cubic_roots(5e-324, 0, -1e308, 1e308);
  ASSERT_EQ(r.count, 1);
  EXPECT_EQ(r.value[0], 1);
}

TEST(Roots, AnyExponents) {
  Random random(campaign_seed(5));
  for (std::size_t n = 0; n < soak(1000); ++n) {
    std::array<double, 4> p;
    for (double& c : p) c = any_coefficient(random, 1020);
    const Roots<3> roots = cubic_roots(p[0], p[1], p[2], p[3]);
    for (int i = 0; i < roots.count; ++i) {
      ASSERT_TRUE(std::isfinite(roots.value[i]));
      if (p[0] != 0 && roots.multiplicity[i] == 1 && !is_crowded(roots, i)) {
        ASSERT_TRUE(is_floor_of_root(p, roots.value[i])) << roots.value[i];
      }
    }
  }
}

TEST(Roots, LastBeforeChangeHalvesTheDoubles) {
  int calls = 0;
  const auto step = [&](double x) {
    ++calls;
    return x < -3.5e-300 ? -1 : 1;
  };
  EXPECT_EQ(last_before_change(step, -kMax, kMax), next_down(-3.5e-300));
  EXPECT_LE(calls, 67);
  EXPECT_EQ(last_before_change([](double x) { return x > 0 ? 1 : -1; }, -1.0, 1.0), 0);
  EXPECT_EQ(last_before_change([](double x) { return x * x >= 2 ? 1 : -1; }, 0.0, 2.0), next_down(std::sqrt(2.0)));
}

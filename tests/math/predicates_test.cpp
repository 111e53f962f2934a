// Oracle: plain determinants over rationals (tests/support/exact.hpp).
#include "tests/support/exact.hpp"
#include "tests/support/hard_case.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/line_side.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

namespace {

// Generators of inputs that a filter cannot settle. Each fills the coordinates of one call.

double nudge(double x, Random& random, int most) {
  for (auto k = random.below(static_cast<std::uint64_t>(most) + 1); k > 0; --k)
    x = random.coin() ? next_up(x) : next_down(x);
  return x;
}
template <class V>
V nudge_point(V p, Random& random, int most) {
  for (int i = 0; i < V::kDim; ++i) p[i] = nudge(p[i], random, most);
  return p;
}
template <class V>
V random_point(Random& random, double size) {
  V p;
  for (int i = 0; i < V::kDim; ++i) p[i] = random.uniform(-size, size);
  return p;
}
// Any exponent, any mantissa: subnormal to almost infinite
double any_finite(Random& random) {
  for (;;) {
    const double x = std::bit_cast<double>(random.next());
    if (std::isfinite(x)) return x;
  }
}

enum class Kind {
  grid,    // small integers: exact zeros are frequent
  flat,    // points of a line or plane, rounded, then moved by a few units in the last place
  round,   // points of a circle or sphere, likewise
  far,     // a small degenerate figure with a large common offset
  shared,  // some points equal to others
  scaled,  // degenerate, times a power of two at which products over- or underflow
  mixed,   // every coordinate of any exponent
  steep,   // degenerate, with coordinates axis-wise scaled by very different powers of two
  count
};

// `count` points of dimension V::kDim, of the kind that is degenerate for orient (flat) or in-sphere (round) tests
template <class V, std::size_t kCount>
std::array<V, kCount> near_degenerate(Kind kind, bool round, Random& random) {
  constexpr int D = V::kDim;
  std::array<V, kCount> p;
  switch (kind) {
    case Kind::grid: {
      const auto side = 2 + random.below(6);
      for (V& q : p)
        for (int i = 0; i < D; ++i) q[i] = static_cast<double>(random.below(side));
      return p;
    }
    case Kind::mixed:
      for (V& q : p)
        for (int i = 0; i < D; ++i) q[i] = random.below(8) == 0 ? 0.0 : any_finite(random);
      return p;
    case Kind::shared: {
      for (V& q : p) q = random_point<V>(random, 1);
      const auto from = random.below(kCount), to = random.below(kCount);
      p[to] = random.coin() ? p[from] : nudge_point(p[from], random, 2);
      return p;
    }
    default:
      break;
  }

  if (round) {
    // Rational points of the unit sphere by stereographic projection of a coarse grid are exact to rounding; integer
    // points of a sphere through a grid box are exact
    const double radius = std::ldexp(1.0, static_cast<int>(random.below(8)));
    if (random.below(3) == 0) {
      const double side[3] = {static_cast<double>(1 + random.below(9)), static_cast<double>(1 + random.below(9)),
                              static_cast<double>(1 + random.below(9))};
      for (V& q : p)
        for (int i = 0; i < D; ++i) q[i] = random.coin() ? side[i] : -side[i];
    } else {
      for (V& q : p) q = normalized(random_point<V>(random, 1)) * radius;
    }
  } else {
    const V origin = random_point<V>(random, 1);
    std::array<V, D - 1> span;
    for (V& s : span) s = random_point<V>(random, 1);
    for (V& q : p) {
      q = origin;
      for (const V& s : span) q += s * random.uniform(-1, 1);
    }
  }
  if (kind == Kind::far) {
    const V offset = random_point<V>(random, std::ldexp(1.0, static_cast<int>(random.below(60))));
    for (V& q : p) q += offset;
  }
  if (kind == Kind::scaled) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(2040)) - 1060);
    for (V& q : p) q = q * scale;
  }
  if (kind == Kind::steep)
    for (int i = 0; i < D; ++i) {
      const double scale = std::ldexp(1.0, static_cast<int>(random.below(round ? 200 : 1900)) - (round ? 100 : 950));
      for (V& q : p) q[i] *= scale;
    }
  const int most = random.coin() ? 0 : static_cast<int>(1 + random.below(8));
  for (V& q : p) q = nudge_point(q, random, most);
  return p;
}

// Finite in spite of offsets and scales
template <class V, std::size_t kCount>
bool all_finite(const std::array<V, kCount>& p) {
  for (const V& q : p)
    if (!is_finite(q)) return false;
  return true;
}

struct Tally {
  std::size_t tried = 0, wrong = 0, zero = 0;
  void add(int got, int want) {
    ++tried;
    wrong += got != want;
    zero += want == 0;
  }
};

template <class V, std::size_t kCount, class Ours, class Oracle>
Tally campaign(std::size_t count, bool round, std::uint64_t seed, Ours ours, Oracle oracle) {
  Random random(campaign_seed(seed));
  Tally tally;
  while (tally.tried < count) {
    const auto kind = static_cast<Kind>(tally.tried % static_cast<std::size_t>(Kind::count));
    const auto p = near_degenerate<V, kCount>(kind, round, random);
    if (all_finite(p)) tally.add(std::apply(ours, p), std::apply(oracle, p));
  }
  return tally;
}

#define SUDAR_TEST_CALL(f) [](const auto&... p) { return f(p...); }

void report(const Tally& t) {
  testing::Test::RecordProperty("tried", std::to_string(t.tried));
  EXPECT_EQ(t.wrong, 0u) << "of " << t.tried;
  EXPECT_GT(t.zero, t.tried / 50) << "too few inputs are degenerate for the campaign to mean anything";
}

}  // namespace

TEST(Predicates, Orient2dHasTheSignOfTheRationalDeterminant) {
  report(campaign<Vec2d, 3>(soak(80000), false, 1, SUDAR_TEST_CALL(orient2d),
                            SUDAR_TEST_CALL(sudar_test::exact_orient2d)));
}
TEST(Predicates, Orient3dHasTheSignOfTheRationalDeterminant) {
  report(campaign<Vec3d, 4>(soak(60000), false, 2, SUDAR_TEST_CALL(orient3d),
                            SUDAR_TEST_CALL(sudar_test::exact_orient3d)));
}
// The direction is a rounded difference, taken as it is
TEST(Predicates, LineSideHasTheSignOfTheRationalDeterminant) {
  using sudar_test::Rational;
  const auto direction = [](const Vec3d& o, const Vec3d& p) { return is_finite(p - o) ? p - o : p; };
  const auto oracle = [&](const Vec3d& o, const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d d = direction(o, p);
    Rational m[3][3];
    for (int i = 0; i < 3; ++i) m[0][i] = d[i], m[1][i] = Rational(a[i]) - o[i], m[2][i] = Rational(b[i]) - o[i];
    return sudar_test::sign(sudar_test::determinant<3>(m));
  };
  report(campaign<Vec3d, 4>(
      soak(60000), false, 8,
      [&](const Vec3d& o, const Vec3d& p, const Vec3d& a, const Vec3d& b) {
        return line_side(o, direction(o, p), a, b);
      },
      oracle));
}
// Four points of a line, up to rounding: cross_sign asks dot_sign for the same with one direction turned
TEST(Predicates, DotSignHasTheSignOfTheRationalSum) {
  using sudar_test::Rational;
  report(campaign<Vec2d, 4>(soak(16000), false, 10, SUDAR_TEST_CALL(cross_sign),
                            [](const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
                              const Rational x = Rational(b.x) - a.x, y = Rational(b.y) - a.y;
                              return sudar_test::sign(Rational(x * (Rational(d.y) - c.y) - y * (Rational(d.x) - c.x)));
                            }));
}
TEST(Predicates, IncircleHasTheSignOfTheRationalDeterminant) {
  report(
      campaign<Vec2d, 4>(soak(40000), true, 3, SUDAR_TEST_CALL(incircle), SUDAR_TEST_CALL(sudar_test::exact_incircle)));
}
TEST(Predicates, InsphereHasTheSignOfTheRationalDeterminant) {
  report(
      campaign<Vec3d, 5>(soak(20000), true, 4, SUDAR_TEST_CALL(insphere), SUDAR_TEST_CALL(sudar_test::exact_insphere)));
}

TEST(Predicates, SignsAreTheDocumentedOnes) {
  const Vec2d o{0, 0}, x{1, 0}, y{0, 1};
  EXPECT_EQ(orient2d(o, x, y), 1);
  EXPECT_EQ(orient2d(o, y, x), -1);
  EXPECT_EQ(incircle(o, x, y, Vec2d{0.5, 0.5}), 1);
  EXPECT_EQ(incircle(o, x, y, Vec2d{1, 1}), 0);
  EXPECT_EQ(incircle(o, x, y, Vec2d{2, 2}), -1);
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1};
  EXPECT_EQ(orient3d(a, b, c, d), 1);
  EXPECT_EQ(orient3d(a, b, c, Vec3d{5, 7, 0}), 0);
  EXPECT_EQ(orient3d(a, b, c, -d), -1);
  EXPECT_EQ(insphere(a, b, c, d, Vec3d{0.3, 0.3, 0.3}), 1);
  EXPECT_EQ(insphere(a, b, c, d, Vec3d{1, 1, 1}), 0);
  EXPECT_EQ(insphere(a, b, c, d, Vec3d{1, 1, 1.5}), -1);
}

// Every mixture of numbers at which products, squares or differences over- or underflow
TEST(Predicates, ExtremeExponents) {
  constexpr double kNumbers[] = {0,
                                 5e-324,
                                 2.2250738585072014e-308,
                                 1e-308,
                                 1e-200,
                                 1e-160,
                                 1e-80,
                                 1e-30,
                                 0.75,
                                 1,
                                 3,
                                 1e30,
                                 1e80,
                                 1e150,
                                 1e154,
                                 1e200,
                                 1e307,
                                 1e308,
                                 std::numeric_limits<double>::max()};
  Random random(campaign_seed(5));
  const auto fill = [&](auto& points) {
    for (auto& p : points)
      for (int i = 0; i < std::remove_reference_t<decltype(p)>::kDim; ++i) {
        const double x = kNumbers[random.below(std::size(kNumbers))];
        p[i] = random.coin() ? x : -x;
      }
  };
  for (std::size_t n = 0; n < soak(5000); ++n) {
    std::array<Vec2d, 4> p;
    std::array<Vec3d, 5> q;
    fill(p), fill(q);
    ASSERT_EQ(orient2d(p[0], p[1], p[2]), sudar_test::exact_orient2d(p[0], p[1], p[2]));
    ASSERT_EQ(incircle(p[0], p[1], p[2], p[3]), sudar_test::exact_incircle(p[0], p[1], p[2], p[3]));
    ASSERT_EQ(orient3d(q[0], q[1], q[2], q[3]), sudar_test::exact_orient3d(q[0], q[1], q[2], q[3]));
    ASSERT_EQ(insphere(q[0], q[1], q[2], q[3], q[4]), sudar_test::exact_insphere(q[0], q[1], q[2], q[3], q[4]));
  }
  // 1e308 against 1e-308: the products overflow, the answer hangs on the small ones
  EXPECT_EQ(orient2d({0, 0}, {1e308, 1e308}, {-1e308, next_down(-1e308)}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1e308, 1e308}, {1e-308, next_up(1e-308)}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}, {1e308, 1e308, 5e-324}), 1);
  EXPECT_EQ(insphere({1e308, 0, 0}, {0, 1e308, 0}, {-1e308, 0, 0}, {0, 0, -1e308}, {0, 0, 1e308}), 0);
}

// Products that are a few units of the smallest double, or parts of one, so that rounding is as large as they are
TEST(Predicates, ProductsOfTheSmallestSize) {
  Random random(campaign_seed(9));
  const auto whole = [&](int most) {
    return static_cast<double>(static_cast<int>(random.below(static_cast<std::uint64_t>(2 * most) + 1)) - most);
  };
  const double least = std::numeric_limits<double>::denorm_min();
  std::size_t open = 0;
  for (std::size_t n = 0; n < soak(5000); ++n) {
    // Half units on both sides, up to the rounding of differences
    const double j = 1 + static_cast<double>(random.below(15)), k = 1 + static_cast<double>(random.below(15));
    const double half = static_cast<double>(random.below(8)) + 0.5;
    const Vec2d a{nudge(half / k, random, 2), j * least}, b{nudge(half / j, random, 2), k * least};
    const Vec2d c{random.uniform(-1, 1) * std::ldexp(1.0, -50 - static_cast<int>(random.below(7))), 0};
    const int sign = sudar_test::exact_orient2d(a, b, c);
    ASSERT_EQ(orient2d(a, b, c), sign);
    open += sign != 0;
    if (n % 4 != 0) continue;
    // Volumes of a quarter of a unit, times squares of large numbers
    std::array<Vec3d, 5> q;
    for (Vec3d& p : q) p = {whole(8) * 0x1p300, whole(8) * 0x1p-688, whole(8) * 0x1p-688};
    ASSERT_EQ(insphere(q[0], q[1], q[2], q[3], q[4]), sudar_test::exact_insphere(q[0], q[1], q[2], q[3], q[4]));
  }
  EXPECT_GT(open, soak(5000) / 2);
}

// The picture of Kettner et al., "Classroom examples of robustness problems", 2008: a point moves over a grid of single
// units in the last place near a line, plane, circle or sphere through points that are not exact themselves
TEST(Predicates, LaddersOfSingleUlps) {
  constexpr int kSide = 40;
  const auto ladder = [](auto point, auto ours, auto oracle) {
    auto row = point;
    for (int i = 0; i < kSide; ++i, row.x = next_up(row.x)) {
      auto p = row;
      for (int j = 0; j < kSide; ++j, p.y = next_up(p.y)) {
        if (ours(p) != oracle(p)) return false;
      }
    }
    return true;
  };
  const Vec2d a{12, 12}, b{24, 24}, a1{8.8, 8.8}, b1{12.1, 12.1};
  for (const double at : {0.5, 0.50000000000002531, 1e-5, 1e10})
    for (const auto& [p, q] : {std::pair{a, b}, std::pair{a1, b1}})
      EXPECT_TRUE(ladder(
          Vec2d{at, at}, [&, p = p, q = q](Vec2d x) { return orient2d(p, x, q); },
          [&, p = p, q = q](Vec2d x) { return sudar_test::exact_orient2d(p, x, q); }));
  const Vec3d c{0.1, 0.2, 0.3}, d{17.3, 0.7, 18.0}, e{-3.1, 5.9, 2.8};
  // x + y = z holds for all four, up to rounding
  EXPECT_TRUE(ladder(
      Vec3d{0.7, 0.9, 1.6}, [&](Vec3d x) { return orient3d(c, d, e, x); },
      [&](Vec3d x) { return sudar_test::exact_orient3d(c, d, e, x); }));
  const Vec2d f{0.6, 0.8}, g{-0.28, 0.96}, h{-0.8, -0.6};
  EXPECT_TRUE(ladder(
      Vec2d{0.96, -0.28}, [&](Vec2d x) { return incircle(f, g, h, x); },
      [&](Vec2d x) { return sudar_test::exact_incircle(f, g, h, x); }));
  const Vec3d k{1. / 3, 2. / 3, 2. / 3}, l{-2. / 3, 1. / 3, 2. / 3}, m{2. / 7, -3. / 7, 6. / 7}, n{0.6, 0, -0.8};
  EXPECT_TRUE(ladder(
      Vec3d{2. / 3, 2. / 3, -1. / 3}, [&](Vec3d x) { return insphere(k, l, m, n, x); },
      [&](Vec3d x) { return sudar_test::exact_insphere(k, l, m, n, x); }));
}

// The picture itself, whose signs are known without any arithmetic: TT-29
TEST(Predicates, HardCase) {
  sudar_test::HardCases cases;
  cases.put("TT-29");
  const auto q = cases.numbers("TT-29", "q"), r = cases.numbers("TT-29", "r");
  int wrong = 0, naive_wrong = 0;
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 256; ++j) {
      const Vec2d a{q[0], q[1]}, b{r[0], r[1]}, p{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53};
      const int expected = (j > i) - (j < i);
      for (const int sign : {orient2d(a, b, p), orient2d(p, a, b), orient2d(b, p, a), -orient2d(b, a, p),
                             -orient2d(p, b, a), -orient2d(a, p, b)})
        wrong += sign != expected;
      const double naive = (b.x - p.x) * (a.y - p.y) - (b.y - p.y) * (a.x - p.x);
      naive_wrong += (naive < 0) - (naive > 0) != expected;
    }
  EXPECT_EQ(wrong, 0);
  // The case is as hard as it is said to be
  EXPECT_GT(naive_wrong, 1000);
}

namespace {

// The sign of a determinant changes with every odd permutation of the points
template <class V, std::size_t kCount, class F>
void expect_antisymmetric(bool round, std::size_t count, F f) {
  Random random(campaign_seed(6));
  for (std::size_t n = 0; n < count; ++n) {
    const auto kind = static_cast<Kind>(n % static_cast<std::size_t>(Kind::count));
    const auto p = near_degenerate<V, kCount>(kind, round, random);
    if (!all_finite(p)) continue;
    const int sign = std::apply(f, p);
    std::array<int, kCount> order;
    for (std::size_t i = 0; i < kCount; ++i) order[i] = static_cast<int>(i);
    do {
      int inversions = 0;
      std::array<V, kCount> q;
      for (std::size_t i = 0; i < kCount; ++i) {
        q[i] = p[order[i]];
        for (std::size_t j = 0; j < i; ++j) inversions += order[j] > order[i];
      }
      ASSERT_EQ(std::apply(f, q), inversions % 2 == 0 ? sign : -sign);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

}  // namespace

TEST(Predicates, ChangeSignWithEveryExchangeOfTwoPoints) {
  expect_antisymmetric<Vec2d, 3>(false, soak(4000), SUDAR_TEST_CALL(orient2d));
  expect_antisymmetric<Vec3d, 4>(false, soak(2000), SUDAR_TEST_CALL(orient3d));
  expect_antisymmetric<Vec2d, 4>(true, soak(2000), SUDAR_TEST_CALL(incircle));
  expect_antisymmetric<Vec3d, 5>(true, soak(400), SUDAR_TEST_CALL(insphere));
}

// The slow stages alone, on inputs of every kind, give what the filters and the stages give together
TEST(Predicates, FilterAndExactStageAgree) {
  Random random(campaign_seed(7));
  for (std::size_t n = 0; n < soak(20000); ++n) {
    std::array<Vec3d, 5> q;
    for (Vec3d& x : q) x = random_point<Vec3d>(random, std::ldexp(1.0, static_cast<int>(random.below(300)) - 150));
    std::array<Vec2d, 4> p;
    for (int i = 0; i < 4; ++i) p[i] = {q[i].x, q[i].y};
    ASSERT_EQ(orient2d(p[0], p[1], p[2]), detail::orient2d_exact(p[0], p[1], p[2]));
    ASSERT_EQ(incircle(p[0], p[1], p[2], p[3]), detail::incircle_exact(p[0], p[1], p[2], p[3]));
    ASSERT_EQ(orient3d(q[0], q[1], q[2], q[3]), detail::orient3d_exact(q[0], q[1], q[2], q[3]));
    ASSERT_EQ(insphere(q[0], q[1], q[2], q[3], q[4]), detail::insphere_exact(q[0], q[1], q[2], q[3], q[4]));
  }
}

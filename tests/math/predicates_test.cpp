// Oracle: plain determinants over rationals (tests/support/exact.hpp).
#include "tests/support/exact.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace sudar;
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
  Random random(seed);
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

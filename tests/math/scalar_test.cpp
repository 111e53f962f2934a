// Oracle: the C library's functions over a 64-bit mantissa, and values from 2000-bit arithmetic written out.
#include "tests/support/numbers.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kInf;
using sudar_test::soak;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr bool kHasLongDouble = std::numeric_limits<long double>::digits >= 64;

// Distance in units in the last place of the true value
double ulps(double got, long double want) {
  const double rounded = static_cast<double>(want);
  const double unit = next_up(std::fabs(rounded)) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / static_cast<long double>(unit));
}
// Uniform in the exponent
double log_uniform(Random& random, int lowest, int highest) {
  const double m = std::ldexp(1 + random.uniform(), lowest + static_cast<int>(random.below(highest - lowest)));
  return random.coin() ? m : -m;
}

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325u;
  void add(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i, bits >>= 8) value = (value ^ (bits & 0xff)) * 0x100000001b3u;
  }
};

}  // namespace

TEST(Scalar, NextUpAndDownAreNeighbours) {
  EXPECT_EQ(next_up(1.0), 1.0 + std::numeric_limits<double>::epsilon());
  EXPECT_EQ(next_down(1.0f), 1.0f - std::numeric_limits<float>::epsilon() / 2);
  EXPECT_EQ(next_up(0.0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(next_up(-0.0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(next_down(0.0f), -std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(next_up(std::numeric_limits<double>::max()), kInf);
  EXPECT_EQ(next_up(kInf), kInf);
  EXPECT_EQ(next_up(-kInf), std::numeric_limits<double>::lowest());
  EXPECT_EQ(next_down(-kInf), -kInf);
  EXPECT_TRUE(std::isnan(next_up(kNan)));
  Random random(campaign_seed(1));
  for (int i = 0; i < 10000; ++i) {
    const double x = std::bit_cast<double>(random.next());
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(next_up(x), std::nextafter(x, kInf));
    ASSERT_EQ(next_down(x), std::nextafter(x, -kInf));
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    if (!std::isfinite(f)) continue;
    ASSERT_EQ(next_up(f), std::nextafter(f, std::numeric_limits<float>::infinity()));
  }
}

TEST(Scalar, FloatDownAndUpEncloseTheDouble) {
  Random random(campaign_seed(2));
  for (int i = 0; i < 10000; ++i) {
    const double x = log_uniform(random, -160, 126);
    const float lo = float_down(x), hi = float_up(x);
    ASSERT_LE(static_cast<double>(lo), x);
    ASSERT_GE(static_cast<double>(hi), x);
    ASSERT_LE(hi, next_up(lo));
  }
  EXPECT_EQ(float_down(0.5), 0.5f);
  EXPECT_EQ(float_up(0.5), 0.5f);
  EXPECT_EQ(float_down(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(float_up(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(float_up(-1e300), std::numeric_limits<float>::lowest());
}

TEST(Scalar, ErrorBounds) {
  if (!kHasLongDouble) GTEST_SKIP() << "long double is no wider than double here";
  Random random(campaign_seed(3));
  double sine = 0, cosine = 0, arc = 0, arccos = 0, cube = 0, logs = 0;
  for (std::size_t i = 0; i < soak(100000); ++i) {
    const double x = i % 4 == 0   ? log_uniform(random, -1070, 1023)
                     : i % 4 == 1 ? random.uniform(-1e5, 1e5)
                     : i % 4 == 2 ? random.uniform(-10, 10)
                                  : static_cast<double>(random.below(60000)) * kPi / 4;
    const SinCos sc = sin_cos(x);
    sine = std::fmax(sine, ulps(sc.sin, sinl(x)));
    cosine = std::fmax(cosine, ulps(sc.cos, cosl(x)));

    const bool wild = i % 8 == 0;
    const double a = wild ? log_uniform(random, -1000, 1000) : random.uniform(-1, 1);
    const double b = wild ? a * random.uniform(-20, 20) : random.uniform(-1, 1);
    arc = std::fmax(arc, ulps(arc_tangent(a, b), atan2l(a, b)));

    const double u = i % 2 == 0 ? random.uniform(-1, 1) : 1 - std::fabs(log_uniform(random, -53, 0));
    if (std::fabs(u) <= 1) arccos = std::fmax(arccos, ulps(arc_cosine(u), acosl(u)));

    cube = std::fmax(cube, ulps(cube_root(x), cbrtl(x)));
    const double positive = i % 2 == 0 ? std::fabs(x) : random.uniform(0.5, 2);
    if (positive > 0) logs = std::fmax(logs, ulps(logarithm(positive), logl(positive)));
  }
  EXPECT_LE(sine, 1);
  EXPECT_LE(cosine, 1);
  EXPECT_LE(arc, 2);
  EXPECT_LE(arccos, 3);
  EXPECT_LE(cube, 1);
  EXPECT_LE(logs, 1);
  for (const auto& [name, value] : {std::pair{"sine", sine},
                                    {"cosine", cosine},
                                    {"arc_tangent", arc},
                                    {"arc_cosine", arccos},
                                    {"cube_root", cube},
                                    {"logarithm", logs}})
    RecordProperty(name, std::to_string(value));
}

TEST(Scalar, HardAnglesHaveTheirKnownValues) {
  struct {
    double x, sin, cos;
  } const known[] = {
      {0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
      {0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61},
      {0x1.0000000000000p-1, 0x1.eaee8744b05f0p-2, 0x1.c1528065b7d50p-1},
      {0x1.8000000000000p+1, 0x1.210386db6d55bp-3, -0x1.fae04be85e5d2p-1},
      {0x1.86a0000000000p+16, 0x1.24daa9c527e96p-5, -0x1.ffac3841b3da7p-1},
      {0x1.6300000000000p+8, -0x1.f9bd0307d1de3p-16, -0x1.fffffffc18e4cp-1},
      {0x1.6300000000000p+9, 0x1.f9bd0303f6fafp-15, 0x1.fffffff063930p-1},
      {0x1.979c000000000p+15, -0x1.ffffffffdea62p-1, 0x1.719a47d413c35p-18},
      {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x0.0000000000001p-1022, 0x0.0000000000001p-1022, 0x1.0000000000000p+0},
  };
  for (const auto& k : known) {
    const SinCos sc = sin_cos(k.x), mirrored = sin_cos(-k.x);
    EXPECT_LE(ulps(sc.sin, k.sin), 1) << k.x;
    EXPECT_LE(ulps(sc.cos, k.cos), 1) << k.x;
    EXPECT_EQ(mirrored.sin, -sc.sin);
    EXPECT_EQ(mirrored.cos, sc.cos);
  }
  EXPECT_TRUE(std::isnan(sin_cos(kInf).sin));
  EXPECT_TRUE(std::isnan(sin_cos(kNan).cos));
}

TEST(Scalar, ArcTangentAtAxesAndCorners) {
  EXPECT_EQ(arc_tangent(0, 0), 0);
  EXPECT_EQ(arc_tangent(0, 1), 0);
  EXPECT_EQ(arc_tangent(0, -1), kPi);
  EXPECT_EQ(arc_tangent(-0.0, -1), kPi);
  EXPECT_EQ(arc_tangent(1, 0), kPi / 2);
  EXPECT_EQ(arc_tangent(-1, 0), -kPi / 2);
  EXPECT_EQ(arc_tangent(1, 1), kPi / 4);
  EXPECT_EQ(arc_tangent(-1, 1), -kPi / 4);
  EXPECT_EQ(arc_tangent(1, -1), 3 * kPi / 4);
  EXPECT_EQ(arc_tangent(1e-310, -1), kPi);
  EXPECT_EQ(arc_tangent(1e300, 1e-300), kPi / 2);
  EXPECT_EQ(arc_tangent(5e-324, 1e300), 0);
  EXPECT_EQ(arc_tangent(5e-324, 5e-324), kPi / 4);
  EXPECT_EQ(arc_tangent(1.7e308, 1.7e308), kPi / 4);
  EXPECT_EQ(arc_tangent(1, kInf), 0);
  EXPECT_EQ(arc_tangent(kInf, kInf), kPi / 4);
  EXPECT_TRUE(std::isnan(arc_tangent(kNan, 1)));
}

TEST(Scalar, ArcCosineIsClamped) {
  EXPECT_EQ(arc_cosine(1), 0);
  EXPECT_EQ(arc_cosine(2), 0);
  EXPECT_EQ(arc_cosine(-1), kPi);
  EXPECT_EQ(arc_cosine(-7), kPi);
  EXPECT_EQ(arc_cosine(0), kPi / 2);
  EXPECT_TRUE(std::isnan(arc_cosine(kNan)));
}

TEST(Scalar, CubeRootOfCubesIsExact) {
  for (int i = -2000; i <= 2000; ++i) ASSERT_EQ(cube_root(static_cast<double>(i) * i * i), i);
  for (int e = -357; e <= 340; ++e) ASSERT_EQ(cube_root(std::ldexp(1.0, 3 * e)), std::ldexp(1.0, e));
  EXPECT_EQ(cube_root(kInf), kInf);
  EXPECT_TRUE(std::isnan(cube_root(kNan)));
}

TEST(Scalar, LogarithmAtTheEdges) {
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_EQ(logarithm(0), -kInf);
  EXPECT_TRUE(std::isnan(logarithm(-1)));
  EXPECT_NEAR(logarithm(5e-324), -744.44007192138126, 1e-12);
  EXPECT_NEAR(logarithm(std::numeric_limits<double>::max()), 709.78271289338397, 1e-12);
}

// Drift of a platform, a compiler or a flag shows here: the bits are part of the contract
TEST(Scalar, GoldenBits) {
  Random random(4);
  Hash hash;
  for (int i = 0; i < 20000; ++i) {
    const double x = log_uniform(random, -60, 60), y = random.uniform(-1, 1);
    const SinCos sc = sin_cos(x);
    hash.add(sc.sin);
    hash.add(sc.cos);
    hash.add(arc_tangent(y, x));
    hash.add(arc_tangent(y, random.uniform(-1, 1)));
    hash.add(arc_cosine(y));
    hash.add(cube_root(x));
    hash.add(logarithm(std::fabs(x)));
  }
  EXPECT_EQ(hash.value, 6824677132895370631u);
}

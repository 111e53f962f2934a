// What:    Sine and cosine, arc tangent and cosine, cube root and logarithm from + - * / and sqrt alone.
// Source:  Cody and Waite, "Software Manual for the Elementary Functions", 1980 (argument reduction in parts); Payne
//          and Hanek, "Radian reduction for trigonometric functions", 1983 (reduction of huge arguments). The
//          polynomials are Taylor's, cut where the next term is below a tenth of a rounding unit.
// Differs: libm's last bit differs between platforms; these are the same everywhere (Scalar.GoldenBits).
// Frame:   radians. The error bounds of scalar.hpp are tested against 64-bit mantissas (Scalar.ErrorBounds).
// Fails:   NaN in, NaN out.
#include <sudar/math/dyadic.hpp>
#include <sudar/math/expansion.hpp>
#include <sudar/math/scalar.hpp>

namespace sudar {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 2^e for e in the normal range
constexpr double power_of_two(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); }

// Horner's rule, highest coefficient first
template <int N>
constexpr double polynomial(const double (&coefficient)[N], double x) {
  double sum = coefficient[0];
  for (int i = 1; i < N; ++i) sum = sum * x + coefficient[i];
  return sum;
}

constexpr TwoDoubles kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr TwoDoubles kWholePi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// x = r + quadrant · π/2 with |r| ≤ π/4 and a little
struct Reduced {
  TwoDoubles r;
  int quadrant;
};

// π/2 in parts of 33, 33 and 53 bits: k times the first two is exact for |k| < 2^20
Reduced reduce_moderate(double x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1, kRound = 0x1.8p52;
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34, kPart3 = 0x1.3198a2e037073p-69;
  const double k = (x * kTwoOverPi + kRound) - kRound;
  const TwoDoubles d = two_difference(x - k * kPart1, k * kPart2);
  return {fast_two_sum(d.hi, d.lo - k * kPart3), static_cast<int>(k)};
}

// Any finite x ≥ 2^-2: multiply the mantissa with just those bits of 2/π that matter modulo 4
Reduced reduce_any(double x) {
  // Bit i (from 1) of 2/π has the weight 2^-i; a word of zeros in front serves small exponents
  constexpr std::uint64_t kTwoOverPi[] = {
      0,
      0xa2f9836e4e441529u,
      0xfc2757d1f534ddc0u,
      0xdb6295993c439041u,
      0xfe5163abdebbc561u,
      0xb7246e3a424dd2e0u,
      0x06492eea09d1921cu,
      0xfe1deb1cb129a73eu,
      0xe88235f52ebb4484u,
      0xe99c7026b45f7e41u,
      0x3991d639835339f4u,
      0x9c845f8bbdf9283bu,
      0x1ff897ffde05980fu,
      0xef2f118b5a0a6d1fu,
      0x6d367ecf27cb09b7u,
      0x4f463f669e5fea2du,
      0x7527bac7ebe5f17bu,
      0x3d0739f78a5292eau,
      0x6bfb5fb11f8d5d08u,
      0x56033046fc7b6babu,
      0xf0cfbc209af4361du,
  };
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int e = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
  const std::uint64_t m = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;

  // The window of 192 bits from weight 2^(1 - e) down; times m it is x · 2/π modulo 4 in units of 2^-190
  const int first = 62 + e, word = first / 64, part = first % 64;
  std::uint64_t window[3];
  for (int i = 0; i < 3; ++i)
    window[i] =
        part == 0 ? kTwoOverPi[word + i] : kTwoOverPi[word + i] << part | kTwoOverPi[word + i + 1] >> (64 - part);
  const WideProduct p2 = wide_product(m, window[2]), p1 = wide_product(m, window[1]);
  std::uint64_t low = p2.lo, mid = p1.lo + p2.hi, high = m * window[0] + p1.hi + (mid < p2.hi);

  // Quadrant to nearest, fraction as sign and magnitude
  int quadrant = static_cast<int>(high >> 62);
  high = high << 2 | mid >> 62, mid = mid << 2 | low >> 62, low <<= 2;
  const bool negative = high >> 63 != 0;
  if (negative) {
    ++quadrant;
    high = ~high, mid = ~mid, low = ~low;
  }
  // Two doubles of 53 bits from the first set bit on. The fraction is never below 2^-63 (Payne and Hanek).
  int weight = -1;
  const int zeros = high == 0 ? 64 : std::countl_zero(high);
  if (zeros == 64) {
    high = mid, mid = low, weight -= 64;
  } else if (zeros > 0) {
    high = high << zeros | mid >> (64 - zeros), mid = mid << zeros | low >> (64 - zeros), weight -= zeros;
  }
  const double top = static_cast<double>(high >> 11) * power_of_two(weight - 52);
  const double rest = static_cast<double>((high & 0x7ff) << 42 | mid >> 22) * power_of_two(weight - 105);
  const TwoDoubles f{negative ? -top : top, negative ? -rest : rest};

  const TwoDoubles p = two_product(f.hi, kHalfPi.hi);
  return {fast_two_sum(p.hi, p.lo + (f.hi * kHalfPi.lo + f.lo * kHalfPi.hi)), quadrant};
}

// sin(r) and cos(r) for |r| ≤ π/4. The next terms, r^18/19! and r^18/18!, are below 3e-18 relative.
double sine_of(TwoDoubles r) {
  constexpr double kSine[] = {1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800,
                              1.0 / 362880,          -1.0 / 5040,          1.0 / 120,        -1.0 / 6};
  const double z = r.hi * r.hi;
  return r.hi + (r.hi * z * polynomial(kSine, z) + r.lo * (1 - 0.5 * z));
}
double cosine_of(TwoDoubles r) {
  constexpr double kCosine[] = {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
                                1.0 / 40320,          -1.0 / 720,         1.0 / 24};
  const double z = r.hi * r.hi, half = 0.5 * z;
  const double w = 1 - half;
  // (1 - w) - half is what the subtraction above lost
  return w + (((1 - w) - half) + (z * z * polynomial(kCosine, z) - r.hi * r.lo));
}

}  // namespace

SinCos sin_cos(double radians) noexcept {
  constexpr double kModerate = 1e5, kQuarterPi = 0x1.921fb54442d18p-1, kNearZero = 0x1p-20;
  const double x = std::fabs(radians);
  if (!(x < kInfinity)) return {kNan, kNan};

  Reduced a{{x, 0}, 0};
  if (x > kQuarterPi) {
    if (x <= kModerate) a = reduce_moderate(x);
    // Close to a multiple of π/2 the three parts of π/2 are too short
    if (x > kModerate || std::fabs(a.r.hi) < kNearZero) a = reduce_any(x);
  }
  const double s = sine_of(a.r), c = cosine_of(a.r);
  const bool swap = (a.quadrant & 1) != 0;
  const double sine = swap ? c : s, cosine = swap ? s : c;
  const bool flip_sine = ((a.quadrant & 2) != 0) != std::signbit(radians);
  const bool flip_cosine = ((a.quadrant + 1) & 2) != 0;
  return {flip_sine ? -sine : sine, flip_cosine ? -cosine : cosine};
}

double arc_tangent(double y, double x) noexcept {
  // arctan(k / 8)
  constexpr TwoDoubles kArc[] = {{0, 0},
                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
  // arctan(z) / z - 1 over z²; for |z| ≤ 1/16 and a little the next term, z^14 / 15, is below 1e-18
  constexpr double kSeries[] = {1.0 / 13, -1.0 / 11, 1.0 / 9, -1.0 / 7, 1.0 / 5, -1.0 / 3};

  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (std::isinf(x) || std::isinf(y)) {
    x = std::isinf(x) ? std::copysign(1.0, x) : 0;
    y = std::isinf(y) ? std::copysign(1.0, y) : 0;
  }
  if (y == 0) return x < 0 ? kWholePi.hi : 0;

  // First octant: 0 ≤ low / high ≤ 1
  const bool steep = std::fabs(y) > std::fabs(x);
  double high = std::fabs(steep ? y : x), low = std::fabs(steep ? x : y);
  const int k = static_cast<int>(low / high * 8 + 0.5);  // NOLINT(bugprone-incorrect-roundings): a row of the table
  double z = low / high;
  if (k > 0) {
    // tan(φ - arctan c) = (low - c high) / (high + c low); scaled, so that nothing over- or underflows
    const double scale = high > 0x1p500 ? 0x1p-600 : high < 0x1p-500 ? 0x1p500 : 1.0;
    high *= scale, low *= scale;
    const double c = k * 0.125;
    const TwoDoubles ch = two_product(c, high);
    z = ((low - ch.hi) - ch.lo) / (high + c * low);
  }
  const double zz = z * z;
  const double small = z * zz * polynomial(kSeries, zz);

  // base ± (z + small), base a multiple of π/2 plus or minus arctan c
  TwoDoubles base = kArc[k];
  double tip = z, tail = small;
  if (steep) {
    const TwoDoubles d = two_difference(kHalfPi.hi, base.hi);
    base = {d.hi, d.lo + (kHalfPi.lo - base.lo)};
    tip = -tip, tail = -tail;
  }
  if (x < 0) {
    const TwoDoubles d = two_difference(kWholePi.hi, base.hi);
    base = {d.hi, d.lo + (kWholePi.lo - base.lo)};
    tip = -tip, tail = -tail;
  }
  const TwoDoubles sum = two_sum(base.hi, tip);
  const double angle = sum.hi + (sum.lo + (base.lo + tail));
  return y < 0 ? -angle : angle;
}

double arc_cosine(double x) noexcept {
  if (x >= 1) return 0;
  if (x <= -1) return kWholePi.hi;
  return arc_tangent(std::sqrt((1 - x) * (1 + x)), x);
}

double cube_root(double x) noexcept {
  if (!(std::fabs(x) < kInfinity) || x == 0) return x;
  // |x| = m · 2^(3e) with 1 ≤ m < 8
  double size = std::fabs(x);
  int e = 0;
  if (size < 0x1p-1022) {
    size *= 0x1p54;
    e = -18;
  }
  const auto bits = std::bit_cast<std::uint64_t>(size);
  const int exponent = static_cast<int>(bits >> 52) - 1023, third = (exponent + 1200) / 3 - 400;
  e += third;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(3 * third) << 52));

  // The parabola through 1, 27/8 and 8, off by 2.4 %; two steps of Halley's method: 1e-5, then 1e-15
  double t = 1 + (m - 1) * (0.5 / 2.375 + (m - 3.375) * (0.5 / 4.625 - 0.5 / 2.375) / 7);
  for (int i = 0; i < 2; ++i) {
    const double cube = t * t * t;
    t *= (cube + 2 * m) / (2 * cube + m);
  }
  // One step of Newton's method with the residual m - t³ to twice the precision
  const TwoDoubles tt = two_product(t, t), ttt = two_product(tt.hi, t);
  const double residual = (m - ttt.hi) - (ttt.lo + tt.lo * t);
  t += residual / (3 * tt.hi);
  return std::copysign(t * power_of_two(e), x);
}

double logarithm(double x) noexcept {
  if (!(x > 0)) return x == 0 ? -kInfinity : kNan;
  if (!(x < kInfinity)) return x;
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  // x = m · 2^k with √½ ≤ m < √2
  constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1022;
  double m = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1022} << 52);
  if (m < kRootHalf) {
    m *= 2;
    --k;
  }
  // With s = f / (2 + f): log(1 + f) = 2 s + s R(s²) and 2 s = f - f²/2 + s f²/2. The next term, 2 s^22 / 23, is below
  // 2e-18.
  constexpr double kSeries[] = {2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                                2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};
  const double f = m - 1, s = f / (2 + f), ss = s * s;
  const double half = 0.5 * f * f, rest = s * (half + ss * polynomial(kSeries, ss));
  // ln 2 in two parts; k times the first is exact
  constexpr double kLow = 0x1.ef35793c7673p-45, kHigh = 0x1.62e42fefa38p-1;
  return k * kHigh + (f - (half - (rest + k * kLow)));
}

}  // namespace sudar

// What:    The stages behind the filters of the predicates: integers of a few words when all coordinates fit a grid of
//          61 bits, which nearly degenerate input does as a rule, and integers of any length otherwise.
// Differs: Shewchuk's stages refine expansions of doubles, while their exponents allow it. A few products of 64-bit
//          words settle the sign at once, in 5 to 15 times the time of the naive expression
//          (bench/geometry_predicates.cpp).
// Frame:   Every polynomial is homogeneous in the differences of coordinates, so a common power of two does not matter.
#include <sudar/math/dyadic.hpp>
#include <sudar/math/fixed_integer.hpp>
#include <sudar/math/line_side.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace sudar {
namespace {

// All coordinates as multiples of one power of two, below 2^61, when they are such
template <std::size_t N>
bool to_integers(const double (&x)[N], std::int64_t (&integer)[N]) {
  constexpr int kBits = 60;
  // Of numbers without a sign the largest has the largest bits; NaN and infinity, which no door lets in, have larger ones
  std::uint64_t largest = 0;
  for (const double c : x) largest = std::max(largest, std::bit_cast<std::uint64_t>(std::fabs(c)));
  const int exponent = static_cast<int>(largest >> 52);
  if (exponent <= kBits || exponent > 2046) return false;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(2046 + kBits - exponent) << 52);
  const double unit = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - kBits) << 52);
  bool whole = true;
  for (std::size_t i = 0; i < N; ++i) {
    // What is cut off, by the conversion or by underflow, is missed on the way back
    integer[i] = static_cast<std::int64_t>(x[i] * scale);
    whole &= static_cast<double>(integer[i]) * unit == x[i];
  }
  return whole;
}

// The sign of a polynomial in differences of coordinates. `polynomial` takes a function that gives the difference of
// coordinates i and j as an exact number.
template <std::size_t N, class P>
int exact_sign(const double (&x)[N], P polynomial) {
  std::int64_t integer[N];
  if (to_integers(x, integer))
    return polynomial([&](int i, int j) { return to_fixed(integer[i] - integer[j]); }).sign();
  const int e = common_exponent(x);
  return polynomial([&](int i, int j) { return to_dyadic(x[i], e) - to_dyadic(x[j], e); }).sign();
}

template <class N>
auto minor2(const N& ax, const N& ay, const N& bx, const N& by) {
  return ax * by - ay * bx;
}
template <class N>
auto square2(const N& x, const N& y) {
  return x * x + y * y;
}
template <class N>
auto square3(const N& x, const N& y, const N& z) {
  return (x * x + y * y) + z * z;
}

}  // namespace

// The budgets of bits for fixed integers: differences are below 2^62, so products of two are below 2^124, minors and
// sums of squares below 2^126 (2 words).
namespace detail {

// 2 words
int orient2d_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept {
  return exact_sign({a.x, a.y, b.x, b.y, c.x, c.y}, [](auto diff) {
    const auto ax = diff(0, 4), ay = diff(1, 5), bx = diff(2, 4), by = diff(3, 5);
    return minor2(ax, ay, bx, by);
  });
}

// Below 3 · 2^187: 3 words
int orient3d_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept {
  return exact_sign({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z}, [](auto diff) {
    const auto ux = diff(3, 0), uy = diff(4, 1), uz = diff(5, 2);
    const auto vx = diff(6, 0), vy = diff(7, 1), vz = diff(8, 2);
    const auto wx = diff(9, 0), wy = diff(10, 1), wz = diff(11, 2);
    return (minor2(uy, uz, vy, vz) * wx + minor2(uz, ux, vz, vx) * wy) + minor2(ux, uy, vx, vy) * wz;
  });
}

// As orient3d. Of the direction there is one point only: the other one is zero.
int line_side_exact(const Vec3d& o, const Vec3d& d, const Vec3d& a, const Vec3d& b) noexcept {
  return exact_sign({o.x, o.y, o.z, a.x, a.y, a.z, b.x, b.y, b.z, d.x, d.y, d.z, 0.0}, [](auto diff) {
    const auto ax = diff(3, 0), ay = diff(4, 1), az = diff(5, 2);
    const auto bx = diff(6, 0), by = diff(7, 1), bz = diff(8, 2);
    const auto dx = diff(9, 12), dy = diff(10, 12), dz = diff(11, 12);
    return (minor2(ay, az, by, bz) * dx + minor2(az, ax, bz, bx) * dy) + minor2(ax, ay, bx, by) * dz;
  });
}

// Below 3 · 2^250: 4 words
int incircle_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept {
  return exact_sign({a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y}, [](auto diff) {
    const auto ax = diff(0, 6), ay = diff(1, 7), bx = diff(2, 6), by = diff(3, 7), cx = diff(4, 6), cy = diff(5, 7);
    return (minor2(bx, by, cx, cy) * square2(ax, ay) + minor2(cx, cy, ax, ay) * square2(bx, by)) +
           minor2(ax, ay, bx, by) * square2(cx, cy);
  });
}

// Large minors are below 3 · 2^187 (3 words), the sum below 4 · 2^189 · 2^126: 5 words
int insphere_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) noexcept {
  return exact_sign({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z}, [](auto diff) {
    const auto ax = diff(0, 12), ay = diff(1, 13), az = diff(2, 14), bx = diff(3, 12), by = diff(4, 13);
    const auto bz = diff(5, 14), cx = diff(6, 12), cy = diff(7, 13), cz = diff(8, 14);
    const auto dx = diff(9, 12), dy = diff(10, 13), dz = diff(11, 14);
    const auto ab = minor2(ax, ay, bx, by), bc = minor2(bx, by, cx, cy), cd = minor2(cx, cy, dx, dy);
    const auto da = minor2(dx, dy, ax, ay), ac = minor2(ax, ay, cx, cy), bd = minor2(bx, by, dx, dy);
    const auto abc = (bc * az - ac * bz) + ab * cz, bcd = (cd * bz - bd * cz) + bc * dz;
    const auto cda = (da * cz + ac * dz) + cd * az, dab = (ab * dz + bd * az) + da * bz;
    return (dab * square3(cx, cy, cz) - abc * square3(dx, dy, dz)) +
           (bcd * square3(ax, ay, az) - cda * square3(bx, by, bz));
  });
}

}  // namespace detail
int dot_sign(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept {
  // Filter
  const double x = (b.x - a.x) * (d.x - c.x), y = (b.y - a.y) * (d.y - c.y), sum = x + y;
  const double error = kDotSignError * (std::fabs(x) + std::fabs(y));
  constexpr double kUnderflow = std::numeric_limits<double>::min() / kRoundoff;
  if (std::fabs(sum) > error + kUnderflow && std::isfinite(sum)) return sum > 0 ? 1 : -1;
  // Whole multiples of one power of two
  const int e = common_exponent(std::initializer_list<double>{a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y});
  const auto difference = [e](double p, double q) { return to_dyadic(p, e) - to_dyadic(q, e); };
  return (difference(b.x, a.x) * difference(d.x, c.x) + difference(b.y, a.y) * difference(d.y, c.y)).sign();
}

}  // namespace sudar

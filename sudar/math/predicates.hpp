// What:    Exact signs of the four geometric predicates, for any finite doubles.
// Source:  Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997 (filters
//          from a bound on the rounding error); Devillers and Pion, "Efficient exact geometric predicates for Delaunay
//          triangulations", 2003 (bounds from the largest difference on each axis).
// Differs: The sources are exact while no product over- or underflows. Here the filters allow for underflow and fail
//          safe on overflow, and the exact stages are integer arithmetic, so that the sign is right for every finite
//          input (Predicates.ExtremeExponents).
// Fails:   never; NaN or infinity in the input is the caller's bug (doors check for it).
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>

namespace sudar {

// The inline part of each predicate is a filter: evaluate the polynomial in doubles together with a bound on its
// error, and answer when the value is clear of it. The bounds, with u = kRoundoff:
//
//   Rounding.  The computed value is the sum of the true monomials, each times at most n factors (1 + δ), |δ| ≤ u. So
//   it is off by at most ((1 + u)^n - 1) Σ|monomial|. The constants use (n + 1) u; the spare u is far more than the
//   second-order terms and the rounding of the bound itself.
//   Underflow. A product that underflows is off by at most 2^-1075 more; sums and differences are not. Each such error
//   reaches the result times what its product is multiplied with later. The `kTiny` terms cover that.
//   Overflow.  An infinite or NaN bound fails the comparison, and the exact stage decides.
//
// Contracting a product and a sum to one rounding removes factors (1 + δ), so the bounds hold then, too.

namespace detail {

SUDAR_API int orient2d_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept;
SUDAR_API int orient3d_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept;
SUDAR_API int incircle_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept;
SUDAR_API int insphere_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) noexcept;

inline double max_abs3(double a, double b, double c) {
  a = std::fabs(a), b = std::fabs(b), c = std::fabs(c);
  const double ab = a < b ? b : a;
  return ab < c ? c : ab;
}
inline double max_abs4(double a, double b, double c, double d) {
  const double abc = max_abs3(a, b, c), e = std::fabs(d);
  return abc < e ? e : abc;
}

}  // namespace detail

// Each returns -1, 0 or +1.

// Sign of (b - a) · (d - c)
SUDAR_API int dot_sign(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept;
// Sign of (b - a) × (d - c)
inline int cross_sign(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept {
  return dot_sign(a, b, {c.y, -c.x}, {d.y, -d.x});
}

// +1 when a, b, c turn counterclockwise, 0 when they are collinear
inline int orient2d(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double det = left - right;
  // n = 4: two differences, a product, the last difference. Underflow: two products, at most 2^-1074 together.
  constexpr double kError = 5 * kRoundoff, kTiny = 0x1p-1020;
  const double bound = kError * (std::fabs(left) + std::fabs(right)) + kTiny;
  if (std::fabs(det) > bound) return det > 0 ? 1 : -1;
  return detail::orient2d_exact(a, b, c);
}

// +1 when d lies on the side of plane (a, b, c) from which a, b, c are seen counterclockwise, i.e. where the normal
// (b - a) × (c - a) points to; 0 when the four are coplanar
inline int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept {
  const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  const double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  const double wx = d.x - a.x, wy = d.y - a.y, wz = d.z - a.z;
  const double yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const double det = (yz - zy) * wx + (zx - xz) * wy + (xy - yx) * wz;
  // n = 8: three differences, two products, a difference, two sums. With |x| ≤ mx, |y| ≤ my, |z| ≤ mz: 6 monomials of
  // at most mx my mz. Underflow for m < 2^150: nine products, each off by 2^-1075, times at most m: less than 2^-920.
  constexpr double kError = 6 * 9 * kRoundoff, kTiny = 0x1p-900, kLarge = 0x1p150;
  const double mx = detail::max_abs3(ux, vx, wx), my = detail::max_abs3(uy, vy, wy), mz = detail::max_abs3(uz, vz, wz);
  const double bound = kError * (mx * my) * mz + kTiny;
  if (std::fabs(det) > bound && detail::max_abs3(mx, my, mz) < kLarge) return det > 0 ? 1 : -1;
  return detail::orient3d_exact(a, b, c, d);
}

// For counterclockwise a, b, c: +1 when d lies inside of their circle, 0 on it
inline int incircle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept {
  const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
  const double det = (ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
                     (cx * cx + cy * cy) * (ax * by - ay * bx);
  // n = 11: four differences; product and sum of the square, product and difference of the minor; their product; two
  // sums. With |x| ≤ mx, |y| ≤ my, m = max(mx, my): 12 monomials of at most mx my m². Underflow for m < 2^150: fewer
  // than 20 products, each off by 2^-1075, times at most 2 m²: less than 2^-768.
  constexpr double kError = 12 * 12 * kRoundoff, kTiny = 0x1p-700, kLarge = 0x1p150;
  const double mx = detail::max_abs3(ax, bx, cx), my = detail::max_abs3(ay, by, cy), m = mx < my ? my : mx;
  const double bound = kError * (mx * my) * (m * m) + kTiny;
  if (std::fabs(det) > bound && m < kLarge) return det > 0 ? 1 : -1;
  return detail::incircle_exact(a, b, c, d);
}

// For orient3d(a, b, c, d) > 0: +1 when e lies inside of their sphere, 0 on it
inline int insphere(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) noexcept {
  const double ax = a.x - e.x, ay = a.y - e.y, az = a.z - e.z, bx = b.x - e.x, by = b.y - e.y, bz = b.z - e.z;
  const double cx = c.x - e.x, cy = c.y - e.y, cz = c.z - e.z, dx = d.x - e.x, dy = d.y - e.y, dz = d.z - e.z;
  const double ab = ax * by - bx * ay, bc = bx * cy - cx * by, cd = cx * dy - dx * cy;
  const double da = dx * ay - ax * dy, ac = ax * cy - cx * ay, bd = bx * dy - dx * by;
  const double abc = az * bc - bz * ac + cz * ab, bcd = bz * cd - cz * bd + dz * bc;
  const double cda = cz * da + dz * ac + az * cd, dab = dz * ab + az * bd + bz * da;
  const double aa = ax * ax + ay * ay + az * az, bb = bx * bx + by * by + bz * bz;
  const double cc = cx * cx + cy * cy + cz * cz, dd = dx * dx + dy * dy + dz * dz;
  const double det = (cc * dab - dd * abc) + (aa * bcd - bb * cda);
  // n = 16: five differences; product and two sums of the square; product and difference of the small minor; product
  // and two sums of the large one; their product; two sums. 72 monomials of at most mx my mz m². Underflow for
  // m < 2^150: fewer than 64 products, each off by 2^-1075, times at most 6 m³: less than 2^-615.
  constexpr double kError = 72 * 17 * kRoundoff, kTiny = 0x1p-600, kLarge = 0x1p150;
  const double mx = detail::max_abs4(ax, bx, cx, dx), my = detail::max_abs4(ay, by, cy, dy);
  const double mz = detail::max_abs4(az, bz, cz, dz), m = detail::max_abs3(mx, my, mz);
  const double bound = kError * (mx * my) * (mz * (m * m)) + kTiny;
  if (std::fabs(det) > bound && m < kLarge) return det > 0 ? 1 : -1;
  return detail::insphere_exact(a, b, c, d, e);
}

}  // namespace sudar

// What:    On which side of a ray's line an edge passes: an exact sign, with the direction given as a vector.
// Source:  The sign of a Plücker product (Stolfi, "Oriented Projective Geometry", 1991), by the filters of predicates.hpp.
// Differs: orient3d wants a second point on the line, which origin + direction is not after rounding.
// Fails:   never; NaN or infinity in the input is the caller's bug (doors check for it).
#pragma once

#include <sudar/math/predicates.hpp>

namespace sudar {

namespace detail {
SUDAR_API int line_side_exact(const Vec3d& origin, const Vec3d& direction, const Vec3d& a, const Vec3d& b) noexcept;
}  // namespace detail

// Sign of direction · ((a - origin) × (b - origin)): +1 when somebody who looks along the ray sees the edge from a to b
// run clockwise around it, 0 when line and edge lie in one plane
inline int line_side(const Vec3d& origin, const Vec3d& direction, const Vec3d& a, const Vec3d& b) noexcept {
  // b is taken from a: an edge that is short and far away leaves little to round
  const double ax = a.x - origin.x, ay = a.y - origin.y, az = a.z - origin.z;
  const double bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
  const double dx = direction.x, dy = direction.y, dz = direction.z;
  const double xy = ay * bz, xz = az * by, yz = az * bx, yx = ax * bz, zx = ax * by, zy = ay * bx;
  const double det = dx * (xy - xz) + dy * (yz - yx) + dz * (zx - zy);
  // n = 7: two differences, two products, a difference, two sums. Underflow for sizes below 2^150: nine products, each
  // off by 2^-1075, times at most 2^150.
  constexpr double kError = 8 * kRoundoff, kTiny = 0x1p-900, kLarge = 0x1p150;
  const double bound =
      kError * (std::fabs(dx) * (std::fabs(xy) + std::fabs(xz)) + std::fabs(dy) * (std::fabs(yz) + std::fabs(yx)) +
                std::fabs(dz) * (std::fabs(zx) + std::fabs(zy))) +
      kTiny;
  const double most =
      detail::max_abs4(detail::max_abs3(ax, ay, az), detail::max_abs3(bx, by, bz), detail::max_abs3(dx, dy, dz), 0);
  if (std::fabs(det) > bound && most < kLarge) return det > 0 ? 1 : -1;
  return detail::line_side_exact(origin, direction, a, b);
}

}  // namespace sudar

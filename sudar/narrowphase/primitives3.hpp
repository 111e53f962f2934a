// What:    Distance and depth of the pairs of primitives in space that have a closed form, with the certificate.
// Source:  A sphere is a point grown by a radius, a capsule a segment; so a pair is the signed distance of two cores
//          (core_gap3.hpp, round_gap3.hpp) less the radii. Eberly, "3D Game Engine Design", 2006, ch. 14; seeds A1, B7.
// Differs: Depths hold when cores cross or lie inside, too; touching spheres are decided by squares of twice the
//          precision, so that their sign is not a matter of rounding (Primitives3.TouchingSpheres).
// Frame:   A's, as in answer.hpp.
// Fails:   status degenerate where the normal is one of many (concentric spheres); unsupported for a pair without a
//          closed form (has_closed_form). Two half-spaces that face different ways overlap without end: separation is
//          minus infinity. Never NaN.
//          The signs of pairs without a radius (points, segments, triangles, boxes) are those of rounded closed forms;
//          where lower <= 0 <= upper, the exact decision is that of exact_gjk3.hpp.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

// In either order:
//   point, segment, sphere, capsule  × each other, triangle, box
//   point, sphere                    × cylinder, cone, ellipsoid
//   half-space                       × everything convex
constexpr bool has_closed_form(ShapeKind3 a, ShapeKind3 b) {
  using K = ShapeKind3;
  if (b < a) return has_closed_form(b, a);
  if (b == K::halfspace) return true;
  const auto ball = [](K k) { return k == K::point || k == K::sphere; };
  const auto rod = [&](K k) { return ball(k) || k == K::segment || k == K::capsule; };
  if (rod(a) && rod(b)) return true;
  const K thin = rod(a) ? a : b, other = rod(a) ? b : a;
  if (!rod(thin)) return false;
  if (other == K::triangle || other == K::box) return true;
  return ball(thin) && (other == K::cylinder || other == K::cone || other == K::ellipsoid);
}

SUDAR_API DistanceAnswer3 primitive_distance3(const Shape3& a, const Shape3& b, const Placement3& a_from_b) noexcept;

// Yes or no without a distance, for spheres and capsules: -1 they meet, 1 they are apart, both proven; 0 this does not say
SUDAR_API int primitive_sign3(const Shape3& a, const Shape3& b, const Placement3& a_from_b) noexcept;

// The sign of primitive_distance3 alone, sooner for spheres and capsules. For pairs with a closed form.
SUDAR_API bool primitive_intersects3(const Shape3& a, const Shape3& b, const Placement3& a_from_b) noexcept;

// The farthest point of a convex, bounded shape in a direction of any length but zero, in its own frame
SUDAR_API Vec3d support_point(const Shape3& shape, const Vec3d& direction) noexcept;

}  // namespace sudar

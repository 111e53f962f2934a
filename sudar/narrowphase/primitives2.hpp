// What:    Distance and depth of the pairs of primitives in the plane that have a closed form, with the certificate.
// Source:  as primitives3.hpp: signed distances of cores (core_gap2.hpp) less the radii; seeds A1, B7.
// Frame:   A's, as in answer.hpp.
// Fails:   as primitives3.hpp.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape2.hpp>

namespace sudar {

// In either order:
//   point, segment, circle, capsule  × each other, box
//   point, circle                    × convex polygon
//   half-plane                       × everything convex
constexpr bool has_closed_form(ShapeKind2 a, ShapeKind2 b) {
  using K = ShapeKind2;
  if (b < a) return has_closed_form(b, a);
  if (b == K::halfplane) return true;
  const auto ball = [](K k) { return k == K::point || k == K::circle; };
  const auto rod = [&](K k) { return ball(k) || k == K::segment || k == K::capsule; };
  if (!rod(a)) return false;
  return rod(b) || b == K::box || (ball(a) && b == K::polygon);
}

SUDAR_API DistanceAnswer2 primitive_distance2(const Shape2& a, const Shape2& b, const Placement2& a_from_b) noexcept;

// The farthest point of a convex, bounded shape in a direction of any length but zero, in its own frame
SUDAR_API Vec2d support_point(const Shape2& shape, const Vec2d& direction) noexcept;

}  // namespace sudar

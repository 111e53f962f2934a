// What:    Ray against triangle: an exact yes or no, and the time t of the hit.
// Source:  Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", 2013 (sides of edges, the same for both triangles
//          of an edge; the shear); seed B2.
// Differs: The source decides by the signs of rounded numbers, which close a mesh but may take a neighbour of the triangle
//          that is hit. Here signs that are not clear of rounding are decided exactly (math/line_side.hpp), so the
//          decision is that of the numbers as given, edges and corners belong to all their triangles, and nothing leaks
//          (RayTriangle.ExactOnALattice). A ray in the plane of a triangle meets it where it meets its border, and
//          triangles without area are the segments or points that they are.
// Frame:   That of the input. t is in units of the direction's length; the ray is closed: it starts at t = 0. t is exact up
//          to a rounding of the origin's distance; where ray or triangle are too thin for that, it comes from integers.
// Fails:   never, for finite numbers and a direction other than zero.
#pragma once

#include <sudar/geom/ray.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/math/line_side.hpp>

namespace sudar {

struct RayTriangleHit {
  bool hit = false;
  double t = 0;
};

namespace detail {
SUDAR_API double plane_time_exact(const Ray<3, double>& ray, const Triangle<3, double>& triangle) noexcept;
SUDAR_API RayTriangleHit intersect_coplanar(const Ray<3, double>& ray, const Triangle<3, double>& triangle) noexcept;
}  // namespace detail

// When a ray whose line passes the triangle, not in its plane, meets it: the sign is exact
inline double plane_time(const Ray<3, double>& ray, const Triangle<3, double>& triangle) noexcept {
  const Vec3d ab = triangle.b - triangle.a, ac = triangle.c - triangle.a, to = triangle.a - ray.origin;
  const Vec3d normal = cross(ab, ac);
  const double height = dot(normal, to), advance = dot(normal, ray.direction);
  const double size = max_abs(ab) * max_abs(ac);
  // The normal is off by 4 roundings of `size`; below this, t could be off by more than 2^-34 of the distance
  constexpr double kThin = 0x1p-16;
  if (!(std::fabs(advance) > kThin * size * max_abs(ray.direction))) return detail::plane_time_exact(ray, triangle);
  const double t = height / advance;
  // 3 products of a normal that is off by 4 and a vector that is off by 1, and their sums: less than 32 roundings
  constexpr double kError = 32 * kRoundoff;
  if (std::fabs(height) > kError * size * max_abs(to)) return t;
  const int side = orient3d(triangle.a, triangle.b, triangle.c, ray.origin);
  constexpr double kLeast = std::numeric_limits<double>::min();
  if (side == 0) return 0;
  return (side > 0) == (advance < 0) ? (t < kLeast ? kLeast : t) : (t > -kLeast ? -kLeast : t);
}

inline RayTriangleHit intersect(const Ray<3, double>& ray, const Triangle<3, double>& triangle) noexcept {
  const int ab = line_side(ray.origin, ray.direction, triangle.a, triangle.b);
  const int bc = line_side(ray.origin, ray.direction, triangle.b, triangle.c);
  if (ab * bc < 0) return {};
  const int ca = line_side(ray.origin, ray.direction, triangle.c, triangle.a);
  if (ab * ca < 0 || bc * ca < 0) return {};
  if (ab == 0 && bc == 0 && ca == 0) return detail::intersect_coplanar(ray, triangle);
  const double t = plane_time(ray, triangle);
  return {t >= 0, t};
}

struct TriangleWeights {
  double u, v;  // of b and c; that of a is 1 - u - v
};
// Where the triangle is hit. Sum at most 1 and none below 0, whatever rounding does.
SUDAR_API TriangleWeights weights_at(const Ray<3, double>& ray, const Triangle<3, double>& triangle, double t) noexcept;

}  // namespace sudar

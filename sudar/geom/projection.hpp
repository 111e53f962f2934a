// What:    Dropping one coordinate: exact answers about collinear and coplanar points from exact tests in the plane.
//          Sets that lie in one plane meet in 3D exactly when their three shadows on the coordinate planes meet,
//          because at least one of the shadows is one-to-one and the others can only gain points.
// Source:  folklore; the shadow that is one-to-one never has to be looked for.
#pragma once

#include <sudar/math/predicates.hpp>

namespace sudar {

// The shadow along an axis; a cyclic order of the rest keeps counterclockwise counterclockwise seen from +axis
constexpr Vec2d drop(const Vec3d& v, int axis) {
  return axis == 0 ? Vec2d{v.y, v.z} : axis == 1 ? Vec2d{v.z, v.x} : Vec2d{v.x, v.y};
}

// The exact turn of the shadows along an axis
inline int orient_along(int axis, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return orient2d(drop(a, axis), drop(b, axis), drop(c, axis));
}

// The last axis along which the plane of a, b, c has a shadow with area, or -1 when the three lie on one line. Exact.
inline int projection_axis(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  for (int axis = 2; axis >= 0; --axis)
    if (orient_along(axis, a, b, c) != 0) return axis;
  return -1;
}

// Exact: the three points lie on one line (or coincide)
inline bool collinear(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return projection_axis(a, b, c) < 0; }

}  // namespace sudar

// What:    Dropping one coordinate: exact answers about collinear and coplanar points from exact tests in the plane.
//          Sets that lie in one plane meet in 3D exactly when their three shadows on the coordinate planes meet,
//          because at least one of the shadows is one-to-one and the others can only gain points.
// Source:  folklore; the shadow that is one-to-one never has to be looked for.
#pragma once

#include <sudar/math/predicates.hpp>

namespace sudar::inline SUDAR_ABI {

// The shadow along an axis; a cyclic order of the rest keeps counterclockwise counterclockwise seen from +axis
constexpr Vec2d drop(const Vec3d& v, int axis) {
  return axis == 0 ? Vec2d{v.y, v.z} : axis == 1 ? Vec2d{v.z, v.x} : Vec2d{v.x, v.y};
}

// Exact: the three points lie on one line (or coincide)
inline bool collinear(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(drop(a, axis), drop(b, axis), drop(c, axis)) != 0) return false;
  return true;
}

}  // namespace sudar::inline SUDAR_ABI

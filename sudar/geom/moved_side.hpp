// What:    On which side a point lies, of a line or a plane, when it is thought to be moved by (ε³, ε², ε): never on it.
// Source:  Edelsbrunner and Mücke, "Simulation of Simplicity", 1990.
// Frame:   Any. Exact. In the plane the point is moved by (ε³, ε²), which are x and y of the same.
// Fails:   0 for an edge between equal points and for a triangle without area, of which nothing has a side.
#pragma once

#include <sudar/geom/projection.hpp>
#include <sudar/geom/triangle.hpp>

namespace sudar {

// +1 left of the directed line from a to b
inline int moved_side(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
  const int side = orient2d(a, b, p);
  if (side != 0) return side;
  // (b - a) × (ε³, ε²) = (b - a).x ε² - (b - a).y ε³
  if (a.x != b.x) return a.x < b.x ? 1 : -1;
  if (a.y != b.y) return a.y < b.y ? -1 : 1;
  return 0;
}

// +1 in front of the triangle
inline int moved_side(const Triangle<3, double>& t, const Vec3d& p) {
  const int side = orient3d(t.a, t.b, t.c, p);
  if (side != 0) return side;
  // The normal's coordinates, the last first: its part of ε is the largest
  for (int axis = 2; axis >= 0; --axis)
    if (const int n = orient_along(axis, t.a, t.b, t.c); n != 0) return n;
  return 0;
}

}  // namespace sudar

// What:    A triangle in a frame of its own, for many distances of points to it: the longest edge along x, the third corner
//          over it, the normal along z.
// Source:  geom/closest.cpp, whose coordinates these are; here they are kept between points.
// Differs: Only the squared distance is asked for, so all three edges are looked at without a branch. The same operations
//          in the same order as the vectors of triangle_rows.cpp: the same bits.
// Frame:   That of the triangle's corners.
// Fails:   never; segments and points have frames, too. Distances are right to a few roundings of the largest coordinate.
#pragma once

#include <sudar/geom/triangle.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

struct TriangleFrame {
  Vec3d origin, along, up, normal;
  double base, top_x, height;      // corners (0, 0), (base, 0), (top_x, height)
  double left_x, left_y, left;     // unit direction and length of the edge from (0, 0) to the top
  double right_x, right_y, right;  // of the edge from (base, 0) to the top
  Vec3d lo, hi;                    // of the corners
};

inline TriangleFrame make_triangle_frame(const Triangle<3, double>& t) {
  TriangleFrame f;
  const double ab = length_squared(t.b - t.a), bc = length_squared(t.c - t.b), ca = length_squared(t.a - t.c);
  const int i = ab >= bc ? (ab >= ca ? 0 : 2) : (bc >= ca ? 1 : 2);
  const Vec3d &from = t[i], &to = t[(i + 1) % 3], &top = t[(i + 2) % 3];
  f.origin = from;
  f.lo = min(t.a, min(t.b, t.c));
  f.hi = max(t.a, max(t.b, t.c));
  f.base = distance(from, to);
  const Vec3d to_top = top - from;
  // Of a triangle without area, any frame around its line
  f.along = f.base > 0 ? normalized(to - from) : Vec3d{1, 0, 0};
  f.top_x = dot(to_top, f.along);
  // Twice, or the height of a sliver would not be a height
  Vec3d rise = to_top - f.along * f.top_x;
  rise = rise - f.along * dot(rise, f.along);
  f.height = length(rise);
  if (f.height > 0) {
    // Once more at full length: what is left of a height of rounding size leans
    const Vec3d up = normalized(rise);
    f.up = normalized(up - f.along * dot(up, f.along));
    f.normal = cross(f.along, f.up);
  } else {
    make_frame(f.along, f.up, f.normal);
  }
  const auto unit = [](double x, double y, double& ux, double& uy, double& size) {
    size = std::sqrt(x * x + y * y);
    ux = size > 0 ? x / size : 1;
    uy = size > 0 ? y / size : 0;
  };
  unit(f.top_x, f.height, f.left_x, f.left_y, f.left);
  unit(f.top_x - f.base, f.height, f.right_x, f.right_y, f.right);
  return f;
}

inline double distance_squared(const TriangleFrame& f, const Vec3d& p) {
  const double qx = p.x - f.origin.x, qy = p.y - f.origin.y, qz = p.z - f.origin.z;
  const double x = f.along.x * qx + (f.along.y * qy + f.along.z * qz);
  const double y = f.up.x * qx + (f.up.y * qy + f.up.z * qz);
  const double z = f.normal.x * qx + (f.normal.y * qy + f.normal.z * qz);
  // The three edges, each from its nearest point
  const double bx = x - std::min(std::max(x, 0.0), f.base);
  const double base = bx * bx + y * y;
  const double s = std::min(std::max(x * f.left_x + y * f.left_y, 0.0), f.left);
  const double lx = x - s * f.left_x, ly = y - s * f.left_y;
  const double left = lx * lx + ly * ly;
  const double xr = x - f.base;
  const double t = std::min(std::max(xr * f.right_x + y * f.right_y, 0.0), f.right);
  const double rx = xr - t * f.right_x, ry = y - t * f.right_y;
  const double right = rx * rx + ry * ry;
  // On or over the face the distance in the plane is none
  const bool over = y >= 0 && x * f.left_y >= y * f.left_x && xr * f.right_y <= y * f.right_x && f.height > 0;
  const double aside = over ? 0.0 : std::min(std::min(base, left), right);
  return aside + z * z;
}

}  // namespace sudar

// What:    The points in which a shape touches a surface in one direction, as they are found triangle by triangle: few stay.
// Differs: Of any number of points the farthest in each of eight directions and the deepest are kept. A corner of the
//          outline spans more than an eighth of a turn in all but slivers, so the corners of a box are among them.
// Frame:   The surface's.
#pragma once

#include <sudar/narrowphase/manifold_choice.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace sudar {

// A point over a triangle. Names are looked for when it is known which points stay.
struct SurfacePoint {
  ContactPoint<3> point;
  Vec3d foot, core, face;  // on the triangle, on the shape without its radius; the normal of the triangle
  std::uint32_t triangle = 0;
  bool named = false;
};

// The points of one direction so far: the farthest in each of eight directions, and the deepest
struct SurfacePatch {
  static constexpr int kWays = 8;
  Vec3d normal{}, u{}, v{};
  double least = std::numeric_limits<double>::infinity();
  std::array<SurfacePoint, kWays + 1> points;
  std::array<double, kWays> reach{};
  bool empty = true, proven = false;  // proven: a triangle of it does meet the shape

  void start(const Vec3d& n) {
    normal = n;
    make_frame(n, u, v);
    least = std::numeric_limits<double>::infinity();
    empty = true;
    proven = false;
  }
  void add(const SurfacePoint& x) {
    // Not along the axes, where the corners of boxes tie
    constexpr double kFar = 0.9238795325112867, kNear = 0.3826834323650898;
    const double p = dot(u, x.point.position), q = dot(v, x.point.position);
    const double far_p = kFar * p, near_p = kNear * p, far_q = kFar * q, near_q = kNear * q;
    const double ways[kWays / 2] = {far_p + near_q, near_p + far_q, far_q - near_p, near_q - far_p};
    for (int i = 0; i < kWays; ++i) {
      const double way = i < kWays / 2 ? ways[i] : -ways[i - kWays / 2];
      if (empty || way > reach[i]) reach[i] = way, points[i] = x;
    }
    if (x.point.separation < least) least = x.point.separation, points[kWays] = x;
    empty = false;
  }
  // Touching, however little
  void press() {
    proven = true;
    least = std::min(least, 0.0);
    points[kWays].point.separation = least;
  }
  // Apart, however little
  void lift() {
    for (SurfacePoint& x : points)
      x.point.separation = std::max(x.point.separation, std::numeric_limits<double>::min());
  }
  // Their names have been looked for
  Manifold3 manifold() const {
    std::array<ContactPoint<3>, kWays + 1> distinct;
    std::size_t count = 0;
    // The deepest first, so that none with its name takes its place
    for (int k = kWays; k >= 0; --k) {
      const ContactPoint<3>& point = points[k].point;
      bool known = false;
      for (std::size_t i = 0; i < count && !known; ++i)
        known = distinct[i].position == point.position || distinct[i].id() == point.id();
      if (!known) distinct[count++] = point;
    }
    return choose_points(std::span<const ContactPoint<3>>(distinct.data(), count), normal);
  }
};

}  // namespace sudar

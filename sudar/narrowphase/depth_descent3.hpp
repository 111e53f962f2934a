// What:    From a good direction to the best one near it: the least distance of a supporting plane of the difference set
//          from the origin inside of it; from one outside, the plane that is farthest on its side, where distances are negative.
// Source:  Lewis, Overton, "Nonsmooth optimization via quasi-Newton methods", 2013 (BFGS with weak Wolfe steps).
// Differs: Two variables: the direction, as a point of the plane that touches the sphere of directions at the start. The
//          slope is the support point itself. Cylinders, boxes and hulls have kinks along which the best direction likes
//          to lie; quasi-Newton steps follow them where Newton's would not.
// Frame:   A's. Internal to epa3 and convex_distance3.
// Fails:   never: ends after kDescentSteps steps with the best direction seen, which is no worse than the start.
#pragma once

#include <sudar/narrowphase/difference3.hpp>

namespace sudar {

inline constexpr int kDescentSteps = 40, kDescentTries = 40;
inline constexpr double kDescentFall = 0x1p-13;  // of what the slope promises, for a step to be taken

// `normal` is unit, `depth` the distance of its plane; both are made better. `enough` is a change not worth a step.
inline int descend3(const Difference3& difference, double enough, Vec3d& normal, double& depth) {
  struct Place {
    Vec2d x, slope;
    double f;
  };
  const Vec3d start = normal;
  Vec3d u, v;
  make_frame(start, u, v);
  int asked = 0;
  const auto look = [&](const Vec2d& x) {
    const Vec3d m = start + u * x.x + v * x.y;
    const double l = length(m);
    const Vec3d n = m / l, w = difference.least(-n).w;
    ++asked;
    const double f = dot(n, w);
    if (f < depth) {
      depth = f;
      normal = n;
    }
    return Place{x, (Vec2d{dot(u, w), dot(v, w)} - x * (f / l)) / l, f};
  };
  Place at = look({0, 0});
  // Of the inverse of the second derivative; a first step of some hundredths
  const double slope = length(at.slope);
  if (!(slope > 0)) return asked;
  double hxx = 0x1p-6 / slope, hxy = 0, hyy = hxx;
  int idle = 0;
  for (int step = 0; step < kDescentSteps && idle < 3; ++step) {
    Vec2d d{-(hxx * at.slope.x + hxy * at.slope.y), -(hxy * at.slope.x + hyy * at.slope.y)};
    const double reach = length(d), fall = dot(d, at.slope);
    if (!(fall < 0)) break;
    double t = reach > 0.5 ? 0.5 / reach : 1, low = 0, high = 0;
    Place to = at;
    bool found = false;
    for (int k = 0; k < kDescentTries && !found; ++k) {
      to = look(at.x + d * t);
      if (!(to.f < at.f + kDescentFall * t * fall)) {
        high = t;
      } else if (dot(to.slope, d) < 0.5 * fall && t * reach < 1) {
        low = t;
      } else {
        found = true;
        break;
      }
      t = high > 0 ? 0.5 * (low + high) : 2 * t;
      if (t == low || t == high) break;
    }
    if (!(to.f < at.f)) break;
    idle = at.f - to.f < enough ? idle + 1 : 0;
    const Vec2d s = to.x - at.x, y = to.slope - at.slope;
    const double sy = dot(s, y);
    at = to;
    if (sy > 0) {
      // (I - s yᵀ/sy) H (I - y sᵀ/sy) + s sᵀ/sy
      const Vec2d hy{hxx * y.x + hxy * y.y, hxy * y.x + hyy * y.y};
      const double more = (1 + dot(y, hy) / sy) / sy;
      hxx += more * s.x * s.x - 2 * hy.x * s.x / sy;
      hxy += more * s.x * s.y - (hy.x * s.y + hy.y * s.x) / sy;
      hyy += more * s.y * s.y - 2 * hy.y * s.y / sy;
    }
  }
  return asked;
}

}  // namespace sudar

// What:    Points against solids of revolution and ellipsoids, see the header.
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/round_gap3.hpp>

#include <algorithm>

namespace sudar {
namespace {

// A point as distance from the axis and height, with the direction from the axis
struct Profile {
  double r, z;
  Vec3d out;
  bool on_axis;

  explicit Profile(const Vec3d& p) : r(length(Vec3d{p.x, p.y, 0})), z(p.z), out{1, 0, 0}, on_axis(false) {
    out = normalized(Vec3d{p.x, p.y, 0});
    if (out == Vec3d{}) out = {1, 0, 0}, on_axis = true;
  }
  Vec3d point(double at_r, double at_z) const { return {out.x * at_r, out.y * at_r, at_z}; }
};

// The nearest point of the surface, the normal there, and the point's signed distance along it
CoreGap3 gap_at(const Profile& at, const Vec3d& p, double r, double z, double normal_r, double normal_z, double s) {
  CoreGap3 gap;
  gap.on_a = at.point(r, z), gap.on_b = p;
  gap.normal = at.point(normal_r, normal_z);
  gap.separation = s;
  // The way out of the axis is any, unless it is along it
  gap.unique = !(at.on_axis && normal_r != 0);
  return gap;
}
// To a corner of the profile, from outside. Next to the corner the difference is noise: the normal is kept between those
// of the two sides that meet there, `first` and, counterclockwise from it, `second`.
CoreGap3 gap_to_corner(const Profile& at, const Vec3d& p, double r, double z, const Vec2d& first, const Vec2d& second) {
  const Vec2d d{at.r - r, at.z - z};
  Vec2d n = normalized(d);
  if (n == Vec2d{} || cross(first, n) < 0) n = first;
  if (cross(n, second) < 0) n = second;
  return gap_at(at, p, r, z, n.x, n.y, length(d));
}

}  // namespace

CoreGap3 cylinder_point_gap(double half_height, double radius, const Vec3d& p) {
  const Profile at(p);
  const double side = at.r - radius, cap = std::fabs(at.z) - half_height, up = at.z < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    const Vec2d side_normal{1, 0}, cap_normal{0, up};
    return up > 0 ? gap_to_corner(at, p, radius, half_height, side_normal, cap_normal)
                  : gap_to_corner(at, p, radius, -half_height, cap_normal, side_normal);
  }
  if (cap > side) {
    CoreGap3 gap = gap_at(at, p, at.r, up * half_height, 0, up, cap);
    if (at.z == 0) gap.unique = false;
    return gap;
  }
  return gap_at(at, p, radius, at.z, 1, 0, side);
}

CoreGap3 cone_point_gap(double half_height, double radius, const Vec3d& p) {
  const Profile at(p);
  // Base from the axis to the rim (radius, -half_height), slant from the rim to the apex (0, half_height)
  const double height = 2 * half_height, slant = length(Vec2d{radius, height});
  const Vec2d out{height / slant, radius / slant}, up{-out.y, out.x};
  const Vec2d from_rim{at.r - radius, at.z + half_height};
  const double side = dot(from_rim, out), base = -half_height - at.z, along = dot(from_rim, up);
  if (side <= 0 && base <= 0) {
    if (base >= side) return gap_at(at, p, at.r, -half_height, 0, -1, base);
    return gap_at(at, p, at.r - side * out.x, at.z - side * out.y, out.x, out.y, side);
  }
  if (base > 0 && at.r <= radius) return gap_at(at, p, at.r, -half_height, 0, -1, base);
  if (along >= slant) return gap_to_corner(at, p, 0, half_height, out, {0, 1});
  if (along > 0) return gap_at(at, p, at.r - side * out.x, at.z - side * out.y, out.x, out.y, side);
  return gap_to_corner(at, p, radius, -half_height, {0, -1}, out);
}

CoreGap3 ellipsoid_point_gap(const Vec3d& radii, const Vec3d& p) {
  // Into the octant of positive coordinates, shortest axis last; of equal ones, the one along which p is farther, or the
  // later one
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int i, int j) {
    if (radii[i] != radii[j]) return radii[i] > radii[j];
    return std::fabs(p[i]) != std::fabs(p[j]) ? std::fabs(p[i]) < std::fabs(p[j]) : i < j;
  });
  double e[3], y[3];
  for (int i = 0; i < 3; ++i) e[i] = radii[order[i]], y[i] = std::fabs(p[order[i]]);

  // The nearest point x has y - x = t x / e², so x = e² y / (e² + t). With t = e₂² (s - 1) the pole of the shortest axis
  // is s = 0: x / e = c / (s + a), c = y e / e₂², a = e² / e₂² - 1 without cancellation; s > 0 solves |x / e| = 1.
  double a[3], c[3];
  for (int i = 0; i < 3; ++i) {
    const double ratio = e[i] / e[2];
    a[i] = i == 2 ? 0 : (e[i] - e[2]) / e[2] * (ratio + 1);
    c[i] = y[i] / e[2] * ratio;
    // What is nothing beside the axes is none
    if (c[i] == 0) y[i] = 0;
  }
  // No term is above 1 at the root
  double s = 0;
  for (int i = 0; i < 3; ++i) s = std::max(s, c[i] - a[i]);
  const auto term = [&](int i, double at) { return c[i] > 0 ? c[i] / (at + a[i]) : 0; };

  CoreGap3 gap;
  double x2 = 0;  // along the shortest axis, in units of e
  bool on_pole = false;
  if (!(s > 0)) {
    const double t0 = term(0, 0), t1 = term(1, 0), rest = 1 - t0 * t0 - t1 * t1;
    // In the plane of the long axes and near the middle: the nearest points are above and below
    if (rest >= 0) on_pole = true, x2 = std::sqrt(rest);
  }
  if (!on_pole) {
    // Newton on 1 / |x / e| - 1, which is concave: from below it rises to the root and never passes it by more than
    // rounding
    gap.converged = false;
    for (gap.iterations = 1; gap.iterations <= kEllipsoidSteps; ++gap.iterations) {
      double sum = 0, slope = 0;
      for (int i = 0; i < 3; ++i) {
        const double v = term(i, s);
        sum += v * v;
        if (v > 0) slope += v * v / (s + a[i]);
      }
      const double size = std::sqrt(sum), step = (size - 1) * sum / slope;
      if (!(step > kRoundoff * s)) {
        if (step < 0) s += std::max(step, -s / 2);
        gap.converged = true;
        break;
      }
      s += step;
    }
  }

  // w = e₂² x / e² is along the normal, and y - x = (s - 1) w
  double w[3];
  for (int i = 0; i < 3; ++i) w[i] = y[i] > 0 ? y[i] / (s + a[i]) : 0;
  if (on_pole) w[2] = x2 * e[2];
  const Vec3d direction = normalized(Vec3d{w[0], w[1], w[2]});
  const double size = dot(Vec3d{w[0], w[1], w[2]}, direction);
  for (int i = 0; i < 3; ++i) {
    const double sign = p[order[i]] < 0 ? -1 : 1, ratio = e[i] / e[2];
    gap.on_a[order[i]] = sign * (w[i] * ratio) * ratio;
    gap.normal[order[i]] = sign * direction[i];
  }
  gap.on_b = p;
  gap.separation = (s - 1) * size;
  gap.unique = !on_pole;
  return gap;
}

}  // namespace sudar

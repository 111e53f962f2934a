// What:    The oracle of triangle–triangle tests: the common set of two triangles in rational arithmetic, by clipping.
// Differs: Shares nothing with the library: the first triangle is cut to the plane of the second, and then by the three
//          planes that stand on its edges. Heavy to compile: include it in few files.
#pragma once

#include "tests/support/exact.hpp"
#include <sudar/geom/triangle.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <array>
#include <vector>

namespace sudar_test {

using RationalPoint = std::array<Rational, 3>;

inline RationalPoint rational(const sudar::Vec3d& p) { return {Rational(p.x), Rational(p.y), Rational(p.z)}; }
inline RationalPoint minus(const RationalPoint& p, const RationalPoint& q) {
  return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}
inline Rational dot_of(const RationalPoint& p, const RationalPoint& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
inline RationalPoint cross_of(const RationalPoint& p, const RationalPoint& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

// The part of a convex polygon (or segment, or point) where normal · (x - at) is at least zero, or zero
inline std::vector<RationalPoint> cut(const std::vector<RationalPoint>& in, const RationalPoint& normal,
                                      const RationalPoint& at, bool only_zero) {
  std::vector<RationalPoint> out;
  const auto add = [&](const RationalPoint& p) {
    for (const RationalPoint& q : out)
      if (p == q) return;
    out.push_back(p);
  };
  for (std::size_t i = 0; i < in.size(); ++i) {
    const RationalPoint &p = in[i], &q = in[(i + 1) % in.size()];
    const Rational f = dot_of(normal, minus(p, at)), g = dot_of(normal, minus(q, at));
    if (only_zero ? f == 0 : f >= 0) add(p);
    if ((f < 0 && g > 0) || (f > 0 && g < 0)) {
      const Rational t = f / (f - g);
      RationalPoint x;
      for (std::size_t k = 0; k < 3; ++k) x[k] = p[k] + (q[k] - p[k]) * t;
      add(x);
    }
  }
  return out;
}

// Corners of the common set. The second triangle must not be flat.
inline std::vector<RationalPoint> common_set(const std::vector<RationalPoint>& a, const std::vector<RationalPoint>& v) {
  const RationalPoint normal = cross_of(minus(v[1], v[0]), minus(v[2], v[0]));
  std::vector<RationalPoint> set = cut(a, normal, v[0], true);
  for (std::size_t i = 0; i < 3; ++i) set = cut(set, cross_of(normal, minus(v[(i + 1) % 3], v[i])), v[i], false);
  return set;
}
inline std::vector<RationalPoint> rational(const sudar::Triangle<3, double>& t) {
  return {rational(t.a), rational(t.b), rational(t.c)};
}
inline std::vector<RationalPoint> common_set(const sudar::Triangle<3, double>& a, const sudar::Triangle<3, double>& b) {
  return common_set(rational(a), rational(b));
}
// turn · x + translation + rest, without rounding
inline std::vector<RationalPoint> rational(const sudar::Triangle<3, double>& t, const sudar::Placement3& a_from_b) {
  std::vector<RationalPoint> out;
  for (int i = 0; i < 3; ++i) {
    RationalPoint p;
    for (int k = 0; k < 3; ++k) {
      Rational sum = Rational(a_from_b.translation[k]) + Rational(a_from_b.rest[k]);
      for (int m = 0; m < 3; ++m) sum += Rational(a_from_b.turn.row(k)[m]) * Rational(t[i][m]);
      p[static_cast<std::size_t>(k)] = sum;
    }
    out.push_back(p);
  }
  return out;
}

}  // namespace sudar_test

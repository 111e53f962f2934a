// What:    Triangle against triangle: an exact yes or no, and what they have in common: a point, a segment, or, in one
//          plane, a convex polygon.
// Source:  Möller, "A Fast Triangle-Triangle Intersection Test", 1997 (the plain version: intervals on the line of the
//          two planes); seeds B3, D5.
// Differs: The exact version never computes that line. Each triangle crosses the plane of the other along two of its
//          edges, and the order of two crossings along the line is the side of one edge from the other: the sign of one
//          orient3d. So eight exact signs decide (triangle_meet.hpp has the derivation), for any finite doubles, flat
//          triangles included, and the answer cannot depend on the order of the vertices (TriangleTriangle.AllOrders…).
// Frame:   That of the input. Both triangles are closed: touching is a hit.
// Fails:   never. Whether there is a point, a segment or a polygon, and with how many corners, is exact too; the
//          coordinates are rounded. Of a flat triangle (collinear corners) in the other's plane, and of two flat ones,
//          point or segment is as rounding has it. The plain version decides by rounded numbers and is wrong at times.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/narrowphase/contact.hpp>

#include <array>
#include <cstdint>
#include <limits>

namespace sudar {

struct TriangleIntersection {
  ContactKind kind = ContactKind::none;
  bool coplanar = false;  // the triangles lie in one plane
  int count = 0;
  std::array<Vec3d, 6> points{};  // a polygon's in order

  explicit operator bool() const { return kind != ContactKind::none; }
};

namespace detail {

// Signed volumes of a triangle with three points, and how large each must be for its sign to be sure: the filter of
// orient3d, once for three
struct ThreeSides {
  double d[3];
  double bound;

  bool apart() const {
    return (d[0] > bound && d[1] > bound && d[2] > bound) || (d[0] < -bound && d[1] < -bound && d[2] < -bound);
  }
  bool clear() const { return std::fabs(d[0]) > bound && std::fabs(d[1]) > bound && std::fabs(d[2]) > bound; }
  int positive() const { return int{d[0] > 0} | int{d[1] > 0} << 1 | int{d[2] > 0} << 2; }
};
inline ThreeSides three_sides(const Triangle<3, double>& plane, const Triangle<3, double>& t) {
  const Vec3d u = plane.b - plane.a, v = plane.c - plane.a;
  const Vec3d w0 = t.a - plane.a, w1 = t.b - plane.a, w2 = t.c - plane.a;
  const Vec3d n = cross(u, v);
  const double mx = max_abs4(max_abs3(u.x, v.x, w0.x), w1.x, w2.x, 0);
  const double my = max_abs4(max_abs3(u.y, v.y, w0.y), w1.y, w2.y, 0);
  const double mz = max_abs4(max_abs3(u.z, v.z, w0.z), w1.z, w2.z, 0);
  // As in orient3d. Past its range for underflow nothing is sure: the bound is infinite.
  constexpr double kError = 6 * 9 * kRoundoff, kTiny = 0x1p-900, kLarge = 0x1p150;
  const double bound =
      max_abs3(mx, my, mz) < kLarge ? kError * (mx * my) * mz + kTiny : std::numeric_limits<double>::infinity();
  return {{dot(n, w0), dot(n, w1), dot(n, w2)}, bound};
}

// When the filters leave a sign open. `sa` and `sb` are the sides of a's and of b's corners.
SUDAR_API bool triangles_meet(const Triangle<3, double>& a, const Triangle<3, double>& b, const ThreeSides& sa,
                              const ThreeSides& sb) noexcept;

// For a set of corners in front of a plane, some but not all: the corner that is alone on its side
inline constexpr std::uint8_t kLoneCorner[8] = {0, 0, 1, 2, 2, 1, 0, 0};
inline constexpr bool lone_is_behind(int positive) { return positive == 3 || positive == 5 || positive == 6; }

// The corners in the order of triangle_meet.hpp, lone ones first, both in front of the other plane, when all six signs are
// known and neither plane has all of the other triangle on one side. Bit k of pa: a's corner k is in front of b's plane.
struct CrossingEdges {
  const Vec3d &a0, &a1, &a2, &b0, &b1, &b2;
};
inline CrossingEdges crossing_edges(const Triangle<3, double>& a, const Triangle<3, double>& b, int pa, int pb) {
  const Vec3d* p[3] = {&a.a, &a.b, &a.c};
  const Vec3d* q[3] = {&b.a, &b.b, &b.c};
  const int i = kLoneCorner[pa], j = kLoneCorner[pb];
  const int i1 = i == 2 ? 0 : i + 1, i2 = 3 - i - i1, j1 = j == 2 ? 0 : j + 1, j2 = 3 - j - j1;
  const bool turn_b = lone_is_behind(pa), turn_a = lone_is_behind(pb);
  return {*p[i], *p[turn_a ? i2 : i1], *p[turn_a ? i1 : i2], *q[j], *q[turn_b ? j2 : j1], *q[turn_b ? j1 : j2]};
}
inline bool crossings_overlap(const CrossingEdges& e) {
  return orient3d(e.a0, e.a1, e.b0, e.b1) <= 0 && orient3d(e.a0, e.a2, e.b0, e.b2) >= 0;
}

}  // namespace detail

// Exact, for all finite doubles
inline bool intersects_exact(const Triangle<3, double>& a, const Triangle<3, double>& b) noexcept {
  const detail::ThreeSides sa = detail::three_sides(b, a);
  if (sa.apart()) return false;
  const detail::ThreeSides sb = detail::three_sides(a, b);
  if (sb.apart()) return false;
  if (!sa.clear() || !sb.clear()) return detail::triangles_meet(a, b, sa, sb);
  return detail::crossings_overlap(detail::crossing_edges(a, b, sa.positive(), sb.positive()));
}

// The same decision, and what the two have in common
SUDAR_API TriangleIntersection intersection_exact(const Triangle<3, double>& a, const Triangle<3, double>& b) noexcept;

// The plain version of the seed in rounded numbers. Steps: "plane of b", "plane of a" (the three signed volumes),
// "apart", "coplanar", "line" (its direction), "interval of a", "interval of b" (numbers along the line), "meet".
template <class Trace = NoTrace>
TriangleIntersection intersection_by_intervals(const Triangle<3, double>& a, const Triangle<3, double>& b,
                                               Trace trace = {});
extern template SUDAR_API TriangleIntersection intersection_by_intervals(const Triangle<3, double>&,
                                                                         const Triangle<3, double>&, NoTrace);
extern template SUDAR_API TriangleIntersection intersection_by_intervals(const Triangle<3, double>&,
                                                                         const Triangle<3, double>&, TraceTo);

}  // namespace sudar

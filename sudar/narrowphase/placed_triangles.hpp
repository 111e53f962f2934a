// What:    Triangle against triangle where the second is given in a frame of its own: exact for the placement as it
//          stands, { turn · x + translation + rest }, without rounding the moved corners first.
// Differs: The corners are moved in doubles with a bound on their error, and the filters of triangle_triangle.hpp take
//          it into account. What stays open is decided in integers (dyadic.hpp) on the exact moved corners.
// Frame:   A's.
// Fails:   never, for finite numbers and a turn that is a rotation up to rounding. Points of intersection are rounded.
#pragma once

#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

namespace sudar {

// The corners in A's frame, each coordinate off by at most `error`
struct PlacedTriangle {
  Triangle<3, double> corners;
  double error;
};
inline PlacedTriangle place(const Triangle<3, double>& t_b, const Placement3& a_from_b) {
  PlacedTriangle out;
  const auto move = [&](const Vec3d& p) { return transform(a_from_b, p) + a_from_b.rest; };
  out.corners = {move(t_b.a), move(t_b.b), move(t_b.c)};
  // Three products and four sums, each at most the sum of the sizes
  const double size = detail::max_abs3(max_abs(t_b.a), max_abs(t_b.b), max_abs(t_b.c));
  constexpr double kTiny = 0x1p-1060;
  out.error = 12 * kRoundoff * (3 * size + max_abs(a_from_b.translation)) + kTiny;
  return out;
}
// Nothing to move: the corners are what they are in B's frame
inline bool is_identity(const Placement3& a_from_b) {
  return !a_from_b.turned && a_from_b.translation == Vec3d{} && a_from_b.rest == Vec3d{};
}

namespace detail {

// 1: they meet, -1: they do not, 0: the filters cannot tell. `b` has an error.
SUDAR_API int filter_placed(const Triangle<3, double>& a, const PlacedTriangle& b) noexcept;
// The same when the sides of all corners are known, see crossing_edges
SUDAR_API int filter_crossings(const Triangle<3, double>& a, const PlacedTriangle& b, int pa, int pb) noexcept;
SUDAR_API bool decide_placed(const Triangle<3, double>& a, const Triangle<3, double>& b_b,
                             const Placement3& a_from_b) noexcept;

}  // namespace detail

inline bool intersects_exact(const Triangle<3, double>& a, const Triangle<3, double>& b_b, const PlacedTriangle& b,
                             const Placement3& a_from_b) noexcept {
  const int known = detail::filter_placed(a, b);
  return known != 0 ? known > 0 : detail::decide_placed(a, b_b, a_from_b);
}
inline bool intersects_exact(const Triangle<3, double>& a, const Triangle<3, double>& b_b,
                             const Placement3& a_from_b) noexcept {
  return intersects_exact(a, b_b, place(b_b, a_from_b), a_from_b);
}
SUDAR_API TriangleIntersection intersection_exact(const Triangle<3, double>& a, const Triangle<3, double>& b_b,
                                                  const Placement3& a_from_b) noexcept;

}  // namespace sudar

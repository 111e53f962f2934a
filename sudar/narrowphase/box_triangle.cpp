#include <sudar/narrowphase/box_triangle.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Calls `visit(axis, gap, is_normal)` for the ten slanted axes; stops when it says so
template <class Visit>
void for_slanted_axes(const Vec3d& half, const Vec3d (&v)[3], Visit visit) {
  const Vec3d edge[3] = {v[1] - v[0], v[2] - v[1], v[0] - v[2]};
  const auto gap_along = [&](const Vec3d& axis) {
    const double p = dot(axis, v[0]), q = dot(axis, v[1]), r = dot(axis, v[2]), reach = dot(abs(axis), half);
    return std::max(std::min({p, q, r}) - reach, -reach - std::max({p, q, r}));
  };
  const Vec3d normal = cross(edge[0], edge[1]);
  if (!visit(normal, gap_along(normal), true)) return;
  for (const Vec3d& e : edge)
    for (const Vec3d& axis : {Vec3d{0, -e.z, e.y}, Vec3d{e.z, 0, -e.x}, Vec3d{-e.y, e.x, 0}})
      if (!visit(axis, gap_along(axis), false)) return;
}

// A face of the box as two triangles
bool meets_face(const Aabb3d& box, int axis, double at, const Triangle<3, double>& t) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Vec3d c[4];
  for (int i = 0; i < 4; ++i) {
    c[i][axis] = at;
    c[i][u] = i == 1 || i == 2 ? box.hi[u] : box.lo[u];
    c[i][v] = i >= 2 ? box.hi[v] : box.lo[v];
  }
  return intersects_exact(Triangle<3, double>{c[0], c[1], c[2]}, t) ||
         intersects_exact(Triangle<3, double>{c[0], c[2], c[3]}, t);
}

}  // namespace

bool intersects_exact(const Aabb3d& box, const Triangle<3, double>& t) noexcept {
  // The axes of the box need no rounding
  for (int i = 0; i < 3; ++i) {
    if (t.a[i] < box.lo[i] && t.b[i] < box.lo[i] && t.c[i] < box.lo[i]) return false;
    if (t.a[i] > box.hi[i] && t.b[i] > box.hi[i] && t.c[i] > box.hi[i]) return false;
  }
  if (contains(box, t.a) || contains(box, t.b) || contains(box, t.c)) return true;
  const Vec3d middle = center(box);
  const Vec3d v[3] = {t.a - middle, t.b - middle, t.c - middle};
  const double size = std::max({max_abs(box.lo), max_abs(box.hi), max_abs(t.a), max_abs(t.b), max_abs(t.c)});
  const double longest = std::max({max_abs(t.b - t.a), max_abs(t.c - t.b), max_abs(t.a - t.c)});
  constexpr double kTiny = 0x1p-900;
  const double edge_error = kBoxEdgeAxisError * longest * size + kTiny;
  const double normal_error = kBoxNormalAxisError * longest * longest * size + kTiny;
  bool apart = false, all_clear = true;
  for_slanted_axes(half_extents(box), v, [&](const Vec3d&, double gap, bool is_normal) {
    const double error = is_normal ? normal_error : edge_error;
    // Past the range of underflow bounds, and with infinities, nothing is clear
    apart = gap > error && size < 0x1p150;
    all_clear = all_clear && gap < -error && size < 0x1p150;
    return !apart;
  });
  if (apart) return false;
  if (all_clear) return true;
  // No corner of the triangle is inside, so it meets the box where it meets its surface
  for (int axis = 0; axis < 3; ++axis)
    if (meets_face(box, axis, box.lo[axis], t) || meets_face(box, axis, box.hi[axis], t)) return true;
  return false;
}

template <class Trace>
bool intersects_by_axes(const Aabb3d& box, const Triangle<3, double>& t, Trace trace) {
  const Vec3d middle = center(box), half = half_extents(box);
  const Vec3d v[3] = {t.a - middle, t.b - middle, t.c - middle};
  bool apart = false;
  const auto look = [&](const Vec3d& axis, double gap, bool) {
    if constexpr (Trace::kEnabled) trace({.step = "axis", .numbers = {&axis.x, 3}, .value = gap});
    apart = gap > 0;
    return !apart;
  };
  for (int i = 0; i < 3 && !apart; ++i) {
    Vec3d axis{};
    axis[i] = 1;
    look(axis,
         std::max(std::min({v[0][i], v[1][i], v[2][i]}) - half[i], -half[i] - std::max({v[0][i], v[1][i], v[2][i]})),
         false);
  }
  if (!apart) for_slanted_axes(half, v, look);
  if constexpr (Trace::kEnabled) trace({.step = apart ? "apart" : "meet"});
  return !apart;
}
template bool intersects_by_axes(const Aabb3d&, const Triangle<3, double>&, NoTrace);
template bool intersects_by_axes(const Aabb3d&, const Triangle<3, double>&, TraceTo);

}  // namespace sudar

#include <sudar/geom/projection.hpp>
#include <sudar/geom/segment_segment.hpp>

namespace sudar {

namespace {

// For p on the line of s
bool within_box(const Segment<2, double>& s, const Vec2d& p) {
  for (int i = 0; i < 2; ++i) {
    const bool up = s.a[i] <= s.b[i];
    if (p[i] < (up ? s.a[i] : s.b[i]) || p[i] > (up ? s.b[i] : s.a[i])) return false;
  }
  return true;
}

Segment<2, double> shadow(const Segment<3, double>& s, int axis) { return {drop(s.a, axis), drop(s.b, axis)}; }

}  // namespace

bool intersects_exact(const Segment<2, double>& s, const Vec2d& p) noexcept {
  return within_box(s, p) && orient2d(s.a, s.b, p) == 0;
}

bool intersects_exact(const Segment<2, double>& s, const Segment<2, double>& t) noexcept {
  const int ta = orient2d(s.a, s.b, t.a), tb = orient2d(s.a, s.b, t.b);
  if (ta * tb > 0) return false;
  const int sa = orient2d(t.a, t.b, s.a), sb = orient2d(t.a, t.b, s.b);
  if (sa * sb > 0) return false;
  if (ta * tb < 0 && sa * sb < 0) return true;
  // An end on the other line, or everything on one line: some end must then lie on the other segment
  return (ta == 0 && within_box(s, t.a)) || (tb == 0 && within_box(s, t.b)) || (sa == 0 && within_box(t, s.a)) ||
         (sb == 0 && within_box(t, s.b));
}

bool intersects_exact(const Segment<3, double>& s, const Vec3d& p) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (!intersects_exact(shadow(s, axis), drop(p, axis))) return false;
  return true;
}

bool intersects_exact(const Segment<3, double>& s, const Segment<3, double>& t) noexcept {
  if (orient3d(s.a, s.b, t.a, t.b) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!intersects_exact(shadow(s, axis), shadow(t, axis))) return false;
  return true;
}

}  // namespace sudar

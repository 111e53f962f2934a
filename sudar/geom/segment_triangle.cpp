#include <sudar/geom/projection.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/geom/segment_triangle.hpp>

namespace sudar {

namespace {

Triangle<2, double> shadow(const Triangle<3, double>& t, int axis) {
  return {drop(t.a, axis), drop(t.b, axis), drop(t.c, axis)};
}

}  // namespace

bool intersects_exact(const Triangle<2, double>& t, const Vec2d& p) noexcept {
  const int ab = orient2d(t.a, t.b, p), bc = orient2d(t.b, t.c, p), ca = orient2d(t.c, t.a, p);
  if (ab == 0 && bc == 0 && ca == 0)  // the triangle is flat and p on its line
    return intersects_exact(Segment<2, double>{t.a, t.b}, p) || intersects_exact(Segment<2, double>{t.b, t.c}, p) ||
           intersects_exact(Segment<2, double>{t.c, t.a}, p);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool intersects_exact(const Segment<2, double>& s, const Triangle<2, double>& t) noexcept {
  return intersects_exact(t, s.a) || intersects_exact(s, Segment<2, double>{t.a, t.b}) ||
         intersects_exact(s, Segment<2, double>{t.b, t.c}) || intersects_exact(s, Segment<2, double>{t.c, t.a});
}

bool intersects_exact(const Triangle<3, double>& t, const Vec3d& p) noexcept {
  if (orient3d(t.a, t.b, t.c, p) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!intersects_exact(shadow(t, axis), drop(p, axis))) return false;
  return true;
}

bool intersects_exact(const Segment<3, double>& s, const Triangle<3, double>& t) noexcept {
  const int side_a = orient3d(t.a, t.b, t.c, s.a), side_b = orient3d(t.a, t.b, t.c, s.b);
  if (side_a * side_b > 0) return false;
  const int ab = orient3d(s.a, s.b, t.a, t.b), bc = orient3d(s.a, s.b, t.b, t.c), ca = orient3d(s.a, s.b, t.c, t.a);
  if (side_a != 0 || side_b != 0) {
    // The plane is crossed or touched at one point: the line passes all edges on one side
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
  }
  // In the plane. When the triangle is flat any segment seems to be, but a skew one passes an edge of it.
  if (ab != 0 || bc != 0 || ca != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!intersects_exact(Segment<2, double>{drop(s.a, axis), drop(s.b, axis)}, shadow(t, axis))) return false;
  return true;
}

}  // namespace sudar

#include <sudar/geom/angle_sum.hpp>
#include <sudar/geom/moved_side.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/projection.hpp>
#include <sudar/geom/segment_triangle.hpp>

#include <algorithm>

namespace sudar {

void RayCrossings::add(const Triangle<3, double>& t, const Vec3d& p) noexcept {
  // Far triangles are the rule: decide by their boxes
  if (p.x < std::min({t.a.x, t.b.x, t.c.x}) || p.x > std::max({t.a.x, t.b.x, t.c.x})) return;
  if (p.y < std::min({t.a.y, t.b.y, t.c.y}) || p.y > std::max({t.a.y, t.b.y, t.c.y})) return;
  if (p.z > std::max({t.a.z, t.b.z, t.c.z})) return;
  const bool all_above = p.z < std::min({t.a.z, t.b.z, t.c.z});
  if (!all_above && intersects_exact(t, p)) {
    touches = true;
    return;
  }
  const Vec2d a = drop(t.a, 2), b = drop(t.b, 2), c = drop(t.c, 2), flat = drop(p, 2);
  const int ab = moved_side(a, b, flat), bc = moved_side(b, c, flat), ca = moved_side(c, a, flat);
  if (ab == 0 || ab != bc || bc != ca) return;
  // The vertical line passes through the triangle, which faces up (ab > 0) or down. p is below it when it is behind a
  // triangle that faces up or in front of one that faces down; on its plane it cannot be, that was touching.
  if (!all_above && orient3d(t.a, t.b, t.c, p) * ab > 0) return;
  ++(ab > 0 ? up : down);
}

namespace {

RayCrossings count_crossings(const Mesh& mesh, const Vec3d& p) {
  RayCrossings count;
  for (std::size_t t = 0; t < mesh.triangles.size() && !count.touches; ++t) count.add(mesh.corners(t), p);
  return count;
}

// The solid angle of a triangle is twice the angle of this complex number
struct HalfAngle {
  double x, y;
};

HalfAngle half_solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double la = length(a), lb = length(b), lc = length(c);
  return {la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb, dot(a, cross(b, c))};
}

}  // namespace

Containment locate(const Mesh& mesh, const Vec3d& p) noexcept {
  if (!is_finite(p)) return Containment::outside;
  return count_crossings(mesh, p).containment();
}

Containment locate_in_convex(const Mesh& mesh, const Vec3d& p) noexcept {
  if (mesh.triangles.empty() || !is_finite(p)) return Containment::outside;
  bool touches = false, behind = false;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle<3, double> t = mesh.corners(i);
    const int side = orient3d(t.a, t.b, t.c, p);
    if (side > 0) return Containment::outside;
    if (side < 0) behind = true;
    if (side == 0 && !touches) touches = !collinear(t.a, t.b, t.c);
  }
  if (behind) return touches ? Containment::boundary : Containment::inside;
  // In all planes at once: the body is flat, and all of it is its surface
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (intersects_exact(mesh.corners(i), p)) return Containment::boundary;
  return Containment::outside;
}

int winding_number(const Mesh& mesh, const Vec3d& p) noexcept {
  if (!is_finite(p)) return 0;
  const RayCrossings count = count_crossings(mesh, p);
  return static_cast<int>(count.up - count.down);
}

double generalized_winding_number(const Mesh& mesh, const Vec3d& p) noexcept {
  if (!is_finite(p)) return 0;
  AngleSum sum;
  for (const MeshTriangle& t : mesh.triangles) {
    const HalfAngle h = half_solid_angle(mesh.vertices[t[0]] - p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
    sum.add(h.x, h.y);
  }
  return sum.turns();
}

double generalized_winding_number_plain(const Mesh& mesh, const Vec3d& p) noexcept {
  if (!is_finite(p)) return 0;
  double sum = 0;
  for (const MeshTriangle& t : mesh.triangles) {
    const HalfAngle h = half_solid_angle(mesh.vertices[t[0]] - p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
    sum += arc_tangent(h.y, h.x);
  }
  return sum / (2 * kPi);
}

}  // namespace sudar

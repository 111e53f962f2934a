// What:    A convex hull as a bounding volume, see the header.
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>

namespace sudar::inline SUDAR_ABI {
namespace {

double size_of(const Hull3& hull) {
  double size = 0;
  for (const Vec3d& v : hull.vertices) size = std::fmax(size, max_abs(v));
  return size;
}

struct Shadow {
  double lo, hi;
};
Shadow shadow(const Hull3& hull, const Vec3d& origin, const Vec3d& axis) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Vec3d& v : hull.vertices) {
    const double along = dot(v - origin, axis);
    lo = std::fmin(lo, along);
    hi = std::fmax(hi, along);
  }
  return {lo, hi};
}

}  // namespace

double volume(const Hull3& hull) noexcept {
  if (hull.dimension < 3) return 0;
  const Vec3d origin = hull.vertices[0];
  double six = 0;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    const Vec3d a = hull.vertices[hull.face_vertex(f, 0)] - origin;
    for (std::uint32_t i = 2; i < hull.face_degree(f); ++i)
      six += dot(
          a, cross(hull.vertices[hull.face_vertex(f, i - 1)] - origin, hull.vertices[hull.face_vertex(f, i)] - origin));
  }
  return six / 6;
}

bool overlap(const Hull3& a, const Hull3& b) noexcept {
  const double slack = kHullPlaneSlack * std::fmax(size_of(a), size_of(b));
  const Vec3d origin = a.vertices[0];
  const auto separates = [&](const Vec3d& axis) {
    const Shadow sa = shadow(a, origin, axis), sb = shadow(b, origin, axis);
    return !(sa.lo <= sb.hi + slack && sb.lo <= sa.hi + slack);
  };
  // Flat hulls lack the normals of their rims: these are tried for the edges of every hull below dimension 3
  for (const Hull3* hull : {&a, &b}) {
    for (const Plane<3, double>& plane : hull->planes)
      if (separates(plane.normal)) return false;
    if (hull->dimension == 2)
      for (std::uint32_t e = 0; e < hull->edges.size(); ++e)
        if (separates(normalized(cross(hull->vertices[hull->destination(e)] - hull->vertices[hull->edges[e].origin],
                                       hull->planes[0].normal))))
          return false;
  }
  // Edge directions; a segment has one though it has no half-edges
  const auto each_edge = [](const Hull3& hull, auto&& visit) {
    if (hull.dimension == 1) return visit(hull.vertices[1] - hull.vertices[0]);
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e)
      if (e < hull.edges[e].twin && visit(hull.vertices[hull.destination(e)] - hull.vertices[hull.edges[e].origin]))
        return true;
    return false;
  };
  const bool apart = each_edge(a, [&](const Vec3d& u) {
    return each_edge(b, [&](const Vec3d& v) { return separates(normalized(cross(normalized(u), normalized(v)))); });
  });
  if (apart) return false;
  // Points and segments: the line between the two, and its part across a segment
  if (a.dimension < 2 || b.dimension < 2) {
    for (const Vec3d& p : a.vertices)
      for (const Vec3d& q : b.vertices)
        if (separates(normalized(q - p))) return false;
    for (const Hull3* hull : {&a, &b}) {
      if (hull->dimension != 1) continue;
      const Vec3d along = normalized(hull->vertices[1] - hull->vertices[0]);
      for (const Vec3d& p : (hull == &a ? b : a).vertices) {
        const Vec3d from = p - hull->vertices[0];
        if (separates(normalized(from - along * dot(from, along)))) return false;
      }
    }
  }
  return true;
}

Result<Hull3> transform(const Pose3d& a_from_b, const Hull3& hull_b) noexcept {
  return guarded([&]() -> Result<Hull3> {
    Hull3 out = hull_b;
    for (Vec3d& v : out.vertices) v = transform(a_from_b, v);
    for (std::uint32_t f = 0; f < out.face_count(); ++f) {
      // The plane passes through the outermost of the face's own vertices, as it did
      Plane<3, double>& plane = out.planes[f];
      plane.normal = normalized(rotate(a_from_b.rotation, plane.normal));
      plane.offset = -std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < out.face_degree(f); ++i)
        plane.offset = std::fmax(plane.offset, dot(plane.normal, out.vertices[out.face_vertex(f, i)]));
    }
    return out;
  });
}

}  // namespace sudar::inline SUDAR_ABI

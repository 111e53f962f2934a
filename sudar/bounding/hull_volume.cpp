// What:    A convex hull as a bounding volume, see the header.
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {
namespace {

// A power of two that brings coordinates of this size into the unit cube, where differences and products stay in range
int exponent_of(double size) {
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::max(exponent, -1000);
}

double size_of(const Hull3& hull) {
  double size = 0;
  for (const Vec3d& v : hull.vertices) size = std::fmax(size, max_abs(v));
  return size;
}

struct Shadow {
  double lo, hi;
};
Shadow shadow(const Hull3& hull, double scale, const Vec3d& origin, const Vec3d& axis) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Vec3d& v : hull.vertices) {
    const double along = dot(v * scale - origin, axis);
    lo = std::fmin(lo, along);
    hi = std::fmax(hi, along);
  }
  return {lo, hi};
}

}  // namespace

double volume(const Hull3& hull) noexcept {
  if (hull.dimension < 3) return 0;
  const int exponent = exponent_of(size_of(hull));
  const double scale = std::ldexp(1.0, -exponent);
  const Vec3d origin = hull.vertices[0] * scale;
  const auto corner = [&](std::uint32_t f, std::uint32_t i) {
    return hull.vertices[hull.face_vertex(f, i)] * scale - origin;
  };
  double six = 0;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f)
    for (std::uint32_t i = 2; i < hull.face_degree(f); ++i)
      six += dot(corner(f, 0), cross(corner(f, i - 1), corner(f, i)));
  // Rounding can make nearly flat ones negative
  return std::ldexp(std::fmax(six, 0) / 6, 3 * exponent);
}

bool overlap(const Hull3& a, const Hull3& b) noexcept {
  const double size = std::fmax(size_of(a), size_of(b)), scale = std::ldexp(1.0, -exponent_of(size));
  const double slack = kHullPlaneSlack * (size * scale);
  const auto at = [scale](const Hull3& hull, std::uint32_t vertex) { return hull.vertices[vertex] * scale; };
  const auto edge = [&](const Hull3& hull, std::uint32_t e) {
    return at(hull, hull.destination(e)) - at(hull, hull.edges[e].origin);
  };
  const Vec3d origin = at(a, 0);
  const auto separates = [&](const Vec3d& axis) {
    const Shadow sa = shadow(a, scale, origin, axis), sb = shadow(b, scale, origin, axis);
    return !(sa.lo <= sb.hi + slack && sb.lo <= sa.hi + slack);
  };
  // Flat hulls lack the normals of their rims: these are tried for the edges of every hull below dimension 3
  for (const Hull3* hull : {&a, &b}) {
    for (const Plane<3, double>& plane : hull->planes)
      if (separates(plane.normal)) return false;
    if (hull->dimension == 2)
      for (std::uint32_t e = 0; e < hull->edges.size(); ++e)
        if (separates(normalized(cross(edge(*hull, e), hull->planes[0].normal)))) return false;
  }
  // Edge directions; a segment has one though it has no half-edges
  const auto each_edge = [&](const Hull3& hull, auto&& visit) {
    if (hull.dimension == 1) return visit(at(hull, 1) - at(hull, 0));
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e)
      if (e < hull.edges[e].twin && visit(edge(hull, e))) return true;
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
        if (separates(normalized(q * scale - p * scale))) return false;
    for (const Hull3* hull : {&a, &b}) {
      if (hull->dimension != 1) continue;
      const Vec3d along = normalized(at(*hull, 1) - at(*hull, 0));
      for (const Vec3d& p : (hull == &a ? b : a).vertices) {
        const Vec3d from = p * scale - at(*hull, 0);
        if (separates(normalized(from - along * dot(from, along)))) return false;
      }
    }
  }
  return true;
}

Result<Hull3> transform(const Pose3d& a_from_b, const Hull3& hull_b) noexcept {
  return guarded([&]() -> Result<Hull3> {
    const auto pose = checked_pose<3>(a_from_b, Error::kNoElement, std::numeric_limits<double>::max());
    if (!pose) return pose.error();
    Hull3 out = hull_b;
    for (std::size_t i = 0; i < out.vertices.size(); ++i) {
      out.vertices[i] = transform(*pose, out.vertices[i]);
      if (!is_finite(out.vertices[i])) return Error{ErrorCode::non_finite, i, "vertex is NaN or infinite"};
    }
    for (std::uint32_t f = 0; f < out.face_count(); ++f) {
      // The plane passes through the outermost of the face's own vertices, as it did
      Plane<3, double>& plane = out.planes[f];
      plane.normal = normalized(rotate(pose->rotation, plane.normal));
      plane.offset = -std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < out.face_degree(f); ++i)
        plane.offset = std::fmax(plane.offset, dot(plane.normal, out.vertices[out.face_vertex(f, i)]));
    }
    return out;
  });
}

}  // namespace sudar

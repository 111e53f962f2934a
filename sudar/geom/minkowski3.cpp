#include <sudar/geom/minkowski3.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/geom/segment_triangle.hpp>
#include <sudar/math/predicates.hpp>

namespace sudar {

namespace {

Result<MinkowskiBody> combine(std::span<const Vec3d> a, std::span<const Vec3d> b, bool negate_b) {
  return guarded([&]() -> Result<MinkowskiBody> {
    const Result<Hull3> first = quickhull3(a);
    if (!first) return first.error();
    const Result<Hull3> second = quickhull3(b);
    if (!second) {
      Error error = second.error();
      if (error.element != Error::kNoElement) error.element += a.size();
      return error;
    }
    const std::size_t n = first->vertices.size(), m = second->vertices.size();
    if (n > kMaxHullPoints / m) return Error{ErrorCode::too_large, Error::kNoElement, "too many pairs of corners"};
    std::vector<Vec3d> sums;
    sums.reserve(n * m);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        const Vec3d &p = first->vertices[i], &q = second->vertices[j];
        sums.push_back(negate_b ? p - q : p + q);
        if (!is_finite(sums.back()))
          return Error{ErrorCode::too_large, first->source[i], "a corner of the result overflows double"};
      }
    Result<Hull3> hull = quickhull3(sums);
    if (!hull) return hull.error();
    MinkowskiBody body;
    body.source.reserve(hull->source.size());
    for (std::uint32_t s : hull->source) body.source.emplace_back(first->source[s / m], second->source[s % m]);
    body.hull = std::move(*hull);
    return body;
  });
}

}  // namespace

Result<MinkowskiBody> minkowski_sum(std::span<const Vec3d> a, std::span<const Vec3d> b) noexcept {
  return combine(a, b, false);
}

Result<MinkowskiBody> minkowski_difference(std::span<const Vec3d> a, std::span<const Vec3d> b) noexcept {
  return combine(a, b, true);
}

bool contains(const Hull3& hull, const Vec3d& p) noexcept {
  if (hull.vertices.empty() || !is_finite(p)) return false;
  const std::vector<Vec3d>& v = hull.vertices;
  if (hull.dimension == 0) return v[0] == p;
  if (hull.dimension == 1) return intersects_exact(Segment<3, double>{v[0], v[1]}, p);
  // A flat hull is two faces back to back: a fan of triangles over one of them
  if (hull.dimension == 2) {
    for (std::uint32_t i = 2; i < hull.face_degree(0); ++i)
      if (intersects_exact(
              Triangle<3, double>{v[hull.face_vertex(0, 0)], v[hull.face_vertex(0, i - 1)], v[hull.face_vertex(0, i)]},
              p))
        return true;
    return false;
  }
  // Consecutive corners of a face are never collinear
  for (std::uint32_t f = 0; f < hull.face_count(); ++f)
    if (orient3d(v[hull.face_vertex(f, 0)], v[hull.face_vertex(f, 1)], v[hull.face_vertex(f, 2)], p) > 0) return false;
  return true;
}

}  // namespace sudar

// What:    Convex polyhedra ready for queries, see the header.
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <algorithm>

namespace sudar {

Result<std::shared_ptr<const ConvexBody3>> ConvexBody3::make(std::span<const Vec3d> points) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const ConvexBody3>> {
    HullOptions options;
    options.merge_coplanar = true;
    Result<Hull3> hull = quickhull3(points, options);
    if (!hull) return hull.error();
    for (std::uint32_t v = 0; v < hull->vertex_count(); ++v)
      if (!(max_abs(hull->vertices[v]) <= kMaxShapeSize))
        return Error{ErrorCode::too_large, hull->source[v], "coordinate beyond kMaxShapeSize"};

    std::shared_ptr<ConvexBody3> body(new ConvexBody3);
    body->hull_ = *std::move(hull);
    const Hull3& h = body->hull_;
    body->columns_.assign(h.vertices);

    // Neighbours by counting. A segment has no half-edges: its ends are neighbours.
    const std::uint32_t count = h.vertex_count();
    body->first_neighbour_.assign(count + 1, 0);
    if (h.dimension == 1) {
      body->first_neighbour_ = {0, 1, 2};
      body->neighbours_ = {1, 0};
    } else {
      for (const HalfEdge& e : h.edges) ++body->first_neighbour_[e.origin + 1];
      for (std::uint32_t v = 0; v < count; ++v) body->first_neighbour_[v + 1] += body->first_neighbour_[v];
      body->neighbours_.resize(h.edges.size());
      std::vector<std::uint32_t> end(body->first_neighbour_.begin(), body->first_neighbour_.end() - 1);
      for (std::uint32_t e = 0; e < h.edges.size(); ++e) body->neighbours_[end[h.edges[e].origin]++] = h.destination(e);
      for (std::uint32_t v = 0; v < count; ++v)
        std::sort(body->neighbours_.begin() + body->first_neighbour_[v],
                  body->neighbours_.begin() + body->first_neighbour_[v + 1]);
    }

    // The mean, kept within the box of the vertices whatever the sum rounds to
    Vec3d sum{}, lo = h.vertices.front(), hi = lo;
    for (const Vec3d& v : h.vertices) {
      body->size_ = std::max(body->size_, max_abs(v));
      sum += v / count;
      lo = min(lo, v), hi = max(hi, v);
    }
    body->center_ = max(lo, min(hi, sum));
    return std::shared_ptr<const ConvexBody3>(std::move(body));
  });
}

std::uint32_t ConvexBody3::support_climb(const Vec3d& d, std::uint32_t start, std::uint32_t* steps) const {
  SUDAR_ASSERT(start < vertex_count());
  std::uint32_t at = start, passed = 0;
  // Differences of vertices, not of products: an edge far shorter than the body still has a slope. Rounding could send
  // the walk in a circle, so it ends after as many steps as there are vertices.
  for (; passed < vertex_count(); ++passed) {
    std::uint32_t best = at;
    double most = 0;
    for (const std::uint32_t v : neighbours(at)) {
      const double rise = dot(hull_.vertices[v] - hull_.vertices[at], d);
      if (rise > most) best = v, most = rise;
    }
    if (best == at) break;
    at = best;
  }
  if (steps != nullptr) *steps = passed;
  return at;
}

}  // namespace sudar

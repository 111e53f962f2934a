// What:    Convex polygons ready for queries, see the header.
#include <sudar/geom/hull2.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/convex_body2.hpp>

#include <algorithm>

namespace sudar {

Result<std::shared_ptr<const ConvexBody2>> ConvexBody2::make(std::span<const Vec2d> points) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const ConvexBody2>> {
    Result<std::vector<std::uint32_t>> loop = convex_hull2(points);
    if (!loop) return loop.error();
    for (const std::uint32_t i : *loop)
      if (!(max_abs(points[i]) <= kMaxShapeSize))
        return Error{ErrorCode::too_large, i, "coordinate beyond kMaxShapeSize"};

    std::shared_ptr<ConvexBody2> body(new ConvexBody2);
    body->source_ = *std::move(loop);
    for (const std::uint32_t i : body->source_) body->vertices_.push_back(points[i]);
    const std::vector<Vec2d>& v = body->vertices_;
    body->columns_.assign(v);
    const std::uint32_t count = body->vertex_count();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (count > 1) body->normals_.push_back(-perp(normalized(v[i + 1 < count ? i + 1 : 0] - v[i])));
      if (lexicographically_less(v[body->last_], v[i])) body->last_ = i;
    }

    // The mean, kept within the box of the vertices whatever the sum rounds to
    Vec2d sum{}, lo = v.front(), hi = lo;
    for (const Vec2d& p : v) {
      body->size_ = std::max(body->size_, max_abs(p));
      sum += p / count;
      lo = min(lo, p), hi = max(hi, p);
    }
    body->center_ = max(lo, min(hi, sum));
    return std::shared_ptr<const ConvexBody2>(std::move(body));
  });
}

std::uint32_t ConvexBody2::support_bisect(const Vec2d& d) const {
  // The lower chain runs from vertex 0 to last_, the upper one back from there to vertex 0. Edges turn one way, so along
  // the chain that faces d the product with d rises and then falls.
  const std::uint32_t count = vertex_count();
  const bool lower = d.y < 0 || (d.y == 0 && d.x < 0);
  std::uint32_t first = lower ? 0 : last_, end = lower ? last_ : count;
  // Invariant: the farthest vertex of the chain is one of first … end
  while (first < end) {
    const std::uint32_t i = first + (end - first) / 2;
    const Vec2d edge = vertices_[i + 1 < count ? i + 1 : 0] - vertices_[i];
    if (dot(edge, d) > 0)
      first = i + 1;
    else
      end = i;
  }
  return first < count ? first : 0;
}

std::uint32_t ConvexBody2::support_climb(const Vec2d& d, std::uint32_t start) const {
  const std::uint32_t count = vertex_count();
  SUDAR_ASSERT(start < count);
  const auto after = [count](std::uint32_t i) { return i + 1 < count ? i + 1 : 0; };
  const auto before = [count](std::uint32_t i) { return i > 0 ? i - 1 : count - 1; };
  // Differences of vertices, not of products: an edge far shorter than the polygon still has a slope
  std::uint32_t at = start;
  const bool forward = dot(vertices_[after(at)] - vertices_[at], d) > 0;
  for (std::uint32_t steps = 0; steps < count; ++steps) {
    const std::uint32_t next = forward ? after(at) : before(at);
    if (!(dot(vertices_[next] - vertices_[at], d) > 0)) break;
    at = next;
  }
  return at;
}

}  // namespace sudar

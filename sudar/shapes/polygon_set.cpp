// What:    Chains and simple polygons, see the header.
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <algorithm>

namespace sudar {

Result<std::shared_ptr<PolygonSet>> PolygonSet::start(std::span<const Vec2d> vertices, bool closed) {
  if (vertices.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no vertices"};
  if (vertices.size() > kMaxParts) return Error{ErrorCode::too_large, vertices.size(), "too many vertices"};
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (const auto r = check_position(vertices[i], i); !r) return r.error();
  if (vertices.size() < (closed ? 3 : 2)) return Error{ErrorCode::degenerate, vertices.size() - 1, "too few vertices"};
  std::shared_ptr<PolygonSet> set(new PolygonSet);
  set->vertices_.assign(vertices.begin(), vertices.end());
  set->closed_ = closed;
  for (std::uint32_t i = 0; i < set->edge_count(); ++i)
    if (set->edge(i).a == set->edge(i).b) return Error{ErrorCode::degenerate, i, "edge of zero length"};
  for (const Vec2d& p : vertices) set->size_ = std::max(set->size_, max_abs(p));
  return set;
}

Result<std::shared_ptr<const PolygonSet>> PolygonSet::make_chain(std::span<const Vec2d> vertices,
                                                                 bool closed) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const PolygonSet>> {
    Result<std::shared_ptr<PolygonSet>> started = start(vertices, closed);
    if (!started) return started.error();
    PolygonSet& set = **started;
    std::vector<Aabb2d> boxes;
    for (std::uint32_t i = 0; i < set.edge_count(); ++i)
      boxes.push_back({min(set.edge(i).a, set.edge(i).b), max(set.edge(i).a, set.edge(i).b)});
    set.edge_tree_.assign(boxes);
    return std::shared_ptr<const PolygonSet>(*std::move(started));
  });
}

Result<std::shared_ptr<const PolygonSet>> PolygonSet::make_polygon(std::span<const Vec2d> vertices) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const PolygonSet>> {
    Result<std::shared_ptr<PolygonSet>> started = start(vertices, true);
    if (!started) return started.error();
    PolygonSet& set = **started;
    if (orientation(set.vertices_) < 0) std::reverse(set.vertices_.begin() + 1, set.vertices_.end());
    const Result<std::vector<IndexLoop>> loops = convex_parts(set.vertices_);
    if (!loops) return loops.error();
    std::vector<Aabb2d> boxes;
    set.part_feature_base_.push_back(0);
    for (const IndexLoop& loop : *loops) {
      std::vector<Vec2d> points;
      Aabb2d box = Aabb2d::empty();
      for (const std::uint32_t i : loop) points.push_back(set.vertices_[i]), box = merge(box, points.back());
      auto body = ConvexBody2::make(points);
      if (!body) return body.error();
      set.parts_.push_back(*std::move(body));
      set.part_feature_base_.push_back(set.part_feature_base_.back() +
                                       static_cast<std::uint32_t>(set.parts_.back()->vertices().size()));
      boxes.push_back(box);
    }
    set.part_tree_.assign(boxes);
    boxes.clear();
    for (std::uint32_t i = 0; i < set.edge_count(); ++i)
      boxes.push_back({min(set.edge(i).a, set.edge(i).b), max(set.edge(i).a, set.edge(i).b)});
    set.edge_tree_.assign(boxes);
    return std::shared_ptr<const PolygonSet>(*std::move(started));
  });
}

Containment PolygonSet::locate(const Vec2d& p) const {
  if (solid()) return sudar::locate(vertices_, p);
  return Containment::outside;
}

Result<Shape2> make_chain2(std::span<const Vec2d> vertices, bool closed) noexcept {
  auto set = PolygonSet::make_chain(vertices, closed);
  if (!set) return set.error();
  return Shape2(ChainShape2{*std::move(set)});
}

Result<Shape2> make_concave_polygon2(std::span<const Vec2d> vertices) noexcept {
  auto set = PolygonSet::make_polygon(vertices);
  if (!set) return set.error();
  return Shape2(ConcavePolygonShape2{*std::move(set)});
}

}  // namespace sudar

// What:    A chain of segments, or a simple polygon with the convex parts of its inside, each with a tree.
// Source:  seeds A16 and B1; the parts: shapes/polygon_parts.hpp.
// Frame:   The points'. A polygon is counterclockwise: one that is given clockwise is turned round, starting from the
//          same vertex. Edge i runs from vertex i to the next; of a closed set, the last one back to vertex 0.
//          Immutable and shared, like all large data of shapes.
// Fails:   make_…: empty_input; with the vertex or edge: non_finite, too_large (beyond kMaxShapeSize), degenerate (an
//          edge of zero length, too few vertices), and for a polygon invalid_argument (an edge meets another one).
//          A chain may cross itself: it has no inside.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/containment.hpp>
#include <sudar/geom/segment.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/part_tree.hpp>
#include <sudar/shapes/shape2.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API PolygonSet {
 public:
  static Result<std::shared_ptr<const PolygonSet>> make_chain(std::span<const Vec2d> vertices, bool closed) noexcept;
  static Result<std::shared_ptr<const PolygonSet>> make_polygon(std::span<const Vec2d> vertices) noexcept;

  std::span<const Vec2d> vertices() const { return vertices_; }
  bool closed() const { return closed_; }
  // A polygon with an inside
  bool solid() const { return !parts_.empty(); }
  std::uint32_t edge_count() const { return static_cast<std::uint32_t>(vertices_.size()) - (closed_ ? 0 : 1); }
  Segment<2, double> edge(std::uint32_t i) const {
    return {vertices_[i], vertices_[i + 1 < vertices_.size() ? i + 1 : 0]};
  }
  // Convex, without overlap, together the whole inside; none for a chain
  std::span<const std::shared_ptr<const ConvexBody2>> parts() const { return parts_; }
  // Where the numbers of each part's vertices and edges begin, when they are counted through; and where they end
  std::span<const std::uint32_t> part_feature_base() const { return part_feature_base_; }
  // Exact. A chain has no inside.
  Containment locate(const Vec2d& p) const;

  const PartTree<2>& edge_tree() const { return edge_tree_; }
  const PartTree<2>& part_tree() const { return part_tree_; }
  double size() const { return size_; }  // the largest coordinate, without sign

  PolygonSet(const PolygonSet&) = delete;
  PolygonSet& operator=(const PolygonSet&) = delete;

 private:
  PolygonSet() = default;
  static Result<std::shared_ptr<PolygonSet>> start(std::span<const Vec2d> vertices, bool closed);

  std::vector<Vec2d> vertices_;
  std::vector<std::shared_ptr<const ConvexBody2>> parts_;
  std::vector<std::uint32_t> part_feature_base_;
  PartTree<2> edge_tree_, part_tree_;
  double size_ = 0;
  bool closed_ = false;
};

SUDAR_API Result<Shape2> make_chain2(std::span<const Vec2d> vertices, bool closed = false) noexcept;
// Any simple polygon, a convex one as well: the inside is what counts
SUDAR_API Result<Shape2> make_concave_polygon2(std::span<const Vec2d> vertices) noexcept;

}  // namespace sudar

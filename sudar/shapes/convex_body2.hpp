// What:    A convex polygon ready for queries: its vertices in order and as padded columns; three ways to its farthest
//          vertex.
// Source:  seed A4 (extremes by bisection over the order of the edges), against the scan of all vertices.
// Differs: The polygon is the exact hull (geom/hull2.hpp): strictly convex, without an epsilon. The scan is the one that
//          ships: bisection pays from some 500 vertices on, or when directions drift, and then at any size (bench table
//          a4_extremes).
// Frame:   The points'. Immutable, so any number of shapes and threads share one.
// Fails:   make: what convex_hull2 says, and too_large for a coordinate beyond kMaxShapeSize, with the element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/shapes/vertex_columns.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API ConvexBody2 {
 public:
  static Result<std::shared_ptr<const ConvexBody2>> make(std::span<const Vec2d> points) noexcept;

  ConvexBody2(const ConvexBody2&) = delete;
  ConvexBody2& operator=(const ConvexBody2&) = delete;

  // Counterclockwise from the lexicographically smallest. Two for a segment, one for a point.
  std::span<const Vec2d> vertices() const { return vertices_; }
  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(vertices_.size()); }
  // Input index of each vertex
  std::span<const std::uint32_t> source() const { return source_; }
  // Outward unit normal of the edge from vertex i to the next; none for a point, two opposite ones for a segment
  std::span<const Vec2d> normals() const { return normals_; }
  // 2: a polygon, 1: a segment, 0: a point
  int dimension() const { return vertices_.size() > 2 ? 2 : static_cast<int>(vertices_.size()) - 1; }

  // Columns of padded_count() numbers, aligned to 64 bytes; the last vertex repeats up to a multiple of sixteen
  const double* xs() const { return columns_.column(0); }
  const double* ys() const { return columns_.column(1); }
  const float* xs_f() const { return columns_.column_f(0); }
  const float* ys_f() const { return columns_.column_f(1); }
  std::uint32_t padded_count() const { return columns_.padded(); }

  // A farthest vertex in the direction d of any length: the lowest index among the largest rounded products
  std::uint32_t support(const Vec2d& d) const { return farthest_vertex(xs(), ys(), padded_count(), d); }
  std::uint32_t support_plain(const Vec2d& d) const { return farthest_vertex_plain(xs(), ys(), padded_count(), d); }
  // In O(log n). Farthest up to the rounding of products.
  std::uint32_t support_bisect(const Vec2d& d) const;
  // From `start` along the edges until neither neighbour is better. Farthest up to the rounding of products.
  std::uint32_t support_climb(const Vec2d& d, std::uint32_t start = 0) const;

  double size() const { return size_; }     // the largest coordinate, without sign
  Vec2d center() const { return center_; }  // the mean of the vertices: inside, or on a flat body

 private:
  ConvexBody2() = default;

  std::vector<Vec2d> vertices_, normals_;
  std::vector<std::uint32_t> source_;
  VertexColumns<2> columns_;
  std::uint32_t last_ = 0;  // the lexicographically largest vertex, where the lower chain ends
  double size_ = 0;
  Vec2d center_{};
};

}  // namespace sudar

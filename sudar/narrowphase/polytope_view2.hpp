// What:    A point, segment, box or convex polygon, and what is one of these grown by a radius (circle, capsule, rounded
//          polygon), as one polygon: vertices counterclockwise, outward normals, farthest vertex. Nothing is allocated.
// Frame:   The shape's. Edge i runs from vertex i to the next. Box: from the low corner, counterclockwise. A segment has
//          two edges, there and back; a point has none.
// Fails:   never; shapes of other kinds: see is_polytope.
#pragma once

#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/shape2.hpp>

#include <array>
#include <span>

namespace sudar {

// Point, segment, circle, capsule, box and polygon
SUDAR_API bool is_polytope(const Shape2& shape);

class SUDAR_API PolytopeView2 {
 public:
  // The shape must outlive the view
  explicit PolytopeView2(const Shape2& shape);
  PolytopeView2(const PolytopeView2&) = delete;
  PolytopeView2& operator=(const PolytopeView2&) = delete;

  std::span<const Vec2d> vertices() const { return vertices_; }
  std::span<const Vec2d> normals() const { return normals_; }
  std::uint32_t edge_count() const { return static_cast<std::uint32_t>(normals_.size()); }
  std::uint32_t next(std::uint32_t i) const { return i + 1 < vertices_.size() ? i + 1 : 0; }
  std::uint32_t previous(std::uint32_t i) const {
    return (i > 0 ? i : static_cast<std::uint32_t>(vertices_.size())) - 1;
  }

  // A farthest vertex; any among equals. The plain one looks at all.
  std::uint32_t support(const Vec2d& d) const;
  std::uint32_t support_plain(const Vec2d& d) const;

  int dimension() const { return vertices_.size() > 2 ? 2 : static_cast<int>(vertices_.size()) - 1; }
  double radius() const { return radius_; }  // the shape is everything within this distance
  double size() const { return size_; }      // the largest coordinate, without sign

 private:
  std::span<const Vec2d> vertices_, normals_;
  const ConvexBody2* body_ = nullptr;
  double radius_ = 0, size_ = 0;
  std::array<Vec2d, 4> own_vertices_{}, own_normals_{};
};

}  // namespace sudar

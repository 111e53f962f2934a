// What:    Polygons as loops of vertices: area, orientation, convexity, simplicity; and the two checked kinds, convex
//          and simple, that later code may rely on.
// Source:  Convexity: turns of one sign and one sweep round, after Schorn and Fisher, "Testing the convexity of a
//          polygon", Graphics Gems IV, 1994. Simplicity: all pairs of edges whose boxes overlap, found by a sweep over
//          x.
// Differs: Every decision is an exact predicate; no epsilon.
// Frame:   The input's; counterclockwise is positive. The last vertex is joined to the first.
// Fails:   checked makers return the vertex or edge at fault (edge i runs from vertex i to the next one).
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sudar {

// Positive when counterclockwise. Rounded once at the end, as long as no product of coordinates overflows.
SUDAR_API double signed_area(std::span<const Vec2d> polygon) noexcept;

// Exact for a simple polygon: +1 counterclockwise, -1 clockwise; 0 when there is no area at the lexicographically
// smallest vertex (then the polygon is not simple)
SUDAR_API int orientation(std::span<const Vec2d> polygon) noexcept;

// Exact: counterclockwise, all turns to the left and once around. Straight angles are allowed unless `strict`; vertices
// that repeat their neighbour are not.
SUDAR_API bool is_convex(std::span<const Vec2d> polygon, bool strict = false) noexcept;

// Two edges that meet elsewhere than at the vertex they share, the lower index first; nullopt for a simple polygon.
// Exact. O(n log n + number of pairs whose x-intervals overlap): n²/2 at worst.
// Errors: empty_input, degenerate (fewer than three vertices), non_finite with the vertex
SUDAR_API Result<std::optional<std::pair<std::uint32_t, std::uint32_t>>> find_crossing(
    std::span<const Vec2d> polygon) noexcept;
// The plain version: all pairs
SUDAR_API Result<std::optional<std::pair<std::uint32_t, std::uint32_t>>> find_crossing_plain(
    std::span<const Vec2d> polygon) noexcept;

// Strictly convex and counterclockwise, at least three vertices
class ConvexPolygon {
 public:
  std::span<const Vec2d> vertices() const { return vertices_; }
  std::size_t size() const { return vertices_.size(); }
  const Vec2d& operator[](std::size_t i) const { return vertices_[i]; }

 private:
  friend SUDAR_API Result<ConvexPolygon> make_convex_polygon(std::span<const Vec2d> polygon) noexcept;
  std::vector<Vec2d> vertices_;
};

// Vertices in the middle of a straight side are left out, everything else is kept as it is.
// Errors: empty_input; non_finite, not_convex with the vertex; not_oriented when it runs clockwise; degenerate when it
// has no area
SUDAR_API Result<ConvexPolygon> make_convex_polygon(std::span<const Vec2d> polygon) noexcept;

// Simple (edges meet at shared vertices only) and counterclockwise, at least three vertices
class SimplePolygon {
 public:
  std::span<const Vec2d> vertices() const { return vertices_; }
  std::size_t size() const { return vertices_.size(); }
  const Vec2d& operator[](std::size_t i) const { return vertices_[i]; }

 private:
  friend SUDAR_API Result<SimplePolygon> make_simple_polygon(std::span<const Vec2d> polygon) noexcept;
  std::vector<Vec2d> vertices_;
};

// Errors: empty_input; non_finite with the vertex; invalid_argument with the first edge that meets another one;
// not_oriented when it runs clockwise; degenerate with fewer than three vertices
SUDAR_API Result<SimplePolygon> make_simple_polygon(std::span<const Vec2d> polygon) noexcept;

}  // namespace sudar

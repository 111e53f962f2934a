// What:    A simple polygon as convex parts, without new vertices: triangles by clipping ears, then joined across
//          diagonals that no part needs; and fewer, larger parts by joining hulls.
// Source:  Meisters, "Polygons have ears", 1975; Hertel and Mehlhorn, "Fast triangulation of simple polygons", 1983 (at
//          most four times the least number of parts); seed A16 (one, two and four parts compared).
// Differs: Every decision is an exact orient2d: the parts cover the polygon exactly and overlap nowhere, for any finite
//          coordinates (PolygonParts.CoverThePolygonExactly, in rational numbers).
// Frame:   The polygon's. Parts are counterclockwise loops of vertex indices; angles may be straight.
// Fails:   what make_simple_polygon says, out_of_memory. O(n · reflex vertices).
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

using IndexLoop = std::vector<std::uint32_t>;

// n - 2 triangles with positive area
SUDAR_API Result<std::vector<IndexLoop>> triangulate(std::span<const Vec2d> simple_polygon) noexcept;
SUDAR_API Result<std::vector<IndexLoop>> convex_parts(std::span<const Vec2d> simple_polygon) noexcept;

// Parts that together cover the polygon and what lies in its dents, each the hull of some convex parts
struct CoarseParts {
  std::vector<std::vector<Vec2d>> parts;  // counterclockwise, strictly convex
  // Area of the parts over the area of the polygon, less 1: zero when the parts are exact, more for coarser levels
  // (parts may overlap, and overlaps count twice)
  double excess = 0;
};

// At most `count` parts (at least one): the exact ones when they are that few; else the two that grow the least are
// joined until they are. `count` = 1 is the convex hull. O(parts³) at worst.
SUDAR_API Result<CoarseParts> coarse_parts(std::span<const Vec2d> simple_polygon, std::size_t count) noexcept;

}  // namespace sudar

// What:    Minkowski sum and difference of convex polygons as explicit polygons, by merging their edges by direction.
// Source:  Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983; seed B9. The difference a - b is the
//          set of places of b's reference point where b and a touch or overlap: the obstacle in configuration space.
// Differs: Directions are compared by the exact sign of the cross product of two differences of vertices, so parallel
//          edges are recognised and merged exactly. Each vertex remembers the two vertices it came from, and the origin
//          test goes back to these: it is exact although the vertices of the result are rounded.
// Frame:   Both inputs in one frame; the difference lives in the space of translations.
// Fails:   empty_input; non_finite with the vertex; not_convex with the vertex for an input of three or more vertices
//          that is not strictly convex and counterclockwise, or two that are equal; too_large when a sum overflows.
//          Errors about the second polygon count on after the vertices of the first.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sudar {

struct MinkowskiPolygon {
  // Counterclockwise from the lowest (then leftmost) vertex; each is the rounded sum or difference of one vertex of
  // each input. One vertex: a point. Two: a segment.
  std::vector<Vec2d> vertices;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> source;
};

// Inputs are points (one vertex), segments (two) or strictly convex polygons, counterclockwise. O(n + m)
SUDAR_API Result<MinkowskiPolygon> minkowski_sum(std::span<const Vec2d> a, std::span<const Vec2d> b) noexcept;
// All x - y for x in a, y in b
SUDAR_API Result<MinkowskiPolygon> minkowski_difference(std::span<const Vec2d> a, std::span<const Vec2d> b) noexcept;

// The origin is in the difference: the bodies have a point in common. Exact; `difference` must be that of a and b.
SUDAR_API bool contains_origin(const MinkowskiPolygon& difference, std::span<const Vec2d> a,
                               std::span<const Vec2d> b) noexcept;

}  // namespace sudar

// What:    Point in convex and in concave polygon: bisection, half-planes, ray parity, winding number.
// Source:  Preparata and Shamos, "Computational Geometry", 1985 (bisection); Shimrat 1962 (parity); Hormann and
//          Agathos, "The Point in Polygon Problem for Arbitrary Polygons", 2001 (winding); seeds A1, B1.
// Differs: Signs are exact. A vertex at the height of the ray counts as below it, so a ray through a vertex or along an
//          edge is counted right without special cases; inside, outside and boundary are exact for all finite doubles.
// Frame:   That of the polygon. The last vertex is joined to the first.
// Fails:   never; coordinates of the polygon must be finite (polygon.hpp checks). A query with NaN or infinity is
//          outside.
#pragma once

#include <sudar/geom/containment.hpp>
#include <sudar/geom/polygon.hpp>

namespace sudar {

// O(log n)
SUDAR_API Containment locate(const ConvexPolygon& polygon, const Vec2d& p) noexcept;
// The plain version: all sides
SUDAR_API Containment locate_by_sides(const ConvexPolygon& polygon, const Vec2d& p) noexcept;

// Any closed polygon, self-crossing ones too, where a point is inside when a ray crosses the border an odd number of
// times. An empty polygon contains nothing.
SUDAR_API Containment locate(std::span<const Vec2d> polygon, const Vec2d& p) noexcept;

// How often the polygon winds around the point counterclockwise; the point must not be on the boundary (then some
// half-open choice is made). Exact.
SUDAR_API int winding_number(std::span<const Vec2d> polygon, const Vec2d& p) noexcept;

// The same for an open chain of vertices, as a real number: the angle it covers, seen from p, in full turns.
SUDAR_API double generalized_winding_number(std::span<const Vec2d> chain, const Vec2d& p) noexcept;

}  // namespace sudar

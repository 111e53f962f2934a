// What:    Oriented boxes around points. In 2D the smallest rectangle by rotating calipers, and its brute force; in
//          3D a box along the principal axes, and a search for the smallest one.
// Source:  Toussaint, "Solving geometric problems with the rotating calipers", 1983. Freeman and Shapira, 1975: a
//          smallest rectangle has a side on the hull. O'Rourke, "Finding minimal enclosing boxes", 1985: two
//          neighbouring faces of a smallest box each hold an edge of the hull. Gottschalk, "Collision queries using
//          oriented bounding boxes", 2000 (covariance of the hull's surface). Seed A13.
// Differs: O'Rourke solves for the roots of each pair of edges; we sample its one free angle and refine. Large hulls
//          get only their faces of largest area, and less refinement. What is promised: the box is never larger than
//          the axis-aligned one or the one along the principal axes, up to rounding. On hulls of up to some 100 edges
//          a downhill walk from many random turns finds nothing smaller (ObbFit.NoRandomSearchFindsASmallerBox).
// Frame:   Every point is in the slab set of the box exactly (ObbFit.ContainsEveryPointExactly).
// Fails:   empty_input; non_finite with the index of the point; too_large when a size is past the largest number.
//          Flat, collinear and single points give boxes of (nearly) no thickness.
#pragma once

#include <sudar/bounding/obb.hpp>
#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>

#include <span>

namespace sudar {

// Smallest area. Events: "edge" (ids: start and end of the edge, then the farthest points ahead, opposite and behind;
// value: area of the rectangle on it), "smallest" (ids: start and end of the edge; value: area).
template <class Trace = NoTrace>
SUDAR_API Result<Obb2d> smallest_rectangle(std::span<const Vec2d> points, Trace trace = {}) noexcept;
// The reference: all points against every edge of the hull
SUDAR_API Result<Obb2d> brute_force_rectangle(std::span<const Vec2d> points) noexcept;

// Axes: principal axes of the hull's surface
SUDAR_API Result<Obb3d> principal_box(std::span<const Vec3d> points) noexcept;
// Small volume, see above. Some milliseconds for hulls of up to 100 vertices, tenths of a second for very large ones.
SUDAR_API Result<Obb3d> smallest_box(std::span<const Vec3d> points) noexcept;

}  // namespace sudar

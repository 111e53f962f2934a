// What:    Convex hull of points in the plane, as indices into the input.
// Source:  Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979 (monotone chain); seed B8.
// Differs: Turns are decided by the exact orient2d, so the answer is the exact hull of the doubles given.
// Frame:   The input's. The loop is counterclockwise and starts at the lexicographically smallest point.
// Fails:   empty_input, non_finite (with the element), too_large (more than 2^32 - 1 points), out_of_memory.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Indices of the hull's vertices: every extreme point once, the lowest index of its duplicates, no point on the inside
// of an edge. One index when all points are equal, two when they are collinear.
// Trace steps: "keep" (ids: the point, value: its place on the chain), "drop" (ids: the point that is popped, the chain
// end before it, the newcomer), "lower chain", "upper chain" (ids: the finished chain).
template <class Trace = NoTrace>
Result<std::vector<std::uint32_t>> convex_hull2(std::span<const Vec2d> points, Trace trace = {});

extern template SUDAR_API Result<std::vector<std::uint32_t>> convex_hull2<NoTrace>(std::span<const Vec2d>, NoTrace);
extern template SUDAR_API Result<std::vector<std::uint32_t>> convex_hull2<TraceTo>(std::span<const Vec2d>, TraceTo);

}  // namespace sudar

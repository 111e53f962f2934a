// What:    GJK of many pairs of hulls in Highway lanes, in float or double: what each lane finds, and whether the rounding of
//          its own numbers already proves it. Without Highway every pair is left open.
// Source:  see hull_batch3.hpp, which asks these and proves the rest in double.
// Frame:   A's, of each pair.
// Fails:   never.
#pragma once

#include <sudar/narrowphase/gjk3.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <cstddef>
#include <cstdint>

namespace sudar {

// A pair as the lanes see it
struct HullLane {
  const ConvexBody3 *a, *b;
  const Placement3* at;
};
// What a lane leaves behind: the vertices of its last simplex and its last direction, from B to A
struct HullFound {
  GjkOutcome outcome;
  bool proven = false;  // by the lanes, with the rounding of their numbers
  GjkCache3 cache;      // of a hit with three vertices the centre is the fourth corner
};
// Pairs that are searched in one go
inline constexpr std::size_t kHullBlock = 128;
// Vertices are numbered by the lanes in their own type; float counts so far
inline constexpr std::uint32_t kMostLaneVertices = 1u << 24;

// Both hulls of a pair have at most kMostLaneVertices, and there are at most kHullBlock pairs
void search_lanes(bool in_float, const HullLane* pairs, std::size_t count, bool decide, HullFound* found);

}  // namespace sudar

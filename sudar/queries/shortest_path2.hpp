// What:    The shortest way of a point among convex obstacles that may overlap: of a robot, in its free space.
// Source:  Lozano-Pérez and Wesley, "An Algorithm for Planning Collision-Free Paths Among Polyhedral Obstacles", 1979
//          (visibility graph); Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//          Paths", 1968 (A*); seed B10.
// Differs: Who sees whom is asked when a corner is reached, so most of the graph is never made. Corners inside of another
//          obstacle are left out; where two obstacles cross no shortest way has a bend. Sight is exact: orient2d, and a seam
//          between two obstacles that share a piece of their border is closed.
// Frame:   That of the free space (free_space2.hpp).
// Fails:   non_finite, too_large (beyond 2^500 metres): start, goal, bounds, or with the obstacle a corner of it;
//          invalid_argument with element 0 or 1 when start or goal is not free; no way is an answer, not an error.
//          O(corners² · obstacles' vertices) at worst.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/queries/free_space2.hpp>

namespace sudar {

struct Path2 {
  bool found = false;
  std::vector<Vec2d> points;  // from start to goal; none when there is no way
  double length = 0;
  std::size_t reached = 0;  // corners that were settled
};

// The straight way touches no inside of an obstacle and runs along no seam. Exact. Both ends must be in the bounds. Nothing is
// seen from, or at, what is not finite.
SUDAR_API bool sees(const FreeSpace2& space, const Vec2d& a, const Vec2d& b) noexcept;

SUDAR_API Result<Path2> shortest_path2(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal) noexcept;
// The same, step by step to a sink: "settle" (ids: the corner, from where; numbers: its place, the place before, the way to
// it; value: the least length of a way through it), "see" (ids: from, to; numbers: both places; value: the way), "hidden"
// (the same, when something is between). Corner 0 is the start, 1 the goal.
SUDAR_API Result<Path2> shortest_path2(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal,
                                       TraceSink& trace) noexcept;

}  // namespace sudar

// What:    The free space of a body that moves without turning in the plane: dilation and erosion by convex elements, and
//          the obstacles that are left for a single point when the body is taken into them.
// Source:  Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983; Serra, "Image Analysis and Mathematical
//          Morphology", 1982 (dilation and erosion); seeds B9, B10.
// Differs: A set that is not convex is a list of convex parts, which may overlap: a union is never computed, the answers
//          that are asked of it do not need it.
// Frame:   The world's, metres; the robot's place is where its own origin is.
// Fails:   empty_input; non_finite and too_large with the vertex; degenerate with the obstacle when it has no area even
//          with the robot taken into it (a wall without thickness and a robot that is a point); errors of minkowski2.
//          Obstacles are closed sets whose border may be touched: two that touch in one point leave a way without width,
//          two that share a piece of their border do not (shortest_path2.hpp).
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/shapes/shape2.hpp>

#include <span>
#include <vector>

namespace sudar {

using ConvexPart2 = std::vector<Vec2d>;  // counterclockwise, strictly convex; fewer than three vertices: flat

// The convex parts of a shape at a pose. Round borders are taken by tangents: 32 sides around a circle, outside of it by
// half a percent of the radius at most. Errors: unsupported for half-planes, chains and custom shapes; of the pose non_finite,
// too_large (a position beyond 2^500 metres), degenerate (a rotation of length zero)
SUDAR_API Result<std::vector<ConvexPart2>> convex_parts2(const Shape2& shape, const Pose2d& pose = {}) noexcept;

// Every part grown by the convex hull of the element's points: all sums
SUDAR_API Result<std::vector<ConvexPart2>> dilate(std::span<const ConvexPart2> parts,
                                                  std::span<const Vec2d> element) noexcept;
// Where the element's origin may be while all of the element is in the convex hull of the polygon's points; nothing when it
// does not fit. Of sets that are not convex, dilate what is outside. Errors: too_large, with
// a vertex beyond 2^1000 metres.
SUDAR_API Result<ConvexPart2> erode(std::span<const Vec2d> polygon, std::span<const Vec2d> element) noexcept;

struct FreeSpace2 {
  std::vector<ConvexPart2> obstacles;  // in the space of the robot's places; their inside is not free
  ConvexPart2 bounds;                  // the robot's origin stays in here, unless it has no vertex
  bool bounded = false;

  // Touching is free. What is not finite is no place, and not free.
  SUDAR_API bool is_free(const Vec2d& place) const noexcept;
};

// Robot and obstacles as lists of convex parts, each the hull of its points. `container`: a convex room that the robot stays
// in; none when empty. Errors: degenerate when the robot does not fit into the container
SUDAR_API Result<FreeSpace2> make_free_space2(std::span<const ConvexPart2> robot,
                                              std::span<const ConvexPart2> obstacles,
                                              std::span<const Vec2d> container = {}) noexcept;

}  // namespace sudar

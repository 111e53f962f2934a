// What:    The free space of a body that moves without turning in space: explicit obstacles for its place, as convex bodies.
// Source:  Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983; seed B9.
// Differs: Robot and obstacles are lists of convex parts, which may overlap; each pair of parts makes one body. Dilation and
//          erosion by a ball are shifts of a distance field (sdf/field_csg.hpp) or a radius around a hull (make_hull_shape3).
// Frame:   The world's, metres; the robot's place is where its own origin is.
// Fails:   empty_input; errors of minkowski3, with the obstacle.
#pragma once

#include <sudar/geom/minkowski3.hpp>

#include <span>
#include <vector>

namespace sudar {

struct FreeSpace3 {
  std::vector<Hull3> obstacles;  // in the space of the robot's places, obstacle by obstacle, robot part by robot part

  // Touching is not free. Exact for the obstacles as they are, whose corners are rounded sums. What is not finite is no place,
  // and not free.
  SUDAR_API bool is_free(const Vec3d& place) const noexcept;
};

// Each part is the hull of its points
SUDAR_API Result<FreeSpace3> make_free_space3(std::span<const std::vector<Vec3d>> robot,
                                              std::span<const std::vector<Vec3d>> obstacles) noexcept;

}  // namespace sudar

// What:    A way for a body that moves without turning among obstacles in space, and the check that proves a way free.
// Source:  Kuffner and LaValle, "RRT-Connect: An Efficient Approach to Single-Query Path Planning", 2000; the check of a
//          straight way is conservative advancement with the narrow phase's certified distances (Mirtich, "Impulse-based
//          Dynamic Simulation of Rigid Body Systems", 1996); seed B10.
// Differs: No way is believed because points of it are free. A body that is `d` away from an obstacle may move by `d`; the
//          check walks in such steps and calls a way free only when every step was proven.
// Frame:   The world's. The robot's place is that of its own origin; its rotation is fixed.
// Fails:   non_finite, too_large (a place or a bound beyond kMaxShapeSize), degenerate (a rotation of length zero);
//          invalid_argument (clearance or step not positive or lost in the rounding of places, bounds not valid; with
//          element 0 or 1 a start or a goal without clearance); what checked_pose says, with the obstacle; unsupported
//          (a robot without bounds). No way within the iterations, or within a million places of the trees, is an answer,
//          and no proof that there is none.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

struct PlacedShape3 {
  Shape3 shape;
  Pose3d pose{};
};

struct PathOptions3 {
  Aabb3d bounds{};       // where the robot's origin may be
  double clearance = 0;  // the distance to every obstacle that free places have, metres; along a way at least half
  double step = 0;       // longest edge of the trees, metres
  int max_iterations = 10000;  // random places
  int shortcuts = 200;         // tries to cut corners of the way
  std::uint64_t seed = 1;
  // Steps: "extend" and "blocked" (ids: tree, parent; numbers: from, to), "met" (numbers: where), "way" (numbers: its places;
  // value: its length), again after each corner that is cut
  TraceSink* trace = nullptr;
};

struct Path3 {
  bool found = false;
  std::vector<Vec3d> points;  // from start to goal
  double length = 0;
  int iterations = 0;
  std::size_t checks = 0;  // distances asked of the narrow phase
};

// Proven: along the straight way the robot is never nearer to an obstacle than half the clearance, but for the rounding of
// places. False when it comes nearer than the clearance, or cannot be shown not to: with input that find_path3 refuses, when
// memory runs out, and after four million distances to one obstacle. `checks` counts distances.
SUDAR_API bool straight_way_is_free(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                                    const Vec3d& from, const Vec3d& to, double clearance,
                                    std::size_t* checks = nullptr) noexcept;

SUDAR_API Result<Path3> find_path3(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                                   const Vec3d& start, const Vec3d& goal, const PathOptions3& options) noexcept;

}  // namespace sudar

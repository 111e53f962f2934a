// What:    A sphere (A) and a capsule (B): yes or no, and the signed distance with witness points.
// Source:  the point of a segment nearest to a point, less the radii; seed A1.
// Differs: The short way of primitives3.hpp for the commonest round pair: the same answers, with nothing in between. What
//          comes near a touch or has its centre on the capsule's axis goes there. Poses are taken as they are: a sphere has
//          no turn, so one point is taken to the capsule's frame, one direction back, and no matrix is made.
// Frame:   A's, as in answer.hpp.
// Fails:   never.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

SUDAR_API DistanceAnswer3 sphere_capsule_distance3(double radius, const CapsuleShape3& capsule,
                                                   const Pose3d& world_from_a, const Pose3d& world_from_b) noexcept;
SUDAR_API bool sphere_capsule_intersects3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                          const Pose3d& world_from_b) noexcept;

}  // namespace sudar

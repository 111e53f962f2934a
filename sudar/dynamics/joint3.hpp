// What:    A joint of two bodies of space: distance, ball, revolute, prismatic, weld and wheel, with springs, motors and
//          limits on what stays free. Plain data; the solver (contact_solver3.hpp) reads it and keeps its impulses in it.
// Source:  Catto, "Modeling and Solving Constraints", GDC 2009, and "Solver2D", 2024 (soft constraints, substeps).
// Differs: The locked translations are one block of three equations and so are the locked rotations; a free axis takes its
//          row out of the block. Errors are those of the poses at each substep, not of the start of the step.
// Frame:   frame_a and frame_b are relative to the centre of mass and the axes of their body; they coincide in the world
//          when the joint is at rest with all coordinates zero.
//          The solver takes rotations of any length for those of unit length, slide_of as they are.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/dynamics/joint_drive.hpp>
#include <sudar/dynamics/solver_body.hpp>

#include <cstdint>

namespace sudar {

struct Joint3 {
  JointKind kind = JointKind::ball;
  std::uint32_t a = 0, b = 0;  // indices of bodies, not the same
  Pose3d frame_a{}, frame_b{};
  double length = 0;              // of a distance joint without drive
  JointDrive slide{}, hinge{};    // hinge of a ball: the twist about x
  double cone = kPi;              // of a ball: the largest angle between the x axes of the two frames
  double hertz = 0, damping = 0;  // of the locked parts; hertz 0: those of the settings

  // What the parts carried in the last substep: on B, in the joint's frame on A
  Vec3d linear_impulse{}, angular_impulse{};
  double cone_impulse = 0;
};

// A joint that is at rest where the bodies are now: `frame` is its anchor and axes in the world, the poses are those of the
// centres of mass. A distance joint goes from the frame's origin on A to `anchor_b` and takes their distance as its length.
SUDAR_API Joint3 make_joint3(JointKind kind, std::uint32_t a, const Pose3d& world_from_a, std::uint32_t b,
                             const Pose3d& world_from_b, const Pose3d& frame);
SUDAR_API Joint3 make_distance_joint3(std::uint32_t a, const Pose3d& world_from_a, std::uint32_t b,
                                      const Pose3d& world_from_b, const Vec3d& anchor_a, const Vec3d& anchor_b);

// Coordinates of the free axes as the bodies are: metres along the slide (of a distance joint: between the anchors),
// radians about the hinge in (-pi, pi]
SUDAR_API double slide_of(const Joint3& joint, const Pose3d& world_from_a, const Pose3d& world_from_b);
SUDAR_API double hinge_of(const Joint3& joint, const Pose3d& world_from_a, const Pose3d& world_from_b);

// Numbers that a joint cannot have: non_finite, degenerate (a rotation of zero length), invalid_argument (lower > upper, a
// negative length, hertz, damping or force, an impulse that is not finite, no such kind), too_large (places, lengths
// and limits beyond kJointEnd, hertz and damping beyond theirs, solver_tolerance.hpp)
SUDAR_API Result<void> check(const Joint3& joint);

}  // namespace sudar

// What:    The equations of a joint of the plane in one substep: prepared from the poses, solved on the velocities.
// Source:  See joint2.hpp.
// Frame:   Impulses act at B's anchor, on both bodies: equal, opposite and along one line, so momentum is kept.
#pragma once

#include <sudar/dynamics/contact_bundle2.hpp>
#include <sudar/dynamics/joint2.hpp>
#include <sudar/dynamics/joint_rows.hpp>

namespace sudar {

struct JointBodies2 {
  BodyLine2* velocity;
  const BodyLine2* weight;
  const Pose2d* poses;  // of the centres of mass, now
  const std::uint8_t* movable;
};

struct JointRows2 {
  Vec2d arm_a, arm_b;  // from the centres of mass to B's anchor
  Mat2d axes;          // of the joint's frame on A
  Vec2d linear_error;  // in that frame; zero on free axes
  double angular_error;
  Mat2d linear_mass;    // inverse block in that frame; zero on free axes
  double angular_mass;  // zero where B may turn
  Vec2d slide_axis;
  double slide, hinge, slide_mass, hinge_mass;
  Softness locked;
};

void prepare_joint2(const Joint2& joint, JointRows2& rows, const JointBodies2& bodies, const JointPass& pass);
// Everything that the joint carries, times `sign`, onto the velocities
void give_all2(const Joint2& joint, const JointRows2& rows, const JointBodies2& bodies, double sign);
void solve_joint2(Joint2& joint, const JointRows2& rows, const JointBodies2& bodies, const JointPass& pass);

}  // namespace sudar

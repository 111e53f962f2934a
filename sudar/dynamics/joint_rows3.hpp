// What:    The equations of a joint of space in one substep: prepared from the poses, solved on the velocities.
// Source:  See joint3.hpp.
// Frame:   Impulses act at B's anchor, on both bodies: equal, opposite and along one line, so momentum is kept.
#pragma once

#include <sudar/dynamics/contact_bundle3.hpp>
#include <sudar/dynamics/joint3.hpp>
#include <sudar/dynamics/joint_rows.hpp>

namespace sudar {

struct JointBodies3 {
  BodyLine3* velocity;
  const BodyLine3* weight;
  const Pose3d* poses;  // of the centres of mass, now
  const std::uint8_t* movable;
};

struct JointRows3 {
  Vec3d arm_a, arm_b;                 // from the centres of mass to B's anchor
  Mat3d axes;                         // of the joint's frame on A
  Vec3d linear_error, angular_error;  // in that frame; zero on free axes
  Mat3d linear_mass, angular_mass;    // inverse blocks in that frame; zero on free axes
  Vec3d slide_axis, hinge_axis, cone_axis;
  double slide, hinge, cone_room;
  double slide_mass, hinge_mass, cone_mass;
  Softness locked;
};

void prepare_joint3(const Joint3& joint, JointRows3& rows, const JointBodies3& bodies, const JointPass& pass);
// Everything that the joint carries, times `sign`, onto the velocities
void give_all3(const Joint3& joint, const JointRows3& rows, const JointBodies3& bodies, double sign);
void solve_joint3(Joint3& joint, const JointRows3& rows, const JointBodies3& bodies, const JointPass& pass);

}  // namespace sudar

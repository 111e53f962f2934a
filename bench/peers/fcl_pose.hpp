// What:    A pose as FCL wants it.
#pragma once

#include <sudar/math/pose.hpp>

#include <fcl/common/types.h>

namespace sudar_bench {

inline fcl::Transform3<double> fcl_pose(const sudar::Pose3d& p) {
  fcl::Transform3<double> out = fcl::Transform3<double>::Identity();
  const sudar::Quatd& q = p.rotation;
  out.linear() = fcl::Quaternion<double>(q.w, q.x, q.y, q.z).toRotationMatrix();
  out.translation() << p.position.x, p.position.y, p.position.z;
  return out;
}

}  // namespace sudar_bench

// What:    The numbers that a joint of the plane and one of space share, checked.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/dynamics/joint_drive.hpp>

#include <cmath>

namespace sudar::joint_detail {

inline const char* fault(const JointDrive& d) {
  if (!(d.lower <= d.upper)) return "lower limit of a joint is above its upper one, or NaN";
  if (!(d.spring_hertz >= 0) || !(d.spring_damping >= 0) || !std::isfinite(d.spring_hertz + d.spring_damping + d.rest))
    return "spring of a joint is negative, NaN or infinite";
  if (!(d.motor_force >= 0) || !std::isfinite(d.motor_force + d.motor_speed))
    return "motor of a joint is negative, NaN or infinite";
  if (!std::isfinite(d.spring_impulse + d.lower_impulse + d.upper_impulse + d.motor_impulse))
    return "impulse of a joint is NaN or infinite";
  return nullptr;
}

template <class Joint>
Result<void> check_numbers(const Joint& joint) {
  for (const JointDrive* drive : {&joint.slide, &joint.hinge})
    if (const char* reason = fault(*drive)) return Error{ErrorCode::invalid_argument, Error::kNoElement, reason};
  if (!(joint.length >= 0) || !(joint.hertz >= 0) || !(joint.damping >= 0) ||
      !std::isfinite(joint.length + joint.hertz + joint.damping))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "length or stiffness of a joint is negative or NaN"};
  return {};
}

}  // namespace sudar::joint_detail

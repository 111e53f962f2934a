// What:    The numbers that a joint of the plane and one of space share, checked.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/dynamics/joint_drive.hpp>
#include <sudar/dynamics/solver_tolerance.hpp>
#include <sudar/math/vec.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::joint_detail {

inline Error invalid(const char* reason) { return {ErrorCode::invalid_argument, Error::kNoElement, reason}; }
inline Error too_large(const char* reason) { return {ErrorCode::too_large, Error::kNoElement, reason}; }

// A spring of no hertz is none
inline Result<void> check_spring(double hertz, double damping) {
  if (!(hertz >= 0) || !(damping >= 0) || !std::isfinite(hertz + damping))
    return invalid("stiffness or damping of a joint is negative, NaN or infinite");
  if (hertz > kMostHertz || damping > kMostDampingRatio)
    return too_large("stiffness or damping of a joint is beyond kMostHertz or kMostDampingRatio");
  return {};
}

inline bool finite_impulses(const JointDrive& d) {
  return std::isfinite(d.spring_impulse + d.lower_impulse + d.upper_impulse + d.motor_impulse);
}
template <class Joint>
bool finite_impulses(const Joint& joint) {
  bool finite = finite_impulses(joint.slide) && finite_impulses(joint.hinge) && is_finite(joint.linear_impulse);
  if constexpr (requires { joint.cone_impulse; }) {
    finite = finite && is_finite(joint.angular_impulse) && std::isfinite(joint.cone_impulse);
  } else {
    finite = finite && std::isfinite(joint.angular_impulse);
  }
  return finite;
}
// The largest of what a joint carries: newton seconds, newton metre seconds
inline double most_impulse(const JointDrive& d) {
  return std::max({std::fabs(d.spring_impulse), std::fabs(d.lower_impulse), std::fabs(d.upper_impulse),
                   std::fabs(d.motor_impulse)});
}
template <class Joint>
double most_push(const Joint& joint) {
  return std::max(max_abs(joint.linear_impulse), most_impulse(joint.slide));
}
template <class Joint>
double most_turn(const Joint& joint) {
  const double free = most_impulse(joint.hinge);
  if constexpr (requires { joint.cone_impulse; })
    return std::max({free, max_abs(joint.angular_impulse), std::fabs(joint.cone_impulse)});
  else
    return std::max(free, std::fabs(joint.angular_impulse));
}
template <class Joint>
void forget_impulses(Joint& joint) {
  for (JointDrive* d : {&joint.slide, &joint.hinge})
    d->spring_impulse = d->lower_impulse = d->upper_impulse = d->motor_impulse = 0;
  joint.linear_impulse = {};
  joint.angular_impulse = {};
  if constexpr (requires { joint.cone_impulse; }) joint.cone_impulse = 0;
}

inline Result<void> check_drive(const JointDrive& d) {
  if (!(d.lower <= d.upper)) return invalid("lower limit of a joint is above its upper one, or NaN");
  // On the other side a limit may be as far as it likes
  if (!(d.lower <= kJointEnd) || !(d.upper >= -kJointEnd)) return too_large("limit of a joint is beyond kJointEnd");
  if (const Result<void> ok = check_spring(d.spring_hertz, d.spring_damping); !ok) return ok;
  if (!std::isfinite(d.rest)) return invalid("spring of a joint rests at NaN or infinity");
  if (!(std::fabs(d.rest) <= kJointEnd)) return too_large("spring of a joint rests beyond kJointEnd");
  if (!(d.motor_force >= 0) || !std::isfinite(d.motor_force + d.motor_speed))
    return invalid("motor of a joint is negative, NaN or infinite");
  return {};
}

// The place of a frame
template <AnyVec V>
Result<void> check_anchor(const V& position) {
  if (!is_finite(position))
    return Error{ErrorCode::non_finite, Error::kNoElement, "frame of a joint is NaN or infinite"};
  if (!(max_abs(position) <= kJointEnd)) return too_large("frame of a joint is beyond kJointEnd");
  return {};
}

// What is not a frame
template <class Joint>
Result<void> check_numbers(const Joint& joint) {
  if (joint.kind > JointKind::wheel) return invalid("there is no such kind of joint");
  for (const JointDrive* drive : {&joint.slide, &joint.hinge})
    if (const Result<void> ok = check_drive(*drive); !ok) return ok;
  if (!(joint.length >= 0) || !std::isfinite(joint.length)) return invalid("length of a joint is negative or NaN");
  if (!(joint.length <= kJointEnd)) return too_large("length of a joint is beyond kJointEnd");
  if (!finite_impulses(joint)) return invalid("impulse of a joint is NaN or infinite");
  return check_spring(joint.hertz, joint.damping);
}

}  // namespace sudar::joint_detail

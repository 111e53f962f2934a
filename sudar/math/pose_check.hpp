// What:    Poses at a door: finite, within reach of what is asked of them, with a rotation of unit length.
// Fails:   non_finite, too_large (a position beyond `limit`), degenerate (a rotation of length zero), each with the element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/unit_rotation.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

// Within reach, and of unit length up to rounding: a pose that is taken as it is
template <int D>
bool is_plain_pose(const Pose<D, double>& pose, double limit = kMaxShapeSize) {
  bool plain = is_unit_rotation(pose.rotation);
  for (int k = 0; k < D; ++k) plain = plain && std::fabs(pose.position[k]) <= limit;
  return plain;
}

// `limit`: metres
template <int D>
Result<Pose<D, double>> checked_pose(const Pose<D, double>& pose, std::size_t element, double limit = kMaxShapeSize) {
  if (is_plain_pose<D>(pose, limit)) return pose;
  if (!is_finite(pose.position)) return Error{ErrorCode::non_finite, element, "position is NaN or infinite"};
  if (!(max_abs(pose.position) <= limit))
    return Error{ErrorCode::too_large, element, "position is too far from the origin"};
  const auto rotation = checked_rotation(pose.rotation, element);
  if (!rotation) return rotation.error();
  return Pose<D, double>{pose.position, *rotation};
}

}  // namespace sudar

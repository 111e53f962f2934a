// What:    Poses at the doors of a scene: finite, within reach of the narrow phase, with a rotation of unit length.
// Fails:   non_finite, too_large (a position beyond kMaxShapeSize), degenerate (a rotation of length zero), each with the
//          element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/scene/scene_tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

inline double squared_length(const Rot2d& r) { return r.c * r.c + r.s * r.s; }
inline double squared_length(const Quatd& q) { return (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z); }
inline bool is_finite_rotation(const Rot2d& r) { return std::isfinite(r.c) && std::isfinite(r.s); }
inline bool is_finite_rotation(const Quatd& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
inline bool is_zero_rotation(const Rot2d& r) { return r.c == 0 && r.s == 0; }
inline bool is_zero_rotation(const Quatd& q) { return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0; }

// Within reach, and of unit length up to rounding: a pose that is taken as it is
template <int D>
bool is_plain_pose(const Pose<D, double>& pose) {
  bool plain = std::fabs(squared_length(pose.rotation) - 1) <= kUnitRotation;
  for (int k = 0; k < D; ++k) plain = plain && std::fabs(pose.position[k]) <= kMaxShapeSize;
  return plain;
}

template <int D>
Result<Pose<D, double>> checked_pose(const Pose<D, double>& pose, std::size_t element) {
  if (is_plain_pose<D>(pose)) return pose;
  if (!is_finite(pose.position)) return Error{ErrorCode::non_finite, element, "position is NaN or infinite"};
  if (!(max_abs(pose.position) <= kMaxShapeSize))
    return Error{ErrorCode::too_large, element, "position is too far from the origin"};
  if (!is_finite_rotation(pose.rotation)) return Error{ErrorCode::non_finite, element, "rotation is NaN or infinite"};
  if (is_zero_rotation(pose.rotation)) return Error{ErrorCode::degenerate, element, "rotation of length zero"};
  return Pose<D, double>{pose.position, normalized(pose.rotation)};
}

}  // namespace sudar

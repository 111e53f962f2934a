// What:    Rotations at a door: finite, not of length zero, and of unit length from there on.
// Fails:   non_finite, degenerate (a rotation of length zero), each with the element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>
#include <cstddef>

namespace sudar {

// How far the squared length of a rotation may be from 1 to be taken as it is. No unit. Used by doors that keep poses. Zero:
// poses that are taken out and put back change in their last bit with every turn. Much larger: boxes are too small for
// their shapes, beyond kPoseSlack, and turned sets are larger than the bounds on rounding allow for.
inline constexpr double kUnitRotation = 8 * kRoundoff;

inline double squared_length(const Rot2d& r) { return r.c * r.c + r.s * r.s; }
inline double squared_length(const Quatd& q) { return (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z); }
inline bool is_finite_rotation(const Rot2d& r) { return std::isfinite(r.c) && std::isfinite(r.s); }
inline bool is_finite_rotation(const Quatd& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
inline bool is_zero_rotation(const Rot2d& r) { return r.c == 0 && r.s == 0; }
inline bool is_zero_rotation(const Quatd& q) { return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0; }

template <class R>
bool is_unit_rotation(const R& rotation) {
  return std::fabs(squared_length(rotation) - 1) <= kUnitRotation;
}
// The same when it is of unit length up to rounding, brought to it otherwise
template <class R>
Result<R> checked_rotation(const R& rotation, std::size_t element) {
  if (is_unit_rotation(rotation)) return rotation;
  if (!is_finite_rotation(rotation)) return Error{ErrorCode::non_finite, element, "rotation is NaN or infinite"};
  if (is_zero_rotation(rotation)) return Error{ErrorCode::degenerate, element, "rotation of length zero"};
  return normalized(rotation);
}

}  // namespace sudar

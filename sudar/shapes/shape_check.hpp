// What:    What the makers of shapes ask of a number, a size and a point; the first complaint wins.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>
#include <cstddef>

namespace sudar {

// Children, edges and cells are counted in 32 bits, with room for sums of a few of them
inline constexpr std::size_t kMaxParts = std::size_t{1} << 28;

// A radius, a half extent: positive and within the documented range
inline Result<void> check_size(double size, std::size_t element = Error::kNoElement) {
  if (!std::isfinite(size)) return Error{ErrorCode::non_finite, element, "size is NaN or infinite"};
  if (!(size > 0)) return Error{ErrorCode::degenerate, element, "size is zero or negative"};
  if (size < kMinShapeSize) return Error{ErrorCode::degenerate, element, "size below kMinShapeSize"};
  if (size > kMaxShapeSize) return Error{ErrorCode::too_large, element, "size beyond kMaxShapeSize"};
  return {};
}
// The radius by which a body is grown, where zero means not at all
inline Result<void> check_growth(double radius) { return radius == 0 ? Result<void>() : check_size(radius); }

template <AnyVec V>
Result<void> check_sizes(const V& sizes) {
  for (int i = 0; i < V::kDim; ++i)
    if (const Result<void> r = check_size(sizes[i], static_cast<std::size_t>(i)); !r) return r;
  return {};
}
template <AnyVec V>
Result<void> check_position(const V& p, std::size_t element = Error::kNoElement) {
  if (!is_finite(p)) return Error{ErrorCode::non_finite, element, "coordinate is NaN or infinite"};
  if (max_abs(p) > kMaxShapeSize) return Error{ErrorCode::too_large, element, "coordinate beyond kMaxShapeSize"};
  return {};
}
inline Result<void> check_rotation(const Rot2d& r, std::size_t element) {
  if (!std::isfinite(r.c) || !std::isfinite(r.s)) return Error{ErrorCode::non_finite, element, "rotation not finite"};
  if (r.c == 0 && r.s == 0) return Error{ErrorCode::degenerate, element, "rotation of zero length"};
  return {};
}
inline Result<void> check_rotation(const Quatd& q, std::size_t element) {
  if (!std::isfinite(q.w) || !std::isfinite(q.x) || !std::isfinite(q.y) || !std::isfinite(q.z))
    return Error{ErrorCode::non_finite, element, "rotation not finite"};
  if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0)
    return Error{ErrorCode::degenerate, element, "rotation of zero length"};
  return {};
}

// The set n · x <= d with a unit normal
template <AnyVec V>
Result<void> check_side(const V& normal, double offset, V& unit_normal, double& unit_offset) {
  if (!is_finite(normal) || !std::isfinite(offset))
    return Error{ErrorCode::non_finite, Error::kNoElement, "normal or offset is NaN or infinite"};
  const double most = max_abs(normal);
  if (!(most > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "normal of zero length"};
  const V scaled = normal / most;
  const double size = length(scaled);
  // A normal of unit length is left as it is given
  const bool unit = length_squared(normal) == 1;
  unit_normal = unit ? normal : scaled / size;
  unit_offset = unit ? offset : offset / most / size;
  if (!(std::fabs(unit_offset) <= kMaxShapeSize))
    return Error{ErrorCode::too_large, Error::kNoElement, "offset beyond kMaxShapeSize"};
  return {};
}

}  // namespace sudar

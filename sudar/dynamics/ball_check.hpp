// What:    What the doors of balls in a box ask of the box, of gravity, of restitutions and of each ball.
// Fails:   non_finite; too_large (coordinates and radii beyond kMaxShapeSize, velocities and gravity beyond
//          kFastestBall, masses beyond kHeaviestBall); invalid_argument (a box whose upper corner is below its lower
//          one, a restitution that is not in [0, 1], a radius below kMinShapeSize, a mass below kLightestBall), those
//          of a ball with its number.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/result.hpp>
#include <sudar/dynamics/ball_tolerance.hpp>
#include <sudar/dynamics/elastic.hpp>

#include <cmath>

namespace sudar::ball_detail {

template <int D>
Result<void> check_box(const Aabb<D, double>& box, const Vec<D, double>& gravity, double restitution,
                       double wall_restitution) {
  if (!is_finite(box.lo) || !is_finite(box.hi) || !is_finite(gravity))
    return Error{ErrorCode::non_finite, Error::kNoElement, "the box or gravity is NaN or infinite"};
  if (!(max_abs(box.lo) <= kMaxShapeSize) || !(max_abs(box.hi) <= kMaxShapeSize))
    return Error{ErrorCode::too_large, Error::kNoElement, "the box reaches beyond kMaxShapeSize"};
  if (!(max_abs(gravity) <= kFastestBall))
    return Error{ErrorCode::too_large, Error::kNoElement, "gravity is beyond kFastestBall"};
  for (int a = 0; a < D; ++a)
    if (!(box.lo[a] <= box.hi[a]))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the box has its upper corner below its lower one"};
  const auto in_unit = [](double x) { return x >= 0 && x <= 1; };
  if (!in_unit(restitution) || !in_unit(wall_restitution))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "restitution must be from 0 to 1"};
  return {};
}

template <int D>
Result<void> check_ball(const Ball<D>& b, std::size_t i) {
  if (!is_finite(b.position) || !is_finite(b.velocity) || !std::isfinite(b.radius) || !std::isfinite(b.mass))
    return Error{ErrorCode::non_finite, i, "a ball with NaN or infinity"};
  if (!(b.radius >= kMinShapeSize))
    return Error{ErrorCode::invalid_argument, i, "a radius must be positive, and not below kMinShapeSize"};
  if (!(b.mass >= kLightestBall))
    return Error{ErrorCode::invalid_argument, i, "a mass must be positive, and not below kLightestBall"};
  if (!(max_abs(b.position) <= kMaxShapeSize) || !(b.radius <= kMaxShapeSize))
    return Error{ErrorCode::too_large, i, "a ball is beyond kMaxShapeSize"};
  if (!(max_abs(b.velocity) <= kFastestBall)) return Error{ErrorCode::too_large, i, "a ball is beyond kFastestBall"};
  if (!(b.mass <= kHeaviestBall)) return Error{ErrorCode::too_large, i, "a mass is beyond kHeaviestBall"};
  return {};
}

}  // namespace sudar::ball_detail

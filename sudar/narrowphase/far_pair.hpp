// What:    Bounded shapes that are so far apart that they are points to each other.
// Differs: Squares of such offsets would leave the range of double: lengths are taken of the offset scaled by a power of
//          two. Shapes are at most kMaxShapeSize large, which is less than a rounding of kFarAway.
// Frame:   A's, as in answer.hpp.
// Fails:   a distance beyond the largest double says max_iterations, with infinity as its upper bound.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <limits>

namespace sudar {

// Metres. Cubes of it are in range, and so are sixth powers of what is smaller than its root
inline constexpr double kFarAway = 0x1p150;

template <int D>
constexpr bool is_far(const Placement<D>& a_from_b) {
  return max_abs(a_from_b.translation) > kFarAway;
}

// From the offset times `part`, a power of two that keeps it in range; the points are still to be set
template <int D>
DistanceAnswer<D> far_answer(const Vec<D, double>& offset, double part) {
  DistanceAnswer<D> out;
  const double scale = max_abs(offset);
  const Vec<D, double> direction = offset / scale;
  out.normal = normalized(direction);
  out.separation = length(direction) * scale / part;
  out.lower = out.separation * (1 - 16 * kRoundoff);
  out.upper = out.separation * (1 + 16 * kRoundoff);
  if (!(out.separation <= std::numeric_limits<double>::max())) {
    out.separation = out.lower = std::numeric_limits<double>::max();
    out.upper = std::numeric_limits<double>::infinity();
    out.status = QueryStatus::max_iterations;
  }
  return out;
}
// `support_a(d)` and `support_b(d)`: farthest points of the shapes in their own frames
template <int D, class SupportA, class SupportB>
DistanceAnswer<D> far_apart(const Placement<D>& a_from_b, SupportA&& support_a, SupportB&& support_b) {
  DistanceAnswer<D> out = far_answer<D>(a_from_b.translation * 0.25, 0.25);
  out.point_a = support_a(out.normal);
  out.point_b = transform(a_from_b, Vec<D, double>(support_b(to_b(a_from_b, -out.normal))));
  return out;
}

}  // namespace sudar

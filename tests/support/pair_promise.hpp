// What:    What must hold of every answer about a pair of convex bodies: it is finite, within its bounds, of one mind with yes and
//          no and with the other order, and no search ends at its limit (docs/guarantees.md).
#pragma once

#include "tests/support/thin_pair.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <cmath>
#include <string>

namespace sudar_test {

// Pairs of which a search may end at its limit
inline bool may_end_at_limit(const sudar::Shape3& a, const sudar::Shape3& b) { return is_thin_pair(a, b); }
inline bool may_end_at_limit(const sudar::Shape2&, const sudar::Shape2&) { return false; }

// Empty when all promises hold
template <class Shape, class Pose>
std::string broken_pair_promise(const Shape& a, const Pose& at_a, const Shape& b, const Pose& at_b) {
  const bool hit = intersects(a, at_a, b, at_b);
  if (hit != intersects(b, at_b, a, at_a)) return "the other order is another answer";
  const auto x = distance(a, at_a, b, at_b);
  if (x.status == sudar::QueryStatus::unsupported) return "";
  if (!std::isfinite(x.separation) || !is_finite(x.normal) || !is_finite(x.point_a) || !is_finite(x.point_b))
    return "the answer is not finite";
  if (!(x.lower <= x.separation && x.separation <= x.upper)) return "the answer is not within its bounds";
  if (x.hit != hit || (hit ? x.separation > 0 : x.separation < 0))
    return "yes and no and the distance are not of one mind";
  if (std::fabs(length(x.normal) - 1) > 1e-9) return "the normal is not of unit length";
  if (x.status == sudar::QueryStatus::max_iterations && !may_end_at_limit(a, b)) return "the search ended at its limit";
  for (const auto& point : contacts(a, at_a, b, at_b, 0.125).points)
    if (!is_finite(point.position) || !std::isfinite(point.separation)) return "a contact is not finite";
  return "";
}

}  // namespace sudar_test

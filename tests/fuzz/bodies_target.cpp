// Two bodies of any numbers: what is asked in two ways has one answer, and answers are finite, within their bounds and no
// search's limit. In space; after a byte of 255, in the plane.
#include "tests/fuzz/body_bytes.hpp"
#include "tests/support/thin_pair.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

// `may_end`: at the limit of a search, as depths of what is not convex may
template <class Shape, class Pose>
void look_at_pair(const Shape& a, const Pose& at_a, const Shape& b, const Pose& at_b, bool may_end, Bytes& bytes) {
  const bool hit = intersects(a, at_a, b, at_b);
  promise(hit == intersects(b, at_b, a, at_a), "the order of two bodies is no matter");
  const auto x = distance(a, at_a, b, at_b);
  if (x.status == QueryStatus::unsupported) return;
  promise(std::isfinite(x.separation) && is_finite(x.normal) && is_finite(x.point_a) && is_finite(x.point_b),
          "an answer is finite");
  promise(x.lower <= x.separation && x.separation <= x.upper, "an answer lies within its bounds");
  promise(x.status != QueryStatus::max_iterations || may_end, "no search ends at its limit");
  promise(hit ? x.separation <= 0 : x.separation >= 0, "yes and no is the sign of the distance");
  const auto set = contacts(a, at_a, b, at_b, bytes.coin() ? 0.125 : 0);
  for (const auto& point : set.points)
    promise(is_finite(point.position) && std::isfinite(point.separation), "contacts are finite");
}

}  // namespace

void fuzz_bodies(FuzzBytes all) {
  if (!all.empty() && all[0] == kInThePlane) {
    Bytes bytes(all.subspan(1));
    const Shape2 a = flat_body_of(bytes), b = flat_body_of(bytes);
    const auto at_a = place_of_body<Pose2d>(bytes), at_b = place_of_body<Pose2d>(bytes);
    return look_at_pair(a, at_a, b, at_b, !a.is_convex() || !b.is_convex(), bytes);
  }
  Bytes bytes(all);
  const Shape3 a = body_of(bytes), b = body_of(bytes);
  const auto at_a = place_of_body<Pose3d>(bytes), at_b = place_of_body<Pose3d>(bytes);
  // Where a round body is so thin, or so small beside the other, that rounding leaves little of it (docs/guarantees.md)
  const bool may_end = !a.is_convex() || !b.is_convex() || sudar_test::is_thin_pair(a, b);
  look_at_pair(a, at_a, b, at_b, may_end, bytes);
}

}  // namespace sudar_fuzz

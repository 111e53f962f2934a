// What:    What must hold of every answer about a pair of convex bodies, in space and in the plane: it is finite, within its bounds,
//          of one mind with yes and no and with the other order, contacts and manifolds are there where they must be, a ray
//          from A to B, B's way to A and B's slide along A end somewhere, and no search ends at its limit (docs/guarantees.md).
// Differs: What a promise leaves out is counted, so that an exemption that grows is seen.
#pragma once

#include "tests/support/counts.hpp"
#include "tests/support/thin_pair.hpp"
#include "tests/support/told_tolerance.hpp"
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace sudar_test {

struct PromiseTally {
  std::size_t calls = 0;
  std::size_t unsupported = 0;  // two half-spaces have no distance
  std::size_t slides = 0;       // times of impact of B along A
  std::size_t thin = 0;         // searches that ended at their limit where docs/guarantees.md allows it

  void count() const {
    count_cases("pair_calls", calls);
    count_cases("pair_slides", slides);
    count_cases("pair_exempt_unsupported", unsupported);
    count_cases("pair_exempt_thin", thin);
  }
};

// Circles and capsules of the plane are points and segments with a radius: none is exempt
inline bool is_thin_pair(const sudar::Shape2&, const sudar::Shape2&) { return false; }

namespace promises_detail {

// Where contacts are looked for, and how far within it they must be found
constexpr double kMargin = 0.125, kSurely = 0.0625;
constexpr double kPoseRounding = 1e-14;

template <int D, class Shape>
std::string broken_by_manifolds(const Shape& a, const Shape& b, const sudar::Placement<D>& at, double separation,
                                PromiseTally& tally) {
  std::vector<sudar::PieceManifold<D>> out;
  append_manifolds(a, b, at, kMargin, nullptr, out);
  ++tally.calls;
  if (out.empty() && separation < kSurely) return "there is no manifold";
  for (const auto& patch : out) {
    if (!is_finite(patch.manifold.normal)) return "the normal of a manifold is not finite";
    for (int i = 0; i < patch.manifold.count; ++i) {
      const auto& point = patch.manifold.points[i];
      if (!is_finite(point.position) || !std::isfinite(point.separation)) return "a point of a manifold is not finite";
    }
  }
  return "";
}

// From A's place towards B's
template <int D, class Shape>
std::string broken_by_ray(const Shape& b, const sudar::Pose<D, double>& at_a, const sudar::Pose<D, double>& at_b,
                          PromiseTally& tally) {
  const sudar::Vec<D, double> way = at_b.position - at_a.position;
  const double reach = max_abs(way);
  if (reach < sudar::kMinRayDirection) return "";
  const auto answer = cast_ray(b, at_b, sudar::Ray<D, double>{at_a.position, way / reach});
  ++tally.calls;
  if (!answer.ok()) return "a ray is refused";
  if (!answer->hit) return "";
  if (!std::isfinite(answer->t) || answer->t < 0 || !is_finite(answer->point) || !is_finite(answer->normal))
    return "what a ray hits is not finite";
  if (answer->status == sudar::QueryStatus::max_iterations) return "a ray ended at its limit";
  return "";
}

// B on a way of one second
template <int D, class Shape>
std::string broken_by_impact(const Shape& a, const sudar::Pose<D, double>& at_a, const Shape& b,
                             const sudar::Pose<D, double>& at_b, const sudar::DistanceAnswer<D>& x,
                             const sudar::Vec<D, double>& velocity, PromiseTally& tally) {
  sudar::RigidMotion<D> still, coming;
  coming.linear = velocity;
  sudar::ToiOptions options;
  options.contacts = options.last = false;
  const auto answer = time_of_impact(a, at_a, still, b, at_b, coming, options);
  ++tally.calls;
  if (!answer.ok()) {
    // Two half-spaces, also those back to back, which have a distance
    if (answer.error().code != sudar::ErrorCode::unsupported) return "a time of impact is refused";
    ++tally.unsupported;
    return "";
  }
  if (!(0 <= answer->t_lo && answer->t_lo <= answer->t_hi && answer->t_hi <= options.t_max))
    return "a time of impact is not in order";
  // Beyond the rounding of the relative pose of a body that is turned
  const double size = max_abs(at_a.position) + max_abs(at_b.position) + max_abs(x.point_a) + max_abs(x.point_b);
  if (x.separation < -kPoseRounding * size && !(answer->hit && answer->t_lo == 0))
    return "what meets at the start is hit later";
  if (answer->status == sudar::QueryStatus::max_iterations) return "a time of impact ended at its limit";
  const sudar::MovingPair<D> pair(at_a, still, at_b, coming);
  if (!(answer->tolerance <= coarsest_tolerance<D>(a, b, pair, answer->t_hi, answer->t_hi)))
    return "the tolerance of a time of impact is coarser than rounding";
  // Measured where the bodies are then, up to the rounding of their places
  if (answer->hit) {
    const auto then = distance(a, at_a, b, pose_at(at_b, coming, answer->t_hi));
    ++tally.calls;
    const double way = sudar::both_sizes(sudar::farthest_radius<D>(a), sudar::farthest_radius<D>(b)) +
                       std::max(length(at_a.position - at_b.position), 0.5 * length(velocity));
    if (!(then.separation <= 2 * answer->tolerance + kPoseRounding * (size + way)))
      return "what is hit is not within the tolerance";
  }
  return "";
}

inline sudar::Vec2d across(const sudar::Vec2d& normal) { return {-normal.y, normal.x}; }
inline sudar::Vec3d across(const sudar::Vec3d& normal) {
  sudar::Vec3d u, v;
  make_frame(normal, u, v);
  return u;
}

// Square to the normal: from one corner of A to another, where it has two, and any
template <int D, class Shape>
sudar::Vec<D, double> along_corners(const Shape& a, const sudar::Pose<D, double>& at_a,
                                    const sudar::Vec<D, double>& normal) {
  if (!a.is_bounded()) return across(normal);
  const auto view = make_view(a);
  if (view.count < 2) return across(normal);
  const auto way = rotate(at_a.rotation, view.vertex(1) - view.vertex(0));
  const auto square = normalized(way - normal * dot(way, normal));
  return square == sudar::Vec<D, double>{} ? across(normal) : square;
}

// B on its way to A's place and as far beyond it; and along A, as far as their sizes, while the gap closes at the end of the
// way, or halfway
template <int D, class Shape>
std::string broken_by_moving(const Shape& a, const sudar::Pose<D, double>& at_a, const Shape& b,
                             const sudar::Pose<D, double>& at_b, const sudar::DistanceAnswer<D>& x,
                             PromiseTally& tally) {
  std::string wrong = broken_by_impact<D>(a, at_a, b, at_b, x, (at_a.position - at_b.position) * 2.0, tally);
  if (x.hit || !(a.is_bounded() || b.is_bounded())) return wrong;
  const double slide = sudar::farthest_radius<D>(b.is_bounded() ? b : a);
  for (const sudar::Vec<D, double>& way : {across(x.normal), along_corners<D>(a, at_a, x.normal)})
    for (double closing = 1; closing <= 2 && wrong.empty(); ++closing) {
      ++tally.slides;
      wrong = broken_by_impact<D>(a, at_a, b, at_b, x, way * slide - x.normal * (closing * x.separation), tally);
      if (!wrong.empty()) wrong += ", sliding";
    }
  return wrong;
}

}  // namespace promises_detail

// Empty when all promises hold; `moving` asks for times of impact, too, which takes as long as all the rest
template <int D, class Shape>
std::string broken_promise(const Shape& a, const sudar::Pose<D, double>& at_a, const Shape& b,
                           const sudar::Pose<D, double>& at_b, bool moving, PromiseTally& tally) {
  const bool hit = intersects(a, at_a, b, at_b);
  const auto x = distance(a, at_a, b, at_b);
  tally.calls += 3;
  if (hit != intersects(b, at_b, a, at_a)) return "the other order is another answer";
  if (x.status == sudar::QueryStatus::unsupported) {
    ++tally.unsupported;
    return "";
  }
  if (!std::isfinite(x.separation) || !is_finite(x.normal) || !is_finite(x.point_a) || !is_finite(x.point_b))
    return "the answer is not finite";
  if (!(x.lower <= x.separation && x.separation <= x.upper)) return "the answer is not within its bounds";
  if (x.hit != hit || (hit ? x.separation > 0 : x.separation < 0))
    return "yes and no and the distance are not of one mind";
  if (std::fabs(length(x.normal) - 1) > 1e-9) return "the normal is not of unit length";
  if (x.status == sudar::QueryStatus::max_iterations) {
    if (!is_thin_pair(a, b)) return "the search ended at its limit";
    ++tally.thin;
  }
  ++tally.calls;
  for (const auto& point : contacts(a, at_a, b, at_b, promises_detail::kMargin).points)
    if (!is_finite(point.position) || !std::isfinite(point.separation)) return "a contact is not finite";
  const auto at = sudar::make_placement(at_a, at_b);
  std::string wrong = promises_detail::broken_by_manifolds<D>(a, b, at, x.separation, tally);
  if (wrong.empty()) wrong = promises_detail::broken_by_ray<D>(b, at_a, at_b, tally);
  if (wrong.empty() && moving) wrong = promises_detail::broken_by_moving<D>(a, at_a, b, at_b, x, tally);
  return wrong;
}

}  // namespace sudar_test

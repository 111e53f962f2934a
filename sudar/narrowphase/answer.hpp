// What:    What a narrow-phase query answers: one decision, the signed separation with its witness points, and a
//          certificate of how sure it is.
// Frame:   A's frame inside of the library; `placed` moves an answer to the world. The normal points from A to B.
//          `separation` is positive for a distance, negative for minus the penetration depth: the length of the shortest
//          translation of B that makes the two touch only.
// Fails:   a query that stops at its limit says max_iterations and gives the bounds it has; never NaN. Of polytopes, rounded
//          ones included, `hit` is exact. Of curved shapes it is true when a common point is shown, up to rounding, or when no
//          plane is found and points of both are nearer than kCurvedDepthGap, and false when a plane separates them; where
//          neither was reached it is false, status is max_iterations and lower < 0 < upper: who must not miss a contact takes
//          lower <= 0 for one.
#pragma once

#include <sudar/math/pose.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sudar {

enum class QueryStatus : std::uint8_t {
  converged,       // the bounds are as close as rounding allows, or as the method promises
  max_iterations,  // stopped early: lower <= truth <= upper still holds
  degenerate,      // the normal is one of many (concentric spheres, flat sets that cross)
  unsupported,     // this pair of shapes has no such query
};

// The certificate: `lower` is proven by a separating plane (its normal is `normal`, up to the rounding of a closed form) or, when
// overlapping, by the inside of the difference set; `upper` by the witness points or a supporting plane. Both include rounding.
template <int D>
struct DistanceAnswer {
  bool hit = false;       // the one decision; closed sets: touching is a hit
  double separation = 0;  // > 0 exactly when !hit; gaps below the normal doubles may be told as the least of these
  double lower = 0, upper = 0;
  // On the surface of each; separation = dot(point_b - point_a, normal), for depths of curved shapes up to 1e-5 of the sizes
  Vec<D, double> point_a{}, point_b{};
  Vec<D, double> normal{};  // unit, from A to B
  QueryStatus status = QueryStatus::converged;
  int iterations = 0;
};
using DistanceAnswer2 = DistanceAnswer<2>;
using DistanceAnswer3 = DistanceAnswer<3>;

// Give an answer the sign of its decision. What was left open keeps a lower bound below zero.
template <int D>
void settle(DistanceAnswer<D>& x, bool hit) {
  x.hit = hit;
  if (hit) {
    x.separation = std::min(x.separation, 0.0);
  } else {
    x.separation = std::max(x.separation, std::numeric_limits<double>::min());
    if (x.status != QueryStatus::max_iterations) x.lower = std::max(x.lower, 0.0);
  }
  x.lower = std::min(x.lower, x.separation);
  x.upper = std::max(x.upper, x.separation);
}

// Seen from the other side: A and B swapped
template <int D>
DistanceAnswer<D> swapped(const DistanceAnswer<D>& x) {
  DistanceAnswer<D> out = x;
  out.point_a = x.point_b;
  out.point_b = x.point_a;
  out.normal = -x.normal;
  return out;
}
// From A's frame to the world
template <int D>
DistanceAnswer<D> placed(const DistanceAnswer<D>& x_a, const Pose<D, double>& world_from_a) {
  DistanceAnswer<D> out = x_a;
  out.point_a = transform(world_from_a, x_a.point_a);
  out.point_b = transform(world_from_a, x_a.point_b);
  out.normal = rotate(world_from_a.rotation, x_a.normal);
  return out;
}

}  // namespace sudar

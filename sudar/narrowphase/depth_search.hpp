// What:    The search for a short translation that separates two bodies, when only a yes or no about their meeting is to
//          be had: what the depths of non-convex bodies have in common.
// Differs: The depth of two bodies is the length of the shortest translation of B after which their interiors are apart.
//          For non-convex bodies that is a problem of their whole difference set, so the answer is a bracket:
//          - from above, the length of a translation that was tried and found to separate. The first is that of the two
//            hulls; it is shortened by halving along it and along a few more directions;
//          - from below, the largest distance of a point of one body, inside of the other, to that one's surface: the
//            translation must take it out.
//          For convex bodies the hulls are the bodies, and the bracket is that of EPA.
// Frame:   A's.
// Fails:   never; ends after a number of tries that is known beforehand.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <span>

namespace sudar {

struct DepthSearch {
  double best;      // the length of a translation that separates
  Vec3d direction;  // unit
  int tries = 0;
};

// `hits(t)`: the bodies meet when B is moved by t. Closed sets: what only touches still hits, so the length found is longer
// than the shortest along its direction, by kDepthSearchGap of itself at most where hits end once and for all.
template <class Hits>
void shorten(DepthSearch& search, std::span<const Vec3d> directions, Hits&& hits) {
  const auto try_at = [&](const Vec3d& direction, double length) {
    ++search.tries;
    return hits(direction * length);
  };
  for (const Vec3d& direction : directions) {
    if (direction == Vec3d{}) continue;
    // A direction that gains nothing worth the name costs one try
    constexpr double kWorth = 1 - 0x1p-6;
    double high = search.best * kWorth, low = 0;
    if (try_at(direction, high)) continue;
    const double gap = kDepthSearchGap * search.best;
    while (high - low > gap) {
      const double middle = (low + high) / 2;
      (try_at(direction, middle) ? low : high) = middle;
    }
    search.best = high;
    search.direction = direction;
  }
}

// The answer from the bracket; `least` is proven from below
inline DistanceAnswer3 depth_answer(const DepthSearch& search, double least, const Vec3d& deepest_b) {
  DistanceAnswer3 out;
  out.hit = true;
  out.separation = -search.best;
  out.lower = -search.best * (1 + 8 * kRoundoff);
  out.upper = -least < out.separation ? out.separation : -least;
  out.normal = search.direction;
  out.point_b = deepest_b;
  out.point_a = deepest_b + search.direction * search.best;
  out.iterations = search.tries;
  const bool tight = out.upper - out.lower <= 4 * kDepthSearchGap * search.best;
  out.status = tight ? QueryStatus::converged : QueryStatus::max_iterations;
  return out;
}

}  // namespace sudar

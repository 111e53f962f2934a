// What:    When the distance of two polytopes is left to integers, and the answer that these give, in the plane and in space.
// Differs: Only in what a Gjk and a Difference of each dimension are; convex_distance2|3 say which.
// Frame:   A's. Internal to convex_distance2 and convex_distance3.
// Fails:   never.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

// Errors of a point of the difference (difference3.hpp), and roundings of the distance, that the bounds of GJK may be apart. No
// unit. Bounds farther apart are left to exact arithmetic. Smaller than about 16: rounding alone opens them, and every
// distance is exact and slow. Larger: distances off by that many roundings of the larger shape.
inline constexpr double kOpenErrors = 64;
// Roundings of a distance that integers have, relative: a root, a quotient and the scale. No unit. Smaller: bounds that do not hold.
inline constexpr double kExactDistanceErrors = 16;

// Whether the bounds about the cores are as close as rounding allows. They are not where the search came to a vertex that it
// had already, or no nearer, or the weights of a long thin simplex are rounding: between shapes far apart in size, and
// beside flat ones (ExactCampaign, ExactCampaign2).
template <int D, class Difference>
bool is_closed(const DistanceAnswer<D>& cores, const Difference& difference) {
  return cores.upper - cores.lower <= kOpenErrors * (difference.point_error + kRoundoff * cores.upper);
}

// The rounded simplex of exact vertices
template <class Exact, class Difference, class Point, int N>
int load(const Exact& exact, const Difference& difference, Point (&points)[N]) {
  for (int i = 0; i < exact.count; ++i) points[i] = difference.of_vertices(exact.simplex[i].a, exact.simplex[i].b);
  return exact.count;
}

// The closest points as integers have them; a gap too small for a double is bounded by zero
template <int D, class Exact, class Gjk, class Difference>
DistanceAnswer<D> from_exact(const Exact& exact, const Gjk& g, const Difference& difference) {
  Gjk last;
  last.count = load(exact, difference, last.simplex);
  for (int i = 0; i < last.count; ++i) last.weight[i] = exact.weight[i];
  DistanceAnswer<D> answer;
  answer.iterations = g.iterations + exact.iterations;
  answer.separation = exact.distance;
  answer.normal = normalized(-exact.axis);
  answer.point_a = last.point_a();
  answer.point_b = last.point_b(difference);
  constexpr double kLeast = std::numeric_limits<double>::denorm_min(), kError = kExactDistanceErrors * kRoundoff;
  answer.lower = std::max(0.0, exact.distance * (1 - kError) - kLeast);
  answer.upper = exact.distance * (1 + kError) + kLeast;
  return answer;
}

}  // namespace sudar

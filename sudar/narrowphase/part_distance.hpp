// What:    A shape made of parts (compound, chain, simple polygon, height field) against any other: the parts near it, each
//          by its own method, put together to one answer.
// Differs: The depth of a union is not that of its parts. A hit holds the deepest part, whose depth is never more than
//          that of the whole: `upper` is proven, and union_depth.hpp goes on from there.
// Frame:   A's; A is the one with parts.
// Fails:   never; `method` answers for one part.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <cmath>
#include <limits>

namespace sudar {

// Distance of two boxes, 0 when they meet
template <int D>
double box_gap(const Aabb<D, double>& a, const Aabb<D, double>& b) {
  double sum = 0, widest = 0;
  for (int i = 0; i < D; ++i) {
    const double gap = std::fmax(0.0, std::fmax(a.lo[i] - b.hi[i], b.lo[i] - a.hi[i]));
    sum += gap * gap;
    widest = std::fmax(widest, gap);
  }
  // Rounded down, so that no part that could be nearer is passed over; the widest gap where squares leave the range
  return (sum <= std::numeric_limits<double>::max() ? std::sqrt(sum) : widest) * (1 - 8 * kRoundoff);
}

// `parts.for_each_nearer(bound, best, visit)` and `method(part) -> DistanceAnswer<D>` in A's frame
template <int D, class Parts, class Method>
DistanceAnswer<D> part_distance(const Parts& parts, const Aabb<D, double>& box_b, Method&& method) {
  DistanceAnswer<D> out;
  out.separation = out.lower = out.upper = std::numeric_limits<double>::infinity();
  int iterations = 0;
  double best = std::numeric_limits<double>::infinity(), lower = best, upper = best;
  parts.for_each_nearer([&](const Aabb<D, double>& box) { return box_gap(box, box_b); }, best,
                        [&](auto part) {
                          const DistanceAnswer<D> x = method(part);
                          iterations += x.iterations;
                          lower = std::fmin(lower, x.lower);
                          upper = std::fmin(upper, x.upper);
                          if (x.separation < out.separation || (x.hit && !out.hit)) out = x;
                          // A hit does not end the search: parts whose boxes meet may be deeper
                          best = out.hit ? std::numeric_limits<double>::denorm_min() : std::fmin(best, x.upper);
                        });
  out.lower = lower;
  out.upper = std::fmax(upper, out.separation);
  out.iterations = iterations;
  return out;
}

}  // namespace sudar

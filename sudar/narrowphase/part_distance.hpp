// What:    A shape made of parts (compound, chain, simple polygon, height field) against any other: the parts near it, each
//          by its own method, put together to one answer.
// Differs: The depth of a union is not that of its parts. The answer holds the deepest part, whose depth is never more
//          than that of the whole; the certificate's `lower` comes from a translation along the normal that frees all
//          parts. When the two differ, they say so.
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

// How far B must go along n at most until the boxes cannot meet; infinite when one has no bounds
template <int D>
double box_overlap_along(const Aabb<D, double>& a, const Aabb<D, double>& b, const Vec<D, double>& n) {
  double reach = 0, size = 0;
  for (int i = 0; i < D; ++i) {
    const double top = n[i] > 0 ? a.hi[i] : a.lo[i], bottom = n[i] > 0 ? b.lo[i] : b.hi[i];
    if (!std::isfinite(top - bottom)) return std::numeric_limits<double>::infinity();
    reach += n[i] * (top - bottom);
    size += std::fabs(top) + std::fabs(bottom);
  }
  return std::fmax(reach + 8 * kRoundoff * size, 0.0);
}

// `parts.for_each_nearer(bound, best, visit)` and `method(part) -> DistanceAnswer<D>` in A's frame
template <int D, class Parts, class Method>
DistanceAnswer<D> part_distance(const Parts& parts, const Aabb<D, double>& box_a, const Aabb<D, double>& box_b,
                                Method&& method) {
  DistanceAnswer<D> out;
  out.separation = out.lower = out.upper = std::numeric_limits<double>::infinity();
  int iterations = 0;
  double best = std::numeric_limits<double>::infinity(), lower = best;
  parts.for_each_nearer([&](const Aabb<D, double>& box) { return box_gap(box, box_b); }, best,
                        [&](auto part) {
                          const DistanceAnswer<D> x = method(part);
                          iterations += x.iterations;
                          lower = std::fmin(lower, x.lower);
                          if (x.separation < out.separation || (x.hit && !out.hit)) out = x;
                          // A hit does not end the search: parts whose boxes meet may be deeper
                          best = out.hit ? std::numeric_limits<double>::denorm_min() : std::fmin(best, x.upper);
                        });
  out.lower = lower;
  if (out.hit) {
    // What is pushed out of a half-space along its normal is out with all its parts
    const double reach = box_overlap_along<D>(box_a, box_b, out.normal);
    if (std::isfinite(reach)) out.lower = std::fmin(lower, -reach);
    // A bracket that stays open is not an answer that was found
    if (out.lower < lower && out.status == QueryStatus::converged) out.status = QueryStatus::max_iterations;
  }
  out.iterations = iterations;
  return out;
}

}  // namespace sudar

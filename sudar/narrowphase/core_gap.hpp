// What:    Signed distance of two cores (points, segments, triangles, boxes…) and how radii turn it into an answer: what
//          the closed forms of both dimensions share.
// Frame:   A's. The normal points from A to B; separation = dot(on_b - on_a, normal) up to rounding.
#pragma once

#include <sudar/math/double_double.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace sudar {

template <int D>
struct CoreGap {
  double separation = 0;
  double tail = 0;  // what rounding took from the separation, where it is known
  // Cores that nearly touch are measured along another normal than their difference (kCoreTouch): they may be apart by this
  // much more than the separation
  double blur = 0;
  Vec<D, double> on_a{}, on_b{}, normal{};
  bool unique = true;  // the normal is the only one
  bool converged = true;
  int iterations = 0;
};

template <int D>
CoreGap<D> swapped(const CoreGap<D>& x) {
  CoreGap<D> out = x;
  out.on_a = x.on_b, out.on_b = x.on_a, out.normal = -x.normal;
  return out;
}

// As normalized, at the cost of one root and one division while the square of the length is in range
template <AnyVec V>
V quick_unit(const V& v) {
  constexpr double kSmallestSquare = 0x1p-600, kLargestSquare = 0x1p600;
  const double squared = length_squared(v);
  return squared > kSmallestSquare && squared < kLargestSquare ? v * (1 / std::sqrt(squared)) : normalized(v);
}

// The unit direction of `difference` made square to `edge`, to which it is square but for rounding. When the difference
// is short, rounding has turned it; what matters for a supporting plane is that it does not cut into the edge. One that is all
// along the edge stays as it is.
template <AnyVec V>
V square_to(const V& difference, const V& edge) {
  const double whole = length_squared(edge);
  if (!(whole > 0)) return quick_unit(difference);
  const V square = difference - edge * (dot(difference, edge) / whole);
  return quick_unit(max_abs(square) > 0.5 * max_abs(difference) ? square : difference);
}

// From two points whose distance is clear of rounding. `edge` is the direction of an edge that one of them is inside of,
// zero when they are both corners.
template <AnyVec V>
CoreGap<V::kDim> apart(const V& on_a, const V& on_b, double distance, const V& edge = {}) {
  CoreGap<V::kDim> gap;
  gap.on_a = on_a, gap.on_b = on_b, gap.separation = distance;
  gap.normal = square_to(on_b - on_a, edge);
  return gap;
}

// Radii on top of the cores, and what rounding may have done in coordinates of the size `scale`
template <int D>
DistanceAnswer<D> grown(const CoreGap<D>& gap, double radius_a, double radius_b, double scale) {
  DistanceAnswer<D> out;
  const double radii = radius_a + radius_b;
  out.separation = gap.separation - radii;
  // Near touching, without any rounding but that of the core. A depth without end stays what it is.
  if (std::fabs(out.separation) < kSphereRecheck * (std::fabs(gap.separation) + radii)) {
    const DoubleDouble radius = two_sum(radius_a, radius_b), core = two_sum(gap.separation, gap.tail);
    out.separation = static_cast<double>(core - radius);
  }
  out.normal = gap.normal;
  out.point_a = gap.on_a + gap.normal * radius_a;
  out.point_b = gap.on_b - gap.normal * radius_b;
  out.hit = !(out.separation > 0);
  // Below the normal doubles there are no relative errors
  const double error = kClosedFormError * scale + std::numeric_limits<double>::min();
  out.lower = out.separation - error, out.upper = out.separation + (error + gap.blur);
  out.iterations = gap.iterations;
  out.status = !gap.converged ? QueryStatus::max_iterations
               : !gap.unique  ? QueryStatus::degenerate
                              : QueryStatus::converged;
  return out;
}

// Two points grown by radii; `offset` + `rest` is the way from A's to B's
template <int D>
DistanceAnswer<D> ball_ball(const Vec<D, double>& center_a, double radius_a, const Vec<D, double>& offset,
                            const Vec<D, double>& rest, double radius_b, double scale) {
  CoreGap<D> gap;
  gap.on_a = center_a, gap.on_b = center_a + offset;
  gap.normal = quick_unit(offset);
  if (gap.normal == Vec<D, double>{}) gap.normal[0] = 1, gap.unique = false;
  const double distance = dot(offset, gap.normal), sum = distance + radius_a + radius_b;
  gap.separation = distance;
  DistanceAnswer<D> out = grown(gap, radius_a, radius_b, scale);
  if (std::fabs(out.separation) < kSphereRecheck * sum) {
    // d - R = (d² - R²) / (d + R), with the squares in twice the precision
    const DoubleDouble radius = two_sum(radius_a, radius_b);
    DoubleDouble squares = -(radius * radius);
    for (int i = 0; i < D; ++i) {
      const DoubleDouble x = two_sum(offset[i], rest[i]);
      squares += x * x;
    }
    out.separation = static_cast<double>(squares) / sum;
    out.hit = !(out.separation > 0);
    const double error = kClosedFormError * std::fabs(out.separation) + kRoundoff * kRoundoff * sum;
    out.lower = out.separation - error, out.upper = out.separation + error;
  }
  return out;
}

// The least overlap over a list of directions. B moves along the normal to get out.
template <int D>
struct LeastOverlap {
  double overlap = std::numeric_limits<double>::infinity();
  Vec<D, double> normal{};
  int axis = -1;
  bool tie = false;

  // [lo, hi] of A and of B along the unit direction n
  void look(const Vec<D, double>& n, double lo_a, double hi_a, double lo_b, double hi_b, int which) {
    take(n, hi_a - lo_b, which);
    take(-n, hi_b - lo_a, which);
  }
  void take(const Vec<D, double>& n, double value, int which) {
    if (value == overlap) tie = true;
    if (value < overlap) overlap = value, normal = n, axis = which, tie = false;
  }
};

// The part of a segment where all of `count` linear functions, given at both ends, are not positive; false when there
// is none
inline bool clip_to(const double (*ends)[2], int count, double& t0, double& t1) {
  t0 = 0, t1 = 1;
  for (int i = 0; i < count; ++i) {
    const double at0 = ends[i][0], at1 = ends[i][1];
    if (at0 > 0 && at1 > 0) return false;
    if (at0 > 0) t0 = at0 / (at0 - at1) > t0 ? at0 / (at0 - at1) : t0;
    if (at1 > 0) t1 = at0 / (at0 - at1) < t1 ? at0 / (at0 - at1) : t1;
  }
  return t0 <= t1;
}

// A point of [t0, t1] on the segment from p to q that is deepest against the normal; the middle when it is level
template <AnyVec V>
double deepest_on(const V& p, const V& q, const V& normal, double t0, double t1) {
  const double slope = dot(q - p, normal), level = kCoreTouch * (max_abs(p) + max_abs(q));
  return std::fabs(slope) <= level ? 0.5 * (t0 + t1) : slope > 0 ? t0 : t1;
}

// Witness points for a separation and normal that are known: the first of the places `ts` on the segment b for which the
// nearest point of A, project(point), lies where it should; when rounding spoils all, the best of them
template <AnyVec V, class Project>
void choose_witness(CoreGap<V::kDim>& gap, const V& p, const V& q, std::initializer_list<double> ts, double scale,
                    Project&& project) {
  double least = std::numeric_limits<double>::infinity();
  for (const double t : ts) {
    const V on_b = t <= 0 ? p : t >= 1 ? q : p + (q - p) * t, on_a = project(on_b);
    const double error = max_abs((on_b - on_a) - gap.normal * gap.separation);
    if (!(error < least)) continue;
    least = error, gap.on_a = on_a, gap.on_b = on_b;
    if (error <= kCoreTouch * scale) return;
  }
}

}  // namespace sudar

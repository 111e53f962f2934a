// What:    What the sphere fits share: the sphere through up to D + 1 points, the smallest sphere of D + 2, and the
//          frame around a fit that checks the input, keeps squares in range and measures the radius at last.
//          Internal.
// Differs: Candidates are compared by the radius they need to cover the points at hand, not by a tolerance: a sphere
//          of nearly dependent points covers badly and loses (SmallestSphere.DegenerateInputs).
#pragma once

#include <sudar/bounding/point_scan.hpp>
#include <sudar/bounding/sphere.hpp>
#include <sudar/core/result.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

namespace sudar {

// Centre of the smallest sphere through all `count` points, from p[0] along an orthonormal basis of the others
// (Gram–Schmidt). False when they are dependent, or as good as.
template <int D>
bool circumcenter(const Vec<D, double>* p, int count, Vec<D, double>& center) {
  std::array<Vec<D, double>, D> basis;
  Vec<D, double> offset{};
  for (int i = 1; i < count; ++i) {
    const Vec<D, double> edge = p[i] - p[0];
    Vec<D, double> rest = edge;
    for (int j = 0; j < i - 1; ++j) rest -= basis[j] * dot(rest, basis[j]);
    const double height = length(rest);
    if (!(height > kSupportHeight * length(edge))) return false;
    basis[i - 1] = rest / height;
    // The centre is as far from p[i] as from p[0]: edge · offset = |edge|² / 2
    offset += basis[i - 1] * (dot(edge, edge * 0.5 - offset) / height);
  }
  center = p[0] + offset;
  return true;
}

// A sphere given by the points on its boundary
template <int D>
struct SupportedBall {
  std::array<Vec<D, double>, D + 1> points{};
  std::array<std::uint32_t, D + 1> ids{};
  int size = 0;
  Vec<D, double> center{};
  double radius2 = 0;
};

// Smallest sphere around the support of `ball` and one more point that lies outside of it. The new point is on the
// boundary, so one of the (at most 15) sets of it and up to D old ones is the support.
template <int D>
SupportedBall<D> add_outside(const SupportedBall<D>& ball, const Vec<D, double>& p, std::uint32_t id) {
  SupportedBall<D> best;
  best.radius2 = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1u << ball.size; ++set) {
    if (std::popcount(set) > D) continue;
    SupportedBall<D> next;
    next.points[0] = p, next.ids[0] = id, next.size = 1;
    for (int i = 0; i < ball.size; ++i)
      if (set >> i & 1) next.points[next.size] = ball.points[i], next.ids[next.size++] = ball.ids[i];
    if (!circumcenter<D>(next.points.data(), next.size, next.center)) continue;
    next.radius2 = length_squared(p - next.center);
    for (int i = 0; i < ball.size; ++i)
      next.radius2 = std::fmax(next.radius2, length_squared(ball.points[i] - next.center));
    if (next.radius2 < best.radius2) best = next;
  }
  return best;
}

// A fit picks a centre; `covered` is the largest squared distance from it when the fit knows it, else negative
template <int D>
struct PickedCenter {
  Vec<D, double> center{};
  double covered = -1;
};

// Largest squared distance from c
template <int D>
double farthest_squared(std::span<const Vec<D, double>> points, const Vec<D, double>& c) {
  double far = 0;
  for (const Vec<D, double>& p : points) far = std::fmax(far, length_squared(p - c));
  return far;
}

inline double radius_above(double squared) { return std::sqrt(squared) * (1 + kRadiusSlack); }

// Check the points, call pick(points, box) where squares are in range, and measure the radius from the picked centre
template <int D, class Pick>
Result<Sphere<D, double>> fit_sphere(std::span<const Vec<D, double>> points, Pick&& pick) {
  using V = Vec<D, double>;
  if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no points"};
  if (points.size() > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::too_large, Error::kNoElement, "more points than an index can hold"};
  const Aabb<D, double> box = scan_box<D>(points);
  if (!is_valid(box)) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
  }
  const double half_size = max_abs(half_extents(box));
  if (half_size == 0 && box.lo == box.hi) return Sphere<D, double>{box.lo, 0};

  // The common case: squares of distances neither over- nor underflow
  constexpr double kSafe = 0x1p450;
  if (half_size < kSafe && half_size > 1 / kSafe) {
    const PickedCenter<D> picked = pick(points, box);
    const double far = picked.covered >= 0 ? picked.covered : farthest_squared<D>(points, picked.center);
    return Sphere<D, double>{picked.center, radius_above(far)};
  }

  // Otherwise work on a copy that is moved to the origin and scaled by a power of two. Sizes that could overflow are
  // halved before they are subtracted.
  const double half = half_size >= kSafe ? 0.5 : 1;
  const int exponent = std::ilogb(max_abs(box.hi * half - box.lo * half));
  const auto scaled = [&](const V& p, const V& origin) {
    V q = p * half - origin * half;
    for (int i = 0; i < D; ++i) q[i] = std::ldexp(q[i], -exponent);
    return q;
  };
  std::vector<V> copy;
  copy.reserve(points.size());
  for (const V& p : points) copy.push_back(scaled(p, box.lo));
  const std::span<const V> view(copy);
  V center = pick(view, scan_box<D>(view)).center;
  for (int i = 0; i < D; ++i) center[i] = (std::ldexp(center[i], exponent) + box.lo[i] * half) / half;
  center = max(box.lo, min(box.hi, center));
  double far = 0;
  for (const V& p : points) far = std::fmax(far, length_squared(scaled(p, center)));
  const double radius = next_up(std::ldexp(radius_above(far), exponent) / half);
  if (!std::isfinite(radius))
    return Error{ErrorCode::too_large, Error::kNoElement, "the radius is past the largest number"};
  return Sphere<D, double>{center, radius};
}

}  // namespace sudar

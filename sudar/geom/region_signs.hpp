// What:    Exact signs of the planes that bound Voronoi regions of features. Internal to voronoi_regions2/3.cpp.
// Source:  a floating-point filter in front of exact integers (dyadic.hpp), as in predicates.hpp. The side plane of a
//          face at an edge is (n × u) · w with n = s × t, which is (s · u)(t · w) - (s · w)(t · u) by Binet and Cauchy.
// Fails:   never for finite points.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/plane.hpp>
#include <sudar/geom/voronoi_regions.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/math/vec.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace sudar {

// Sizes for which the filters' bounds cover underflow as well
inline bool filter_covers(double size) { return size >= 0x1p-100 && size <= 0x1p100; }

namespace detail {

template <int D>
std::array<Dyadic<kDyadicLimbs + 1>, D> exact_difference(const Vec<D, double>& a, const Vec<D, double>& b, int e) {
  std::array<Dyadic<kDyadicLimbs + 1>, D> d;
  for (int i = 0; i < D; ++i) d[i] = to_dyadic(a[i], e) - to_dyadic(b[i], e);
  return d;
}
template <std::size_t D>
auto exact_dot(const std::array<Dyadic<kDyadicLimbs + 1>, D>& a, const std::array<Dyadic<kDyadicLimbs + 1>, D>& b) {
  if constexpr (D == 2)
    return a[0] * b[0] + a[1] * b[1];
  else
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}
template <int D>
int exponent_of(std::initializer_list<const Vec<D, double>*> points) {
  std::array<double, 24> numbers{};
  std::size_t count = 0;
  for (const Vec<D, double>* p : points)
    for (int i = 0; i < D; ++i) numbers[count++] = (*p)[i];
  return common_exponent(std::span(numbers.data(), count));
}

}  // namespace detail

// Sign of (b - a) · (p - a): +1 when p lies beyond a in the direction of b
template <int D>
int along(const Vec<D, double>& a, const Vec<D, double>& b, const Vec<D, double>& p) {
  const Vec<D, double> u = b - a, w = p - a;
  const double size_u = max_abs(u), size_w = max_abs(w);
  if (filter_covers(size_u) && filter_covers(size_w)) {
    const double value = dot(u, w), bound = kAlongFilter * size_u * size_w;
    if (value > bound) return 1;
    if (value < -bound) return -1;
  }
  const int e = detail::exponent_of<D>({&a, &b, &p});
  return detail::exact_dot(detail::exact_difference<D>(b, a, e), detail::exact_difference<D>(p, a, e)).sign();
}

// For a face with normal (q - o) × (r - o) and its edge from a to b: +1 when p lies strictly inside of the edge, seen
// along the normal
inline int inside_edge(const Vec3d& o, const Vec3d& q, const Vec3d& r, const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d s = q - o, t = r - o, u = b - a, w = p - a;
  const double sizes[] = {max_abs(s), max_abs(t), max_abs(u), max_abs(w)};
  if (filter_covers(sizes[0]) && filter_covers(sizes[1]) && filter_covers(sizes[2]) && filter_covers(sizes[3])) {
    const double value = dot(s, u) * dot(t, w) - dot(s, w) * dot(t, u);
    const double bound = kInsideEdgeFilter * (sizes[0] * sizes[1]) * (sizes[2] * sizes[3]);
    if (value > bound) return 1;
    if (value < -bound) return -1;
  }
  const int e = detail::exponent_of<3>({&o, &q, &r, &a, &b, &p});
  const auto es = detail::exact_difference<3>(q, o, e), et = detail::exact_difference<3>(r, o, e);
  const auto eu = detail::exact_difference<3>(b, a, e), ew = detail::exact_difference<3>(p, a, e);
  using detail::exact_dot;
  return (exact_dot(es, eu) * exact_dot(et, ew) - exact_dot(es, ew) * exact_dot(et, eu)).sign();
}

// to - from as direction · size · unit, all finite at any scale; the largest component of the direction is 1
template <int D>
struct ScaledDifference {
  Vec<D, double> direction{};
  double size = 0, unit = 1;

  ScaledDifference(const Vec<D, double>& from, const Vec<D, double>& to) {
    Vec<D, double> d = to - from;
    if (!is_finite(d)) {
      unit = 2;
      d = to * 0.5 - from * 0.5;
    }
    size = max_abs(d);
    if (size > 0) direction = d / size;
  }
};

// to - from, or half of it where the whole would leave the range of double: for directions
template <int D>
Vec<D, double> any_scale_difference(const Vec<D, double>& from, const Vec<D, double>& to) {
  const Vec<D, double> d = to - from;
  return is_finite(d) ? d : to * 0.5 - from * 0.5;
}

// Infinite only where the distance itself is beyond the range of double
template <int D>
double distance_at_any_scale(const Vec<D, double>& a, const Vec<D, double>& b) {
  const Vec<D, double> d = b - a;
  if (filter_covers(max_abs(d))) return length(d);
  const ScaledDifference<D> scaled(a, b);
  return length(scaled.direction) * scaled.size * scaled.unit;
}

// What leaves the doors has left the range of double nowhere
template <int D>
Result<ClosestFeature<D>> in_range(const ClosestFeature<D>& found) {
  if (!is_finite(found.point) || !std::isfinite(found.distance))
    return Error{ErrorCode::too_large, Error::kNoElement, "the distance is past the largest number"};
  return found;
}
template <int D>
Result<std::vector<Plane<D, double>>> in_range(std::vector<Plane<D, double>> planes) {
  for (const Plane<D, double>& plane : planes)
    if (!is_finite(plane.normal) || plane.normal == Vec<D, double>{} || !std::isfinite(plane.offset))
      return Error{ErrorCode::too_large, Error::kNoElement, "a plane is past the largest number"};
  return planes;
}

// The point of the segment that is nearest to p, with rounding
template <int D>
Vec<D, double> nearest_on_segment(const Vec<D, double>& a, const Vec<D, double>& b, const Vec<D, double>& p) {
  const Vec<D, double> u = b - a, w = p - a;
  double t;
  if (filter_covers(max_abs(u)) && filter_covers(max_abs(w))) {
    t = dot(u, w) / dot(u, u);
  } else {
    const ScaledDifference<D> edge(a, b);
    const double shrink = is_finite(w * 8.0) ? 1 : 0.125;
    t = dot(edge.direction, p * shrink - a * shrink) / length_squared(edge.direction) / edge.size;
    t /= shrink * edge.unit;
  }
  if (!(t > 0)) return a;
  if (!(t < 1)) return b;
  return is_finite(u) ? a + u * t : a * (1 - t) + b * t;
}

}  // namespace sudar

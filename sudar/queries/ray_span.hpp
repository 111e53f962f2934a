// What:    The part of a line inside of a ball, a box, a half-space …: from t to t, with closed forms. Internal.
// Source:  Haines, Günther, Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, 2019
//          (a far origin is first moved next to the shape); Kay and Kajiya, "Ray Tracing Complex Scenes", 1986 (slabs).
// Differs: The move is made in twice the precision, so nothing is lost by it, and so is the discriminant where it decides.
//          Slabs are compared exactly where rounding could decide (RayShapes.BoxCornersAreExact).
// Frame:   The shape's own.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/geom/ray.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/queries/query_tolerance.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sudar {

// Empty when first > last
struct RaySpan {
  double first = -std::numeric_limits<double>::infinity(), last = std::numeric_limits<double>::infinity();

  bool empty() const { return !(first <= last); }
  static RaySpan none() { return {1, 0}; }
};
inline RaySpan common(const RaySpan& a, const RaySpan& b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

// A ray that starts near the shape and whose direction is about one long: t = start + local t · step
template <int D>
struct NearRay {
  Vec<D, double> origin{}, direction{};
  double start = 0, step = 1;

  double time(double local) const { return start + local * step; }
  Vec<D, double> at(double local) const { return origin + direction * local; }
};

// Next to the origin of the frame, when it is farther away than a few sizes of the shape
template <int D>
NearRay<D> near_ray(const Ray<D, double>& ray, double size) {
  NearRay<D> out;
  out.step = std::ldexp(1.0, -std::ilogb(max_abs(ray.direction)));
  out.origin = ray.origin;
  out.direction = ray.direction * out.step;
  if (max_abs(ray.origin) > 4 * size) {
    const double local = -dot(out.origin, out.direction) / dot(out.direction, out.direction);
    for (int i = 0; i < D; ++i) {
      const DoubleDouble moved = DoubleDouble(out.origin[i]) + DoubleDouble(out.direction[i]) * local;
      out.origin[i] = static_cast<double>(moved);
    }
    out.start = local * out.step;
  }
  return out;
}

// a t² + 2 b t + c <= 0 with a > 0
inline RaySpan quadratic_span(double a, double b, double c, double discriminant) {
  if (!(discriminant >= 0)) return RaySpan::none();
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  if (q == 0) return {0, 0};
  const double t = q / a, s = c / q;
  return {std::min(t, s), std::max(t, s)};
}

// Of a ball around the origin of the frame: |o + t d| <= radius. All of the line when d is zero and o inside.
template <int D>
RaySpan ball_span(const Vec<D, double>& o, const Vec<D, double>& d, double radius) {
  double a = dot(d, d), b = dot(o, d), oo = dot(o, o), rr = radius * radius, c = oo - rr;
  double discriminant = b * b - a * c;
  // Where rounding could decide, or much was lost: twice the precision
  if (std::fabs(discriminant) < kRayClear * (b * b + a * oo + a * rr) || std::fabs(c) < kRayClear * rr) {
    DoubleDouble aa, bb, cc = DoubleDouble(two_product(radius, -radius));
    for (int i = 0; i < D; ++i) {
      aa += DoubleDouble(two_product(d[i], d[i]));
      bb += DoubleDouble(two_product(o[i], d[i]));
      cc += DoubleDouble(two_product(o[i], o[i]));
    }
    discriminant = static_cast<double>(bb * bb - aa * cc);
    a = static_cast<double>(aa), b = static_cast<double>(bb), c = static_cast<double>(cc);
  }
  if (a == 0) return c <= 0 ? RaySpan{} : RaySpan::none();
  return quadratic_span(a, b, c, discriminant);
}

// lo <= o + t d <= hi
inline RaySpan slab_span(double lo, double hi, double o, double d) {
  if (d == 0) return lo <= o && o <= hi ? RaySpan{} : RaySpan::none();
  const double s = (lo - o) / d, t = (hi - o) / d;
  return {std::min(s, t), std::max(s, t)};
}

// Of a box. `axis`: the face through which it is entered.
template <int D>
RaySpan box_span(const Vec<D, double>& lo, const Vec<D, double>& hi, const Vec<D, double>& o, const Vec<D, double>& d,
                 int& axis) {
  RaySpan span;
  axis = 0;
  for (int i = 0; i < D; ++i) {
    const RaySpan s = slab_span(lo[i], hi[i], o[i], d[i]);
    if (s.empty()) return RaySpan::none();
    if (s.first > span.first) span.first = s.first, axis = i;
    if (s.last < span.last) span.last = s.last;
  }
  // Each quotient is off by two roundings. Exactly: (near_i - o_i) |d_j| <= (far_j - o_j) |d_i|, signs made positive
  const double off = 8 * kRoundoff * std::max(std::fabs(span.first), std::fabs(span.last));
  if (std::isinf(span.first) || std::fabs(span.first - span.last) > off) return span;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      if (i == j || d[i] == 0 || d[j] == 0) continue;
      const double si = d[i] > 0 ? 1 : -1, sj = d[j] > 0 ? 1 : -1;
      const double near = (d[i] > 0 ? lo[i] : hi[i]) * si, far = (d[j] > 0 ? hi[j] : lo[j]) * sj;
      // (near - o_i) |d_j| + (o_j - far) |d_i| <= 0
      if (dot_sign({o[i] * si, far}, {near, o[j] * sj}, {}, {std::fabs(d[j]), std::fabs(d[i])}) > 0)
        return RaySpan::none();
    }
  if (span.first > span.last) span.first = span.last;
  return span;
}

// The earliest t >= 0 at which a ray can meet what is in the box, never later than the truth; infinite: never
template <int D>
double earliest_in(const Aabb<D, double>& box, const Ray<D, double>& ray) {
  double first = 0, last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < D; ++i) {
    const RaySpan s = slab_span(box.lo[i], box.hi[i], ray.origin[i], ray.direction[i]);
    if (s.empty()) return std::numeric_limits<double>::infinity();
    constexpr double kDown = 1 - 8 * kRoundoff, kUp = 1 + 8 * kRoundoff;
    first = std::max(first, s.first * kDown);
    last = std::min(last, s.last > 0 ? s.last * kUp : s.last);
  }
  return first <= last ? first : std::numeric_limits<double>::infinity();
}

}  // namespace sudar

// What:    The plane half-way between two points, seen from an origin near the body that it will cut.
// Differs: The offset is formed in twice the precision, so that sites far from the body still cut it where they should
//          (Fracture3.SitesFarAway). Swapping the points gives exactly the opposite plane, so that both cells of a pair
//          are cut by the same plane.
// Frame:   Coordinates relative to `origin`: dot(normal, x - origin) - offset, unit normal, negative nearer to `a`.
// Fails:   coordinates beyond 2^300 may overflow; the doors that use it refuse them. Equal points give a zero normal.
#pragma once

#include <sudar/geom/plane.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>

namespace sudar {

template <int D>
Plane<D, double> bisector(const Vec<D, double>& a, const Vec<D, double>& b, const Vec<D, double>& origin) {
  const Vec<D, double> apart = b - a;
  const double size = max_abs(apart);
  if (!(size > 0)) return {};
  // A power of two brings the longest component to size 1. Subnormal differences get there in two exact steps.
  const int exponent = -std::ilogb(size), half = exponent / 2;
  const double first = std::ldexp(1.0, half), second = std::ldexp(1.0, exponent - half);
  DoubleDouble twice_offset = 0;
  Plane<D, double> plane;
  for (int i = 0; i < D; ++i) {
    const TwoDoubles d = two_difference(b[i], a[i]);
    const DoubleDouble along = TwoDoubles{d.hi * first * second, d.lo * first * second};
    plane.normal[i] = along.hi;
    const DoubleDouble to_a = two_difference(a[i], origin[i]), to_b = two_difference(b[i], origin[i]);
    twice_offset += along * (to_a + to_b);
  }
  const double norm = length(plane.normal);
  plane.normal = plane.normal / norm;
  plane.offset = static_cast<double>(twice_offset) * 0.5 / norm;
  return plane;
}

}  // namespace sudar

// What:    The three answers of a point test, and the test against half-spaces.
#pragma once

#include <sudar/geom/plane.hpp>

#include <cstdint>
#include <span>

namespace sudar {

enum class Containment : std::uint8_t { outside, boundary, inside };

// Behind all planes. As good as the planes are: a point closer to one than rounding may get a neighbour's answer; the
// tests that take vertices (point_in_polygon.hpp, point_in_mesh.hpp) are exact. NaN is outside; no plane, all of space.
template <int D, class T>
constexpr Containment locate_in_half_spaces(std::span<const Plane<D, T>> planes, const Vec<D, T>& p) {
  bool touches = false;
  for (const Plane<D, T>& plane : planes) {
    const T d = signed_distance(plane, p);
    if (!(d <= 0)) return Containment::outside;
    touches = touches || d == 0;
  }
  return touches ? Containment::boundary : Containment::inside;
}

}  // namespace sudar

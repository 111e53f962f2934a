// What:    A plane (a line in 2D) as normal and offset. The half-space behind it is normal · x <= offset.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <int D, class T = Real>
struct Plane {
  Vec<D, T> normal{};
  T offset{};

  friend constexpr bool operator==(const Plane&, const Plane&) = default;
};

// Signed distance when the normal has unit length: positive in front
template <int D, class T>
constexpr T signed_distance(const Plane<D, T>& plane, const Vec<D, T>& p) {
  return dot(plane.normal, p) - plane.offset;
}

}  // namespace sudar

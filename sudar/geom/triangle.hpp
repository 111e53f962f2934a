// What:    A triangle a, b, c with its border. Seen counterclockwise from the side its normal points to.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <int D, class T = Real>
struct Triangle {
  Vec<D, T> a{}, b{}, c{};

  constexpr const Vec<D, T>& operator[](int i) const { return i == 0 ? a : i == 1 ? b : c; }
  // The point with weights 1 - u - v, u, v at a, b, c
  constexpr Vec<D, T> at(T u, T v) const { return a + (b - a) * u + (c - a) * v; }
  friend constexpr bool operator==(const Triangle&, const Triangle&) = default;
};

// Twice the area: signed in 2D (positive when counterclockwise), along the normal in 3D
template <class T>
constexpr T double_area(const Triangle<2, T>& t) {
  return cross(t.b - t.a, t.c - t.a);
}
template <class T>
constexpr BasicVec3<T> double_area(const Triangle<3, T>& t) {
  return cross(t.b - t.a, t.c - t.a);
}

}  // namespace sudar

// What:    A segment from a to b, both ends included. a == b is a point and allowed.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <int D, class T = Real>
struct Segment {
  Vec<D, T> a{}, b{};

  constexpr Vec<D, T> at(T t) const { return a + (b - a) * t; }
  friend constexpr bool operator==(const Segment&, const Segment&) = default;
};

}  // namespace sudar

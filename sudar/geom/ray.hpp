// What:    A ray: origin + t · direction for t >= 0. The direction need not have unit length.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <int D, class T = Real>
struct Ray {
  Vec<D, T> origin{};
  Vec<D, T> direction{};

  constexpr Vec<D, T> at(T t) const { return origin + direction * t; }
  friend constexpr bool operator==(const Ray&, const Ray&) = default;
};

}  // namespace sudar

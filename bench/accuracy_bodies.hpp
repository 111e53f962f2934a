// What:    The bodies of the accuracy matrix: random shapes of every kind that bound a convex set, each with a support
//          function of its own in 80 bits.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace sudar_bench {

using sudar::Random;
using Long = long double;
template <int D>
using LongVec = sudar::Vec<D, Long>;
template <int D>
using DoubleVec = sudar::Vec<D, double>;
template <int D>
using Shape = std::conditional_t<D == 2, sudar::Shape2, sudar::Shape3>;

// A convex set with a support function of its own, in 80 bits
template <int D>
struct Body {
  std::string name;
  Shape<D> shape;
  std::function<LongVec<D>(const LongVec<D>&)> support;
  double size = 1;
  bool polytope = false;
  std::optional<DoubleVec<D>> plane = std::nullopt;  // the normal of a half-space, whose support lies on it
};

template <int D>
LongVec<D> widen(const DoubleVec<D>& v) {
  return sudar::vec_cast<Long>(v);
}

// A body of about the given size
template <int D>
using BodyMaker = std::function<Body<D>(Random&, double scale)>;

std::vector<BodyMaker<2>> body_makers2();
std::vector<BodyMaker<3>> body_makers3();

}  // namespace sudar_bench

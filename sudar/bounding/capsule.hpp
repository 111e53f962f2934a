// What:    Capsules: all points within a radius of a segment, in both dimensions.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 4.5; distances of segments: geom/closest.hpp; seed B4.
// Differs: The cores of two capsules that cross at a small angle are nearest where rounding is largest; closest_points
//          holds there (Capsule.CoresThatCrossAtASmallAngle).
// Frame:   Closed sets: touching counts, up to the rounding of squares. Range as in sphere.hpp; between two capsules
//          that of geom/closest.hpp. NaN is a miss.
#pragma once

#include <sudar/bounding/overlap.hpp>
#include <sudar/geom/closest.hpp>

namespace sudar {

template <int D, class T = Real>
struct Capsule {
  using Scalar = T;
  static constexpr int kDim = D;
  Vec<D, T> a{}, b{};  // ends of the core
  T radius{};

  friend constexpr bool operator==(const Capsule&, const Capsule&) = default;
};
using Capsule2 = Capsule<2>;
using Capsule3 = Capsule<3>;

// Squared distance from p to the core
template <int D, class T>
constexpr T squared_distance_to_core(const Capsule<D, T>& capsule, const Vec<D, T>& p) {
  return closest_point(Segment<D, T>{capsule.a, capsule.b}, p).distance_squared;
}
template <int D, class T>
T squared_distance_of_cores(const Capsule<D, T>& s, const Capsule<D, T>& t) {
  if (!is_finite(s.a) || !is_finite(s.b) || !is_finite(t.a) || !is_finite(t.b))
    return std::numeric_limits<T>::quiet_NaN();
  return closest_points(Segment<D, T>{s.a, s.b}, Segment<D, T>{t.a, t.b}).distance_squared;
}

template <int D, class T>
constexpr bool contains(const Capsule<D, T>& a, const Vec<D, T>& p) {
  return squared_distance_to_core(a, p) <= a.radius * a.radius;
}
template <int D, class T>
bool overlap(const Capsule<D, T>& a, const Capsule<D, T>& b) {
  const T reach = a.radius + b.radius;
  return squared_distance_of_cores(a, b) <= reach * reach;
}
template <int D, class T>
constexpr bool overlap(const Capsule<D, T>& a, const Sphere<D, T>& b) {
  const T reach = a.radius + b.radius;
  return squared_distance_to_core(a, b.center) <= reach * reach;
}
template <int D, class T>
constexpr bool overlap(const Sphere<D, T>& a, const Capsule<D, T>& b) {
  return overlap(b, a);
}

// Area in 2D, volume in 3D: the core's share and a sphere's
template <int D, class T>
T volume(const Capsule<D, T>& a) {
  const T section = volume(Sphere<D, T>{{}, a.radius}) * (D == 2 ? T(2) / static_cast<T>(kPi) : T(3) / 4);
  return (a.radius > 0 ? section / a.radius * distance(a.a, a.b) : T(0)) + volume(Sphere<D, T>{{}, a.radius});
}
// Box around it, rounded outward
template <int D, class T>
constexpr Aabb<D, T> bounding_box(const Capsule<D, T>& a) {
  return merge(bounding_box(Sphere<D, T>{a.a, a.radius}), bounding_box(Sphere<D, T>{a.b, a.radius}));
}
// The capsule, in frame a, of a capsule given in frame b; grown by what rounding may move its points
template <int D, class T>
constexpr Capsule<D, T> transform(const Pose<D, T>& a_from_b, const Capsule<D, T>& capsule_b) {
  const Sphere<D, T> a = transform(a_from_b, Sphere<D, T>{capsule_b.a, capsule_b.radius});
  const Sphere<D, T> b = transform(a_from_b, Sphere<D, T>{capsule_b.b, capsule_b.radius});
  return {a.center, b.center, a.radius < b.radius ? b.radius : a.radius};
}

}  // namespace sudar

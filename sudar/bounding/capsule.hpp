// What:    Capsules: all points within a radius of a segment, in both dimensions.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 4.5, 5.1.9; seed B4.
// Differs: The distance of two segments is the least of five candidates (four ends, one inner pair), each of which is
//          the distance of two points of the segments. So no choice of region can go wrong; parallel segments need no
//          case.
// Frame:   Closed sets: touching counts, up to the rounding of squares (range as in sphere.hpp). NaN is a miss.
#pragma once

#include <sudar/bounding/overlap.hpp>

namespace sudar::inline SUDAR_ABI {

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
  const Vec<D, T> core = capsule.b - capsule.a, from_a = p - capsule.a;
  const T along = dot(from_a, core), squared = dot(core, core);
  if (along <= 0 || squared == 0) return length_squared(from_a);
  if (along >= squared) return length_squared(p - capsule.b);
  return length_squared(from_a - core * (along / squared));
}
template <int D, class T>
constexpr T squared_distance_of_cores(const Capsule<D, T>& s, const Capsule<D, T>& t) {
  const auto nearer = [](T x, T y) { return y < x ? y : x; };
  T best = nearer(nearer(squared_distance_to_core(t, s.a), squared_distance_to_core(t, s.b)),
                  nearer(squared_distance_to_core(s, t.a), squared_distance_to_core(s, t.b)));
  // Where the lines are nearest, when that is inside of both
  const Vec<D, T> u = s.b - s.a, v = t.b - t.a, w = s.a - t.a;
  const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const T det = uu * vv - uv * uv, i = uv * vw - vv * uw, j = uu * vw - uv * uw;
  if (det > 0 && i >= 0 && i <= det && j >= 0 && j <= det)
    best = nearer(best, length_squared(w + u * (i / det) - v * (j / det)));
  return best;
}

template <int D, class T>
constexpr bool contains(const Capsule<D, T>& a, const Vec<D, T>& p) {
  return squared_distance_to_core(a, p) <= a.radius * a.radius;
}
template <int D, class T>
constexpr bool overlap(const Capsule<D, T>& a, const Capsule<D, T>& b) {
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

}  // namespace sudar::inline SUDAR_ABI

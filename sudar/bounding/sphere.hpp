// What:    Spheres (circles in 2D): containment, overlap, smallest sphere around two, under a pose.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 4.3; seeds A1, A12.
// Differs: Spheres are closed sets: touching counts. Tests compare rounded squares. They are exact while the squares
//          are; past the range where squares over- or underflow they err towards a hit. NaN is a miss.
// Frame:   merge, expand and transform round outward: the new sphere contains the old ones exactly.
#pragma once

#include <sudar/math/outward.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/tolerance.hpp>

namespace sudar {

template <int D, class T = Real>
struct Sphere {
  using Scalar = T;
  static constexpr int kDim = D;
  Vec<D, T> center{};
  T radius{};

  friend constexpr bool operator==(const Sphere&, const Sphere&) = default;
};
using Circle = Sphere<2>;
using Sphere3 = Sphere<3>;
using Circled = Sphere<2, double>;
using Sphere3d = Sphere<3, double>;

template <int D, class T>
constexpr bool contains(const Sphere<D, T>& a, const Vec<D, T>& p) {
  return length_squared(p - a.center) <= a.radius * a.radius;
}
template <int D, class T>
constexpr bool overlap(const Sphere<D, T>& a, const Sphere<D, T>& b) {
  const T reach = a.radius + b.radius;
  return length_squared(b.center - a.center) <= reach * reach;
}
// Whether all of b lies in a
template <int D, class T>
constexpr bool contains(const Sphere<D, T>& a, const Sphere<D, T>& b) {
  const T slack = a.radius - b.radius;
  return slack >= 0 && length_squared(b.center - a.center) <= slack * slack;
}

// Area in 2D, volume in 3D
template <int D, class T>
constexpr T volume(const Sphere<D, T>& a) {
  const T disc = static_cast<T>(kPi) * a.radius * a.radius;
  return D == 2 ? disc : disc * a.radius * 4 / 3;
}

// Length of v, never below the exact one. Scaled, so that no square over- or underflows.
template <AnyVec V>
typename V::Scalar length_up(const V& v) {
  using T = typename V::Scalar;
  const T m = max_abs(v);
  if (!(m > 0 && m <= std::numeric_limits<T>::max())) return m;
  return next_up(m * (length(v / m) * (1 + kPoseSlack<T>)));
}

// Smallest sphere around both, up to rounding outward; of infinite radius when their distance is past the largest number
template <int D, class T>
Sphere<D, T> merge(const Sphere<D, T>& a, const Sphere<D, T>& b) {
  const T apart = length_up(b.center - a.center);
  if (add_up(apart, b.radius) <= a.radius) return a;
  if (add_up(apart, a.radius) <= b.radius) return b;
  // The new centre lies between; the radius is then measured from where rounding put it
  const T radius = a.radius / 2 + b.radius / 2 + apart / 2;
  if (radius > std::numeric_limits<T>::max()) return {a.center, radius};
  Sphere<D, T> out{a.center, 0};
  if (apart > 0) out.center = lerp(a.center, b.center, (radius - a.radius) / apart);
  const T to_a = add_up(length_up(a.center - out.center), a.radius);
  const T to_b = add_up(length_up(b.center - out.center), b.radius);
  out.radius = to_a < to_b ? to_b : to_a;
  return out;
}

template <int D, class T>
constexpr Sphere<D, T> expand(const Sphere<D, T>& a, T margin) {
  return {a.center, add_up(a.radius, margin)};
}

// The sphere, in frame a, of a sphere given in frame b
template <int D, class T>
constexpr Sphere<D, T> transform(const Pose<D, T>& a_from_b, const Sphere<D, T>& sphere_b) {
  T size = 0;
  for (int i = 0; i < D; ++i) {
    const T c = sphere_b.center[i], t = a_from_b.position[i];
    size += (c < 0 ? -c : c) + (t < 0 ? -t : t);
  }
  const T slack = kPoseSlack<T> * (size + sphere_b.radius) + std::numeric_limits<T>::min();
  return {transform(a_from_b, sphere_b.center), add_up(sphere_b.radius, slack)};
}

}  // namespace sudar

// What:    What a box, a sphere or a capsule covers while it moves along a straight line without turning.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 5.5; Larsen, Gottschalk, Lin, Manocha, "Fast proximity
//          queries with swept sphere volumes", 1999.
// Differs: All three contain the whole sweep, rounding included. The tighter test of a moving box is by separating
//          axes, without a division, and never misses a contact (Swept.MovingBoxNeverMisses).
#pragma once

#include <sudar/bounding/capsule.hpp>

namespace sudar {

// Box of the start and the end
template <int D, class T>
constexpr Aabb<D, T> swept(const Aabb<D, T>& box, const Vec<D, T>& motion) {
  Aabb<D, T> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = motion[i] < 0 ? add_down(box.lo[i], motion[i]) : box.lo[i];
    out.hi[i] = motion[i] > 0 ? add_up(box.hi[i], motion[i]) : box.hi[i];
  }
  return out;
}

// Whether a box that moves by `motion` meets a fixed one on its way. Tighter than the boxes of the sweep: it also looks
// along the normals of the motion in each coordinate plane. Touching counts; a gap below rounding may count.
template <int D, class T>
constexpr bool swept_overlap(const Aabb<D, T>& moving, const Vec<D, T>& motion, const Aabb<D, T>& fixed) {
  if (!is_valid(moving) || !overlap(swept(moving, motion), fixed)) return false;
  for (int i = 0; i < D; ++i)
    if (!(motion[i] == motion[i])) return false;
  // The middle of the motion against the fixed box grown by the moving one
  Vec<D, T> apart, half, size;
  const auto magnitude = [](T x) { return x < 0 ? -x : x; };
  for (int i = 0; i < D; ++i) {
    apart[i] = (moving.lo[i] - fixed.lo[i]) / 2 + (moving.hi[i] - fixed.hi[i]) / 2 + motion[i] / 2;
    half[i] = (moving.hi[i] - moving.lo[i]) / 2 + (fixed.hi[i] - fixed.lo[i]) / 2;
    size[i] = magnitude(moving.lo[i]) + magnitude(moving.hi[i]) + magnitude(fixed.lo[i]) + magnitude(fixed.hi[i]) +
              magnitude(motion[i]);
  }
  for (int i = 0; i < D; ++i) {
    for (int j = i + 1; j < D; ++j) {
      const T gap = magnitude(apart[i] * motion[j] - apart[j] * motion[i]);
      const T reach = half[i] * magnitude(motion[j]) + half[j] * magnitude(motion[i]);
      const T slack = kPoseSlack<T> * (size[i] * magnitude(motion[j]) + size[j] * magnitude(motion[i]));
      // Products past the largest number separate nothing
      if (gap > reach + slack) return false;
    }
  }
  return true;
}

// A sphere sweeps a capsule
template <int D, class T>
constexpr Capsule<D, T> swept(const Sphere<D, T>& sphere, const Vec<D, T>& motion) {
  const Vec<D, T> end = sphere.center + motion;
  T slack = std::numeric_limits<T>::min();
  for (int i = 0; i < D; ++i) slack += std::numeric_limits<T>::epsilon() * (end[i] < 0 ? -end[i] : end[i]);
  return {sphere.center, end, add_up(sphere.radius, slack)};
}

// A capsule sweeps all points within its radius of a parallelogram: origin + s u + t v with s and t in [0, 1]
template <int D, class T = Real>
struct SweptCapsule {
  Vec<D, T> origin{}, u{}, v{};
  T radius{};

  friend constexpr bool operator==(const SweptCapsule&, const SweptCapsule&) = default;
};

template <int D, class T>
constexpr SweptCapsule<D, T> swept(const Capsule<D, T>& capsule, const Vec<D, T>& motion) {
  const Vec<D, T> core = capsule.b - capsule.a;
  T slack = std::numeric_limits<T>::min();
  for (int i = 0; i < D; ++i)
    slack += 2 * std::numeric_limits<T>::epsilon() *
             ((core[i] < 0 ? -core[i] : core[i]) + (motion[i] < 0 ? -motion[i] : motion[i]));
  return {capsule.a, core, motion, add_up(capsule.radius, slack)};
}

// Squared distance from p to the parallelogram: two triangles that share a diagonal
template <int D, class T>
T squared_distance_to_core(const SweptCapsule<D, T>& swept, const Vec<D, T>& p) {
  const Vec<D, T>&u = swept.u, &v = swept.v, far = u + v, w = p - swept.origin;
  if (!is_finite(u) || !is_finite(v)) return std::numeric_limits<T>::quiet_NaN();
  const T first = closest_point(Triangle<D, T>{{}, u, far}, w).distance_squared;
  const T second = closest_point(Triangle<D, T>{{}, v, far}, w).distance_squared;
  return second < first ? second : first;
}
template <int D, class T>
bool contains(const SweptCapsule<D, T>& a, const Vec<D, T>& p) {
  return squared_distance_to_core(a, p) <= a.radius * a.radius;
}
template <int D, class T>
bool overlap(const SweptCapsule<D, T>& a, const Sphere<D, T>& b) {
  const T reach = a.radius + b.radius;
  return squared_distance_to_core(a, b.center) <= reach * reach;
}
// Box around it, rounded outward
template <int D, class T>
constexpr Aabb<D, T> bounding_box(const SweptCapsule<D, T>& a) {
  const Aabb<D, T> core = swept(swept(Aabb<D, T>{a.origin, a.origin}, a.u), a.v);
  return expand(core, a.radius);
}
// Area in 2D, volume in 3D
template <int D, class T>
T volume(const SweptCapsule<D, T>& a) {
  const T uu = dot(a.u, a.u), uv = dot(a.u, a.v), vv = dot(a.v, a.v), squared = uu * vv - uv * uv;
  const T area = squared > 0 ? std::sqrt(squared) : T(0), edges = std::sqrt(uu) + std::sqrt(vv);
  const T r = a.radius, pi = static_cast<T>(kPi);
  return D == 2 ? area + 2 * edges * r + pi * r * r : 2 * area * r + edges * pi * r * r + pi * r * r * r * 4 / 3;
}

}  // namespace sudar

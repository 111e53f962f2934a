// What:    Cylinders in space as bounding volumes: containment, a conservative overlap test, under a pose.
// Source:  Eberly, "Intersection of Cylinders", 2000 (the axes tried); seed B4.
// Differs: The source searches all directions for a separating one. A bounding volume needs no more than "perhaps":
//          six directions are tried, and a pair that none of them separates counts as overlapping. So an overlap is
//          never missed (Cylinder.NeverMissesAnOverlap), and some near pairs are reported that do not touch.
// Frame:   The set of points within half_height of the centre along the axis and within radius of its line. Closed.
#pragma once

#include <sudar/bounding/aabb.hpp>

namespace sudar {

template <class T = Real>
struct Cylinder {
  using Scalar = T;
  static constexpr int kDim = 3;
  BasicVec3<T> center{}, axis{0, 0, 1};  // the axis is a unit vector
  T half_height{}, radius{};

  friend constexpr bool operator==(const Cylinder&, const Cylinder&) = default;
};

template <class T>
constexpr bool contains(const Cylinder<T>& a, const BasicVec3<T>& p) {
  const BasicVec3<T> d = p - a.center;
  const T along = dot(d, a.axis);
  return (along < 0 ? -along : along) <= a.half_height && length_squared(d - a.axis * along) <= a.radius * a.radius;
}
template <class T>
constexpr T volume(const Cylinder<T>& a) {
  return static_cast<T>(kPi) * a.radius * a.radius * 2 * a.half_height;
}
// How far it reaches from its centre along a unit direction
template <class T>
T reach(const Cylinder<T>& a, const BasicVec3<T>& direction) {
  const T along = dot(a.axis, direction);
  return a.half_height * std::fabs(along) + a.radius * length(direction - a.axis * along);
}
// Box around it, rounded outward
template <class T>
Aabb<3, T> bounding_box(const Cylinder<T>& a) {
  const T size = std::fabs(a.center.x) + std::fabs(a.center.y) + std::fabs(a.center.z) + a.half_height + a.radius;
  Aabb<3, T> out;
  for (int i = 0; i < 3; ++i) {
    BasicVec3<T> direction{};
    direction[i] = 1;
    const T r = reach(a, direction) + kPoseSlack<T> * size + std::numeric_limits<T>::min();
    out.lo[i] = a.center[i] - r;
    out.hi[i] = a.center[i] + r;
  }
  return out;
}
// The cylinder, in frame a, of a cylinder given in frame b; grown by what rounding may move its points
template <class T>
Cylinder<T> transform(const Pose<3, T>& a_from_b, const Cylinder<T>& cylinder_b) {
  const T size =
      3 * (max_abs(cylinder_b.center) + max_abs(a_from_b.position)) + cylinder_b.half_height + cylinder_b.radius;
  const T slack = kPoseSlack<T> * size + std::numeric_limits<T>::min();
  return {transform(a_from_b, cylinder_b.center), rotate(a_from_b.rotation, cylinder_b.axis),
          cylinder_b.half_height + slack, cylinder_b.radius + slack};
}

// False only when they are apart. NaN is a miss.
template <class T>
bool overlap(const Cylinder<T>& a, const Cylinder<T>& b) {
  const BasicVec3<T> apart = b.center - a.center;
  const BasicVec3<T> directions[] = {a.axis,
                                     b.axis,
                                     normalized(cross(a.axis, b.axis)),
                                     normalized(apart),
                                     normalized(apart - a.axis * dot(apart, a.axis)),
                                     normalized(apart - b.axis * dot(apart, b.axis))};
  const T slack = kPoseSlack<T> * (3 * max_abs(apart) + a.half_height + a.radius + b.half_height + b.radius);
  for (const BasicVec3<T>& n : directions)
    if (!(std::fabs(dot(apart, n)) <= reach(a, n) + reach(b, n) + slack)) return false;
  return true;
}

}  // namespace sudar

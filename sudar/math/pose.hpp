// What:    Rotations (a complex number in 2D, a unit quaternion in 3D) and poses: rotation, then translation.
// Frame:   A pose named a_from_b takes points of frame b to frame a. Poses compose as matrices do.
#pragma once

#include <sudar/math/mat.hpp>
#include <sudar/math/scalar.hpp>

namespace sudar {

template <class T>
struct BasicRot2 {
  T c{1}, s{0};

  static BasicRot2 from_angle(T radians) {
    const SinCos sc = sin_cos(static_cast<double>(radians));
    return {static_cast<T>(sc.cos), static_cast<T>(sc.sin)};
  }
  friend constexpr bool operator==(const BasicRot2&, const BasicRot2&) = default;
};

template <class T>
struct BasicQuat {
  T w{1}, x{0}, y{0}, z{0};

  static BasicQuat from_axis_angle(const BasicVec3<T>& unit_axis, T radians) {
    const SinCos sc = sin_cos(static_cast<double>(radians) / 2);
    const T s = static_cast<T>(sc.sin);
    return {static_cast<T>(sc.cos), unit_axis.x * s, unit_axis.y * s, unit_axis.z * s};
  }
  friend constexpr bool operator==(const BasicQuat&, const BasicQuat&) = default;
};

inline namespace SUDAR_ABI {
using Rot2 = BasicRot2<Real>;
using Quat = BasicQuat<Real>;
}  // namespace SUDAR_ABI
using Rot2d = BasicRot2<double>;
using Quatd = BasicQuat<double>;
template <int D, class T = Real>
using Rot = std::conditional_t<D == 2, BasicRot2<T>, BasicQuat<T>>;

// Two dimensions
template <class T>
constexpr BasicRot2<T> operator*(const BasicRot2<T>& a, const BasicRot2<T>& b) {
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
template <class T>
constexpr BasicRot2<T> conjugate(const BasicRot2<T>& r) {
  return {r.c, -r.s};
}
template <class T>
constexpr BasicVec2<T> rotate(const BasicRot2<T>& r, const BasicVec2<T>& v) {
  return {r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y};
}
template <class T>
BasicRot2<T> normalized(const BasicRot2<T>& r) {
  const BasicVec2<T> n = normalized(BasicVec2<T>{r.c, r.s});
  return n == BasicVec2<T>{} ? BasicRot2<T>{} : BasicRot2<T>{n.x, n.y};
}

// Three dimensions
template <class T>
constexpr BasicQuat<T> operator*(const BasicQuat<T>& a, const BasicQuat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
constexpr BasicQuat<T> conjugate(const BasicQuat<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
constexpr BasicVec3<T> rotate(const BasicQuat<T>& q, const BasicVec3<T>& v) {
  const BasicVec3<T> u{q.x, q.y, q.z};
  const BasicVec3<T> t = cross(u, v) * T(2);
  return v + t * q.w + cross(u, t);
}
template <class T>
BasicQuat<T> normalized(const BasicQuat<T>& q) {
  const T m = std::fmax(std::fmax(std::fabs(q.w), std::fabs(q.x)), std::fmax(std::fabs(q.y), std::fabs(q.z)));
  if (!(m > 0)) return {};
  const BasicQuat<T> s{q.w / m, q.x / m, q.y / m, q.z / m};
  const T n = std::sqrt(s.w * s.w + s.x * s.x + s.y * s.y + s.z * s.z);
  return {s.w / n, s.x / n, s.y / n, s.z / n};
}
template <class T>
constexpr BasicMat3<T> to_matrix(const BasicQuat<T>& q) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}
template <class T>
constexpr BasicMat2<T> to_matrix(const BasicRot2<T>& r) {
  return {{r.c, r.s}, {-r.s, r.c}};
}

// Poses
template <int D, class T = Real>
struct Pose {
  Vec<D, T> position{};
  Rot<D, T> rotation{};

  friend constexpr bool operator==(const Pose&, const Pose&) = default;
};
using Pose2 = Pose<2>;
using Pose3 = Pose<3>;
using Pose2d = Pose<2, double>;
using Pose3d = Pose<3, double>;

template <int D, class T>
constexpr Vec<D, T> transform(const Pose<D, T>& a_from_b, const Vec<D, T>& p_b) {
  return rotate(a_from_b.rotation, p_b) + a_from_b.position;
}
template <int D, class T>
constexpr Pose<D, T> inverse(const Pose<D, T>& a_from_b) {
  const Rot<D, T> r = conjugate(a_from_b.rotation);
  return {rotate(r, -a_from_b.position), r};
}
template <int D, class T>
constexpr Pose<D, T> operator*(const Pose<D, T>& a_from_b, const Pose<D, T>& b_from_c) {
  return {transform(a_from_b, b_from_c.position), a_from_b.rotation * b_from_c.rotation};
}
// b's pose as seen from a, both given in the world
template <int D, class T>
constexpr Pose<D, T> relative(const Pose<D, T>& world_from_a, const Pose<D, T>& world_from_b) {
  const Rot<D, T> inv = conjugate(world_from_a.rotation);
  return {rotate(inv, world_from_b.position - world_from_a.position), inv * world_from_b.rotation};
}

}  // namespace sudar

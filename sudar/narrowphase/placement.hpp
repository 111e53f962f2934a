// What:    Where B is as A sees it: the relative pose of a query, computed once, with a rotation matrix.
// Differs: The translation keeps what rounding took from the difference of two positions (`rest`): while A is not
//          rotated, translation + rest is the exact difference, so boxes and hulls that are only moved, not turned, are
//          decided exactly as given, however far from the origin. Exact decisions take the numbers of this structure
//          literally: B is the set { turn · x + translation + rest }.
// Frame:   A's.
#pragma once

#include <sudar/math/expansion.hpp>
#include <sudar/math/pose.hpp>

namespace sudar {

template <int D>
struct Placement {
  using Matrix = std::conditional_t<D == 2, BasicMat2<double>, BasicMat3<double>>;
  Matrix turn{};
  Vec<D, double> translation{}, rest{};
  bool turned = false;  // turn is not exactly the identity
};
using Placement2 = Placement<2>;
using Placement3 = Placement<3>;

template <int D>
constexpr Vec<D, double> transform(const Placement<D>& a_from_b, const Vec<D, double>& p_b) {
  return a_from_b.turned ? a_from_b.turn * p_b + a_from_b.translation : p_b + a_from_b.translation;
}
// A direction of A's frame in B's frame
template <int D>
constexpr Vec<D, double> to_b(const Placement<D>& a_from_b, const Vec<D, double>& direction_a) {
  return a_from_b.turned ? transpose_mul(a_from_b.turn, direction_a) : direction_a;
}

// The matrix of a rotation that may have drifted from unit length: the same as to_matrix(normalized(r)), up to rounding,
// for the price of one division
constexpr BasicMat3<double> to_rotation_matrix(const BasicQuat<double>& q) {
  const double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z), s = square > 0 ? 2 / square : 0;
  const double x = q.x * s, y = q.y * s, z = q.z * s;
  const double xx = q.x * x, yy = q.y * y, zz = q.z * z, xy = q.x * y, xz = q.x * z, yz = q.y * z;
  const double wx = q.w * x, wy = q.w * y, wz = q.w * z;
  return {{1 - (yy + zz), xy + wz, xz - wy}, {xy - wz, 1 - (xx + zz), yz + wx}, {xz + wy, yz - wx, 1 - (xx + yy)}};
}
inline BasicMat2<double> to_rotation_matrix(const BasicRot2<double>& r) { return to_matrix(normalized(r)); }

// Where A is as B sees it. Not exact where B is turned.
template <int D>
constexpr Placement<D> inverse(const Placement<D>& a_from_b) {
  Placement<D> out;
  out.turned = a_from_b.turned;
  if (!a_from_b.turned) {
    out.translation = -a_from_b.translation;
    out.rest = -a_from_b.rest;
    return out;
  }
  out.turn = transpose(a_from_b.turn);
  out.translation = -transpose_mul(a_from_b.turn, a_from_b.translation + a_from_b.rest);
  return out;
}

template <int D>
constexpr Placement<D> make_placement(const Pose<D, double>& a_from_b) {
  Placement<D> out;
  out.turned = !(a_from_b.rotation == Rot<D, double>{});
  if (out.turned) out.turn = to_matrix(a_from_b.rotation);
  out.translation = a_from_b.position;
  return out;
}
template <int D>
constexpr Placement<D> make_placement(const Pose<D, double>& world_from_a, const Pose<D, double>& world_from_b) {
  Placement<D> out;
  const bool a_turned = !(world_from_a.rotation == Rot<D, double>{});
  if (world_from_a.rotation == world_from_b.rotation) {
    out.turned = false;
  } else {
    out.turned = true;
    out.turn = to_rotation_matrix(conjugate(world_from_a.rotation) * world_from_b.rotation);
  }
  Vec<D, double> rest{};
  for (int i = 0; i < D; ++i) {
    const TwoDoubles d = two_difference(world_from_b.position[i], world_from_a.position[i]);
    out.translation[i] = d.hi;
    rest[i] = d.lo;
  }
  if (a_turned) {
    out.translation = rotate(conjugate(world_from_a.rotation), out.translation + rest);
  } else {
    out.rest = rest;
  }
  return out;
}

}  // namespace sudar

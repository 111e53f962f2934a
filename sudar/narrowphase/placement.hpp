// What:    Where B is as A sees it: the relative pose of a query, computed once, with a rotation matrix.
// Differs: The translation keeps what rounding took from the difference of two positions (`rest`): while A is not
//          rotated, translation + rest is the exact difference, so boxes and hulls that are only moved, not turned, are
//          decided exactly as given, however far from the origin. Exact decisions take the numbers of this structure
//          literally: B is the set { turn · x + translation + rest }.
// Frame:   A's.
#pragma once

#include <sudar/math/expansion.hpp>
#include <sudar/math/pose.hpp>

namespace sudar::inline SUDAR_ABI {

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
    out.turn = to_matrix(normalized(conjugate(world_from_a.rotation) * world_from_b.rotation));
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

}  // namespace sudar::inline SUDAR_ABI

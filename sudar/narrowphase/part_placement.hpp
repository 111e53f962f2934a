// What:    Placements for parts: B as a child of A sees it, and B's box in A's frame; answers and contacts
//          seen from the other side.
// Frame:   As the names say; see placement.hpp.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

// B as a child of A sees it
template <int D>
constexpr Placement<D> from_child(const Pose<D, double>& a_from_child, const Placement<D>& a_from_b) {
  Placement<D> out = a_from_b;
  for (int i = 0; i < D; ++i) {
    const TwoDoubles d = two_difference(a_from_b.translation[i], a_from_child.position[i]);
    out.translation[i] = d.hi;
    out.rest[i] = a_from_b.rest[i] + d.lo;
  }
  if (a_from_child.rotation == Rot<D, double>{}) return out;
  const auto back = to_matrix(conjugate(a_from_child.rotation));
  out.turn = back * a_from_b.turn;
  out.turned = true;
  out.translation = back * (out.translation + out.rest);
  out.rest = {};
  return out;
}
// A child of B as A sees it
template <int D>
constexpr Placement<D> to_child(const Placement<D>& a_from_b, const Pose<D, double>& b_from_child) {
  Placement<D> out = a_from_b;
  const Vec<D, double> at = a_from_b.turned ? a_from_b.turn * b_from_child.position : b_from_child.position;
  for (int i = 0; i < D; ++i) {
    const TwoDoubles d = two_sum(a_from_b.translation[i], at[i]);
    out.translation[i] = d.hi;
    out.rest[i] = a_from_b.rest[i] + d.lo;
  }
  if (b_from_child.rotation == Rot<D, double>{}) return out;
  out.turn = a_from_b.turn * to_matrix(b_from_child.rotation);
  out.turned = true;
  return out;
}
// B moved by a vector of A's frame
template <int D>
constexpr Placement<D> moved(const Placement<D>& a_from_b, const Vec<D, double>& by) {
  Placement<D> out = a_from_b;
  for (int i = 0; i < D; ++i) {
    const TwoDoubles d = two_sum(a_from_b.translation[i], by[i]);
    out.translation[i] = d.hi;
    out.rest[i] = a_from_b.rest[i] + d.lo;
  }
  return out;
}
// A box of B's frame in A's frame, rounded outward
template <int D>
constexpr Aabb<D, double> transform(const Placement<D>& a_from_b, const Aabb<D, double>& box_b) {
  const Vec<D, double> at = a_from_b.translation + a_from_b.rest;
  Aabb<D, double> out{at, at};
  Vec<D, double> size = abs(a_from_b.translation) + abs(a_from_b.rest);
  for (int j = 0; j < D; ++j) {
    Vec<D, double> lo{}, hi{};
    lo[j] = box_b.lo[j], hi[j] = box_b.hi[j];
    const Vec<D, double> p = a_from_b.turn * lo, q = a_from_b.turn * hi;
    out.lo += min(p, q), out.hi += max(p, q);
    size += max(abs(p), abs(q));
  }
  out.lo -= size * kPoseSlack<double>, out.hi += size * kPoseSlack<double>;
  return out;
}

template <int D>
constexpr Vec<D, double> turn(const Placement<D>& a_from_b, const Vec<D, double>& direction_b) {
  return a_from_b.turned ? a_from_b.turn * direction_b : direction_b;
}
// An answer of (B, A) in B's frame as one of (A, B) in A's
template <int D>
DistanceAnswer<D> swapped_from(const DistanceAnswer<D>& x_b, const Placement<D>& a_from_b) {
  DistanceAnswer<D> out = x_b;
  out.point_a = transform(a_from_b, x_b.point_b);
  out.point_b = transform(a_from_b, x_b.point_a);
  out.normal = -turn(a_from_b, x_b.normal);
  return out;
}
template <int D>
ContactSet<D> swapped_from(ContactSet<D> x_b, const Placement<D>& a_from_b) {
  x_b.normal = -turn(a_from_b, x_b.normal);
  for (ContactPoint<D>& point : x_b.points) {
    point.position = transform(a_from_b, point.position);
    std::swap(point.feature_a, point.feature_b);
  }
  return x_b;
}
// From A's frame to the world, or from a child's to its parent's
template <int D>
ContactSet<D> placed(ContactSet<D> x_a, const Pose<D, double>& world_from_a) {
  x_a.normal = rotate(world_from_a.rotation, x_a.normal);
  for (ContactPoint<D>& point : x_a.points) point.position = transform(world_from_a, point.position);
  return x_a;
}

}  // namespace sudar

// What:    How a body of space turns: inertia is a tensor that turns with it, angular velocity and momentum are vectors.
// Source:  seed D1; Baraff, "Rigid Body Simulation I", SIGGRAPH course notes, 1997.
// Frame:   The world's axes; tensors of a body are along its own axes, about its centre of mass.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/dynamics/body_field.hpp>
#include <sudar/dynamics/integrator.hpp>
#include <sudar/geom/mass3.hpp>

namespace sudar {

inline const Mat3d& inertia_of(const MassProperties3& mass) { return mass.inertia; }
// R I Rᵀ ω of a body that is turned by R
inline Vec3d turned_product(const Mat3d& inertia, const Quatd& rotation, const Vec3d& angular) {
  return rotate(rotation, inertia * rotate(conjugate(rotation), angular));
}
// The length of the step from one quaternion to another: half of the angle when it is small, and pi times it is never less
// than the angle
inline double chord(const Quatd& a, const Quatd& b) {
  const Quatd d{b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z};
  return std::sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z);
}
// At least the angular speed: the lengths of the columns bound the largest of the eigenvalues, also of a tensor that rounding
// has left with a negative one
inline double turn_bound(const RigidMass3& inverse, const Vec3d& angular_momentum) {
  const Mat3d& i = inverse.inverse_inertia;
  return length(angular_momentum) * (length(i.x) + length(i.y) + length(i.z));
}
// R I⁻¹ Rᵀ
inline Mat3d turned_inverse(const RigidMass3& mass, const Quatd& rotation) {
  return world_inverse_inertia(rotation, mass.inverse_inertia);
}

inline Vec3d moment(const Vec3d& arm, const Vec3d& force) { return cross(arm, force); }
inline Vec3d velocity_at(const Vec3d& velocity, const Vec3d& angular, const Vec3d& arm) {
  return velocity + cross(angular, arm);
}

// The angular velocity that takes `start` to `end` in a second, by the shorter way
inline Vec3d turn_between(const Quatd& start, const Quatd& end) {
  Quatd r = end * conjugate(start);
  if (r.w < 0) r = {-r.w, -r.x, -r.y, -r.z};
  const Vec3d axis{r.x, r.y, r.z};
  const double sine = length(axis);
  if (!(sine > 0)) return {};
  return axis * (2 * arc_tangent(sine, r.w) / sine);
}
// The same with the full turns that a body makes which turns by about `turn`
inline Vec3d turn_between(const Quatd& start, const Quatd& end, const Vec3d& turn) {
  const Vec3d shorter = turn_between(start, end);
  const double angle = length(shorter), asked = length(turn);
  if (asked <= kPi) return shorter;
  // The axis of whole turns alone is that of the motion
  const Vec3d axis = angle > 0 ? shorter / angle : turn / asked;
  return axis * (angle + 2 * kPi * std::nearbyint((dot(axis, turn) - angle) / (2 * kPi)));
}

// visit(field, number) for every number of a state, in a fixed order
template <class F>
void for_each_number(const RigidState3& s, F&& visit) {
  for (int i = 0; i < 3; ++i) visit(BodyField::position, s.position[i]);
  visit(BodyField::rotation, s.rotation.w);
  visit(BodyField::rotation, s.rotation.x);
  visit(BodyField::rotation, s.rotation.y);
  visit(BodyField::rotation, s.rotation.z);
  for (int i = 0; i < 3; ++i) visit(BodyField::momentum, s.momentum[i]);
  for (int i = 0; i < 3; ++i) visit(BodyField::angular_momentum, s.angular_momentum[i]);
}

}  // namespace sudar

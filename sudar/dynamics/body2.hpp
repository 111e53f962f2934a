// What:    How a body of the plane turns: inertia, angular velocity and angular momentum are numbers.
// Source:  seed D1.
// Frame:   The world's; counterclockwise is positive.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/dynamics/body_field.hpp>
#include <sudar/dynamics/integrator.hpp>
#include <sudar/geom/mass2.hpp>

namespace sudar {

inline double inertia_of(const MassProperties2& mass) { return mass.inertia(); }
// I ω of a body that is turned: in the plane that changes nothing
inline double turned_product(double inertia, const Rot2d&, double angular) { return inertia * angular; }
// Half of the length of the step from one rotation to another: half of the angle when it is small, and pi times it is never
// less than the angle
inline double chord(const Rot2d& a, const Rot2d& b) { return length(Vec2d{b.c - a.c, b.s - a.s}) / 2; }
// At least the angular speed
inline double turn_bound(const RigidMass2& inverse, double angular_momentum) {
  return std::fabs(angular_momentum) * inverse.inverse_inertia;
}
inline double turned_inverse(const RigidMass2& mass, const Rot2d&) { return mass.inverse_inertia; }

inline double moment(const Vec2d& arm, const Vec2d& force) { return cross(arm, force); }
inline Vec2d velocity_at(const Vec2d& velocity, double angular, const Vec2d& arm) {
  return velocity + perp(arm) * angular;
}

// The angular velocity that takes `start` to `end` in a second, by the shorter way
inline double turn_between(const Rot2d& start, const Rot2d& end) {
  const Rot2d r = end * conjugate(start);
  return arc_tangent(r.s, r.c);
}
// The same with the full turns that a body makes which turns by about `turn`
inline double turn_between(const Rot2d& start, const Rot2d& end, double turn) {
  const double shorter = turn_between(start, end);
  return shorter + 2 * kPi * std::nearbyint((turn - shorter) / (2 * kPi));
}

// visit(field, number) for every number of a state, in a fixed order
template <class F>
void for_each_number(const RigidState2& s, F&& visit) {
  for (int i = 0; i < 2; ++i) visit(BodyField::position, s.position[i]);
  visit(BodyField::rotation, s.rotation.c);
  visit(BodyField::rotation, s.rotation.s);
  for (int i = 0; i < 2; ++i) visit(BodyField::momentum, s.momentum[i]);
  visit(BodyField::angular_momentum, s.angular_momentum);
}

}  // namespace sudar

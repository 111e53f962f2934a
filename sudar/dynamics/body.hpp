// What:    A rigid body: what describes it when it is made, its mass, and what follows from state and mass.
// Source:  seed D1: position, rotation kept of unit length, linear and angular momentum (integrator.hpp has the state);
//          velocity, angular velocity and spin are derived.
// Differs: The angular momentum is kept in the world's frame, so free rotation keeps it to the bit, and the gyroscopic
//          term needs no force of its own: ω = R I⁻¹ Rᵀ L turns with the body while L stays.
// Frame:   A state's position is that of the centre of mass; the shape's own origin is at shape_pose().
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/dynamics/body2.hpp>
#include <sudar/dynamics/body3.hpp>
#include <sudar/queries/point_query.hpp>

#include <cstdint>
#include <optional>

namespace sudar {

enum class BodyKind : std::uint8_t {
  fixed,      // never moves but by set_pose
  kinematic,  // moves with the velocity that it is given, whatever it meets
  dynamic,    // forces and contacts move it
};

template <int D>
using Inertia = std::conditional_t<D == 2, double, Mat3d>;
template <int D>
using MassProperties = std::conditional_t<D == 2, MassProperties2, MassProperties3>;
template <int D>
using RigidState = std::conditional_t<D == 2, RigidState2, RigidState3>;
template <int D>
using RigidMass = std::conditional_t<D == 2, RigidMass2, RigidMass3>;
template <int D>
using Wrench = std::conditional_t<D == 2, Wrench2, Wrench3>;

// Of fixed and kinematic bodies it is zero until they were dynamic for the first time, or were given one
template <int D>
struct BodyMass {
  double mass = 0;
  Inertia<D> inertia{};     // about the centre, along the body's axes
  Vec<D, double> center{};  // of mass, in the shape's frame
  RigidMass<D> inverse{};   // zero where nothing can move or turn the body
};

// Where the shape's frame is when the centre of mass is at the state's position
template <int D>
Pose<D, double> shape_pose(const RigidState<D>& state, const Vec<D, double>& center) {
  return {state.position - rotate(state.rotation, center), state.rotation};
}

struct Material {
  double friction = 0.6;   // of a pair: the geometric mean
  double restitution = 0;  // of a pair: the larger

  friend bool operator==(const Material&, const Material&) = default;
};

template <int D>
struct BodySpec {
  ShapeOf<D> shape;
  Pose<D, double> pose{};  // of the shape's frame
  BodyKind kind = BodyKind::dynamic;
  double density = 1000;                    // of dynamic bodies: kilograms a cubic metre, in the plane a square metre
  std::optional<MassProperties<D>> mass{};  // instead of what shape and density give
  Vec<D, double> velocity{};                // of the centre of mass
  Angular<D> angular_velocity{};
  Material material{};
  double linear_damping = 0, angular_damping = 0;  // a second: dv/dt = -damping · v
  double gravity_scale = 1;
  bool bullet = false;          // continuous detection against everything, not only against what is fixed or kinematic
  bool sensor = false;          // tells what touches it; pushes nothing and is pushed by nothing
  bool fixed_rotation = false;  // nothing turns it
  bool can_sleep = true;
  Filter filter{};
  std::uint64_t user = 0;
};

}  // namespace sudar

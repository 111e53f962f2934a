// What:    The state of a rigid body with its momenta (seed D1), what follows from it, and three ways to take it on by a
//          step: semi-implicit Euler, explicit Euler and Runge–Kutta of order four (seed D3).
// Source:  Baraff, "An Introduction to Physically Based Modeling: Rigid Body Simulation", 1997, for the state with momenta;
//          Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 1993, for the order of the methods.
// Differs: The angular momentum is kept, not the angular velocity: without torque it stays what it was, to the last bit, in
//          every method, and Euler's equations with their gyroscopic term are not needed. The quaternion is integrated as
//          four numbers with the spin ½ ω q and brought back to unit length after the step; inside of a step of order four
//          its length does not matter, because rotation matrices are taken from q / |q|, so the order stays four
//          (Integrator.RungeKuttaIsOfOrderFour).
// Frame:   The world's: metres, kilograms, seconds, radians. Positions are those of the centre of mass, torques are about it.
//          Inertia is given along the axes of the body, about its centre of mass.
// Fails:   never: a state that is not finite stays so, and a step of zero gives the state back. A body of infinite mass has
//          inverse mass and inverse inertia zero: forces do not move it, and its momenta are not looked at. make_mass says
//          invalid_argument for a mass that is not positive, degenerate for an inertia without an inverse, non_finite.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>

#include <cstdint>
#include <type_traits>

namespace sudar {

enum class Integrator : std::uint8_t {
  // Momenta first, then places with the new velocities, rotations in space with that in the middle of the turn: order one,
  // bounded energy of springs, orbits and spinning bodies
  semi_implicit_euler,
  explicit_euler,  // places and momenta with the old slopes: order one, gains energy on every turn
  runge_kutta4,    // order four, four questions for the forces a step
};

// What makes a body heavy. The default cannot be moved.
struct RigidMass2 {
  double inverse_mass = 0, inverse_inertia = 0;
};
struct RigidMass3 {
  double inverse_mass = 0;
  Mat3d inverse_inertia = Mat3d::diagonal({0, 0, 0});  // along the axes of the body
};
SUDAR_API Result<RigidMass2> make_mass(double mass, double inertia) noexcept;
SUDAR_API Result<RigidMass3> make_mass(double mass, const Mat3d& inertia) noexcept;

// The state of seed D1
struct RigidState2 {
  Vec2d position{};
  Rot2d rotation{};
  Vec2d momentum{};
  double angular_momentum = 0;

  friend bool operator==(const RigidState2&, const RigidState2&) = default;
};
struct RigidState3 {
  Vec3d position{};
  Quatd rotation{};
  Vec3d momentum{}, angular_momentum{};

  friend bool operator==(const RigidState3&, const RigidState3&) = default;
};

// What follows from the state: velocity, angular velocity, and the spin, which is the slope of the rotation
struct RigidSlope2 {
  Vec2d velocity{};
  double angular_velocity = 0;
  Vec2d spin{};  // of (c, s)
};
struct RigidSlope3 {
  Vec3d velocity{}, angular_velocity{};
  Quatd spin{0, 0, 0, 0};
};
SUDAR_API RigidSlope2 slope(const RigidState2& state, const RigidMass2& mass) noexcept;
SUDAR_API RigidSlope3 slope(const RigidState3& state, const RigidMass3& mass) noexcept;

// Force on the centre of mass and torque about it
struct Wrench2 {
  Vec2d force{};
  double torque = 0;
};
struct Wrench3 {
  Vec3d force{}, torque{};
};

// Forces as a function of time and state: a view of anything that can be called so, which must outlive the call
template <class State, class Wrench>
class ForceLaw {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, ForceLaw>) ForceLaw(const F& law)
      : context_(&law), call_([](const void* context, double time, const State& state) -> Wrench {
          return (*static_cast<const F*>(context))(time, state);
        }) {}
  Wrench operator()(double time, const State& state) const { return call_(context_, time, state); }

 private:
  const void* context_;
  Wrench (*call_)(const void*, double, const State&);
};
using ForceLaw2 = ForceLaw<RigidState2, Wrench2>;
using ForceLaw3 = ForceLaw<RigidState3, Wrench3>;

// The state at time + dt. The force law is asked once a step by the Euler methods, four times by Runge–Kutta.
SUDAR_API RigidState2 advance(Integrator method, const RigidState2& state, const RigidMass2& mass, double time,
                              double dt, ForceLaw2 forces) noexcept;
SUDAR_API RigidState3 advance(Integrator method, const RigidState3& state, const RigidMass3& mass, double time,
                              double dt, ForceLaw3 forces) noexcept;

// The rotation after dt at a constant angular velocity, to first order and of unit length: a step of the spin
SUDAR_API Rot2d turned(const Rot2d& rotation, double angular_velocity, double dt) noexcept;
SUDAR_API Quatd turned(const Quatd& rotation, const Vec3d& angular_velocity, double dt) noexcept;
// The same exactly, up to rounding
SUDAR_API Quatd turned_exactly(const Quatd& rotation, const Vec3d& angular_velocity, double dt) noexcept;

// R I⁻¹ Rᵀ: the inverse inertia along the axes of the world
SUDAR_API Mat3d world_inverse_inertia(const Quatd& rotation, const Mat3d& inverse_inertia) noexcept;

// ½ v·P + ½ ω·L, joules; zero for what cannot be moved
SUDAR_API double kinetic_energy(const RigidState2& state, const RigidMass2& mass) noexcept;
SUDAR_API double kinetic_energy(const RigidState3& state, const RigidMass3& mass) noexcept;

}  // namespace sudar

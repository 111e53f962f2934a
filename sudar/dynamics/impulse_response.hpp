// What:    Two rotating bodies strike each other at a point: the impulse along the normal after which they part with
//          restitution times the speed at which they met (seed D6).
// Source:  Baraff, "An Introduction to Physically Based Modeling: Rigid Body Simulation II", 1997;
//          j = (1 + e) u / (1/mₐ + 1/m_b + n·(Iₐ⁻¹(rₐ × n)) × rₐ + n·(I_b⁻¹(r_b × n)) × r_b).
// Differs: The source (and the seed) names restitution 1 "inelastic" in one place; here 1 keeps the energy and 0 all of the
//          loss. The effective mass is written as sums of squares, (r × n)·I⁻¹(r × n), which cannot come out negative.
//          Momenta get the same impulse with opposite signs, so their sum stays.
// Frame:   The world's. The normal is of unit length and points from a to b. No friction: the contact solvers have it.
// Fails:   never: bodies that part at the point, and two that cannot be moved, are left as they are.
#pragma once

#include <sudar/dynamics/integrator.hpp>

namespace sudar {

struct Strike {
  double closing = 0;  // speed along the normal at which they met, metres a second; not positive when they part
  double impulse = 0;  // newton seconds, on b along the normal
};

SUDAR_API Strike strike(RigidState2& a, const RigidMass2& mass_a, RigidState2& b, const RigidMass2& mass_b,
                        const Vec2d& point, const Vec2d& normal, double restitution) noexcept;
SUDAR_API Strike strike(RigidState3& a, const RigidMass3& mass_a, RigidState3& b, const RigidMass3& mass_b,
                        const Vec3d& point, const Vec3d& normal, double restitution) noexcept;

// Of the body's matter at a point of the world
SUDAR_API Vec2d velocity_at(const RigidState2& body, const RigidMass2& mass, const Vec2d& point) noexcept;
SUDAR_API Vec3d velocity_at(const RigidState3& body, const RigidMass3& mass, const Vec3d& point) noexcept;

// What a unit impulse along a direction changes of the velocity of the point along it: one over the effective mass
SUDAR_API double inverse_mass_at(const RigidState2& body, const RigidMass2& mass, const Vec2d& point,
                                 const Vec2d& direction) noexcept;
SUDAR_API double inverse_mass_at(const RigidState3& body, const RigidMass3& mass, const Vec3d& point,
                                 const Vec3d& direction) noexcept;

}  // namespace sudar

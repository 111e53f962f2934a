// What:    Overlapping bodies driven apart by a stiff spring with a damper between them (seed E8).
// Source:  Moore and Wilhelms, "Collision Detection and Response for Computer Animation", 1988; Cundall and Strack, "A Discrete
//          Numerical Model for Granular Assemblies", 1979; the loss of a contact from Schwager and Pöschel, "Coefficient of
//          Restitution and Linear-Dashpot Model Revisited", 2007.
// Differs: The spring never pulls: near the end of a contact the damper alone would hold the bodies together. With that, the
//          restitution of a contact has the closed form of the last source, and make_spring finds the damper for it.
// Frame:   Newtons, metres, seconds; a positive force drives b along the normal and a against it.
// Fails:   make_spring: invalid_argument for a stiffness or mass that is not positive, or a restitution that is not in
//          (0, 1]; too_large where the damper would be beyond the doubles. A step longer than stable_step makes energy
//          from nothing: "the stiffer the spring, the shorter the steps".
#pragma once

#include <sudar/core/result.hpp>

namespace sudar {

struct SpringLaw {
  double stiffness = 0;  // newtons a metre
  double damping = 0;    // newton seconds a metre
};

// The damper that makes a contact of two bodies of this reduced mass, 1 / (1/mₐ + 1/m_b), end with this restitution
SUDAR_API Result<SpringLaw> make_spring(double stiffness, double restitution, double reduced_mass) noexcept;

// Zero unless they overlap, and never negative. The closing speed is positive while they come nearer.
constexpr double spring_force(const SpringLaw& law, double separation, double closing_speed) {
  if (!(separation < 0)) return 0;
  const double force = law.damping * closing_speed - law.stiffness * separation;
  return force > 0 ? force : 0;
}

// Of a contact that nothing else disturbs
struct SpringContact {
  double duration = 0;  // seconds
  double loss = 0;      // minus the logarithm of the restitution
};
SUDAR_API SpringContact spring_contact(const SpringLaw& law, double reduced_mass) noexcept;

// The longest step of semi-implicit Euler that does not blow up, seconds; a tenth of it is a good one
SUDAR_API double stable_step(const SpringLaw& law, double reduced_mass) noexcept;

}  // namespace sudar

// What:    A body as the contact and joint solvers see it: where it is, how fast, how hard it is to move.
// Differs: Nothing here knows a scene or a world: spans of these go in and come out. A body that nothing moves (fixed, or
//          kinematic with a velocity of its own) has inverse mass and inverse inertia of zero; many fixed bodies may share
//          one entry.
// Frame:   The world's axes; `position` is the centre of mass. The inverse inertia is that of the start of the step and is
//          kept through its substeps, so gyroscopic torque is the caller's: one who keeps angular momentum as state adds
//          inertia(start) · (angular velocity out − in) to it and derives the next angular velocity from it.
#pragma once

#include <sudar/continuous/motion.hpp>

namespace sudar {

template <int D>
struct SolverBody {
  using InverseInertia = std::conditional_t<D == 2, double, Mat3d>;

  Vec<D, double> position{};  // in: at the start of the step; out: at its end
  Rot<D, double> rotation{};
  Vec<D, double> velocity{};  // in and out, as above
  Angular<D> angular_velocity{};
  Vec<D, double> acceleration{};  // gravity and forces over mass; added in every substep, also to a kinematic body
  Angular<D> angular_acceleration{};
  double linear_damping = 0, angular_damping = 0;   // a second: dv/dt = -damping · v, taken implicitly
  double inverse_mass = 0;                          // 0: contacts and joints do not move it …
  InverseInertia inverse_inertia = zero_inertia();  // … and do not turn it; about the centre, along the world's axes

  bool movable() const { return inverse_mass > 0 || !(inverse_inertia == zero_inertia()); }

 private:
  static constexpr InverseInertia zero_inertia() {
    if constexpr (D == 2) {
      return 0;
    } else {
      return Mat3d::diagonal({0, 0, 0});
    }
  }
};
using SolverBody2 = SolverBody<2>;
using SolverBody3 = SolverBody<3>;

}  // namespace sudar

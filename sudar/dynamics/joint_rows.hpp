// What:    What joints of plane and space share: the pass they are in, and the spring, motor and limits of one free axis.
// Source:  Catto, "Soft Constraints", GDC 2011, and "Modeling and Solving Constraints", GDC 2009.
// Differs: The axis is solved in its own coordinate: an impulse p changes its speed by p / mass, so spring, motor and limits
//          see each other without touching the bodies, and the bodies get the sum.
#pragma once

#include <sudar/dynamics/joint_drive.hpp>
#include <sudar/dynamics/softness.hpp>

#include <algorithm>

namespace sudar {

struct JointPass {
  double h = 0, inverse_h = 0;
  Softness locked;   // of parts that a joint locks, unless it has its own
  bool push = true;  // errors are worked off; false in the relaxing pass
};

inline constexpr Softness kRigid{};

inline double total_impulse(const JointDrive& d) {
  return d.spring_impulse + d.motor_impulse + d.lower_impulse - d.upper_impulse;
}

inline void scale_impulses(JointDrive& d, double factor) {
  d.spring_impulse *= factor;
  d.motor_impulse *= factor;
  d.lower_impulse *= factor;
  d.upper_impulse *= factor;
}

// One side of a limit: `room` is how far the axis may still go, `speed` how fast it opens
inline double limit_step(double& impulse, double room, double mass, double speed, const JointPass& pass,
                         const Softness& soft) {
  double bias = 0;
  Softness s = kRigid;
  if (room > 0) {
    bias = room * pass.inverse_h;
  } else if (pass.push) {
    s = soft;
    bias = s.bias_rate * room;
  }
  const double old = impulse;
  impulse = std::max(old - mass * s.mass_scale * (speed + bias) - s.impulse_scale * old, 0.0);
  return impulse - old;
}

// Returns the impulse along the axis on B, given the speed of the axis and its effective mass
inline double solve_drive(JointDrive& d, double coordinate, double mass, double speed, const JointPass& pass,
                          const Softness& soft) {
  if (!(mass > 0) || d.idle()) return 0;
  double sum = 0;
  const auto take = [&](double step) {
    sum += step;
    speed += step / mass;
  };
  if (d.spring_hertz > 0) {
    const Softness s = make_soft(d.spring_hertz, d.spring_damping, pass.h);
    const double step =
        -mass * s.mass_scale * (speed + s.bias_rate * (coordinate - d.rest)) - s.impulse_scale * d.spring_impulse;
    d.spring_impulse += step;
    take(step);
  }
  if (d.motor_force > 0) {
    const double most = d.motor_force * pass.h, old = d.motor_impulse;
    d.motor_impulse = std::clamp(old - mass * (speed - d.motor_speed), -most, most);
    take(d.motor_impulse - old);
  }
  if (d.limited()) {
    take(limit_step(d.lower_impulse, coordinate - d.lower, mass, speed, pass, soft));
    take(-limit_step(d.upper_impulse, d.upper - coordinate, mass, -speed, pass, soft));
  }
  return sum;
}

}  // namespace sudar

// What:    What may act along the free axis of a joint: a spring, a motor and limits, together or none.
// Frame:   The coordinate of the axis: metres along a slide or between two anchors, radians about a hinge; forces in
//          newtons or newton metres to match. Positive moves B along (about) the axis as A has it.
#pragma once

#include <cstdint>
#include <limits>

namespace sudar {

struct JointDrive {
  // Limits; lower > upper is an error, equal ones lock the axis
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  // Spring toward `rest`: hertz of the pair of bodies alone, 0 for none; ratio to critical damping. A damper without a
  // spring is a motor of speed 0.
  double spring_hertz = 0, spring_damping = 1, rest = 0;
  // Motor: reaches the speed with at most this force, 0 for none
  double motor_speed = 0, motor_force = 0;

  // What each carried in the last substep, kept by the solver from step to step
  double spring_impulse = 0, lower_impulse = 0, upper_impulse = 0, motor_impulse = 0;

  bool limited() const {
    return lower > -std::numeric_limits<double>::infinity() || upper < std::numeric_limits<double>::infinity();
  }
  bool idle() const { return !limited() && !(spring_hertz > 0) && !(motor_force > 0); }
};

// Which parts of the relative motion are locked. The axes are those of the joint's frame on A.
enum class JointKind : std::uint8_t {
  distance,   // the anchors stay `length` apart, or as `slide` says when it has a spring, a motor or limits
  ball,       // the anchors coincide; in the plane the same as revolute
  revolute,   // … and B turns about one axis only: x in space (`hinge`)
  prismatic,  // B slides along x without turning (`slide`)
  weld,       // nothing moves
  wheel,      // B slides along x (`slide`: the suspension) and turns about y (in the plane: freely), the axle (`hinge`)
};

}  // namespace sudar

// What:    Peers on the time of impact of two moving boxes: an adapter fills in the time in [0, 1], or 2 for no contact.
#pragma once

#include <sudar/continuous/motion.hpp>

#include <functional>
#include <span>
#include <string>

namespace sudar_bench {

// One second of two boxes on their way
template <int D>
struct BoxFlight {
  sudar::Vec<D, double> half_a, half_b;
  sudar::Pose<D, double> a, b;
  sudar::RigidMotion<D> motion_a, motion_b;
};
inline constexpr double kNoImpact = 2;

using FlightFill = std::function<void(std::span<double> times)>;

// SUDAR_PEER_BULLET, in float: btContinuousConvexCollision (the poses at both ends, so less than half a turn), or
// btGjkConvexCast, which does not turn
FlightFill bullet_flights(std::span<const BoxFlight<3>> flights, bool turning);
// SUDAR_PEER_FCL, in double: continuousCollide by conservative advancement between the poses at both ends
FlightFill fcl_flights(std::span<const BoxFlight<3>> flights);
// SUDAR_PEER_BOX2D, in float: b2TimeOfImpact
FlightFill box2d_flights(std::span<const BoxFlight<2>> flights);

}  // namespace sudar_bench

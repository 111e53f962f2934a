// What:    Peers on worlds of boxes: the same boxes at the same places, steps of 1/60 s without sleep, and where everything is
//          afterwards.
#pragma once

#include <sudar/math/pose.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

template <int D>
struct WorldBox {
  sudar::Vec<D, double> half;
  sudar::Pose<D, double> pose;
  bool fixed;
};

// Gravity of 9.81 down the last axis, density 1000, friction 0.6, no restitution
inline constexpr double kWorldGravity = 9.81, kWorldDensity = 1000, kWorldFriction = 0.6;

template <int D>
struct PeerWorld {
  std::function<void(double dt)> step;
  std::function<std::vector<sudar::Pose<D, double>>()> poses;  // of all boxes, in their order
};

// SUDAR_PEER_BULLET, in float: btDiscreteDynamicsWorld with its sequential-impulse solver, ten iterations
std::string bullet_world_version();
PeerWorld<3> bullet_world(std::span<const WorldBox<3>> boxes);
// SUDAR_PEER_ODE: dWorldQuickStep, twenty iterations
std::string ode_world_version();
PeerWorld<3> ode_world(std::span<const WorldBox<3>> boxes);
// SUDAR_PEER_BOX2D, 2.4, in float: b2World, eight and three iterations
std::string box2d_world_version();
PeerWorld<2> box2d_world(std::span<const WorldBox<2>> boxes);
// SUDAR_PEER_BOX2D3, in float: b2World_Step, four substeps
std::string box2d3_world_version();
PeerWorld<2> box2d3_world(std::span<const WorldBox<2>> boxes);
// SUDAR_PEER_JOLT, in float: PhysicsSystem with its ten and two iterations, jobs on one thread
std::string jolt_world_version();
PeerWorld<3> jolt_world(std::span<const WorldBox<3>> boxes);

}  // namespace sudar_bench

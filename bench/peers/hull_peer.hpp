// What:    Peers of the narrow phase on pairs of convex hulls, see pair_peer.hpp.
#pragma once

#include "bench/peers/pair_peer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sudar_bench {

// Two of a list of hulls
struct HullPairCase {
  std::uint32_t a, b;
  sudar::Pose3d pose_a, pose_b;
};

// SUDAR_PEER_BULLET, in float: btGjkPairDetector with btGjkEpaPenetrationDepthSolver
PairFill bullet_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                           PairQuery query);
// SUDAR_PEER_FCL, in double: GJKSolver_libccd
PairFill fcl_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                        PairQuery query);
// SUDAR_PEER_ODE: dCollide of two convex geoms; no distances
PairFill ode_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                        PairQuery query);

}  // namespace sudar_bench

// What:    Peers of the narrow phase on the same pairs of shapes, all in one call: an adapter fills in one number per
//          pair, so that answers can be compared pair by pair outside of the clock.
#pragma once

#include <sudar/math/pose.hpp>

#include <functional>
#include <span>
#include <string>

namespace sudar_bench {

struct BoxPairCase {
  sudar::Vec3d half_a, half_b;
  sudar::Pose3d a, b;
};
// A sphere and a capsule whose axis is z
struct RodPairCase {
  double sphere, half_length, radius;
  sudar::Pose3d a, b;
};

enum class PairQuery {
  hit,       // 1 or 0
  distance,  // 0 when they overlap
  depth,     // 0 when they are apart
};

// Empty when the peer has no such query. The cases are converted beforehand and must outlive the function.
using PairFill = std::function<void(std::span<double> answers)>;

// SUDAR_PEER_BULLET, in float: btBoxBoxDetector (hit, depth), btGjkPairDetector (distance)
std::string bullet_pairs_version();
PairFill bullet_box_pairs(std::span<const BoxPairCase> cases, PairQuery query);

// SUDAR_PEER_FCL, in double: GJKSolver_libccd, with the closed forms that it has
std::string fcl_pairs_version();
PairFill fcl_box_pairs(std::span<const BoxPairCase> cases, PairQuery query);
PairFill fcl_rod_pairs(std::span<const RodPairCase> cases, PairQuery query);

// SUDAR_PEER_ODE, in the precision it was built with: dCollide, with up to eight points or with one; no distances
std::string ode_version();
PairFill ode_box_pairs(std::span<const BoxPairCase> cases, PairQuery query, bool one_point = false);
PairFill ode_rod_pairs(std::span<const RodPairCase> cases, PairQuery query);

}  // namespace sudar_bench

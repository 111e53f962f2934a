// What:    Peers on one pair of shapes in their places: the decision, and the signed separation where there is one.
//          Nothing is timed here, so an adapter makes its shapes anew for each pair.
// Frame:   The world, metres. Negative separations are depths.
#pragma once

#include <sudar/math/pose.hpp>
#include <sudar/shapes/shape3.hpp>

#include <optional>

namespace sudar_bench {

struct PlacedShape {
  sudar::Shape3 shape;
  sudar::Pose3d pose;
};

// Neither answered nor failed: the peer has no such shape or no such query
struct CaseAnswer {
  bool answered = false;
  bool threw = false;  // an exception of the peer's
  bool died = false;   // a failed assertion of the peer's, or a crash
  bool failed() const { return threw || died; }
  std::optional<bool> hit = std::nullopt;
  std::optional<double> separation = std::nullopt;
};

// Where the capsule of the same length whose axis is z, centred, has to be in the frame of this one
inline sudar::Pose3d from_centred(const sudar::CapsuleShape3& capsule) {
  sudar::Vec3d axis = sudar::normalized(capsule.q - capsule.p);
  if (axis.z < 0) axis = -axis;  // either end may be the upper one
  const sudar::Quatd turn = normalized(sudar::Quatd{1 + axis.z, -axis.y, axis.x, 0});
  return {(capsule.p + capsule.q) * 0.5, turn};
}

// SUDAR_PEER_BULLET, in float: btGjkPairDetector with btGjkEpaPenetrationDepthSolver; no ellipsoids
CaseAnswer bullet_case(const PlacedShape& a, const PlacedShape& b);

// SUDAR_PEER_FCL, in double, with libccd: collide (yes or no, and the depth), distance (signed). No points or segments;
// a triangle and a flat hull are meshes, because its Convex has to enclose a volume.
CaseAnswer fcl_collide_case(const PlacedShape& a, const PlacedShape& b);
CaseAnswer fcl_distance_case(const PlacedShape& a, const PlacedShape& b);

// SUDAR_PEER_ODE: dCollide (yes or no, and the depth). Box, sphere, capsule, cylinder, and hulls with a volume.
CaseAnswer ode_case(const PlacedShape& a, const PlacedShape& b);

}  // namespace sudar_bench

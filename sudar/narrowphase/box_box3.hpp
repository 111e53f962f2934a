// What:    Two boxes in space: yes or no, distance or depth with witness points, from one decision.
// Source:  separating axes, see box_axes3.hpp. Distance by features: when either of the closest points is a corner, it
//          is one of 16 corner–box distances; otherwise two edges cross, and then their common normal is the axis with
//          the widest gap, or a face is parallel to what it meets, and then what lies over the face is cut out.
// Differs: The decision is exact for the numbers of the placement as they are: a filter with error bounds (never wrong,
//          undecided about once in 10^11 random pairs), then the signs of the fifteen gaps in integers.
// Frame:   A's. Boxes are centred at the origins of their frames. Distance and depth expect a turn that is a rotation
//          up to rounding; the decision takes any.
// Fails:   never.
#pragma once

#include <sudar/math/vec.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/box_axes3.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

// Closed sets: touching is a hit
SUDAR_API bool box_box_intersects3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);
// The plain one: fifteen signs in integers, no filter
SUDAR_API bool box_box_intersects3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);

// Distance of separated boxes, or minus the depth of overlapping ones, with the certificate of answer.hpp
SUDAR_API DistanceAnswer3 box_box_distance3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);

// The same from axes that were scanned already, as batches do: gaps off by `rounding` at most, the sign decided, no edges
// nearly parallel
SUDAR_API DistanceAnswer3 box_box_distance3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b,
                                            const BoxScan3& scan, double rounding);

// How deep and which way out, without points; nothing but `hit` counts for boxes that are apart
struct BoxDepth3 {
  bool hit = false;
  double depth = 0, lower = 0, upper = 0;
  Vec3d normal{};  // unit, from A to B
};
SUDAR_API BoxDepth3 box_box_depth3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);

}  // namespace sudar

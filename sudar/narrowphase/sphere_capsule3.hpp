// What:    A sphere (A) and a capsule (B): yes or no, and the signed distance with witness points.
// Source:  the point of a segment nearest to a point, less the radii; seed A1.
// Differs: The short way of primitives3.hpp for the commonest round pair: the same answers, with nothing in between. What
//          comes near a touch or has its centre on the capsule's axis goes there. Poses are taken as they are: a sphere has
//          no turn, so one point is taken to the capsule's frame, one direction back, and no matrix is made.
// Frame:   A's, as in answer.hpp.
// Fails:   never.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/primitives3.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::inline SUDAR_ABI {

// From the origin to the nearest point of the segment p q
struct NearestOfSegment3 {
  Vec3d point;
  double square;
};
inline NearestOfSegment3 nearest_of_segment(const Vec3d& p, const Vec3d& q) {
  const Vec3d u = q - p;
  const double whole = dot(u, u), along = -dot(p, u);
  const double t = whole > 0 ? std::min(std::max(along / whole, 0.0), 1.0) : 0;
  const Vec3d point = p + u * t;
  return {point, dot(point, point)};
}

inline DistanceAnswer3 sphere_capsule_distance3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                                const Pose3d& world_from_b) {
  const Vec3d way = world_from_a.position - world_from_b.position;
  const Vec3d center = rotate(conjugate(world_from_b.rotation), way);
  const NearestOfSegment3 nearest = nearest_of_segment(capsule.p - center, capsule.q - center);
  const double d = std::sqrt(nearest.square), both = radius + capsule.radius, separation = d - both;
  const double scale = max_abs(way) + max_abs(capsule.p) + max_abs(capsule.q) + both;
  const double error = kClosedFormError * scale;
  if (!(std::fabs(separation) > error && d > kRodClear * scale))
    return primitive_distance3(Shape3(SphereShape3{radius}), Shape3(capsule),
                               make_placement(world_from_a, world_from_b));
  DistanceAnswer3 out;
  out.hit = separation < 0;
  out.separation = separation;
  out.lower = separation - error;
  out.upper = separation + error;
  const Vec3d towards = rotate(world_from_b.rotation, nearest.point * (1 / d));
  out.normal = rotate(conjugate(world_from_a.rotation), towards);
  out.point_a = out.normal * radius;
  out.point_b = out.normal * (d - capsule.radius);
  return out;
}

inline bool sphere_capsule_intersects3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                       const Pose3d& world_from_b) {
  const Vec3d way = world_from_a.position - world_from_b.position;
  const Vec3d center = rotate(conjugate(world_from_b.rotation), way);
  const NearestOfSegment3 nearest = nearest_of_segment(capsule.p - center, capsule.q - center);
  const double both = radius + capsule.radius, scale = max_abs(way) + max_abs(capsule.p) + max_abs(capsule.q) + both;
  // Squares are wrong by twice the error of the lengths
  const double gap = nearest.square - both * both;
  if (std::fabs(gap) > 4 * kClosedFormError * scale * scale && nearest.square > kRodClear * scale * scale)
    return gap < 0;
  return primitive_distance3(Shape3(SphereShape3{radius}), Shape3(capsule), make_placement(world_from_a, world_from_b))
      .hit;
}

}  // namespace sudar::inline SUDAR_ABI

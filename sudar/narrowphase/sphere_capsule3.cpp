#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// The careful way
DistanceAnswer3 closed_form(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                            const Pose3d& world_from_b) {
  return primitive_distance3(Shape3(SphereShape3{radius}), Shape3(capsule), make_placement(world_from_a, world_from_b));
}

// The capsule's axis around the sphere's centre, in the capsule's frame
struct Nearest {
  Vec3d point;  // of the axis, nearest to the centre
  double square, scale;
};
inline Nearest nearest_of_axis(double both, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                               const Pose3d& world_from_b) {
  const Vec3d way = world_from_a.position - world_from_b.position;
  const Quatd& r = world_from_b.rotation;
  // rotate(conjugate(r), way), written out: the call is what costs
  const Vec3d axis{-r.x, -r.y, -r.z}, twice = cross(axis, way) * 2.0;
  const Vec3d center = way + twice * r.w + cross(axis, twice);
  const Vec3d p = capsule.p - center, u = capsule.q - capsule.p;
  const double whole = dot(u, u), t = whole > 0 ? std::min(std::max(-dot(p, u) / whole, 0.0), 1.0) : 0;
  const Vec3d point = p + u * t;
  return {point, dot(point, point), max_abs(way) + max_abs(capsule.p) + max_abs(capsule.q) + both};
}

}  // namespace

DistanceAnswer3 sphere_capsule_distance3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                         const Pose3d& world_from_b) noexcept {
  const double both = radius + capsule.radius;
  const Nearest nearest = nearest_of_axis(both, capsule, world_from_a, world_from_b);
  const double d = std::sqrt(nearest.square), separation = d - both, error = kClosedFormError * nearest.scale;
  if (!(std::fabs(separation) > error && d > kRodClear * nearest.scale && nearest.scale < kFarAway))
    return closed_form(radius, capsule, world_from_a, world_from_b);
  DistanceAnswer3 out;
  out.hit = separation < 0;
  out.separation = separation;
  out.lower = separation - error;
  out.upper = separation + error;
  // Out of B's frame, then into A's
  const Quatd &qa = world_from_a.rotation, &qb = world_from_b.rotation;
  const Vec3d unit = nearest.point * (1 / d), ub{qb.x, qb.y, qb.z}, tb = cross(ub, unit) * 2.0;
  const Vec3d towards = unit + tb * qb.w + cross(ub, tb), ua{-qa.x, -qa.y, -qa.z}, ta = cross(ua, towards) * 2.0;
  out.normal = towards + ta * qa.w + cross(ua, ta);
  out.point_a = out.normal * radius;
  out.point_b = out.normal * (d - capsule.radius);
  return out;
}

bool sphere_capsule_intersects3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                const Pose3d& world_from_b) noexcept {
  const double both = radius + capsule.radius;
  const Nearest nearest = nearest_of_axis(both, capsule, world_from_a, world_from_b);
  // Squares are wrong by twice the error of the lengths
  const double gap = nearest.square - both * both, square = nearest.scale * nearest.scale;
  if (std::fabs(gap) > 4 * kClosedFormError * square && nearest.square > kRodClear * square) return gap < 0;
  return closed_form(radius, capsule, world_from_a, world_from_b).hit;
}

}  // namespace sudar

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

// A bound on the coordinates: sums are sooner there than maxima
inline double size_of(const Vec3d& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
// The turn of a unit quaternion, written out: the call is what costs
inline Vec3d turned(const Vec3d& axis, double w, const Vec3d& v) {
  const Vec3d twice = cross(axis, v) * 2.0;
  return v + twice * w + cross(axis, twice);
}

// The capsule's axis seen from the sphere's centre, in the capsule's frame: p + u t, t in [0, 1]
struct Axis {
  Vec3d p, u;
  double scale;
};
inline Axis axis_of(double both, const CapsuleShape3& capsule, const Pose3d& world_from_a, const Pose3d& world_from_b) {
  const Vec3d way = world_from_a.position - world_from_b.position;
  const Quatd& r = world_from_b.rotation;
  const Vec3d center = turned({-r.x, -r.y, -r.z}, r.w, way);
  return {capsule.p - center, capsule.q - capsule.p, size_of(way) + size_of(capsule.p) + size_of(capsule.q) + both};
}

}  // namespace

DistanceAnswer3 sphere_capsule_distance3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                         const Pose3d& world_from_b) noexcept {
  const double both = radius + capsule.radius;
  const Axis axis = axis_of(both, capsule, world_from_a, world_from_b);
  // From B's frame to A's, on the way while the rest is worked out
  const Quatd &qa = world_from_a.rotation, &qb = world_from_b.rotation;
  const Vec3d ua{-qa.x, -qa.y, -qa.z}, ub{qb.x, qb.y, qb.z};
  const double w = qa.w * qb.w - dot(ua, ub);
  const Vec3d u = ub * qa.w + ua * qb.w + cross(ua, ub);

  const double whole = dot(axis.u, axis.u), inverse = whole > 0 ? 1 / whole : 0;
  const double t = std::min(std::max(-dot(axis.p, axis.u) * inverse, 0.0), 1.0);
  const Vec3d point = axis.p + axis.u * t;
  const double d = std::sqrt(dot(point, point)), separation = d - both, error = kClosedFormError * axis.scale;
  if (!(std::fabs(separation) > error && d > kRodClear * axis.scale && axis.scale < kFarAway))
    return closed_form(radius, capsule, world_from_a, world_from_b);
  const Vec3d normal = turned(u, w, point) * (1 / d);
  return {.hit = separation < 0,
          .separation = separation,
          .lower = separation - error,
          .upper = separation + error,
          .point_a = normal * radius,
          .point_b = normal * (d - capsule.radius),
          .normal = normal,
          .status = QueryStatus::converged,
          .iterations = 0};
}

bool sphere_capsule_intersects3(double radius, const CapsuleShape3& capsule, const Pose3d& world_from_a,
                                const Pose3d& world_from_b) noexcept {
  const double both = radius + capsule.radius;
  const Axis axis = axis_of(both, capsule, world_from_a, world_from_b);
  // The square of the distance less that of the radii, times the square of the axis: nothing is divided
  const double whole = dot(axis.u, axis.u), along = dot(axis.p, axis.u);
  const double s = std::min(std::max(-along, 0.0), whole);
  const double gap = (dot(axis.p, axis.p) - both * both) * whole + s * (2 * along + s);
  // Squares are wrong by twice the error of the lengths
  if (std::fabs(gap) > 8 * kClosedFormError * axis.scale * axis.scale * whole) return gap < 0;
  return closed_form(radius, capsule, world_from_a, world_from_b).hit;
}

}  // namespace sudar

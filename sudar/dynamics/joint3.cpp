#include <sudar/dynamics/joint3.hpp>
#include <sudar/dynamics/joint_check.hpp>

#include <cmath>

namespace sudar {

Joint3 make_joint3(JointKind kind, std::uint32_t a, const Pose3d& world_from_a, std::uint32_t b,
                   const Pose3d& world_from_b, const Pose3d& frame) {
  Joint3 joint;
  joint.kind = kind;
  joint.a = a;
  joint.b = b;
  joint.frame_a = relative(world_from_a, frame);
  joint.frame_b = relative(world_from_b, frame);
  return joint;
}

Joint3 make_distance_joint3(std::uint32_t a, const Pose3d& world_from_a, std::uint32_t b, const Pose3d& world_from_b,
                            const Vec3d& anchor_a, const Vec3d& anchor_b) {
  Joint3 joint = make_joint3(JointKind::distance, a, world_from_a, b, world_from_b, {anchor_a, {}});
  joint.frame_b = relative(world_from_b, Pose3d{anchor_b, {}});
  joint.length = distance(anchor_a, anchor_b);
  return joint;
}

double slide_of(const Joint3& joint, const Pose3d& world_from_a, const Pose3d& world_from_b) {
  const Pose3d fa = world_from_a * joint.frame_a, fb = world_from_b * joint.frame_b;
  const Vec3d d = fb.position - fa.position;
  return joint.kind == JointKind::distance ? length(d) : dot(rotate(fa.rotation, Vec3d{1, 0, 0}), d);
}

double hinge_of(const Joint3& joint, const Pose3d& world_from_a, const Pose3d& world_from_b) {
  const Quatd q =
      conjugate(world_from_a.rotation * joint.frame_a.rotation) * (world_from_b.rotation * joint.frame_b.rotation);
  const double along = joint.kind == JointKind::wheel ? q.y : q.x;
  return q.w < 0 ? 2 * arc_tangent(-along, -q.w) : 2 * arc_tangent(along, q.w);
}

Result<void> check(const Joint3& joint) {
  for (const Pose3d* f : {&joint.frame_a, &joint.frame_b}) {
    const Quatd& q = f->rotation;
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (const Result<void> ok = joint_detail::check_anchor(f->position); !ok) return ok;
    if (!std::isfinite(square))
      return Error{ErrorCode::non_finite, Error::kNoElement, "frame of a joint is NaN or infinite"};
    if (!(square > 0))
      return Error{ErrorCode::degenerate, Error::kNoElement, "rotation of a joint's frame has no length"};
  }
  if (!(joint.cone >= 0)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "cone of a joint is negative"};
  return joint_detail::check_numbers(joint);
}

}  // namespace sudar

#include <sudar/dynamics/joint2.hpp>
#include <sudar/dynamics/joint_check.hpp>

#include <cmath>

namespace sudar {

Joint2 make_joint2(JointKind kind, std::uint32_t a, const Pose2d& world_from_a, std::uint32_t b,
                   const Pose2d& world_from_b, const Pose2d& frame) {
  Joint2 joint;
  joint.kind = kind;
  joint.a = a;
  joint.b = b;
  joint.frame_a = relative(world_from_a, frame);
  joint.frame_b = relative(world_from_b, frame);
  return joint;
}

Joint2 make_distance_joint2(std::uint32_t a, const Pose2d& world_from_a, std::uint32_t b, const Pose2d& world_from_b,
                            const Vec2d& anchor_a, const Vec2d& anchor_b) {
  Joint2 joint = make_joint2(JointKind::distance, a, world_from_a, b, world_from_b, {anchor_a, {}});
  joint.frame_b = relative(world_from_b, Pose2d{anchor_b, {}});
  joint.length = distance(anchor_a, anchor_b);
  return joint;
}

double slide_of(const Joint2& joint, const Pose2d& world_from_a, const Pose2d& world_from_b) {
  const Pose2d fa = world_from_a * joint.frame_a, fb = world_from_b * joint.frame_b;
  const Vec2d d = fb.position - fa.position;
  return joint.kind == JointKind::distance ? length(d) : dot(rotate(fa.rotation, Vec2d{1, 0}), d);
}

double hinge_of(const Joint2& joint, const Pose2d& world_from_a, const Pose2d& world_from_b) {
  const Rot2d r =
      conjugate(world_from_a.rotation * joint.frame_a.rotation) * (world_from_b.rotation * joint.frame_b.rotation);
  return arc_tangent(r.s, r.c);
}

Result<void> check(const Joint2& joint) {
  for (const Pose2d* f : {&joint.frame_a, &joint.frame_b}) {
    if (const Result<void> ok = joint_detail::check_anchor(f->position); !ok) return ok;
    if (!std::isfinite(f->rotation.c) || !std::isfinite(f->rotation.s))
      return Error{ErrorCode::non_finite, Error::kNoElement, "frame of a joint is NaN or infinite"};
    if (!(f->rotation.c * f->rotation.c + f->rotation.s * f->rotation.s > 0))
      return Error{ErrorCode::degenerate, Error::kNoElement, "rotation of a joint's frame has no length"};
  }
  return joint_detail::check_numbers(joint);
}

}  // namespace sudar

// What:    What the doors of a world check and share (world.cpp, world_inputs.cpp).
#pragma once

#include <sudar/dynamics/joint_check.hpp>
#include <sudar/dynamics/shape_mass.hpp>
#include <sudar/dynamics/world_tolerance.hpp>
#include <sudar/dynamics/world_types.hpp>
#include <sudar/math/pose_check.hpp>

#include <algorithm>
#include <optional>

namespace sudar::world_doors {

inline Error invalid(const char* reason) { return {ErrorCode::invalid_argument, Error::kNoElement, reason}; }
inline Error not_finite(const char* reason) { return {ErrorCode::non_finite, Error::kNoElement, reason}; }
inline bool finite_angular(double angular) { return std::isfinite(angular); }
inline bool finite_angular(const Vec3d& angular) { return is_finite(angular); }

inline Result<void> check_material(const Material& material) {
  if (!std::isfinite(material.friction) || !std::isfinite(material.restitution))
    return not_finite("friction or restitution is not finite");
  if (material.friction < 0) return invalid("friction is negative");
  if (material.restitution < 0) return invalid("restitution is negative");
  return {};
}
inline Result<void> check_damping(double linear, double angular) {
  if (!std::isfinite(linear) || !std::isfinite(angular)) return not_finite("damping is not finite");
  if (linear < 0 || angular < 0) return invalid("damping is negative");
  return {};
}
template <int D>
Result<void> check_pose(const Pose<D, double>& pose) {
  if (!is_finite(pose.position) || !is_finite(pose.rotation)) return not_finite("pose is not finite");
  if (is_zero(pose.rotation)) return Error{ErrorCode::degenerate, Error::kNoElement, "rotation has no length"};
  if (!(max_abs(pose.position) <= kWorldEnd))
    return Error{ErrorCode::too_large, Error::kNoElement, "position is beyond the end of the world"};
  return {};
}
// A centre of mass that a world can hold. What stands is never looked at again, and hands its place to its joints.
template <int D>
Result<void> check_place(const Vec<D, double>& place) {
  if (!is_finite(place) || !(max_abs(place) <= kWorldEnd))
    return Error{ErrorCode::too_large, Error::kNoElement, "centre of mass is beyond the end of the world"};
  return {};
}
// A pose that the scene takes, and where it puts the centre of mass
template <int D>
Result<void> check_place(const Pose<D, double>& pose, const Vec<D, double>& center) {
  if (const Result<void> ok = check_pose<D>(pose); !ok) return ok;
  const auto plain = checked_pose<D>(pose, Error::kNoElement);
  if (!plain) return plain.error();
  return check_place<D>(transform(*plain, center));
}
template <int D>
Result<void> check_spec(const BodySpec<D>& spec) {
  if (const Result<void> pose = check_pose<D>(spec.pose); !pose) return pose;
  if (!is_finite(spec.velocity) || !finite_angular(spec.angular_velocity)) return not_finite("velocity is not finite");
  if (!std::isfinite(spec.gravity_scale)) return not_finite("gravity scale is not finite");
  if (const Result<void> material = check_material(spec.material); !material) return material;
  if (spec.kind == BodyKind::dynamic && !spec.shape.is_bounded())
    return Error{ErrorCode::unsupported, Error::kNoElement, "a shape without bounds cannot be dynamic"};
  return check_damping(spec.linear_damping, spec.angular_damping);
}

// What a joint begins with is not what throws one of its bodies out. Numbers of check() of joints.
template <int D>
Result<void> check_warm_start(const JointOf<D>& joint, const WorldBody<D>& body) {
  if (!body.is_dynamic()) return {};
  Angular<D> turn{};
  if constexpr (D == 2)
    turn = joint_detail::most_turn(joint);
  else
    turn.x = joint_detail::most_turn(joint);
  if (!(joint_detail::most_push(joint) * body.mass.inverse.inverse_mass <= kFastestBody) ||
      !(turn_bound(body.mass.inverse, turn) <= kFastestBody))
    return Error{ErrorCode::too_large, Error::kNoElement, "impulse of a joint is beyond what its body can take"};
  return {};
}

template <int D>
Result<void> check_options(const WorldOptions<D>& o) {
  if (!is_finite(o.gravity)) return not_finite("gravity is not finite");
  if (!(o.margin >= 0) || !std::isfinite(o.margin)) return invalid("margin must be finite and not negative");
  if (o.substeps < 1 || o.max_steps < 1) return invalid("there must be at least one step and one substep");
  if (!(o.max_dt > 0) || !(o.fixed_dt > 0) || !std::isfinite(o.max_dt) || !std::isfinite(o.fixed_dt))
    return invalid("steps must be positive and finite");
  if (!(o.sleep_speed >= 0) || !(o.sleep_time >= 0)) return invalid("speed and time of sleep must not be negative");
  if (!(o.contact_hertz > 0) || !(o.contact_damping >= 0) || !std::isfinite(o.contact_hertz + o.contact_damping))
    return invalid("contacts need a positive frequency and a damping that is not negative");
  if (!(o.push_speed >= 0) || !(o.restitution_threshold >= 0) || o.relax < 0)
    return invalid("push speed, threshold of restitution and relaxations must not be negative");
  return {};
}

// In strides, so that one after another costs no copies
template <class List>
void make_room(List& list, std::size_t count) {
  if (list.capacity() < count) list.reserve(std::max(count, 2 * list.capacity()));
}

// Velocities of a dynamic body are its momenta
template <int D>
void set_velocities(WorldBody<D>& body, const Vec<D, double>& velocity, const Angular<D>& angular) {
  if (body.kind == BodyKind::dynamic) {
    body.state.momentum = velocity * body.mass.mass;
    body.state.angular_momentum =
        body.fixed_rotation ? Angular<D>{} : turned_product(body.mass.inertia, body.state.rotation, angular);
  } else if (body.kind == BodyKind::kinematic) {
    body.velocity = velocity;
    body.angular_velocity = angular;
  }
}
template <int D>
RigidMotion<D> velocities_of(const WorldBody<D>& body) {
  if (body.kind != BodyKind::dynamic) return {body.velocity, body.angular_velocity};
  const auto s = slope(body.state, body.mass.inverse);
  return {s.velocity, s.angular_velocity};
}
template <int D>
Result<BodyMass<D>> mass_for(const ShapeOf<D>& shape, double density, const std::optional<MassProperties<D>>& given,
                             bool fixed_rotation) {
  if (given) return body_mass(*given, fixed_rotation);
  const Result<MassProperties<D>> mass = mass_of(shape, density);
  if (!mass) return mass.error();
  return body_mass(*mass, fixed_rotation);
}

}  // namespace sudar::world_doors

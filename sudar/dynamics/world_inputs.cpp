// What:    The inputs of a world: every change but new bodies, new joints and steps. See world.hpp.
#include <sudar/dynamics/world.hpp>
#include <sudar/dynamics/world_doors.hpp>

#include <algorithm>

namespace sudar {

using namespace world_doors;

template <int D>
Result<void> World<D>::applied(const WorldInput<D>& input) {
  switch (input.kind) {
    case InputKind::step:
    case InputKind::add_body:
    case InputKind::add_joint:
      return invalid("steps, new bodies and new joints have doors of their own");
    case InputKind::remove_body:
      return removed(input.body);
    case InputKind::remove_joint: {
      const WorldJoint<D>* joint = data_.joints.find(input.joint);
      if (joint == nullptr) return Error{ErrorCode::unknown_id, input.joint.index, "no such joint"};
      wake(joint->a.index);
      wake(joint->b.index);
      return data_.joints.erase(input.joint);
    }
    case InputKind::set_gravity:
      if (!is_finite(input.vector)) return not_finite("gravity is not finite");
      data_.gravity = input.vector;
      for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) wake(i);
      return {};
    case InputKind::set_slide:
    case InputKind::set_hinge: {
      WorldJoint<D>* joint = data_.joints.find(input.joint);
      if (joint == nullptr) return Error{ErrorCode::unknown_id, input.joint.index, "no such joint"};
      JointOf<D> changed = joint->joint;
      (input.kind == InputKind::set_slide ? changed.slide : changed.hinge) = input.drive;
      if (const Result<void> ok = check(changed); !ok) return ok;
      joint->joint = changed;
      wake(joint->a.index);
      wake(joint->b.index);
      return {};
    }
    default:
      break;
  }
  if (!contains(input.body)) return Error{ErrorCode::unknown_id, input.body.index, "no such body"};
  list(input.body.index);
  return pushed(data_.bodies[input.body.index], input);
}

template <int D>
Result<void> World<D>::pushed(WorldBody<D>& body, const WorldInput<D>& input) {
  const std::uint32_t index = input.body.index;
  if (!is_finite(input.vector) || !is_finite(input.point) || !finite_angular(input.angular) ||
      !std::isfinite(input.value))
    return not_finite("a number is not finite");
  const RigidMotion<D> now = velocities_of<D>(body);
  const bool moves = body.kind == BodyKind::dynamic;
  switch (input.kind) {
    case InputKind::set_pose:
      return posed(input.body, body, input.pose);
    case InputKind::set_velocity:
      set_velocities<D>(body, input.vector, now.angular);
      break;
    case InputKind::set_angular_velocity:
      set_velocities<D>(body, now.linear, input.angular);
      break;
    case InputKind::move_to: {
      if (const Result<void> ok = check_place<D>(input.pose, body.mass.center); !ok) return ok;
      if (body.kind != BodyKind::kinematic) return invalid("only kinematic bodies are moved to a place");
      if (!(input.value > 0)) return invalid("the time must be positive");
      const Pose<D, double> to{input.pose.position, normalized(input.pose.rotation)};
      const V velocity = (transform(to, body.mass.center) - body.state.position) / input.value;
      const Angular<D> angular = turn_between(body.state.rotation, to.rotation) / input.value;
      if (!is_finite(velocity) || !finite_angular(angular)) return not_finite("too fast for a number");
      body.velocity = velocity;
      body.angular_velocity = angular;
      break;
    }
    case InputKind::force:
      if (!moves) return {};
      body.wrench.force += input.vector;
      if (!body.fixed_rotation)
        body.wrench.torque = body.wrench.torque + moment(input.point - body.state.position, input.vector);
      break;
    case InputKind::central_force:
      if (!moves) return {};
      body.wrench.force += input.vector;
      break;
    case InputKind::torque:
      if (!moves) return {};
      if (!body.fixed_rotation) body.wrench.torque = body.wrench.torque + input.angular;
      break;
    case InputKind::impulse:
      if (!moves) return {};
      body.state.momentum += input.vector;
      if (!body.fixed_rotation)
        body.state.angular_momentum =
            body.state.angular_momentum + moment(input.point - body.state.position, input.vector);
      break;
    case InputKind::angular_impulse:
      if (!moves) return {};
      if (!body.fixed_rotation) body.state.angular_momentum = body.state.angular_momentum + input.angular;
      break;
    case InputKind::set_kind: {
      const double last = static_cast<double>(BodyKind::dynamic);
      if (!(input.value >= 0 && input.value <= last)) return invalid("no such kind of body");
      return became(input.body, body, static_cast<BodyKind>(static_cast<int>(input.value)));
    }
    case InputKind::set_awake:
      if (input.value == 0 && moves) {
        body.asleep = true;
        body.still_for = std::max(body.still_for, options_.sleep_time);
        body.state.momentum = {}, body.state.angular_momentum = {};
        // Forces are of the next step, and it takes no part in that
        body.wrench = {};
        // Its island is to be found
        set_label(index, kNoIndex);
        return {};
      }
      break;
    case InputKind::set_bullet:
      body.bullet = input.value != 0;
      return {};
    case InputKind::set_sensor:
      if (const Result<void> set = scene_->set_sensor(input.body, input.value != 0); !set) return set;
      sensors_ -= body.sensor;
      body.sensor = input.value != 0;
      sensors_ += body.sensor;
      wake_neighbours(index);
      break;
    case InputKind::set_material: {
      const Material material{input.vector[0], input.vector[1]};
      if (const Result<void> ok = check_material(material); !ok) return ok;
      body.material = material;
      break;
    }
    case InputKind::set_damping:
      if (const Result<void> ok = check_damping(input.vector[0], input.vector[1]); !ok) return ok;
      body.linear_damping = input.vector[0];
      body.angular_damping = input.vector[1];
      break;
    case InputKind::set_gravity_scale:
      body.gravity_scale = input.value;
      break;
    case InputKind::set_filter:
      if (const Result<void> set = scene_->set_filter(input.body, input.filter); !set) return set;
      wake_neighbours(index);
      break;
    default:
      return invalid("no such input");
  }
  wake(index);
  return {};
}

// Another kind of body at the same place, as fast as before. Where its centre of mass becomes known only now, what hangs
// on its joints stays where it is.
template <int D>
Result<void> World<D>::became(Body id, WorldBody<D>& body, BodyKind kind) {
  const RigidMotion<D> now = velocities_of<D>(body);
  const Pose<D, double> pose = shape_pose<D>(body.state, body.mass.center);
  BodyMass<D> mass = body.mass;
  if (kind == BodyKind::dynamic && !body.weighed) {
    const ShapeOf<D>& shape = (*scene_)[id.index].shape;
    if (!shape.is_bounded())
      return Error{ErrorCode::unsupported, Error::kNoElement, "a shape without bounds cannot be dynamic"};
    const Result<BodyMass<D>> own = mass_for<D>(shape, body.density, std::nullopt, body.fixed_rotation);
    if (!own) return own.error();
    mass = *own;
  }
  const V place = transform(pose, mass.center);
  if (const Result<void> ok = check_place<D>(place); !ok) return ok;
  if (const Result<void> set = scene_->set_motion(id, kind == BodyKind::fixed ? Motion::fixed : Motion::moving); !set)
    return set;
  const V moved = mass.center - body.mass.center;
  if (moved != V{})
    data_.joints.for_each([&](JointId<D> joint_id, const WorldJoint<D>& joint) {
      JointOf<D>& own = data_.joints.find(joint_id)->joint;
      if (joint.a == id) own.frame_a.position -= moved;
      if (joint.b == id) own.frame_b.position -= moved;
    });
  // Where it slept, the others of its island are disturbed
  (void)scene_->set_resting(id, false).ok();
  set_label(id.index, kNoIndex);
  body.weighed = body.weighed || kind == BodyKind::dynamic;
  body.mass = mass;
  body.kind = kind;
  body.asleep = false;
  body.wrench = {};
  body.state = {};
  body.state.position = place;
  body.state.rotation = pose.rotation;
  body.velocity = {}, body.angular_velocity = {};
  set_velocities<D>(body, velocity_at(now.linear, now.angular, rotate(pose.rotation, moved)), now.angular);
  wake_neighbours(id.index);
  wake(id.index);
  return {};
}

template <int D>
Result<void> World<D>::posed(Body id, WorldBody<D>& body, const Pose<D, double>& pose) {
  if (const Result<void> ok = check_place<D>(pose, body.mass.center); !ok) return ok;
  if (const Result<void> set = scene_->teleport(id, pose); !set) return set;
  wake_neighbours(id.index);
  // Velocities stay, so the angular momentum turns with the body
  const RigidMotion<D> now = velocities_of<D>(body);
  const Pose<D, double>& there = (*scene_)[id.index].pose;
  body.state.position = transform(there, body.mass.center);
  body.state.rotation = there.rotation;
  set_velocities<D>(body, now.linear, now.angular);
  wake(id.index);
  return {};
}

template <int D>
Result<void> World<D>::removed(Body body) {
  if (!contains(body)) return Error{ErrorCode::unknown_id, body.index, "no such body"};
  std::vector<JointId<D>> lost;
  data_.joints.for_each([&](JointId<D> id, const WorldJoint<D>& joint) {
    if (joint.a == body || joint.b == body) lost.push_back(id);
  });
  if (const Result<void> gone = scene_->remove(body); !gone) return gone;
  // Nothing below can fail. The contacts of the last step still name the neighbours.
  wake_neighbours(body.index);
  for (const JointId<D> id : lost) {
    const WorldJoint<D>* joint = data_.joints.find(id);
    wake(joint->a.index);
    wake(joint->b.index);
    (void)data_.joints.erase(id).ok();
  }
  list(body.index);
  set_label(body.index, kNoIndex);
  sensors_ -= data_.bodies[body.index].sensor;
  data_.bodies[body.index] = {};
  return {};
}

// Who has not been still for any time is awake after the islands of the next step, and its island with it
template <int D>
void World<D>::wake(std::uint32_t index) noexcept {
  if (index >= data_.bodies.size()) return;
  data_.bodies[index].still_for = 0;
  list(index);
}

template <int D>
void World<D>::wake_neighbours(std::uint32_t index) noexcept {
  for (const SceneContact<D>& contact : scene_->live().contacts) {
    if (contact.a == index) wake(contact.b);
    if (contact.b == index) wake(contact.a);
  }
  const RestStore<D>& resting = scene_->resting();
  resting.for_each_of(index, [&](std::uint32_t slot) {
    const RestPair& pair = resting[slot];
    if (pair.contacts > 0) wake(pair.pair.lo == index ? pair.pair.hi : pair.pair.lo);
  });
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) {
    if (joint.a.index == index) wake(joint.b.index);
    if (joint.b.index == index) wake(joint.a.index);
  });
}

template SUDAR_API Result<void> World<2>::applied(const WorldInput<2>&);
template SUDAR_API Result<void> World<2>::pushed(WorldBody<2>&, const WorldInput<2>&);
template SUDAR_API Result<void> World<2>::became(BodyId<2>, WorldBody<2>&, BodyKind);
template SUDAR_API Result<void> World<2>::posed(BodyId<2>, WorldBody<2>&, const Pose<2, double>&);
template SUDAR_API Result<void> World<2>::removed(BodyId<2>);
template SUDAR_API void World<2>::wake(std::uint32_t) noexcept;
template SUDAR_API void World<2>::wake_neighbours(std::uint32_t) noexcept;
template SUDAR_API Result<void> World<3>::applied(const WorldInput<3>&);
template SUDAR_API Result<void> World<3>::pushed(WorldBody<3>&, const WorldInput<3>&);
template SUDAR_API Result<void> World<3>::became(BodyId<3>, WorldBody<3>&, BodyKind);
template SUDAR_API Result<void> World<3>::posed(BodyId<3>, WorldBody<3>&, const Pose<3, double>&);
template SUDAR_API Result<void> World<3>::removed(BodyId<3>);
template SUDAR_API void World<3>::wake(std::uint32_t) noexcept;
template SUDAR_API void World<3>::wake_neighbours(std::uint32_t) noexcept;

}  // namespace sudar

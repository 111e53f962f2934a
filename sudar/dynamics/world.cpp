#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/shape_mass.hpp>
#include <sudar/dynamics/world.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

Error invalid(const char* reason) { return {ErrorCode::invalid_argument, Error::kNoElement, reason}; }
Error not_finite(const char* reason) { return {ErrorCode::non_finite, Error::kNoElement, reason}; }
bool finite_angular(double angular) { return std::isfinite(angular); }
bool finite_angular(const Vec3d& angular) { return is_finite(angular); }

Result<void> check_material(const Material& material) {
  if (!std::isfinite(material.friction) || !std::isfinite(material.restitution))
    return not_finite("friction or restitution is not finite");
  if (material.friction < 0) return invalid("friction is negative");
  if (material.restitution < 0) return invalid("restitution is negative");
  return {};
}
Result<void> check_damping(double linear, double angular) {
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

Result<void> check_options(double margin, int substeps, double max_dt, double fixed_dt, int max_steps) {
  if (!(margin >= 0) || !std::isfinite(margin)) return invalid("margin must be finite and not negative");
  if (substeps < 1 || max_steps < 1) return invalid("there must be at least one step and one substep");
  if (!(max_dt > 0) || !(fixed_dt > 0) || !std::isfinite(max_dt) || !std::isfinite(fixed_dt))
    return invalid("steps must be positive and finite");
  return {};
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

Joint2 joint_at(JointKind kind, const Pose2d& a, const Pose2d& b, const Pose2d& frame) {
  return make_joint2(kind, 0, a, 1, b, frame);
}
Joint3 joint_at(JointKind kind, const Pose3d& a, const Pose3d& b, const Pose3d& frame) {
  return make_joint3(kind, 0, a, 1, b, frame);
}
Joint2 distance_joint_at(const Pose2d& a, const Pose2d& b, const Vec2d& p, const Vec2d& q) {
  return make_distance_joint2(0, a, 1, b, p, q);
}
Joint3 distance_joint_at(const Pose3d& a, const Pose3d& b, const Vec3d& p, const Vec3d& q) {
  return make_distance_joint3(0, a, 1, b, p, q);
}

}  // namespace

std::string_view to_string(InputKind kind) noexcept {
  constexpr std::string_view kNames[] = {"step",
                                         "add_body",
                                         "remove_body",
                                         "add_joint",
                                         "remove_joint",
                                         "set_pose",
                                         "set_velocity",
                                         "set_angular_velocity",
                                         "move_to",
                                         "force",
                                         "central_force",
                                         "torque",
                                         "impulse",
                                         "angular_impulse",
                                         "set_kind",
                                         "set_awake",
                                         "set_bullet",
                                         "set_sensor",
                                         "set_material",
                                         "set_damping",
                                         "set_gravity_scale",
                                         "set_filter",
                                         "set_gravity",
                                         "set_slide",
                                         "set_hinge"};
  return kNames[static_cast<std::size_t>(kind)];
}
std::string_view to_string(WorldEventKind kind) noexcept {
  constexpr std::string_view kNames[] = {"taken_out", "fell_asleep", "woke_up", "fast_hit", "sensor_passed"};
  return kNames[static_cast<std::size_t>(kind)];
}

template <int D>
Result<World<D>> World<D>::make(const WorldOptions<D>& options) {
  if (const Result<void> ok =
          check_options(options.margin, options.substeps, options.max_dt, options.fixed_dt, options.max_steps);
      !ok)
    return ok.error();
  if (!is_finite(options.gravity)) return not_finite("gravity is not finite");
  auto scene = Scene<D>::make({options.broadphase, options.margin, options.executor});
  if (!scene) return scene.error();
  return guarded([&]() -> Result<World> {
    World world;
    world.options_ = options;
    world.scene_ = std::make_unique<Scene<D>>(std::move(*scene));
    world.options_.broadphase = world.scene_->broadphase().name();
    world.data_.gravity = options.gravity;
    return world;
  });
}

template <int D>
auto World<D>::add_body(const BodySpec<D>& spec) -> Result<Body> {
  return guarded([&]() -> Result<Body> {
    if (const Result<void> ok = check_spec<D>(spec); !ok) return ok.error();
    WorldBody<D> body;
    if (spec.kind == BodyKind::dynamic) {
      const Result<BodyMass<D>> mass = mass_for<D>(spec.shape, spec.density, spec.mass, spec.fixed_rotation);
      if (!mass) return mass.error();
      body.mass = *mass;
    }
    if (recording_ != nullptr) recording_->bodies.reserve(recording_->bodies.size() + 1);
    data_.bodies.reserve(scene_->index_limit() + 1);
    const Result<Body> id =
        scene_->add({spec.shape, spec.pose, spec.filter, spec.kind == BodyKind::fixed ? Motion::fixed : Motion::moving,
                     spec.sensor, spec.user});
    if (!id) return id;
    const Pose<D, double>& pose = (*scene_)[id->index].pose;
    body.state.position = transform(pose, body.mass.center);
    body.state.rotation = pose.rotation;
    body.material = spec.material;
    body.linear_damping = spec.linear_damping;
    body.angular_damping = spec.angular_damping;
    body.gravity_scale = spec.gravity_scale;
    body.density = spec.density;
    body.radius = farthest_radius<D>(spec.shape);
    body.thickness = inner_radius(spec.shape);
    body.kind = spec.kind;
    body.used = true;
    body.bullet = spec.bullet;
    body.sensor = spec.sensor;
    body.fixed_rotation = spec.fixed_rotation;
    body.can_sleep = spec.can_sleep;
    set_velocities<D>(body, spec.velocity, spec.angular_velocity);
    if (data_.bodies.size() <= id->index) data_.bodies.resize(id->index + 1);
    data_.bodies[id->index] = body;
    if (recording_ != nullptr) {
      WorldInput<D> input{.kind = InputKind::add_body};
      input.index = static_cast<std::uint32_t>(recording_->bodies.size());
      recording_->bodies.push_back(spec);
      if (const Result<void> noted = note(input); !noted) return noted.error();
    }
    return id;
  });
}

template <int D>
Result<JointId<D>> World<D>::add_joint(Body a, Body b, const JointOf<D>& joint, bool collide) {
  return guarded([&]() -> Result<JointId<D>> {
    if (!contains(a)) return Error{ErrorCode::unknown_id, a.index, "no such body"};
    if (!contains(b)) return Error{ErrorCode::unknown_id, b.index, "no such body"};
    if (a == b) return invalid("a joint needs two bodies");
    JointOf<D> own = joint;
    own.a = 0, own.b = 1;
    if (const Result<void> ok = check(own); !ok) return ok.error();
    const Result<JointId<D>> id = data_.joints.insert({a, b, own, collide});
    if (!id) return id;
    wake(a.index);
    wake(b.index);
    if (recording_ != nullptr) {
      WorldInput<D> input{.kind = InputKind::add_joint};
      input.index = static_cast<std::uint32_t>(recording_->joints.size());
      recording_->joints.push_back({a, b, own, collide});
      if (const Result<void> noted = note(input); !noted) return noted.error();
    }
    return id;
  });
}

template <int D>
Result<JointOf<D>> World<D>::make_joint(JointKind kind, Body a, Body b, const Pose<D, double>& frame) const {
  if (!contains(a)) return Error{ErrorCode::unknown_id, a.index, "no such body"};
  if (!contains(b)) return Error{ErrorCode::unknown_id, b.index, "no such body"};
  const RigidState<D>&sa = data_.bodies[a.index].state, &sb = data_.bodies[b.index].state;
  return joint_at(kind, {sa.position, sa.rotation}, {sb.position, sb.rotation}, frame);
}
template <int D>
Result<JointOf<D>> World<D>::make_distance_joint(Body a, Body b, const V& anchor_a, const V& anchor_b) const {
  if (!contains(a)) return Error{ErrorCode::unknown_id, a.index, "no such body"};
  if (!contains(b)) return Error{ErrorCode::unknown_id, b.index, "no such body"};
  const RigidState<D>&sa = data_.bodies[a.index].state, &sb = data_.bodies[b.index].state;
  return distance_joint_at({sa.position, sa.rotation}, {sb.position, sb.rotation}, anchor_a, anchor_b);
}

template <int D>
Result<void> World<D>::apply(const WorldInput<D>& input) {
  return guarded([&]() -> Result<void> {
    if (const Result<void> done = applied(input); !done) return done;
    return note(input);
  });
}

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
      for (WorldBody<D>& body : data_.bodies) body.still_for = 0;
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
      if (const Result<void> ok = check_pose<D>(input.pose); !ok) return ok;
      if (body.kind != BodyKind::kinematic) return invalid("only kinematic bodies are moved to a place");
      if (!(input.value > 0)) return invalid("the time must be positive");
      const Pose<D, double> from = shape_pose<D>(body.state, body.mass.center);
      body.velocity = (transform(input.pose, body.mass.center) - body.state.position) / input.value;
      body.angular_velocity = turn_between(from.rotation, normalized(input.pose.rotation)) / input.value;
      break;
    }
    case InputKind::force:
      if (!moves) return {};
      body.wrench.force += input.vector;
      body.wrench.torque = body.wrench.torque + moment(input.point - body.state.position, input.vector);
      break;
    case InputKind::central_force:
      if (!moves) return {};
      body.wrench.force += input.vector;
      break;
    case InputKind::torque:
      if (!moves) return {};
      body.wrench.torque = body.wrench.torque + input.angular;
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
      const BodyKind kind = static_cast<BodyKind>(static_cast<int>(input.value));
      const Pose<D, double> pose = shape_pose<D>(body.state, body.mass.center);
      const ShapeOf<D>& shape = (*scene_)[index].shape;
      BodyMass<D> mass = body.mass;
      if (kind == BodyKind::dynamic && body.kind != kind) {
        if (!shape.is_bounded())
          return Error{ErrorCode::unsupported, Error::kNoElement, "a shape without bounds cannot be dynamic"};
        const Result<BodyMass<D>> own = mass_for<D>(shape, body.density, std::nullopt, body.fixed_rotation);
        if (!own) return own.error();
        mass = *own;
      } else if (kind != BodyKind::dynamic) {
        mass = {};
      }
      if (const Result<void> set =
              scene_->set_motion(input.body, kind == BodyKind::fixed ? Motion::fixed : Motion::moving);
          !set)
        return set;
      body.mass = mass;
      body.kind = kind;
      body.asleep = false;
      body.state = {};
      body.state.position = transform(pose, mass.center);
      body.state.rotation = pose.rotation;
      body.velocity = {}, body.angular_velocity = {};
      set_velocities<D>(body, now.linear, now.angular);
      wake_neighbours(index);
      break;
    }
    case InputKind::set_awake:
      if (input.value == 0 && moves) {
        body.asleep = true;
        body.still_for = std::max(body.still_for, options_.sleep_time);
        body.state.momentum = {}, body.state.angular_momentum = {};
        return {};
      }
      break;
    case InputKind::set_bullet:
      body.bullet = input.value != 0;
      return {};
    case InputKind::set_sensor:
      if (const Result<void> set = scene_->set_sensor(input.body, input.value != 0); !set) return set;
      body.sensor = input.value != 0;
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

template <int D>
Result<void> World<D>::posed(Body id, WorldBody<D>& body, const Pose<D, double>& pose) {
  if (const Result<void> ok = check_pose<D>(pose); !ok) return ok;
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
  wake_neighbours(body.index);
  std::vector<JointId<D>> lost;
  data_.joints.for_each([&](JointId<D> id, const WorldJoint<D>& joint) {
    if (joint.a == body || joint.b == body) lost.push_back(id);
  });
  if (const Result<void> gone = scene_->remove(body); !gone) return gone;
  for (const JointId<D> id : lost) {
    const WorldJoint<D>* joint = data_.joints.find(id);
    wake(joint->a.index);
    wake(joint->b.index);
    (void)data_.joints.erase(id).ok();
  }
  data_.bodies[body.index] = {};
  return {};
}

// Who has not been still for any time is awake after the islands of the next step, and its island with it
template <int D>
void World<D>::wake(std::uint32_t index) noexcept {
  if (index < data_.bodies.size()) data_.bodies[index].still_for = 0;
}

template <int D>
void World<D>::wake_neighbours(std::uint32_t index) noexcept {
  for (const SceneContact<D>& contact : scene_->contacts()) {
    if (contact.a == index) wake(contact.b);
    if (contact.b == index) wake(contact.a);
  }
}

template <int D>
Pose<D, double> World<D>::pose(Body id) const {
  SUDAR_ASSERT(contains(id));
  return shape_pose<D>(data_.bodies[id.index].state, data_.bodies[id.index].mass.center);
}
template <int D>
auto World<D>::velocity(Body id) const -> V {
  SUDAR_ASSERT(contains(id));
  return velocities_of<D>(data_.bodies[id.index]).linear;
}
template <int D>
Angular<D> World<D>::angular_velocity(Body id) const {
  SUDAR_ASSERT(contains(id));
  return velocities_of<D>(data_.bodies[id.index]).angular;
}
template <int D>
auto World<D>::momentum() const -> V {
  V sum{};
  for (const WorldBody<D>& body : data_.bodies)
    if (body.is_dynamic()) sum += body.state.momentum;
  return sum;
}
template <int D>
Angular<D> World<D>::angular_momentum() const {
  Angular<D> sum{};
  for (const WorldBody<D>& body : data_.bodies)
    if (body.is_dynamic()) sum = sum + body.state.angular_momentum + moment(body.state.position, body.state.momentum);
  return sum;
}
template <int D>
double World<D>::kinetic_energy() const {
  double sum = 0;
  for (const WorldBody<D>& body : data_.bodies)
    if (body.is_dynamic()) sum += sudar::kinetic_energy(body.state, body.mass.inverse);
  return sum;
}

template <int D>
Result<void> World<D>::set_executor(Executor& executor) noexcept {
  options_.executor = &executor;
  scene_->set_executor(executor);
  return {};
}

template class SUDAR_API World<2>;
template class SUDAR_API World<3>;

}  // namespace sudar

// What:    The doors of a world but for its inputs: how bodies and joints come, and what can be asked. See world.hpp.
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world.hpp>
#include <sudar/dynamics/world_doors.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <algorithm>

namespace sudar {

using namespace world_doors;

namespace {

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
  constexpr std::string_view kNames[] = {"taken_out", "fell_asleep", "woke_up", "fast_hit", "sensor_passed", "hit"};
  return kNames[static_cast<std::size_t>(kind)];
}

template <int D>
Result<World<D>> World<D>::make(const WorldOptions<D>& options) {
  if (const Result<void> ok = check_options<D>(options); !ok) return ok.error();
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
    if (spec.kind == BodyKind::dynamic || spec.mass) {
      const Result<BodyMass<D>> mass = mass_for<D>(spec.shape, spec.density, spec.mass, spec.fixed_rotation);
      if (!mass) return mass.error();
      body.mass = *mass;
      body.weighed = true;
    }
    if (const Result<void> ok = check_place<D>(spec.pose, body.mass.center); !ok) return ok.error();
    // Room before anything changes
    if (recording_ != nullptr) recording_->make_room();
    const std::size_t room = scene_->index_limit() + 1;
    make_room(data_.bodies, room);
    make_room(lively_, room);
    make_room(listed_, room);
    make_room(is_listed_, room);
    make_room(roles_, room);
    make_room(label_, room);
    make_room(labelled_, room);
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
    is_listed_.resize(data_.bodies.size(), 0);
    roles_.resize(data_.bodies.size(), 0);
    label_.resize(data_.bodies.size(), kNoIndex);
    labelled_.resize(data_.bodies.size(), 0);
    sensors_ += body.sensor;
    list(id->index);
    if (recording_ != nullptr) {
      WorldInput<D> input{.kind = InputKind::add_body};
      input.index = static_cast<std::uint32_t>(recording_->bodies.size());
      recording_->bodies.push_back(spec);
      recording_->inputs.push_back(input);
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
    for (Pose<D, double>* frame : {&own.frame_a, &own.frame_b}) {
      const auto checked = checked_pose<D>(*frame, Error::kNoElement);
      if (!checked) return checked.error();
      *frame = *checked;
    }
    if (const Result<void> ok = check(own); !ok) return ok.error();
    for (const Body body : {a, b})
      if (const Result<void> ok = check_warm_start<D>(own, data_.bodies[body.index]); !ok) return ok.error();
    if (recording_ != nullptr) recording_->make_room();
    const Result<JointId<D>> id = data_.joints.insert({a, b, own, collide});
    if (!id) return id;
    wake(a.index);
    wake(b.index);
    if (recording_ != nullptr) {
      WorldInput<D> input{.kind = InputKind::add_joint};
      input.index = static_cast<std::uint32_t>(recording_->joints.size());
      recording_->joints.push_back({a, b, own, collide});
      recording_->inputs.push_back(input);
    }
    return id;
  });
}

template <int D>
Result<JointOf<D>> World<D>::make_joint(JointKind kind, Body a, Body b, const Pose<D, double>& frame) const {
  if (!contains(a)) return Error{ErrorCode::unknown_id, a.index, "no such body"};
  if (!contains(b)) return Error{ErrorCode::unknown_id, b.index, "no such body"};
  const auto checked = checked_pose<D>(frame, Error::kNoElement);
  if (!checked) return checked.error();
  const RigidState<D>&sa = data_.bodies[a.index].state, &sb = data_.bodies[b.index].state;
  return joint_at(kind, {sa.position, sa.rotation}, {sb.position, sb.rotation}, *checked);
}
template <int D>
Result<JointOf<D>> World<D>::make_distance_joint(Body a, Body b, const V& anchor_a, const V& anchor_b) const {
  if (!contains(a)) return Error{ErrorCode::unknown_id, a.index, "no such body"};
  if (!contains(b)) return Error{ErrorCode::unknown_id, b.index, "no such body"};
  for (const V* anchor : {&anchor_a, &anchor_b})
    if (const Result<void> ok = check_position(*anchor); !ok) return ok.error();
  const RigidState<D>&sa = data_.bodies[a.index].state, &sb = data_.bodies[b.index].state;
  return distance_joint_at({sa.position, sa.rotation}, {sb.position, sb.rotation}, anchor_a, anchor_b);
}

template <int D>
Result<void> World<D>::apply(const WorldInput<D>& input) {
  return guarded([&]() -> Result<void> {
    if (recording_ != nullptr) recording_->make_room();
    if (const Result<void> done = applied(input); !done) return done;
    if (recording_ != nullptr) recording_->inputs.push_back(input);
    return {};
  });
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
std::span<const PointImpulse<D>> World<D>::impulses() const noexcept {
  if (scene_->resting().empty()) return data_.impulses;
  if (!whole_made_) {
    whole_impulses_.clear();
    for (const auto& source : scene_->point_sources()) {
      const std::vector<PointImpulse<D>>& from = source.rests ? rest_.resting : data_.impulses;
      for (std::uint32_t k = 0; k < source.count; ++k)
        whole_impulses_.push_back(source.first + k < from.size() ? from[source.first + k] : PointImpulse<D>{});
    }
    whole_made_ = true;
  }
  return whole_impulses_;
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

template <int D>
Result<void> World<D>::set_broadphase(std::string_view name) {
  if (const Result<void> set = scene_->set_broadphase(name); !set) return set;
  options_.broadphase = scene_->broadphase().name();
  return {};
}

template <int D>
void World<D>::set_pair_callback(const PairCallback& callback) noexcept {
  scene_->set_pair_callback(callback);
  // Islands that sleep may hang together in another way
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i)
    if (data_.bodies[i].asleep) set_label(i, kNoIndex), list(i);
}

template class SUDAR_API World<2>;
template class SUDAR_API World<3>;

}  // namespace sudar

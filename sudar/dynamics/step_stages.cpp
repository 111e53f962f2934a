// What:    The stages of step.cpp, in its order, but for islands and sleep (sleep_stages.cpp) and hits (hits.cpp).
#include <sudar/dynamics/joint_check.hpp>
#include <sudar/dynamics/world.hpp>
#include <sudar/dynamics/world_doors.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>

namespace sudar {

// Whether a world cannot hold the body as it is, or as the forces of a step would make it. What is not a number fails every
// comparison.
template <int D>
bool World<D>::lost(const WorldBody<D>& body, double dt) const noexcept {
  if (!body.used || body.kind == BodyKind::fixed) return false;
  const RigidState<D>& s = body.state;
  if (!is_finite(s.position) || !is_finite(s.rotation) || !(max_abs(s.position) <= kWorldEnd) ||
      !(max_abs(shape_pose<D>(s, body.mass.center).position) <= kWorldEnd))
    return true;
  double speed = 0, rate = 0;
  if (body.kind == BodyKind::kinematic) {
    if (!is_finite(body.velocity)) return true;
    speed = max_abs(body.velocity);
    rate = turn_rate(body.angular_velocity);
  } else {
    const V momentum = s.momentum + (body.wrench.force + data_.gravity * (body.gravity_scale * body.mass.mass)) * dt;
    if (!is_finite(momentum)) return true;
    speed = max_abs(momentum) * body.mass.inverse.inverse_mass;
    rate = turn_bound(body.mass.inverse, s.angular_momentum + body.wrench.torque * dt);
  }
  return !(speed <= kFastestBody && rate <= kFastestTurn && rate * dt <= kMaxTurn / 2);
}

// Before it meets anything. What sleeps undisturbed is as it was when it was last looked at: every door that changes a body
// takes its rest away.
template <int D>
Result<void> World<D>::take_out_lost(double dt) {
  take_in_listed();
  for (std::size_t k = 0; k < lively_.size(); ++k) {
    const std::uint32_t i = lively_[k];
    const WorldBody<D>& body = data_.bodies[i];
    roles_[i] = role_of(body);
    if (sleeps_undisturbed(body) || !lost(body, dt)) continue;
    const Body id = scene_->id_of(i);
    world_doors::make_room(events_, events_.size() + 1);
    if (const Result<void> gone = removed(id); !gone) return gone;
    events_.push_back({WorldEventKind::taken_out, id, {}, 0});
    roles_[i] = role_of(body);
    // Neighbours that slept, too
    take_in_listed();
    k = static_cast<std::size_t>(std::lower_bound(lively_.begin(), lively_.end(), i) - lively_.begin());
  }
  sources_.clear();
  for (const std::uint32_t i : lively_) {
    const WorldBody<D>& body = data_.bodies[i];
    if (body.is_dynamic() && body.asleep && (!sleeps_undisturbed(body) || label_[i] == kNoIndex)) sources_.push_back(i);
  }
  return {};
}

template <int D>
void World<D>::carry_impulses() {
  jointed_.clear();
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) {
    if (!joint.collide) jointed_.push_back(make_pair_of(joint.a.index, joint.b.index));
  });
  std::sort(jointed_.begin(), jointed_.end());
  const SceneFrame<D>& live = scene_->live();
  cache_.carry(live.contacts, live.points, scene_->live_removed_points(), data_.impulses);
  cache_.select(live.contacts, roles_, jointed_);
  whole_made_ = false;
  if (!scene_->resting().empty()) {
    whole_impulses_.clear();
    whole_impulses_.reserve(scene_->point_count());
  }
}

// The solver's bodies: what is awake and touched or held, what moves by itself, and one for all that is fixed
template <int D>
void World<D>::gather_bodies() {
  // What the last step left is put away, not everything
  for (const std::uint32_t i : touched_bodies_)
    if (i < touched_.size()) touched_[i] = 0;
  for (const std::uint32_t i : solved_)
    if (i < slot_.size()) slot_[i] = kNoIndex;
  touched_bodies_.clear();
  solved_.clear();
  start_.resize(data_.bodies.size());
  slot_.resize(data_.bodies.size(), kNoIndex);
  touched_.resize(data_.bodies.size(), 0);
  const std::span<const SceneContact<D>> contacts = scene_->live().contacts;
  const auto touch = [&](std::uint32_t a, std::uint32_t b) {
    if (((roles_[a] | roles_[b]) & kRoleAwake) == 0) return;
    for (const std::uint32_t i : {a, b}) {
      if (touched_[i] != 0) continue;
      touched_bodies_.push_back(i);
      touched_[i] = 1;
    }
  };
  stats_.awake_contacts = static_cast<std::uint32_t>(cache_.awake().size());
  for (const std::uint32_t i : cache_.awake()) touch(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { touch(joint.a.index, joint.b.index); });

  active_.clear();
  before_.clear();
  solver_bodies_.assign(1, SolverBody<D>{});
  stats_.free = 0;
  for (const std::uint32_t i : lively_) {
    const WorldBody<D>& body = data_.bodies[i];
    if (body.is_kinematic() && stands(body)) continue;
    const bool touched = touched_[i] != 0;
    start_[i] = body.state;
    active_.push_back(i);
    stats_.free += !touched && body.is_dynamic();
    if (!touched) continue;
    SolverBody<D> b;
    b.position = body.state.position;
    b.rotation = body.state.rotation;
    if (body.is_dynamic()) {
      const auto now = slope(body.state, body.mass.inverse);
      before_.push_back({now.velocity, now.angular_velocity});
      b.velocity = now.velocity;
      b.angular_velocity = now.angular_velocity;
      b.acceleration = data_.gravity * body.gravity_scale + body.wrench.force * body.mass.inverse.inverse_mass;
      b.inverse_mass = body.mass.inverse.inverse_mass;
      b.inverse_inertia = turned_inverse(body.mass.inverse, body.state.rotation);
      b.angular_acceleration = b.inverse_inertia * body.wrench.torque;
      b.linear_damping = body.linear_damping;
      b.angular_damping = body.angular_damping;
    } else {
      b.velocity = body.velocity;
      b.angular_velocity = body.angular_velocity;
      before_.push_back({body.velocity, body.angular_velocity});
    }
    solved_.push_back(i);
    slot_[i] = static_cast<std::uint32_t>(solver_bodies_.size());
    solver_bodies_.push_back(b);
  }
}

template <int D>
Result<void> World<D>::solve(double dt) {
  cache_.make_inputs(scene_->live().contacts, scene_->live().points, data_.bodies, slot_);
  const auto slot_of = [&](std::uint32_t body) { return slot_[body] == kNoIndex ? 0 : slot_[body]; };
  solver_joints_.clear();
  joint_order_.clear();
  data_.joints.for_each([&](JointId<D> id, const WorldJoint<D>& joint) {
    if (!data_.bodies[joint.a.index].is_awake() && !data_.bodies[joint.b.index].is_awake()) return;
    JointOf<D>& given = solver_joints_.emplace_back(joint.joint);
    given.a = slot_of(joint.a.index);
    given.b = slot_of(joint.b.index);
    // What stands is the solver's body 0, which is at the origin: frames on it are the world's. A frame may have moved by
    // as much as it was when its body was weighed, and turns.
    static_assert(kWorldEnd + 4 * kMaxShapeSize <= kJointEnd, "frames of accepted joints are those of the solver");
    const auto in_world = [&](std::uint32_t body, const Pose<D, double>& frame) {
      return Pose<D, double>{data_.bodies[body].state.position, data_.bodies[body].state.rotation} * frame;
    };
    if (given.a == 0) given.frame_a = in_world(joint.a.index, given.frame_a);
    if (given.b == 0) given.frame_b = in_world(joint.b.index, given.frame_b);
    joint_order_.push_back(id);
  });
  stats_.solver = {};
  fresh_.clear();
  if (solver_bodies_.size() == 1) return {};
  find_fresh();

  SolverSettings settings;
  settings.dt = dt;
  settings.substeps = options_.substeps;
  settings.relax = options_.relax;
  settings.contact_hertz = options_.contact_hertz;
  settings.contact_damping = options_.contact_damping;
  settings.push_speed = options_.push_speed;
  settings.firm_depth = kFirmShare * options_.margin;
  settings.restitution_threshold = options_.restitution_threshold;
  settings.warm_start = data_.last_dt > 0 ? std::min(dt / data_.last_dt, kMostWarmStart) : 1;
  settings.executor = options_.executor;
  const Result<SolverStats> solved =
      solver_.solve(solver_bodies_, cache_.inputs(), cache_.points(), data_.impulses, solver_joints_, settings);
  if (!solved) return solved.error();
  stats_.solver = *solved;
  for (std::size_t i = 0; i < joint_order_.size(); ++i) {
    JointOf<D>& own = data_.joints.find(joint_order_[i])->joint;
    JointOf<D> solved_joint = solver_joints_[i];
    solved_joint.a = own.a, solved_joint.b = own.b;
    solved_joint.frame_a = own.frame_a, solved_joint.frame_b = own.frame_b;
    own = solved_joint;
    // Of bodies so heavy that their impulses leave the doubles: the next step begins without them
    if (!joint_detail::finite_impulses(own)) joint_detail::forget_impulses(own);
  }
  return {};
}

// Momenta take what the solver added to the velocities: what it gives two bodies in opposite directions stays opposite
template <int D>
void World<D>::take_solution() {
  for (std::size_t k = 0; k < solved_.size(); ++k) {
    WorldBody<D>& body = data_.bodies[solved_[k]];
    if (!body.is_dynamic()) continue;
    const SolverBody<D>& out = solver_bodies_[k + 1];
    const RigidMotion<D>& before = before_[k];
    body.state.momentum += (out.velocity - before.linear) * body.mass.mass;
    if (!body.fixed_rotation)
      body.state.angular_momentum = body.state.angular_momentum + turned_product(body.mass.inertia, body.state.rotation,
                                                                                 out.angular_velocity - before.angular);
    body.state.position = out.position;
    body.state.rotation = normalized(out.rotation);
  }
}

// What nothing touches goes by the integrator, substep by substep; what moves by itself by its velocity
template <int D>
void World<D>::fly_free(double dt) {
  const double h = dt / options_.substeps;
  for (const std::uint32_t i : active_) {
    WorldBody<D>& body = data_.bodies[i];
    if (body.is_kinematic()) {
      body.state.position += body.velocity * dt;
      body.state.rotation = rotation_at(body.state.rotation, body.angular_velocity, dt);
      continue;
    }
    if (slot_[i] != kNoIndex) continue;
    // Semi-implicit steps are damped as the solver damps them; the other methods take damping as a force
    const bool implicit = options_.integrator == Integrator::semi_implicit_euler;
    const V weight = data_.gravity * (body.gravity_scale * body.mass.mass);
    const auto forces = [&](double, const RigidState<D>& s) {
      Wrench<D> w{body.wrench.force + weight, body.wrench.torque};
      if (!implicit) {
        w.force -= s.momentum * body.linear_damping;
        w.torque = w.torque - s.angular_momentum * body.angular_damping;
      }
      return w;
    };
    for (int k = 0; k < options_.substeps; ++k) {
      body.state = advance(options_.integrator, body.state, body.mass.inverse, data_.time + k * h, h, forces);
      if (!implicit) continue;
      if (body.linear_damping > 0) body.state.momentum = body.state.momentum / (1 + body.linear_damping * h);
      if (body.angular_damping > 0)
        body.state.angular_momentum = body.state.angular_momentum / (1 + body.angular_damping * h);
    }
  }
}

template <int D>
Result<void> World<D>::stop_fast_bodies(double dt) {
  stats_.fast = stats_.fast_hits = 0;
  if (!options_.continuous) return {};
  // What was thrown out of the world is taken out below, and is not followed
  followed_.clear();
  for (const std::uint32_t i : active_)
    if (!lost(data_.bodies[i], 0)) followed_.push_back(i);
  if (const Result<void> done =
          ccd_.run(*scene_, data_.bodies, start_, followed_, jointed_, sensors_ > 0, dt, options_.executor);
      !done)
    return done;
  stats_.fast = ccd_.fast_count();
  for (const FastHit<D>& hit : ccd_.hits()) {
    stats_.fast_hits += !hit.sensor;
    events_.push_back({hit.sensor ? WorldEventKind::sensor_passed : WorldEventKind::fast_hit, scene_->id_of(hit.body),
                       scene_->id_of(hit.other), hit.t * dt});
  }
  return {};
}

template <int D>
Result<void> World<D>::finish_step(double dt) {
  // What threw a body out is neither told nor carried on
  for (PointImpulse<D>& impulse : data_.impulses)
    if (!finite_impulse<D>(impulse)) impulse = {};
  moved_ids_.clear();
  moved_poses_.clear();
  followed_.clear();
  for (const std::uint32_t i : active_) {
    WorldBody<D>& body = data_.bodies[i];
    body.wrench = {};
    if (lost(body, 0)) {
      followed_.push_back(i);
      continue;
    }
    if (body.is_dynamic()) {
      const auto now = slope(body.state, body.mass.inverse);
      const double speed = std::max(length(now.velocity), turn_rate(now.angular_velocity) * body.radius);
      // Still is who has not gone far since it was last not still: on average no faster than the speed of sleep
      if (body.still_for == 0) body.rest_position = start_[i].position, body.rest_rotation = start_[i].rotation;
      const double gone = std::max(length(body.state.position - body.rest_position),
                                   2 * chord(body.rest_rotation, body.state.rotation) * body.radius);
      const double time = body.still_for + dt;
      const bool still = speed <= kTrembleSpeed * options_.sleep_speed &&
                         gone <= options_.sleep_speed * std::max(time, options_.sleep_time);
      body.still_for = still ? time : 0;
    }
    moved_ids_.push_back(scene_->id_of(i));
    moved_poses_.push_back(shape_pose<D>(body.state, body.mass.center));
  }
  if (const Result<void> set = scene_->set_poses(moved_ids_, moved_poses_); !set) return set;
  for (const std::uint32_t i : followed_) {
    const Body id = scene_->id_of(i);
    if (removed(id).ok()) events_.push_back({WorldEventKind::taken_out, id, {}, 0});
  }
  data_.last_dt = dt;
  data_.time += dt;
  stats_.steps = ++data_.steps;
  stats_.hash = options_.hash_steps ? state_hash() : 0;
  return {};
}

template SUDAR_API bool World<2>::lost(const WorldBody<2>&, double) const noexcept;
template SUDAR_API Result<void> World<2>::take_out_lost(double);
template SUDAR_API void World<2>::carry_impulses();
template SUDAR_API void World<2>::gather_bodies();
template SUDAR_API Result<void> World<2>::solve(double);
template SUDAR_API void World<2>::take_solution();
template SUDAR_API void World<2>::fly_free(double);
template SUDAR_API Result<void> World<2>::stop_fast_bodies(double);
template SUDAR_API Result<void> World<2>::finish_step(double);
template SUDAR_API bool World<3>::lost(const WorldBody<3>&, double) const noexcept;
template SUDAR_API Result<void> World<3>::take_out_lost(double);
template SUDAR_API void World<3>::carry_impulses();
template SUDAR_API void World<3>::gather_bodies();
template SUDAR_API Result<void> World<3>::solve(double);
template SUDAR_API void World<3>::take_solution();
template SUDAR_API void World<3>::fly_free(double);
template SUDAR_API Result<void> World<3>::stop_fast_bodies(double);
template SUDAR_API Result<void> World<3>::finish_step(double);

}  // namespace sudar

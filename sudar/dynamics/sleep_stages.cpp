// What:    The stage of step.cpp in which islands are found, fall asleep and wake.
// Source:  islands by contacts and joints as in Catto, "Simulation Islands", 2023.
// Differs: There is no list of sleeping sets: what sleeps is passed by, a byte a body and four a contact, while nothing that is
//          awake, moves or was put there touches it and no door has disturbed it. Then its islands are those that fell
//          asleep, and only what is awake is linked. Otherwise all are linked, as if nobody had slept: the answer is the same
//          (WorldStack.WhatSleepsIsNotLookedAt).
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/dynamics/world.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

// What sleeps in the way of a fast kinematic body is awake when that comes
template <int D>
Result<void> World<D>::wake_in_the_way(double dt) {
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) {
    if ((roles_[i] & (kRoleKinematic | kRoleSensor)) != kRoleKinematic) continue;
    const WorldBody<D>& body = data_.bodies[i];
    if (stands(body) || !(*scene_)[i].shape.is_bounded()) continue;
    const RigidMotion<D> motion{body.velocity, body.angular_velocity};
    if (!((length(motion.linear) + turn_rate(motion.angular) * body.radius) * dt > options_.margin / 2)) continue;
    const Pose<D, double>& start = (*scene_)[i].pose;
    const Aabb<D, double> box = swept_box<D>((*scene_)[i].shape, start, motion, 0, dt);
    in_the_way_.clear();
    if (const Result<void> asked = objects_in<D>(*scene_, box, {}, in_the_way_); !asked) return asked;
    for (const std::uint32_t id : in_the_way_)
      if (id < data_.bodies.size() && data_.bodies[id].asleep) wake(id), disturbed_ = true;
  }
  return {};
}

// Links of what sleeps are left out while nobody who is awake, moves or was put there touches it and no door has disturbed
// it: its islands are those that fell asleep
template <int D>
void World<D>::find_islands() {
  links_.clear();
  held_.assign(data_.bodies.size(), 0);
  const std::span<const SceneContact<D>> contacts = scene_->contacts();
  cache_.select_awake(contacts, roles_);
  // Something was put against what sleeps
  for (const SceneEvent<D>& begin : scene_->events().touching.begin)
    for (const std::uint32_t i : {begin.a.index, begin.b.index})
      if (data_.bodies[i].asleep) wake(i), disturbed_ = true;
  const auto disturbs = [&](std::uint32_t a, std::uint32_t b) {
    if ((roles_[b] & (kRoleDynamic | kRoleAwake)) != kRoleDynamic) return false;
    return (roles_[a] & kRoleAwake) != 0 || ((roles_[a] & kRoleKinematic) != 0 && !stands(data_.bodies[a]));
  };
  const auto look = [&](std::uint32_t a, std::uint32_t b) {
    disturbed_ = disturbed_ || disturbs(a, b) || disturbs(b, a);
  };
  disturbed_ = disturbed_ || !sleeping_islands_;
  for (const std::uint32_t i : cache_.awake()) look(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { look(joint.a.index, joint.b.index); });

  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    const WorldBody<D>&x = data_.bodies[a], &y = data_.bodies[b];
    if (x.is_dynamic() && y.is_dynamic()) links_.push_back(make_pair_of(a, b));
    if (x.is_dynamic() != y.is_dynamic()) held_[x.is_dynamic() ? a : b] = 1;
    // On something that moves nothing sleeps
    if (x.is_kinematic() && !stands(x)) wake(b);
    if (y.is_kinematic() && !stands(y)) wake(a);
  };
  for (const std::uint32_t i : disturbed_ ? cache_.pushing() : cache_.awake()) link(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { link(joint.a.index, joint.b.index); });
  islands_.find(static_cast<std::uint32_t>(data_.bodies.size()), links_);
}

template <int D>
void World<D>::fall_asleep_or_wake() {
  // How long all of an island have been still
  still_for_.assign(data_.bodies.size(), std::numeric_limits<double>::infinity());
  const std::uint8_t looked_at = disturbed_ ? kRoleDynamic : kRoleAwake;
  stats_.bodies = static_cast<std::uint32_t>(scene_->size());
  stats_.awake = stats_.island_bodies = 0;
  stats_.islands = disturbed_ ? 0 : *sleeping_islands_;
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) {
    if ((roles_[i] & looked_at) == 0) continue;
    const WorldBody<D>& body = data_.bodies[i];
    ++stats_.island_bodies;
    double& still = still_for_[islands_.of(i)];
    still = std::min(still, body.can_sleep && options_.sleeping ? body.still_for : 0.0);
    stats_.islands += islands_.of(i) == i;
    if (held_[i] != 0) held_[islands_.of(i)] = 1;
  }
  // What nothing holds drifts for ever, however slowly: only what stands in empty space may sleep there
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) {
    if ((roles_[i] & looked_at) == 0 || held_[islands_.of(i)] != 0) continue;
    const WorldBody<D>& body = data_.bodies[i];
    if (body.state.momentum != V{} || body.state.angular_momentum != Angular<D>{}) still_for_[islands_.of(i)] = 0;
  }
  std::uint32_t sleeping = disturbed_ ? 0 : *sleeping_islands_;
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) {
    if ((roles_[i] & looked_at) == 0) continue;
    WorldBody<D>& body = data_.bodies[i];
    const bool sleeps = still_for_[islands_.of(i)] >= options_.sleep_time;
    if (sleeps != body.asleep) {
      events_.push_back({sleeps ? WorldEventKind::fell_asleep : WorldEventKind::woke_up, scene_->id_of(i), {}, 0});
      body.asleep = sleeps;
      if (sleeps) body.state.momentum = {}, body.state.angular_momentum = {};
      if (!sleeps) body.still_for = 0;
      roles_[i] = role_of(body);
    }
    stats_.awake += !sleeps;
    sleeping += sleeps && islands_.of(i) == i;
  }
  sleeping_islands_ = sleeping;
}

template SUDAR_API Result<void> World<2>::wake_in_the_way(double);
template SUDAR_API void World<2>::find_islands();
template SUDAR_API void World<2>::fall_asleep_or_wake();
template SUDAR_API Result<void> World<3>::wake_in_the_way(double);
template SUDAR_API void World<3>::find_islands();
template SUDAR_API void World<3>::fall_asleep_or_wake();

}  // namespace sudar

// What:    The stages of step.cpp in which islands are found, fall asleep and wake.
// Source:  islands by contacts and joints as in Catto, "Simulation Islands", 2023; sleeping sets as in Box2D 3.
// Differs: What sleeps undisturbed is not looked at: it is on no list that a step walks, and its contacts rest in the scene.
//          Who is disturbed, by a door, by something that is awake or moves or was put against it, or by something that comes
//          its way, is followed to all that hangs on it; their islands are then found together with those of what is awake. The
//          answer is the one of looking at everybody (WorldStack.WhatSleepsIsNotLookedAt, WorldSleep.…).
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/dynamics/world.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

// What sleeps in the way of a fast kinematic body is awake when that comes
template <int D>
Result<void> World<D>::wake_in_the_way(double dt) {
  for (const std::uint32_t i : lively_) {
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
      if (id < data_.bodies.size() && data_.bodies[id].asleep) wake(id), sources_.push_back(id);
  }
  return {};
}

template <int D>
void World<D>::find_islands() {
  const std::span<const SceneContact<D>> contacts = scene_->live().contacts;
  cache_.select_awake(contacts, roles_);
  // Something was put against what sleeps
  for (const SceneEvent<D>& begin : scene_->touching_begun())
    for (const std::uint32_t i : {begin.a.index, begin.b.index})
      if (data_.bodies[i].asleep) wake(i), sources_.push_back(i);
  const auto disturbs = [&](std::uint32_t a, std::uint32_t b) {
    if ((roles_[b] & (kRoleDynamic | kRoleAwake)) != kRoleDynamic) return false;
    return (roles_[a] & kRoleAwake) != 0 || ((roles_[a] & kRoleKinematic) != 0 && !stands(data_.bodies[a]));
  };
  const auto look = [&](std::uint32_t a, std::uint32_t b) {
    if (disturbs(a, b)) sources_.push_back(b);
    if (disturbs(b, a)) sources_.push_back(a);
  };
  for (const std::uint32_t i : cache_.awake()) look(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { look(joint.a.index, joint.b.index); });

  const std::size_t count = data_.bodies.size();
  for (const std::uint32_t i : looked_)
    if (i < is_looked_.size()) is_looked_[i] = 0;
  looked_.clear();
  is_looked_.resize(count, 0);
  held_.resize(count, 0);
  still_for_.resize(count, 0);
  for (const std::uint32_t i : lively_)
    if ((roles_[i] & kRoleAwake) != 0) looked_.push_back(i);
  for (const std::uint32_t i : looked_) is_looked_[i] = 1, held_[i] = 0;
  links_.clear();
  const bool disturbed = !sources_.empty();
  if (disturbed) gather_sleepers();
  islands_.begin(static_cast<std::uint32_t>(count), looked_);
  for (const IdPair& link : links_) islands_.join(link.lo, link.hi);

  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    const WorldBody<D>&x = data_.bodies[a], &y = data_.bodies[b];
    const bool looked_a = is_looked_[a] != 0, looked_b = is_looked_[b] != 0;
    if (looked_a && looked_b) islands_.join(a, b);
    if (looked_a && !y.is_dynamic()) held_[a] = 1;
    if (looked_b && !x.is_dynamic()) held_[b] = 1;
    // On something that moves nothing sleeps
    if (x.is_kinematic() && !stands(x)) wake(b);
    if (y.is_kinematic() && !stands(y)) wake(a);
  };
  for (const std::uint32_t i : disturbed ? cache_.pushing() : cache_.awake()) link(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { link(joint.a.index, joint.b.index); });
}

// Everybody who sleeps and hangs on one of the sources, by contacts that push and by joints
template <int D>
void World<D>::gather_sleepers() {
  const auto sleeps = [&](std::uint32_t i) { return (roles_[i] & (kRoleDynamic | kRoleAwake)) == kRoleDynamic; };
  // Links that the scene does not keep for who sleeps
  sleep_links_.clear();
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (!sleeps(a) || !sleeps(b)) return;
    sleep_links_.push_back({a, b});
    sleep_links_.push_back({b, a});
  };
  const std::span<const SceneContact<D>> contacts = scene_->live().contacts;
  for (const std::uint32_t i : cache_.pushing()) add(contacts[i].a, contacts[i].b);
  data_.joints.for_each([&](JointId<D>, const WorldJoint<D>& joint) { add(joint.a.index, joint.b.index); });
  std::sort(sleep_links_.begin(), sleep_links_.end());

  std::size_t at = looked_.size();
  const auto visit = [&](std::uint32_t i) {
    if (is_looked_[i] != 0 || !sleeps(i)) return;
    looked_.push_back(i);
    is_looked_[i] = 1;
    held_[i] = 0;
  };
  for (const std::uint32_t i : sources_) visit(i);
  const RestStore<D>& resting = scene_->resting();
  for (; at < looked_.size(); ++at) {
    const std::uint32_t i = looked_[at];
    resting.for_each_of(i, [&](std::uint32_t slot) {
      const RestPair& pair = resting[slot];
      const std::uint32_t other = pair.pair.lo == i ? pair.pair.hi : pair.pair.lo;
      const auto touching = resting.contacts_of(pair);
      if (std::none_of(touching.begin(), touching.end(), [&](const SceneContact<D>& contact) {
            return ContactCache<D>::pushes(contact, roles_, jointed_);
          }))
        return;
      if ((roles_[other] & kRoleDynamic) == 0) {
        held_[i] = 1;
        return;
      }
      visit(other);
      links_.push_back(make_pair_of(i, other));
    });
    const auto mine = std::lower_bound(sleep_links_.begin(), sleep_links_.end(), IdPair{i, 0});
    for (auto link = mine; link != sleep_links_.end() && link->lo == i; ++link) visit(link->hi);
  }
  std::sort(looked_.begin(), looked_.end());
}

template <int D>
void World<D>::fall_asleep_or_wake() {
  stats_.bodies = static_cast<std::uint32_t>(scene_->size());
  stats_.island_bodies = static_cast<std::uint32_t>(looked_.size());
  for (const std::uint32_t i : looked_) {
    still_for_[i] = std::numeric_limits<double>::infinity();
    set_label(i, kNoIndex);
    list(i);
  }
  stats_.awake = 0;
  stats_.islands = sleeping_islands_;
  roles_changed_ = false;
  // How long all of an island have been still
  for (const std::uint32_t i : looked_) {
    const WorldBody<D>& body = data_.bodies[i];
    const std::uint32_t island = islands_.of(i);
    still_for_[island] = std::min(still_for_[island], body.can_sleep && options_.sleeping ? body.still_for : 0.0);
    stats_.islands += island == i;
    if (held_[i] != 0) held_[island] = 1;
  }
  // What nothing holds drifts for ever, however slowly: only what stands in empty space may sleep there
  for (const std::uint32_t i : looked_) {
    if (held_[islands_.of(i)] != 0) continue;
    const WorldBody<D>& body = data_.bodies[i];
    if (body.state.momentum != V{} || body.state.angular_momentum != Angular<D>{}) still_for_[islands_.of(i)] = 0;
  }
  for (const std::uint32_t i : looked_) {
    WorldBody<D>& body = data_.bodies[i];
    const bool sleeps = still_for_[islands_.of(i)] >= options_.sleep_time;
    if (sleeps != body.asleep) {
      events_.push_back({sleeps ? WorldEventKind::fell_asleep : WorldEventKind::woke_up, scene_->id_of(i), {}, 0});
      body.asleep = sleeps;
      if (sleeps) body.state.momentum = {}, body.state.angular_momentum = {};
      if (!sleeps) body.still_for = 0;
      roles_[i] = role_of(body);
      roles_changed_ = true;
    }
    stats_.awake += !sleeps;
    if (sleeps) set_label(i, islands_.of(i));
  }
}

// Contacts of what has just woken are solved in this step
template <int D>
Result<void> World<D>::take_in_woken() {
  for (const std::uint32_t i : looked_)
    if (const Result<void> set = scene_->set_resting(scene_->id_of(i), options_.rest_apart && data_.bodies[i].asleep);
        !set)
      return set;
  ImpulseMover mover(*this);
  const Result<bool> pulled = scene_->pull_stirred(&mover);
  if (!pulled) return pulled.error();
  if (*pulled) cache_.select(scene_->live().contacts, roles_, jointed_);
  if (*pulled || roles_changed_) cache_.select_awake(scene_->live().contacts, roles_);
  // From now on the list is of who takes part
  take_in_listed();
  std::erase_if(lively_, [&](std::uint32_t i) {
    const bool takes_part = (roles_[i] & (kRoleAwake | kRoleKinematic)) != 0;
    is_listed_[i] = takes_part ? 1 : 0;
    return !takes_part;
  });
  return {};
}

// A body that a door has named, or that may take part in the next step. There is room for every body.
template <int D>
void World<D>::list(std::uint32_t index) noexcept {
  if (index >= is_listed_.size() || is_listed_[index] != 0) return;
  is_listed_[index] = 1;
  listed_.push_back(index);
}

// After everything has changed
template <int D>
void World<D>::list_all() {
  const std::size_t count = data_.bodies.size();
  lively_.clear(), lively_.reserve(count);
  listed_.clear(), listed_.reserve(count);
  is_listed_.assign(count, 0);
  roles_.assign(count, 0);
  label_.assign(count, kNoIndex);
  labelled_.assign(count, 0);
  sleeping_islands_ = sensors_ = 0;
  touched_.clear(), touched_bodies_.clear();
  slot_.clear(), solved_.clear();
  is_looked_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    roles_[i] = role_of(data_.bodies[i]);
    sensors_ += (roles_[i] & kRoleSensor) != 0;
    if (data_.bodies[i].used) list(i);
  }
}

template <int D>
void World<D>::take_in_listed() {
  if (listed_.empty()) return;
  for (const std::uint32_t i : listed_) roles_[i] = role_of(data_.bodies[i]);
  std::sort(listed_.begin(), listed_.end());
  const auto middle = static_cast<std::ptrdiff_t>(lively_.size());
  lively_.insert(lively_.end(), listed_.begin(), listed_.end());
  std::inplace_merge(lively_.begin(), lively_.begin() + middle, lively_.end());
  listed_.clear();
}

template <int D>
void World<D>::set_label(std::uint32_t index, std::uint32_t label) noexcept {
  if (label_[index] != kNoIndex) sleeping_islands_ -= --labelled_[label_[index]] == 0;
  label_[index] = label;
  if (label != kNoIndex) sleeping_islands_ += labelled_[label]++ == 0;
}

template SUDAR_API Result<void> World<2>::wake_in_the_way(double);
template SUDAR_API void World<2>::find_islands();
template SUDAR_API void World<2>::gather_sleepers();
template SUDAR_API void World<2>::fall_asleep_or_wake();
template SUDAR_API Result<void> World<2>::take_in_woken();
template SUDAR_API void World<2>::list(std::uint32_t) noexcept;
template SUDAR_API void World<2>::list_all();
template SUDAR_API void World<2>::take_in_listed();
template SUDAR_API void World<2>::set_label(std::uint32_t, std::uint32_t) noexcept;
template SUDAR_API Result<void> World<3>::wake_in_the_way(double);
template SUDAR_API void World<3>::find_islands();
template SUDAR_API void World<3>::gather_sleepers();
template SUDAR_API void World<3>::fall_asleep_or_wake();
template SUDAR_API Result<void> World<3>::take_in_woken();
template SUDAR_API void World<3>::list(std::uint32_t) noexcept;
template SUDAR_API void World<3>::list_all();
template SUDAR_API void World<3>::take_in_listed();
template SUDAR_API void World<3>::set_label(std::uint32_t, std::uint32_t) noexcept;

}  // namespace sudar

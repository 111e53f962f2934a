// What:    See ccd_pass.hpp.
#include <sudar/broadphase/registry.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/dynamics/ccd_pass.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>
#include <utility>

namespace sudar {

namespace {

// Grains of the parallel loops. Results do not depend on them.
constexpr std::size_t kWaysPerTask = 64, kFollowedPerTask = 4;

Shape2 box_shape(const Vec2d& half) { return Shape2(BoxShape2{half}); }
Shape3 box_shape(const Vec3d& half) { return Shape3(BoxShape3{half}); }

}  // namespace

template <int D>
Result<void> objects_in(Scene<D>& scene, const Aabb<D, double>& box, const QueryFilter& filter,
                        std::vector<std::uint32_t>& ids) {
  // Half-spaces that move have boxes without ends; bodies are where the world is
  Vec<D, double> middle{}, half{};
  for (int i = 0; i < D; ++i) {
    const double lo = std::max(box.lo[i], -2 * kWorldEnd), hi = std::min(box.hi[i], 2 * kWorldEnd);
    middle[i] = (lo + hi) / 2;
    half[i] = std::max(hi - middle[i], kMinShapeSize);
  }
  return scene.overlapping(box_shape(half), {middle, {}}, ids, filter);
}

template <int D>
Result<void> CcdPass<D>::run(Scene<D>& scene, std::span<WorldBody<D>> bodies, std::span<const RigidState<D>> start,
                             std::span<const std::uint32_t> active, std::span<const IdPair> jointed, bool sensors,
                             double dt, Executor* executor) {
  scene_ = &scene;
  executor_ = executor != nullptr ? executor : &serial_executor();
  bodies_ = bodies;
  jointed_ = jointed;
  margin_ = scene.margin();
  dt_ = dt;
  hits_.clear();
  followers_.clear();
  sensors_ = sensors;
  // Most steps of most worlds have nothing fast
  if (std::none_of(active.begin(), active.end(), [&](std::uint32_t i) { return may_matter(bodies[i], start[i]); }))
    return {};
  gather(start, active);
  if (std::none_of(movers_.begin(), movers_.end(), [&](const auto& m) { return m.hasty || (sensors_ && m.quick); }))
    return {};
  find_boxes();
  if (const Result<void> found = find_meetings(); !found) return found;
  follow_what_is_in_the_way();
  if (const Result<void> found = find_links(); !found) return found;

  // What depends on nothing that may be stopped, all at once: all but bullets, and bullets that meet nothing of the kind
  outcomes_.resize(movers_.size());
  round_.clear();
  for (const std::uint32_t at : followers_)
    if (!movers_[at].bullet || movers_[at].alone) round_.push_back(at);
  follow(round_);
  // Then in order, bullets after the others, each against the settled ways of those before
  late_.clear();
  for (const bool bullets : {false, true})
    for (const std::uint32_t at : followers_) {
      if (movers_[at].bullet != bullets) continue;
      if (bullets && !movers_[at].alone) outcomes_[at] = outcome_of(at);
      if (const Result<void> settled = settle(at); !settled) return settled;
    }
  return sensors_ ? tell_sensors() : Result<void>();
}

// A bound of its way from its two places, without the angle between them
template <int D>
bool CcdPass<D>::may_matter(const WorldBody<D>& body, const RigidState<D>& start) const {
  if (body.is_kinematic()) return true;
  if (!body.is_dynamic() || (body.sensor && !sensors_)) return false;
  if (turn_bound(body.mass.inverse, body.state.angular_momentum) * dt_ > kPi) return true;
  const double turn = kPi * chord(start.rotation, body.state.rotation);
  const double slow = std::max(kFastShare * body.thickness, sensors_ ? 0 : margin_ / 2);
  return length(body.state.position - start.position) + turn * (body.radius + length(body.mass.center)) > slow;
}

template <int D>
void CcdPass<D>::gather(std::span<const RigidState<D>> start, std::span<const std::uint32_t> active) {
  movers_.clear();
  mover_of_.assign(bodies_.size(), kNoIndex);
  specials_ = false;
  for (const std::uint32_t i : active) {
    const WorldBody<D>& body = bodies_[i];
    Mover<D> m;
    m.body = i;
    m.start = shape_pose<D>(start[i], body.mass.center);
    m.end = shape_pose<D>(body.state, body.mass.center);
    m.bullet = body.bullet && body.is_dynamic();
    const Angular<D> angular =
        body.is_kinematic() ? body.angular_velocity : slope(body.state, body.mass.inverse).angular_velocity;
    m.motion = {m.end.position - m.start.position, turn_between(m.start.rotation, m.end.rotation, angular * dt_)};
    // A half-space that turns is fast for somebody
    const double radius = turning_radius((*scene_)[i].shape, body.radius), turn = turn_rate(m.motion.angular);
    m.way = length(m.motion.linear) + (turn > 0 ? turn * radius : 0);
    // Two that stay within half of the margin each cannot meet without the solver knowing. For whom a kinematic body is fast
    // is a question of both.
    const double slow = body.is_kinematic() ? 0 : kFastShare * body.thickness;
    m.hasty = !body.sensor && m.way > std::max(slow, margin_ / 2);
    m.quick = m.way > kFastShare * body.thickness;
    m.fast = m.hasty && body.is_dynamic();
    m.special = body.is_kinematic() || m.bullet || body.sensor;
    specials_ = specials_ || m.special;
    mover_of_[i] = static_cast<std::uint32_t>(movers_.size());
    movers_.push_back(m);
  }
}

template <int D>
void CcdPass<D>::find_boxes() {
  parallel_for(*executor_, movers_.size(), kWaysPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Mover<D>& m = movers_[i];
      if (!specials_ && !m.hasty && !(sensors_ && m.quick)) continue;
      const ShapeOf<D>& shape = (*scene_)[m.body].shape;
      m.box = shape.is_bounded() ? swept_box<D>(shape, m.start, m.motion, 0, 1) : bounding_box(shape);
    }
  });
}

// Two plain bodies on their ways are the solver's, and so are two that go where they are told
template <int D>
Result<void> CcdPass<D>::find_meetings() {
  meetings_.clear();
  if (!specials_) return {};
  if (broadphase_ == nullptr) {
    auto made = make_broadphase<D>("columns");
    if (!made) return made.error();
    broadphase_ = *std::move(made);
  }
  broadphase_->set_executor(*executor_);
  rows_.resize(movers_.size() * 2 * D);
  for (std::size_t i = 0; i < movers_.size(); ++i) {
    const Aabb<D, double> box = question_box<D>(movers_[i].box);
    for (int k = 0; k < D; ++k) {
      rows_[i * 2 * D + static_cast<std::size_t>(k)] = box.lo[k];
      rows_[i * 2 * D + static_cast<std::size_t>(D + k)] = box.hi[k];
    }
  }
  store_.set_pair_callback({[](void* context, std::uint32_t a, std::uint32_t b) {
                              const CcdPass& pass = *static_cast<const CcdPass*>(context);
                              const Mover<D>&x = pass.movers_[a], &y = pass.movers_[b];
                              return x.special || y.special;
                            },
                            this});
  if (const Result<void> set = store_.assign(std::span<const double>(rows_), *executor_); !set) return set;
  if (const Result<void> seen = broadphase_->update(store_); !seen) return seen;
  const auto pairs = broadphase_->pairs(store_);
  if (!pairs) return pairs.error();
  for (const IdPair& pair : *pairs)
    if (may_meet(movers_[pair.lo].body, movers_[pair.hi].body)) meetings_.push_back(pair);
  return {};
}

template <int D>
bool CcdPass<D>::may_meet(std::uint32_t a, std::uint32_t b) const {
  if (!scene_->may_pair(a, b)) return false;
  return jointed_.empty() || !std::binary_search(jointed_.begin(), jointed_.end(), make_pair_of(a, b));
}

// What is slow itself may be in the way of what is fast: of a kinematic body, and bullets in the way of anything
template <int D>
void CcdPass<D>::follow_what_is_in_the_way() {
  const auto look = [&](Mover<D>& m, const Mover<D>& other) {
    const WorldBody<D>&body = bodies_[m.body], &from = bodies_[other.body];
    if (m.fast || !other.hasty || !body.is_dynamic() || body.sensor) return;
    if (!m.bullet && !from.is_kinematic()) return;
    m.fast = other.way > std::max(kFastShare * std::min(body.thickness, from.thickness), margin_ / 2);
  };
  for (const IdPair& pair : meetings_) {
    look(movers_[pair.lo], movers_[pair.hi]);
    look(movers_[pair.hi], movers_[pair.lo]);
  }
}

// What stands in the box of a way: sensors for what is none, what may move for a sensor; or else what stops it
template <int D>
Result<void> CcdPass<D>::standing_in(const Mover<D>& mover, bool sensors) {
  struct Standing {
    std::span<const WorldBody<D>> bodies;
    std::span<const std::uint32_t> mover_of;
    std::uint32_t self;
    bool bullet, sensors;
  } standing{bodies_, mover_of_, mover.body, mover.bullet, sensors};
  const Filter& own = scene_->filter(mover.body);
  QueryFilter filter{own.layer, own.mask, own.group,
                     [](void* context, std::uint32_t id) {
                       const Standing& s = *static_cast<const Standing*>(context);
                       if (id == s.self || id >= s.bodies.size() || s.mover_of[id] != kNoIndex) return false;
                       const WorldBody<D>&body = s.bodies[id], &self = s.bodies[s.self];
                       if (s.sensors) return self.sensor ? !body.sensor && body.kind != BodyKind::fixed : body.sensor;
                       return !body.sensor && (s.bullet || !body.is_dynamic());
                     },
                     &standing};
  found_.clear();
  return objects_in<D>(*scene_, mover.box, filter, found_);
}

template <int D>
Result<void> CcdPass<D>::find_links() {
  links_.clear();
  for (std::uint32_t at = 0; at < movers_.size(); ++at)
    if (movers_[at].fast) followers_.push_back(at);
  for (const std::uint32_t at : followers_) {
    if (const Result<void> found = standing_in(movers_[at], false); !found) return found;
    for (const std::uint32_t id : found_)
      if (may_meet(movers_[at].body, id)) links_.push_back({at, id});
  }
  // What moves: kinematic bodies, and for bullets everything whose way is settled when it is their turn
  const auto link = [&](std::uint32_t at, std::uint32_t other) {
    Mover<D>& m = movers_[at];
    const Mover<D>& o = movers_[other];
    const WorldBody<D>& body = bodies_[o.body];
    if (!m.fast || bodies_[m.body].sensor || body.sensor) return;
    if (!body.is_kinematic() && !(m.bullet && !(o.bullet && o.fast && other > at))) return;
    links_.push_back({at, o.body});
    m.alone = m.alone && !o.fast;
  };
  for (const IdPair& pair : meetings_) {
    link(pair.lo, pair.hi);
    link(pair.hi, pair.lo);
  }
  std::sort(links_.begin(), links_.end());
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    Mover<D>& m = movers_[links_[i].mover];
    if (m.count++ == 0) m.first = i;
  }
  return {};
}

template <int D>
void CcdPass<D>::follow(std::span<const std::uint32_t> movers) {
  parallel_for(*executor_, movers.size(), kFollowedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) outcomes_[movers[i]] = outcome_of(movers[i]);
  });
}

template <int D>
auto CcdPass<D>::outcome_of(std::size_t at) const -> Outcome {
  const Mover<D>& m = movers_[at];
  Outcome out;
  const Result<Stop> stop = first_stop(at, m.start, m.motion, 0, kNoIndex);
  if (!stop) {
    out.done = stop.error();
    return out;
  }
  out.stop = *stop;
  if (!(stop->t <= 1)) return out;
  Place there = pose_at<D>(m.start, m.motion, stop->t);
  Angular<D> turn = m.motion.angular * stop->t;
  // Carried along with what it has met, unless something else is in the way; then with that, if it moves
  double from = stop->t;
  std::uint32_t ride = stop->other;
  for (int leg = 0; leg < kMostLegs && from < 1 && mover_of_[ride] != kNoIndex; ++leg) {
    const Mover<D>& target = movers_[mover_of_[ride]];
    const Place met = pose_at<D>(target.start, target.motion, from);
    Place end = target.end * (inverse(met) * there);
    end.rotation = normalized(end.rotation);
    const Angular<D> way = target.motion.angular * (1 - from);
    const RigidMotion<D> carried{end.position - there.position, turn_between(there.rotation, end.rotation, way)};
    const Result<Stop> again = first_stop(at, there, carried, from, ride);
    if (!again) {
      out.done = again.error();
      return out;
    }
    out.carried = true;
    // Whoever is caught between two that move stays with one of them
    const bool caught = leg + 1 == kMostLegs && again->t <= 1 && mover_of_[again->other] != kNoIndex;
    const double share = caught ? 1 : std::min(again->t, 1.0);
    there = pose_at<D>(there, carried, share);
    turn = turn + carried.angular * share;
    from += (1 - from) * share;
    if (!(again->t <= 1)) break;
    ride = again->other;
  }
  out.end = there;
  out.motion = {out.end.position - m.start.position, turn_between(m.start.rotation, out.end.rotation, turn)};
  return out;
}

// Two that move as one: who is carried by one of them comes no nearer to the other
template <int D>
bool CcdPass<D>::moves_with(std::uint32_t a, std::uint32_t b) const {
  if (b == kNoIndex || mover_of_[a] == kNoIndex || mover_of_[b] == kNoIndex) return false;
  const Mover<D>&x = movers_[mover_of_[a]], &y = movers_[mover_of_[b]];
  const Place before = inverse(x.start) * y.start, after = inverse(x.end) * y.end;
  const double moved =
      distance(before.position, after.position) +
      kPi * chord(before.rotation, after.rotation) * (bodies_[b].radius + length(bodies_[b].mass.center));
  return moved <= kRestRounding * margin_ &&
         turn_rate(Angular<D>(x.motion.angular - y.motion.angular)) <= kRestRounding;
}

// The way over [0, 1] is a part of the step that begins at `from`
template <int D>
auto CcdPass<D>::first_stop(std::size_t at, const Place& start, const RigidMotion<D>& motion, double from,
                            std::uint32_t but) const -> Result<Stop> {
  const Mover<D>& m = movers_[at];
  const WorldBody<D>& body = bodies_[m.body];
  const ShapeOf<D>& shape = (*scene_)[m.body].shape;
  Stop best;
  std::vector<std::uint32_t> sinks_into;
  const auto look = [&](std::uint32_t id) -> Result<void> {
    if (id == but || moves_with(id, but)) return {};
    StopQuestion<D> question{shape,
                             (*scene_)[id].shape,
                             start,
                             (*scene_)[id].pose,
                             motion,
                             {},
                             turning_radius(shape, body.radius),
                             body.thickness,
                             margin_};
    if (mover_of_[id] != kNoIndex) {
      const Mover<D>& target = movers_[mover_of_[id]];
      question.start_b = pose_at<D>(target.start, target.motion, from);
      question.motion_b = {target.motion.linear * (1 - from), target.motion.angular * (1 - from)};
    }
    const Result<StopAnswer> stop = stop_at<D>(question, std::min(best.t, 1.0));
    if (!stop) return stop.error();
    if (stop->sinks) sinks_into.push_back(id);
    if (stop->t < best.t) best = {stop->t, id};
    return {};
  };
  for (const Link& link : std::span(links_).subspan(m.first, m.count))
    if (const Result<void> done = look(link.body); !done) return done.error();
  for (const Link& link : late_)
    if (link.mover == at)
      if (const Result<void> done = look(link.body); !done) return done.error();
  // What it overlaps was looked at where the way ended then
  for (int round = 0; round < kMostStopRounds && best.t <= 1 && !sinks_into.empty(); ++round) {
    const double before = best.t;
    const std::vector<std::uint32_t> again = std::exchange(sinks_into, {});
    for (const std::uint32_t id : again)
      if (id != best.other)
        if (const Result<void> done = look(id); !done) return done.error();
    if (!(best.t < before)) break;
  }
  return best;
}

template <int D>
Result<void> CcdPass<D>::settle(std::size_t at) {
  Mover<D>& m = movers_[at];
  const Outcome& out = outcomes_[at];
  if (!out.done) return out.done;
  if (!(out.stop.t <= 1)) return {};
  m.end = out.end;
  m.motion = out.motion;
  WorldBody<D>& body = bodies_[m.body];
  body.state.position = transform(m.end, body.mass.center);
  body.state.rotation = m.end.rotation;
  hits_.push_back({m.body, out.stop.other, out.stop.t, false});
  m.box = swept_box<D>((*scene_)[m.body].shape, m.start, m.motion, 0, 1);
  if (out.carried) spread(at);
  return {};
}

// Who is carried along leaves the box of its way: bullets whose turn comes look at it too
template <int D>
void CcdPass<D>::spread(std::size_t at) {
  for (const std::uint32_t other : followers_) {
    Mover<D>& m = movers_[other];
    if (!m.bullet || other == at || (movers_[at].bullet && other < at) || !overlap(m.box, movers_[at].box)) continue;
    const Link link{other, movers_[at].body};
    const auto mine = std::span(links_).subspan(m.first, m.count);
    if (!may_meet(m.body, link.body) || std::binary_search(mine.begin(), mine.end(), link)) continue;
    late_.push_back(link);
    m.alone = false;
  }
}

// On settled ways: what moved farther than it is thick, or was followed, and what sensors moved over
template <int D>
Result<void> CcdPass<D>::tell_sensors() {
  passes_.clear();
  const auto pass = [&](std::uint32_t a, std::uint32_t b) {
    if (bodies_[a].sensor == bodies_[b].sensor || !may_meet(a, b)) return;
    passes_.push_back(bodies_[b].sensor ? IdPair{a, b} : IdPair{b, a});
  };
  for (const Mover<D>& m : movers_) {
    if (!m.quick && !m.fast) continue;
    if (const Result<void> found = standing_in(m, true); !found) return found;
    for (const std::uint32_t id : found_) pass(m.body, id);
  }
  for (const IdPair& pair : meetings_) {
    const Mover<D>&a = movers_[pair.lo], &b = movers_[pair.hi];
    if (a.quick || a.fast || b.quick || b.fast) pass(a.body, b.body);
  }
  std::sort(passes_.begin(), passes_.end());
  pass_times_.assign(passes_.size(), kNoStop);
  parallel_for(*executor_, passes_.size(), kFollowedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t ids[] = {passes_[i].lo, passes_[i].hi};
      Place start[2], stop[2];
      RigidMotion<D> motion[2];
      for (int k = 0; k < 2; ++k) {
        start[k] = stop[k] = (*scene_)[ids[k]].pose;
        if (mover_of_[ids[k]] == kNoIndex) continue;
        const Mover<D>& m = movers_[mover_of_[ids[k]]];
        start[k] = m.start, stop[k] = m.end, motion[k] = m.motion;
      }
      const ShapeOf<D>&a = (*scene_)[ids[0]].shape, &b = (*scene_)[ids[1]].shape;
      // What touches at one of the ends is found there
      if (intersects(a, start[0], b, start[1]) || intersects(a, stop[0], b, stop[1])) continue;
      ToiOptions options;
      options.contacts = false;
      options.last = false;
      const auto hit = time_of_impact(a, start[0], motion[0], b, start[1], motion[1], options);
      if (!hit)
        pass_times_[i] = hit.error();
      else if (hit->hit)
        pass_times_[i] = hit->t_lo;
    }
  });
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    if (!pass_times_[i]) return pass_times_[i].error();
    if (*pass_times_[i] <= 1) hits_.push_back({passes_[i].lo, passes_[i].hi, *pass_times_[i], true});
  }
  return {};
}

template Result<void> objects_in<2>(Scene<2>&, const Aabb<2, double>&, const QueryFilter&, std::vector<std::uint32_t>&);
template Result<void> objects_in<3>(Scene<3>&, const Aabb<3, double>&, const QueryFilter&, std::vector<std::uint32_t>&);
template class CcdPass<2>;
template class CcdPass<3>;

}  // namespace sudar

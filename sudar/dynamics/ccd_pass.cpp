// What:    See ccd_pass.hpp.
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/dynamics/ccd_pass.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

Shape2 box_shape(const Vec2d& half) { return Shape2(BoxShape2{half}); }
Shape3 box_shape(const Vec3d& half) { return Shape3(BoxShape3{half}); }
// How far from its origin a shape has what turning moves: balls look the same
double turning_radius(const Shape2& shape, double radius) { return shape.kind() == ShapeKind2::circle ? 0 : radius; }
double turning_radius(const Shape3& shape, double radius) { return shape.kind() == ShapeKind3::sphere ? 0 : radius; }

// Of a point of a body on its way
template <int D>
Vec<D, double> point_velocity(const Pose<D, double>& start, const RigidMotion<D>& motion, double t,
                              const Vec<D, double>& point) {
  return motion.linear + tip_velocity(motion.angular, point - (start.position + motion.linear * t));
}

// Between two rotations; pi times this is at least the angle
double chord(const Rot2d& a, const Rot2d& b) { return length(Vec2d{b.c - a.c, b.s - a.s}); }
double chord(const Quatd& a, const Quatd& b) {
  const Quatd d{b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z};
  return std::sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z);
}
// At least the angular speed
double turn_bound(const RigidMass2& inverse, double angular_momentum) {
  return std::fabs(angular_momentum) * inverse.inverse_inertia;
}
double turn_bound(const RigidMass3& inverse, const Vec3d& angular_momentum) {
  // The trace bounds the largest of its eigenvalues
  const Mat3d& i = inverse.inverse_inertia;
  return length(angular_momentum) * (i.x.x + i.y.y + i.z.z);
}

bool is_jointed(std::span<const IdPair> jointed, std::uint32_t a, std::uint32_t b) {
  return !jointed.empty() && std::binary_search(jointed.begin(), jointed.end(), make_pair_of(a, b));
}

}  // namespace

template <int D>
Result<void> objects_in(Scene<D>& scene, const Aabb<D, double>& box, const QueryFilter& filter,
                        std::vector<std::uint32_t>& ids) {
  const Vec<D, double> middle = (box.lo + box.hi) / 2;
  Vec<D, double> half = box.hi - middle;
  for (int i = 0; i < D; ++i) half[i] = std::max(half[i], kMinShapeSize);
  return scene.overlapping(box_shape(half), {middle, {}}, ids, filter);
}

template <int D>
Result<void> CcdPass<D>::run(Scene<D>& scene, std::span<WorldBody<D>> bodies, std::span<const RigidState<D>> start,
                             std::span<const std::uint32_t> active, std::span<const IdPair> jointed, double dt) {
  scene_ = &scene;
  margin_ = scene.margin();
  dt_ = dt;
  hits_.clear();
  fast_ = 0;
  // Most steps of most worlds have nothing fast
  if (std::none_of(active.begin(), active.end(),
                   [&](std::uint32_t i) { return bodies[i].is_kinematic() || may_be_fast(bodies[i], start[i]); }))
    return {};
  gather(bodies, start, active, dt, margin_);
  if (fast_ == 0) return {};
  // First those whose ways depend on nothing that is stopped, then bullets, each against the settled ways of those before
  for (const bool bullets : {false, true})
    for (std::size_t at = 0; at < movers_.size(); ++at)
      if (movers_[at].fast && movers_[at].bullet == bullets)
        if (const Result<void> done = follow(at, bodies, jointed); !done) return done;
  return {};
}

// A bound of its way from its two places, without the angle between them
template <int D>
bool CcdPass<D>::may_be_fast(const WorldBody<D>& body, const RigidState<D>& start) const {
  if (!body.is_dynamic() || body.sensor) return false;
  if (turn_bound(body.mass.inverse, body.state.angular_momentum) * dt_ > kPi) return true;
  const double turn = kPi * chord(start.rotation, body.state.rotation);
  return length(body.state.position - start.position) + turn * (body.radius + length(body.mass.center)) >
         std::max(kFastShare * body.thickness, margin_ / 2);
}

template <int D>
void CcdPass<D>::gather(std::span<const WorldBody<D>> bodies, std::span<const RigidState<D>> start,
                        std::span<const std::uint32_t> active, double dt, double margin) {
  movers_.clear();
  mover_of_.assign(bodies.size(), kNoIndex);
  fast_ = 0;
  for (const std::uint32_t i : active) {
    const WorldBody<D>& body = bodies[i];
    Mover m{i,
            shape_pose<D>(start[i], body.mass.center),
            shape_pose<D>(body.state, body.mass.center),
            {},
            {},
            false,
            false,
            false,
            body.bullet};
    const Angular<D> angular =
        body.is_kinematic() ? body.angular_velocity : slope(body.state, body.mass.inverse).angular_velocity;
    m.motion = {m.end.position - m.start.position, turn_between(m.start.rotation, m.end.rotation, angular * dt)};
    const double radius = turning_radius((*scene_)[i].shape, body.radius);
    const double way = length(m.motion.linear) + turn_rate(m.motion.angular) * radius;
    // Two that stay within half of the margin each cannot meet without the solver knowing
    m.hasty = !body.sensor && way > std::max(kFastShare * body.thickness, margin / 2);
    m.fast = m.hasty && body.is_dynamic();
    mover_of_[i] = static_cast<std::uint32_t>(movers_.size());
    movers_.push_back(m);
  }
  // What is slow itself may be in the way of what is fast: of a kinematic body, and bullets in the way of anything
  for (Mover& hasty : movers_) {
    if (!hasty.hasty) continue;
    for (Mover& m : movers_) {
      const WorldBody<D>& body = bodies[m.body];
      if (m.fast || !body.is_dynamic() || body.sensor || &m == &hasty) continue;
      if (!m.bullet && !bodies[hasty.body].is_kinematic()) continue;
      m.fast = overlap(box_of(m), box_of(hasty));
    }
  }
  for (const Mover& m : movers_) fast_ += m.fast;
}

template <int D>
const Aabb<D, double>& CcdPass<D>::box_of(Mover& mover) const {
  if (!mover.boxed) {
    const ShapeOf<D>& shape = (*scene_)[mover.body].shape;
    mover.box = shape.is_bounded() ? swept_box<D>(shape, mover.start, mover.motion, 0, 1) : bounding_box(shape);
  }
  mover.boxed = true;
  return mover.box;
}

template <int D>
Result<void> CcdPass<D>::find_candidates(std::size_t at, std::span<const WorldBody<D>> bodies,
                                         std::span<const IdPair> jointed) {
  Mover& m = movers_[at];
  candidates_.clear();
  sensors_.clear();
  const Aabb<D, double> box = box_of(m);

  // What stands: fixed bodies and walls of the scene, and for bullets what sleeps
  struct Standing {
    std::span<const WorldBody<D>> bodies;
    std::span<const std::uint32_t> mover_of;
    std::uint32_t self;
    bool bullet;
  } standing{bodies, mover_of_, m.body, m.bullet};
  const Filter& own = scene_->filter(m.body);
  QueryFilter filter{own.layer, own.mask, own.group,
                     [](void* context, std::uint32_t id) {
                       const Standing& s = *static_cast<const Standing*>(context);
                       if (id == s.self) return false;
                       if (id >= s.bodies.size() || !s.bodies[id].used) return true;
                       if (s.mover_of[id] != kNoIndex) return false;
                       return s.bullet || s.bodies[id].sensor || !s.bodies[id].is_dynamic();
                     },
                     &standing};
  found_.clear();
  if (const Result<void> asked = objects_in<D>(*scene_, box, filter, found_); !asked) return asked;

  // What moves: kinematic bodies, and for bullets everything whose way is settled
  for (std::size_t j = 0; j < movers_.size(); ++j) {
    Mover& other = movers_[j];
    if (j == at) continue;
    const WorldBody<D>& body = bodies[other.body];
    if (!(body.sensor || body.is_kinematic() || (m.bullet && !(other.bullet && other.fast && j > at)))) continue;
    if (!may_pair(own, scene_->filter(other.body)) || !overlap(box, box_of(other))) continue;
    found_.push_back(other.body);
  }
  std::sort(found_.begin(), found_.end());
  for (const std::uint32_t id : found_) {
    if (is_jointed(jointed, m.body, id)) continue;
    ((*scene_)[id].sensor ? sensors_ : candidates_).push_back(id);
  }
  return {};
}

template <int D>
Result<void> CcdPass<D>::follow(std::size_t at, std::span<WorldBody<D>> bodies, std::span<const IdPair> jointed) {
  if (const Result<void> found = find_candidates(at, bodies, jointed); !found) return found;
  Mover& m = movers_[at];
  WorldBody<D>& body = bodies[m.body];
  const Result<Stop> stop = first_stop(m, body, m.start, m.motion, 0, kNoIndex);
  if (!stop) return stop.error();
  if (stop->t <= 1) {
    const Place there = pose_at<D>(m.start, m.motion, stop->t);
    Place end = there;
    Angular<D> turn = m.motion.angular * stop->t;
    if (stop->mover != nullptr) {
      // Carried along with what it has met, unless something else is in the way
      const Mover& target = *stop->mover;
      const Place met = pose_at<D>(target.start, target.motion, stop->t);
      end = target.end * (inverse(met) * there);
      end.rotation = normalized(end.rotation);
      const double rest = 1 - stop->t;
      const Angular<D> way = target.motion.angular * rest;
      const RigidMotion<D> carried{end.position - there.position, turn_between(there.rotation, end.rotation, way)};
      const Result<Stop> again = first_stop(m, body, there, carried, stop->t, stop->other);
      if (!again) return again.error();
      const double share = std::min(again->t, 1.0);
      end = pose_at<D>(there, carried, share);
      turn = turn + carried.angular * share;
    }
    m.end = end;
    m.motion = {end.position - m.start.position, turn_between(m.start.rotation, end.rotation, turn)};
    m.boxed = false;
    body.state.position = transform(end, body.mass.center);
    body.state.rotation = end.rotation;
    hits_.push_back({m.body, stop->other, stop->t, false});
  }
  return tell_sensors(m);
}

// The way over [0, 1] is a part of the step that begins at `from`
template <int D>
auto CcdPass<D>::first_stop(const Mover& mover, const WorldBody<D>& body, const Place& start,
                            const RigidMotion<D>& motion, double from, std::uint32_t but) -> Result<Stop> {
  Stop best;
  for (const std::uint32_t id : candidates_) {
    if (id == but) continue;
    const Mover* target = mover_of_[id] != kNoIndex ? &movers_[mover_of_[id]] : nullptr;
    const Result<double> t = stop_against(mover, body, start, motion, id, target, from, std::min(best.t, 1.0));
    if (!t) return t.error();
    if (*t < best.t) best = {*t, id, target};
  }
  return best;
}

template <int D>
Result<double> CcdPass<D>::stop_against(const Mover& mover, const WorldBody<D>& body, const Place& start,
                                        const RigidMotion<D>& motion, std::uint32_t other, const Mover* target,
                                        double from, double t_max) {
  const double none = 2;
  const SceneObject<D>&a = (*scene_)[mover.body], &b = (*scene_)[other];
  Place place = b.pose;
  RigidMotion<D> way{};
  if (target != nullptr) {
    place = pose_at<D>(target->start, target->motion, from);
    way = {target->motion.linear * (1 - from), target->motion.angular * (1 - from)};
  }
  const MovingPair<D> pair(start, motion, place, way);
  const double radius_a = turning_radius(a.shape, body.radius);
  const double radius_b = pair.turns_b() ? turning_radius(b.shape, farthest_radius<D>(b.shape)) : 0;
  const double speed = closing_speed(pair, radius_a, radius_b);
  const bool convex = a.shape.is_convex() && b.shape.is_convex();
  const double graze = kGrazeShare * (body.thickness > 0 ? std::min(margin_, body.thickness) : margin_ * kGrazeShare);
  const auto gap_at = [&](double t) {
    return distance(a.shape, pose_at<D>(start, motion, t), b.shape, pose_at<D>(place, way, t));
  };
  // How fast the gap can close. That of convex bodies is at least the one along any direction, so along theirs: what
  // slides comes no nearer.
  const auto closing = [&](const DistanceAnswer<D>& gap) {
    if (!convex || !(length_squared(gap.normal) > 0)) return speed;
    return dot(motion.linear - way.linear, gap.normal) + pair.rate_a() * radius_a + pair.rate_b() * radius_b;
  };

  double t = 0, allowed = 0;
  for (int k = 0; k < kMostGrazes;) {
    // The next touch from here on
    ToiOptions options;
    options.t_max = t_max - t;
    options.contacts = false;
    options.last = false;
    const Place a_now = pose_at<D>(start, motion, t), b_now = pose_at<D>(place, way, t);
    const auto hit = time_of_impact(a.shape, a_now, motion, b.shape, b_now, way, options);
    if (!hit) return hit.error();
    if (!hit->hit) return none;
    const double t_hit = t + hit->t_lo;
    const double approach = dot(
        point_velocity<D>(a_now, motion, hit->t_lo, hit->point) - point_velocity<D>(b_now, way, hit->t_lo, hit->point),
        hit->normal);
    if (t_hit > 0 && approach * (1 - t_hit) > graze) return t_hit;

    // It touches without going in, or touched when it began: on as far as it overlaps no more than it did, until it is
    // free again
    t = t_hit;
    DistanceAnswer<D> gap = gap_at(t);
    allowed = std::max({allowed, graze, graze * kGrazeShare - gap.separation});
    for (; gap.separation <= graze; ++k) {
      const double room = gap.separation + allowed, rate = closing(gap);
      if (room < graze * kGrazeShare || k == kMostGrazes) return t;
      if (!(rate * (t_max - t) > room)) return none;
      t += room / rate;
      gap = gap_at(t);
    }
  }
  return t;
}

template <int D>
Result<void> CcdPass<D>::tell_sensors(const Mover& mover) {
  for (const std::uint32_t id : sensors_) {
    const Mover* target = mover_of_[id] != kNoIndex ? &movers_[mover_of_[id]] : nullptr;
    const SceneObject<D>&a = (*scene_)[mover.body], &b = (*scene_)[id];
    const Place place = target != nullptr ? target->start : b.pose, end = target != nullptr ? target->end : b.pose;
    // What touches at one of the ends is found there
    if (intersects(a.shape, mover.start, b.shape, place) || intersects(a.shape, mover.end, b.shape, end)) continue;
    ToiOptions options;
    options.contacts = false;
    options.last = false;
    const auto hit = time_of_impact(a.shape, mover.start, mover.motion, b.shape, place,
                                    target != nullptr ? target->motion : RigidMotion<D>{}, options);
    if (!hit) return hit.error();
    if (hit->hit) hits_.push_back({mover.body, id, hit->t_lo, true});
  }
  return {};
}

template Result<void> objects_in<2>(Scene<2>&, const Aabb<2, double>&, const QueryFilter&, std::vector<std::uint32_t>&);
template Result<void> objects_in<3>(Scene<3>&, const Aabb<3, double>&, const QueryFilter&, std::vector<std::uint32_t>&);
template class CcdPass<2>;
template class CcdPass<3>;

}  // namespace sudar

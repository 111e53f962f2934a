#include <sudar/geom/closest.hpp>
#include <sudar/sdf/field_tolerance.hpp>
#include <sudar/sdf/haptic_probe.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// Planes with which a round is content once the ball may go a little; those that it keeps when so many touch at once; and
// what may wait to be looked at
constexpr std::size_t kFewPlanes = 128, kMaxPlanes = 2048, kMaxCandidates = 4096;
// Planes, the nearest ones, that others are compared with: what lies behind the rest only gets a plane that says no more
constexpr std::size_t kCoverPlanes = 16;
// What a nearest point of a triangle, a distance to a box and a place in the queue cost, in comparisons with a plane
constexpr int kNearestTests = 16, kBoxTests = 4, kOfferTests = 8;
// Seconds, and newtons a metre or a metre a second: with ways of up to kMaxShapeSize forces are finite within these
constexpr double kLeastPeriod = 0x1p-60, kMostStiffness = 0x1p100;
constexpr int kMeshRounds = 32, kSlides = 32, kFieldRounds = 256;

Result<HapticOptions> checked(HapticOptions o, const Vec3d& start) {
  if (!is_finite(start)) return Error{ErrorCode::non_finite, Error::kNoElement, "the start is NaN or infinite"};
  if (!std::isfinite(o.radius) || !std::isfinite(o.stiffness) || !std::isfinite(o.friction) ||
      !std::isfinite(o.max_step) || !std::isfinite(o.damping) || !std::isfinite(o.period) || std::isnan(o.max_force))
    return Error{ErrorCode::non_finite, Error::kNoElement, "an option is NaN or infinite"};
  if (!(o.radius > kMinShapeSize) || !(o.stiffness > 0) || !(o.period >= kLeastPeriod))
    return Error{ErrorCode::degenerate, Error::kNoElement, "radius, stiffness and period must be positive"};
  if (o.stiffness > kMostStiffness || o.damping > kMostStiffness)
    return Error{ErrorCode::too_large, Error::kNoElement, "a stiffness or damping without finite forces"};
  if (o.radius > kMaxShapeSize || max_abs(start) > kMaxShapeSize)
    return Error{ErrorCode::too_large, Error::kNoElement, "beyond kMaxShapeSize"};
  if (!(o.friction >= 0) || !(o.damping >= 0) || !(o.max_step >= 0) || !(o.max_force >= 0))
    return Error{ErrorCode::invalid_argument, Error::kNoElement,
                 "friction, damping, steps and forces are not negative"};
  if (o.max_step == 0) o.max_step = 4 * o.radius;
  return o;
}

// Distance of a point to the nearest triangle
double mesh_distance_of(const TriangleMesh& mesh, const Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for_each_nearer(
      mesh.tree(), [&](const Aabb3d& box) { return length_squared(p - closest_point_in_box(box.lo, box.hi, p)); }, best,
      [&](std::uint32_t t) { best = std::min(best, closest_point(mesh.triangle(t), p).distance_squared); });
  return std::sqrt(best);
}

}  // namespace

Result<HapticProbe> HapticProbe::make(std::shared_ptr<const TriangleMesh> mesh, const HapticOptions& options,
                                      const Vec3d& start) noexcept {
  return guarded([&]() -> Result<HapticProbe> {
    if (!mesh) return Error{ErrorCode::empty_input, Error::kNoElement, "no mesh"};
    const Result<HapticOptions> good = checked(options, start);
    if (!good) return good.error();
    HapticProbe out;
    out.options_ = *good;
    const Aabb3d box = merge(mesh->bounds(), start);
    out.slack_ = kProbeSlack * (std::max(max_abs(box.lo), max_abs(box.hi)) + good->radius);
    if (!(good->radius >= kProbeLeast * out.slack_))
      return Error{ErrorCode::degenerate, Error::kNoElement, "the radius vanishes beside the coordinates"};
    out.straight_ = kProbeStraight * good->radius / out.slack_;
    if (!(mesh_distance_of(*mesh, start) >= good->radius))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the ball starts on the surface"};
    out.mesh_ = std::move(mesh);
    out.open_.reserve(kMaxCandidates);
    out.planes_.reserve(kMaxPlanes);
    out.touched_.reserve(kMaxPlanes);
    out.state_.proxy = start;
    return out;
  });
}

Result<HapticProbe> HapticProbe::make(std::shared_ptr<const DistanceField3> field, const HapticOptions& options,
                                      const Vec3d& start) noexcept {
  return guarded([&]() -> Result<HapticProbe> {
    if (!field) return Error{ErrorCode::empty_input, Error::kNoElement, "no field"};
    const Result<HapticOptions> good = checked(options, start);
    if (!good) return good.error();
    const double cell = field->grid().cell;
    if (good->radius < cell || good->radius + 2 * cell > field->band())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the radius must be from a cell to within the band"};
    if (!(field->distance(start) >= good->radius))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the ball starts on the surface"};
    HapticProbe out;
    out.options_ = *good;
    out.slack_ = kFieldZero * cell;
    out.field_ = std::move(field);
    out.state_.proxy = start;
    return out;
  });
}

// Behind a half-space that is already there lies what asks for none of its own: on flat ground and on bodies that are
// convex around here, one or few speak for all, and edges between triangles are not felt
bool HapticProbe::behind_planes(const Triangle<3, double>& t) {
  for (const FreeHalfSpace& plane : std::span(planes_).first(std::min(planes_.size(), kCoverPlanes))) {
    --tests_;
    const double level = plane.offset - options_.radius + slack_;
    if (dot(plane.normal, t.a) <= level && dot(plane.normal, t.b) <= level && dot(plane.normal, t.c) <= level)
      return true;
  }
  return false;
}
bool HapticProbe::behind_planes(const Aabb3d& box) {
  const Vec3d middle = center(box), half = half_extents(box);
  for (const FreeHalfSpace& plane : std::span(planes_).first(std::min(planes_.size(), kCoverPlanes))) {
    --tests_;
    if (dot(plane.normal, middle) + dot(abs(plane.normal), half) <= plane.offset - options_.radius) return true;
  }
  return false;
}

void HapticProbe::add_plane(const Vec3d& p, const Vec3d& hand, std::uint32_t triangle) {
  // Through the nearest point, square to the way there; or the triangle's own plane, when all of the ball is in front
  const Triangle<3, double> t = mesh_->triangle(triangle);
  const Vec3d nearest = closest_point(t, p).point, n = normalized(p - nearest);
  FreeHalfSpace plane{n, dot(n, nearest) + options_.radius};
  Vec3d own = normalized(double_area(t));
  if (dot(own, p - t.a) < 0) own = -own;
  const FreeHalfSpace face{own, std::max({dot(own, t.a), dot(own, t.b), dot(own, t.c)}) + options_.radius};
  const bool in_front = length_squared(own) > 0 && dot(own, p) >= face.offset - slack_;
  // Whichever leaves more room towards the hand
  if (in_front && dot(own, hand) - face.offset > dot(n, hand) - plane.offset) plane = face;
  planes_.push_back(plane);
}

// The half-spaces of all triangles that a ball which moves by less than the reach can touch; the reach for which they are
// complete, which is less than what was asked for when there are many
double HapticProbe::collect(const Vec3d& p, const Vec3d& hand, double reach) {
  const MeshTree& tree = mesh_->tree();
  const double least = options_.radius * (1 + kProbeStride);
  double frontier = options_.radius + reach + slack_;  // all that is nearer is in planes_, or behind them
  const auto later = [](const Candidate& a, const Candidate& b) {
    if (a.distance != b.distance) return a.distance > b.distance;
    return a.level != b.level ? a.level < b.level : a.index > b.index;
  };
  const auto offer = [&](const Candidate& c) {
    if (open_.size() == kMaxCandidates) {
      frontier = std::min(frontier, c.distance);
      return;
    }
    tests_ -= kOfferTests;
    open_.push_back(c);
    std::push_heap(open_.begin(), open_.end(), later);
  };
  nearest_ = std::numeric_limits<double>::infinity();
  planes_.clear();
  open_.clear();
  offer({0, 0, tree.levels() - 1});
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), later);
    const Candidate next = open_.back();
    open_.pop_back();
    if (!(next.distance < frontier)) break;
    if ((planes_.size() >= kFewPlanes && next.distance > least) || planes_.size() == kMaxPlanes || tests_ <= 0) {
      frontier = next.distance;
      break;
    }
    if (next.level < 0) {
      if (planes_.empty()) nearest_ = next.distance;
      if (!behind_planes(mesh_->triangle(next.index))) add_plane(p, hand, next.index);
      continue;
    }
    const MeshTreeNode& node = tree.node(next.level, next.index);
    for (std::uint32_t k = 0, n = static_cast<std::uint32_t>(tree.child_count(next.level, next.index)); k < n; ++k) {
      tests_ -= kBoxTests;
      Aabb3d box;
      for (int i = 0; i < 3; ++i) {
        box.lo[i] = add_down(static_cast<double>(node.lo[i][k]), tree.origin()[i]);
        box.hi[i] = add_up(static_cast<double>(node.hi[i][k]), tree.origin()[i]);
      }
      const double away = std::max(0.0, distance(p, closest_point_in_box(box.lo, box.hi, p)) - slack_);
      if (!(away < frontier)) continue;
      if (next.level > 0) {
        if (!behind_planes(box)) offer({away, tree.child(next.level, next.index, k), next.level - 1});
        continue;
      }
      const std::uint32_t number = tree.triangle(next.index, k);
      const Triangle<3, double> t = mesh_->triangle(number);
      if (behind_planes(t)) continue;
      tests_ -= kNearestTests;
      const double d = std::sqrt(closest_point(t, p).distance_squared);
      if (d < frontier && d > 0) offer({d, number, -1});
    }
  }
  return frontier - options_.radius - slack_;
}

void HapticProbe::move_to(const Vec3d& target, bool held) {
  const Vec3d way = target - state_.proxy;
  if (held && options_.friction > 0) {
    // Rolls: the axis lies in the surface, square to the way
    const Vec3d axis = cross(state_.normal, way);
    const double angle = length(axis) / options_.radius;
    if (angle > 0) state_.rotation = normalized(Quatd::from_axis_angle(normalized(axis), angle) * state_.rotation);
  }
  state_.proxy = target;
}

// One straight piece of way within the planes, not longer than the reach, which it uses up. False: the ball is where it
// may come to.
bool HapticProbe::slide(const Vec3d& hand, double& reach) {
  const Vec3d p = state_.proxy;
  const double touch = kProbeTouch * options_.radius + slack_;
  // What touches the ball now, and where the hand could draw it if there were nothing else
  touched_.clear();
  for (const FreeHalfSpace& plane : planes_)
    if (dot(plane.normal, p) - plane.offset <= touch) touched_.push_back(plane);
  const PlaneProjection y = project(hand, touched_, slack_ / 4);
  tests_ -= static_cast<int>(planes_.size() + touched_.size()) * (1 + y.rounds);
  // Opposed planes, as in the mouth of a slot that is as wide as the ball: rounding leaves no way, and it stays
  const auto wedged_by = [&](std::span<const FreeHalfSpace> planes) {
    double deepest = 0;
    state_.planes = 0;
    for (const FreeHalfSpace& plane : planes) {
      const double depth = plane.offset - dot(plane.normal, hand);
      if (!(depth > 0)) continue;
      ++state_.planes;
      state_.touching = true;
      if (depth > deepest) deepest = depth, state_.normal = plane.normal;
    }
    return false;
  };
  if (!y.found) return wedged_by(touched_);
  state_.planes = y.count;
  const bool held = state_.touching = y.count > 0;
  if (held) state_.normal = normalized(y.point - hand);
  Vec3d target = y.point;
  if (options_.friction > 0) {
    // Friction holds the ball back by its part of the normal force
    if (held) {
      const double back = options_.friction * distance(y.point, hand), slip = distance(p, y.point);
      if (slip <= back) return false;
      target = y.point + (p - y.point) * (back / slip);
    }
    // Only as far as it meets something new: there the force has another direction
    double part = 1;
    for (const FreeHalfSpace& plane : planes_) {
      const double closing = dot(plane.normal, p - target), gap = dot(plane.normal, p) - plane.offset;
      if (closing > 0 && gap > touch) part = std::min(part, gap / closing);
    }
    target = p + (target - p) * part;
  } else {
    const PlaneProjection x = project(hand, planes_, slack_ / 4);
    tests_ -= static_cast<int>(planes_.size()) * x.rounds;
    if (!x.found) return held ? false : wedged_by(planes_);
    target = x.point;
  }
  // No farther than what was looked at
  double moved = distance(p, target);
  if (moved > reach) target = p + (target - p) * (reach / moved), moved = reach;
  if (!(moved > slack_) || !(distance(target, hand) < distance(p, hand))) return false;
  move_to(target, held);
  state_.sliding = state_.sliding || held;
  reach -= moved;
  return true;
}

// Straight towards the hand, where more touches the ball than can be looked at. The ball is free where it is, so within its
// radius there is nothing to pass: it is enough that it is free at the end.
bool HapticProbe::step_freely(const Vec3d& hand, double most) {
  const Vec3d to_hand = hand - state_.proxy;
  const double way = length(to_hand), step = std::min({way, most, options_.radius / 2});
  const Vec3d target = state_.proxy + to_hand * (step / way);
  if (!(mesh_distance_of(*mesh_, target) >= options_.radius)) return false;
  move_to(target, false);
  return true;
}

void HapticProbe::follow_mesh(const Vec3d& hand) {
  // Looks ahead about as far as the update before went, and farther where that is not enough
  const Vec3d start = state_.proxy;
  double allowed = options_.max_step, ahead = std::max(2 * last_way_, kProbeAhead * options_.radius);
  tests_ = kProbeTests;
  for (state_.rounds = 0; allowed > slack_;) {
    const double way = distance(hand, state_.proxy);
    if (!(way > slack_)) break;
    if (state_.rounds == kMeshRounds || tests_ <= 0) {
      state_.limited = true;
      break;
    }
    ++state_.rounds;
    const double reach = collect(state_.proxy, hand, std::min({way, allowed, ahead}));
    if (!(reach > slack_)) {
      state_.limited = true;
      step_freely(hand, allowed);
      break;
    }
    // Planes have the direction of the way from the nearest point, up to the rounding of places over its length: the hand is
    // taken for as near as this makes no difference
    const double sure = straight_ * nearest_;
    const Vec3d goal = way > sure ? state_.proxy + (hand - state_.proxy) * (sure / way) : hand;
    double left = reach;
    for (int i = 0; i < kSlides && left > slack_; ++i)
      if (!slide(goal, left)) break;
    allowed -= reach - left;
    if (!(left > slack_)) ahead *= 4;
    // Around an edge or a corner the planes of the next round are others; it rests where these let it rest
    if (!(reach - left > kProbeTouch * options_.radius + slack_)) break;
  }
  last_way_ = distance(start, state_.proxy);
}

void HapticProbe::follow_field(const Vec3d& hand) {
  const double cell = field_->grid().cell, radius = options_.radius, touch = kFieldTouch * cell;
  double allowed = options_.max_step, stride = cell / 2;
  for (state_.rounds = 0; allowed > slack_ && stride > slack_;) {
    const Vec3d p = state_.proxy, to_hand = hand - p;
    const double way = length(to_hand);
    if (!(way > slack_)) break;
    if (state_.rounds == kFieldRounds) {
      state_.limited = true;
      break;
    }
    ++state_.rounds;
    const FieldSample<3> here = field_->sample(p);
    // What is free around counts as a step; in contact, a part of a cell
    const double gap = here.distance - radius;
    const double reach = std::min({way, allowed, std::max(stride, gap / kLeastBand<3> - stride)});
    const Vec3d goal = p + to_hand * (reach / way);
    Vec3d target = goal;
    const Vec3d n = normalized(here.gradient);
    const double below = dot(n, goal - p) + gap;
    const bool held = below < 0 && here.in_band;
    if (held) {
      target = goal - n * below;
      // Friction takes its part of how deep the hand is below the plane of contact from how far it is along it
      const double pressed = std::max(0.0, -dot(n, to_hand) - gap);
      const Vec3d along = to_hand - n * dot(n, to_hand), step = target - p + n * gap;
      const double slip = length(along) - options_.friction * pressed, size = length(step);
      if (options_.friction > 0 && size > std::max(slip, 0.0)) {
        target = p - n * gap + step * (std::max(slip, 0.0) / size);
        if (!(slip > 0) && gap <= touch) {
          state_.touching = true;
          state_.normal = n;
          state_.planes = 1;
          break;
        }
      }
    }
    // Where the surface bends towards the ball, out again, by parts of a cell where the slope is small
    for (int i = 0; i < 3; ++i) {
      const FieldSample<3> there = field_->sample(target);
      const double slope = length(there.gradient);
      if (there.distance >= radius || !(slope * slope > kFieldFlat)) break;
      target += there.gradient * (std::min((radius - there.distance) / slope, cell / 2) / slope);
    }
    // Only ways that come nearer to the hand are taken. In contact none is longer than a cell: values change no faster than
    // kLeastBand times places and the radius is a cell or more, so the middle of the ball passes no zero
    const double moved = distance(p, target);
    if (field_->distance(target) < radius - slack_ || !(distance(target, hand) < way) ||
        moved > std::min(allowed, std::max(reach, cell))) {
      if (!field_->covers_surface() && !contains(field_->grid().bounds(), target)) state_.limited = true;
      if (held) {
        state_.touching = true;
        state_.normal = n;
        state_.planes = 1;
      }
      stride /= 2;
      continue;
    }
    state_.touching = held;
    state_.planes = held ? 1 : 0;
    if (held) state_.normal = n;
    move_to(target, held);
    state_.sliding = state_.sliding || (held && moved > slack_);
    allowed -= moved;
    if (moved <= slack_) break;
  }
}

const HapticState& HapticProbe::update(const Vec3d& hand) noexcept {
  state_.following = is_finite(hand) && max_abs(hand) <= kMaxShapeSize;
  if (!state_.following) return state_;
  state_.touching = state_.sliding = state_.limited = false;
  state_.planes = 0;
  if (mesh_) {
    follow_mesh(hand);
  } else {
    follow_field(hand);
  }
  // Also where nothing is touched and the proxy has yet to catch up: a force that came and went with the contact would jump
  const Vec3d spring = state_.proxy - hand, along = normalized(spring);
  state_.depth = length(spring);
  const double growth = (state_.depth - dot(along, spring_)) / options_.period;
  state_.force =
      along * std::clamp(options_.stiffness * state_.depth + options_.damping * growth, 0.0, options_.max_force);
  state_.point = state_.proxy - state_.normal * options_.radius;
  spring_ = spring;
  return state_;
}

}  // namespace sudar

#include <sudar/geom/closest.hpp>
#include <sudar/sdf/field_tolerance.hpp>
#include <sudar/sdf/haptic_probe.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// Triangles of one round: fewer reach less far, so that the time of an update is bounded; the last number where even the
// shortest reach has more
constexpr std::size_t kFewNear = 256, kMaxNear = 4096;
constexpr int kMeshRounds = 10, kFieldRounds = 256, kHalvings = 6;

Result<HapticOptions> checked(HapticOptions o, const Vec3d& start) {
  if (!is_finite(start)) return Error{ErrorCode::non_finite, Error::kNoElement, "the start is NaN or infinite"};
  if (!std::isfinite(o.radius) || !std::isfinite(o.stiffness) || !std::isfinite(o.friction) ||
      !std::isfinite(o.max_step) || std::isnan(o.max_force))
    return Error{ErrorCode::non_finite, Error::kNoElement, "an option is NaN or infinite"};
  if (!(o.radius > kMinShapeSize) || !(o.stiffness > 0))
    return Error{ErrorCode::degenerate, Error::kNoElement, "radius and stiffness must be positive"};
  if (o.radius > kMaxShapeSize || max_abs(start) > kMaxShapeSize)
    return Error{ErrorCode::too_large, Error::kNoElement, "beyond kMaxShapeSize"};
  if (!(o.friction >= 0) || !(o.max_step >= 0) || !(o.max_force >= 0))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "friction, steps and forces are not negative"};
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
    if (!(mesh_distance_of(*mesh, start) >= good->radius))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the ball starts on the surface"};
    out.mesh_ = std::move(mesh);
    out.stride_ = good->radius;
    out.near_.reserve(kMaxNear);
    out.planes_.reserve(kMaxNear);
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

// The half-spaces of all triangles within reach beyond the ball; the reach for which they fit
double HapticProbe::collect(const Vec3d& p, const Vec3d& hand, double reach) {
  bool all = false;
  for (int i = 0; i <= kHalvings && !all; ++i) {
    if (i > 0) reach /= 4;
    const std::size_t room = i < kHalvings ? kFewNear : kMaxNear;
    near_.clear();
    all = true;
    const double r = options_.radius + reach + slack_;
    double best = r * r;
    for_each_nearer(
        mesh_->tree(), [&](const Aabb3d& box) { return length_squared(p - closest_point_in_box(box.lo, box.hi, p)); },
        best,
        [&](std::uint32_t t) {
          const auto near = closest_point(mesh_->triangle(t), p);
          if (near.distance_squared > r * r || !(near.distance_squared > 0)) return;
          if (near_.size() < room) {
            near_.push_back({near.distance_squared, near.point, t});
          } else {
            all = false;
            best = 0;  // ends the search
          }
        });
  }
  if (!all) return 0;

  // Nearest first. A triangle that lies behind a half-space that is already there asks for none of its own: on flat ground
  // and on bodies that are convex around here, one or few speak for all, and edges between triangles are not felt.
  std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.triangle < b.triangle;
  });
  planes_.clear();
  for (const Near& near : near_) {
    const Triangle<3, double> t = mesh_->triangle(near.triangle);
    bool covered = false;
    for (std::size_t i = 0; i < planes_.size() && !covered; ++i) {
      const double level = planes_[i].offset - options_.radius + slack_;
      covered = dot(planes_[i].normal, t.a) <= level && dot(planes_[i].normal, t.b) <= level &&
                dot(planes_[i].normal, t.c) <= level;
    }
    if (covered) continue;
    // Through the nearest point, square to the way there; or the triangle's own plane, when all of the ball is in front
    const Vec3d n = (p - near.point) / std::sqrt(near.squared);
    FreeHalfSpace plane{n, dot(n, near.point) + options_.radius};
    Vec3d own = normalized(double_area(t));
    if (dot(own, p - t.a) < 0) own = -own;
    const FreeHalfSpace face{own, std::max({dot(own, t.a), dot(own, t.b), dot(own, t.c)}) + options_.radius};
    const bool in_front = length_squared(own) > 0 && dot(own, p) >= face.offset - slack_;
    // Whichever leaves more room towards the hand
    if (in_front && dot(own, hand) - face.offset > dot(n, hand) - plane.offset) plane = face;
    planes_.push_back(plane);
  }
  return reach;
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

void HapticProbe::follow_mesh(const Vec3d& hand) {
  double allowed = options_.max_step;
  const double touch = kProbeTouch * options_.radius + slack_;
  for (state_.rounds = 0; state_.rounds < kMeshRounds && allowed > slack_;) {
    const Vec3d p = state_.proxy, to_hand = hand - p;
    const double way = length(to_hand);
    if (!(way > slack_)) break;
    ++state_.rounds;
    // As far as a moderate number of triangles, from what the round before has seen
    const double reach = collect(p, hand, std::min({way, allowed, stride_}));
    if (!(reach > 0)) break;
    if (near_.size() > kFewNear / 2) stride_ = reach / 2;
    if (near_.size() < kFewNear / 8) stride_ = std::min(std::max(stride_, reach) * 2, options_.max_step);
    const PlaneProjection x = project(hand, planes_, slack_ / 4);
    if (!x.found) break;
    // What holds the ball where it is now
    state_.planes = 0;
    for (int i = 0; i < x.count; ++i) {
      const FreeHalfSpace& plane = planes_[x.planes[static_cast<std::size_t>(i)]];
      state_.planes += dot(plane.normal, p) - plane.offset <= touch;
    }
    const bool held = state_.planes > 0;
    state_.touching = held;
    Vec3d target = x.point;
    if (held) state_.normal = normalized(x.point - hand);
    if (options_.friction > 0 && held) {
      // Friction holds the ball back by its part of the normal force
      const double back = options_.friction * std::max(0.0, dot(state_.normal, x.point - hand)),
                   slip = distance(p, target);
      if (slip <= back) break;
      target = target + (p - target) * (back / slip);
    } else if (options_.friction > 0 && x.count > 0) {
      // It lands where the straight way to the hand meets the surface
      double part = 1;
      for (const FreeHalfSpace& plane : planes_) {
        const double closing = -dot(plane.normal, to_hand), gap = std::max(0.0, dot(plane.normal, p) - plane.offset);
        if (closing > 0) part = std::min(part, gap / closing);
      }
      target = p + to_hand * part;
    }
    // No farther than what was looked at
    double moved = distance(p, target);
    if (moved > reach) target = p + (target - p) * (reach / moved), moved = reach;
    if (moved <= slack_) break;
    move_to(target, held);
    state_.sliding = state_.sliding || held;
    allowed -= moved;
  }
}

void HapticProbe::follow_field(const Vec3d& hand) {
  const double cell = field_->grid().cell, radius = options_.radius;
  double allowed = options_.max_step, stride = cell / 2;
  for (state_.rounds = 0; state_.rounds < kFieldRounds && allowed > slack_ && stride > slack_;) {
    const Vec3d p = state_.proxy, to_hand = hand - p;
    const double way = length(to_hand);
    if (!(way > slack_)) break;
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
    if (held) target = goal - n * below;
    // Where the surface bends towards the ball, out again; only ways that come nearer to the hand are taken
    for (int i = 0; i < 3; ++i) {
      const FieldSample<3> there = field_->sample(target);
      if (there.distance >= radius) break;
      const double slope = length_squared(there.gradient);
      if (!(slope > kFieldFlat)) break;
      target += there.gradient * ((radius - there.distance) / slope);
    }
    if (field_->sample(target).distance < radius - slack_ || !(distance(target, hand) < way)) {
      state_.touching = state_.touching || held;
      if (held) state_.normal = n;
      stride /= 2;
      continue;
    }
    state_.touching = held;
    if (held) {
      state_.normal = n;
      const double pressed = std::max(0.0, dot(n, target - hand)), slip = distance(p, target);
      const double back = options_.friction * pressed;
      if (slip <= back) break;
      if (back > 0) target = target + (p - target) * (back / slip);
    }
    const double moved = distance(p, target);
    move_to(target, held);
    state_.sliding = state_.sliding || (held && moved > slack_);
    state_.planes = held ? 1 : 0;
    allowed -= moved;
    if (moved <= slack_) break;
  }
}

const HapticState& HapticProbe::update(const Vec3d& hand) noexcept {
  state_.following = is_finite(hand) && max_abs(hand) <= kMaxShapeSize;
  if (!state_.following) return state_;
  state_.touching = state_.sliding = false;
  state_.planes = 0;
  if (mesh_) {
    follow_mesh(hand);
  } else {
    follow_field(hand);
  }
  const Vec3d spring = state_.proxy - hand;
  state_.depth = length(spring);
  const double size = std::min(options_.stiffness * state_.depth, options_.max_force);
  // Also where nothing is touched and the proxy has yet to catch up: a force that came and went with the contact would jump
  state_.force = state_.depth > 0 ? spring * (size / state_.depth) : Vec3d{};
  state_.point = state_.proxy - state_.normal * options_.radius;
  return state_;
}

}  // namespace sudar

#include <sudar/continuous/moving_convex.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Place of a point on the axis of rotation and its distance from it; in the plane, the axis is a point
void split_axis(const Vec2d& p, double, double& along, double& across) {
  along = 0;
  across = length(p);
}
void split_axis(const Vec3d& p, const Vec3d& axis, double& along, double& across) {
  along = dot(p, axis);
  across = length(p - axis * along);
}
double body_axis(const Rot2d&, double) { return 1; }
Vec3d body_axis(const Quatd& start, const Vec3d& angular) { return rotate(conjugate(start), normalized(angular)); }

// Cores that are round about the axis; false for others
bool ring_core(const ConvexView2&, double, double (&)[2][2], int&) { return false; }
bool ring_core(const ConvexView3& view, const Vec3d& axis, double (&rings)[2][2], int& count) {
  if (axis.x != 0 || axis.y != 0) return false;
  if (view.kind != CoreKind3::cylinder && view.kind != CoreKind3::cone) return false;
  const double radius = view.p[0].x, height = view.p[0].y, sign = axis.z > 0 ? 1 : -1;
  rings[0][0] = -height * sign, rings[0][1] = radius;
  rings[1][0] = height * sign, rings[1][1] = view.kind == CoreKind3::cone ? 0 : radius;
  count = 2;
  return true;
}
double core_radius(const ConvexView2& view) { return view.size * std::sqrt(2.0); }
double core_radius(const ConvexView3& view) {
  switch (view.kind) {
    case CoreKind3::cylinder:
    case CoreKind3::cone:
      return std::sqrt(view.p[0].x * view.p[0].x + view.p[0].y * view.p[0].y);
    case CoreKind3::ellipsoid:
      return view.size;
    default:
      return view.size * std::sqrt(3.0);
  }
}

bool halfspace_of(const Shape2& shape, Vec2d& normal, double& offset) {
  if (shape.kind() != ShapeKind2::halfplane) return false;
  normal = shape.as<HalfPlaneShape2>().normal;
  offset = shape.as<HalfPlaneShape2>().offset;
  return true;
}
bool halfspace_of(const Shape3& shape, Vec3d& normal, double& offset) {
  if (shape.kind() != ShapeKind3::halfspace) return false;
  normal = shape.as<HalfSpaceShape3>().normal;
  offset = shape.as<HalfSpaceShape3>().offset;
  return true;
}

}  // namespace

template <int D>
MovingConvex<D>::MovingConvex(const AnyShape<D>& shape, const Pose<D, double>& body_from_piece,
                              const Rot<D, double>& start, const Angular<D>& angular)
    : pose_(body_from_piece), whole_(body_from_piece == Pose<D, double>{}), rate_(turn_rate(angular)) {
  flat_ = halfspace_of(shape, p_, offset_);
  if (flat_) {
    p_ = rotate(pose_.rotation, p_);
    offset_ += dot(p_, pose_.position);
    size_ = std::fabs(offset_) + max_abs(pose_.position);
    return;
  }
  view_ = make_view(shape);
  const double at = whole_ ? 0 : length(pose_.position);
  size_ = (D * view_.size + view_.radius + at);
  if (!(rate_ > 0)) return;
  // What turns: every vertex on a circle about the axis
  axis_ = body_axis(start, angular);
  double round[2][2];
  int round_count = 0;
  if (view_.count > 0) {
    ringed_ = view_.count <= kMaxRings;
    for (std::uint32_t i = 0; i < view_.count; ++i) {
      const V p = whole_ ? view_.vertex(i) : transform(pose_, view_.vertex(i));
      Ring ring;
      split_axis(p, axis_, ring.along, ring.across);
      turning_ = std::max(turning_, ring.across);
      farthest_ = std::max(farthest_, length(p));
      if (ringed_) rings_[ring_count_++] = ring;
    }
  } else if (whole_ && ring_core(view_, axis_, round, round_count)) {
    ringed_ = true;
    for (int i = 0; i < round_count; ++i) {
      rings_[ring_count_++] = {round[i][0], round[i][1]};
      turning_ = std::max(turning_, round[i][1]);
    }
    farthest_ = core_radius(view_);
  } else {
    turning_ = farthest_ = core_radius(view_) + at;
  }
  turning_ *= 1 + 16 * kRoundoff;
  farthest_ *= 1 + 16 * kRoundoff;
}

template <int D>
double MovingConvex<D>::reach_rate(const V& m) const {
  if (!(rate_ > 0) || flat_) return 0;
  double along, across;
  split_axis(m, axis_, along, across);
  // The part across is found by cancellation where the direction is nearly the axis
  return rate_ * turning_ * (across + 8 * kRoundoff);
}

template <int D>
double MovingConvex<D>::reach_of_turns(const V& m, double reach_now) const {
  if (!(rate_ > 0) || flat_) return reach_now;
  double along, across;
  split_axis(m, axis_, along, across);
  across += 8 * kRoundoff;
  double far = farthest_;
  if (ringed_) {
    double best = -kInfinite;
    for (int i = 0; i < ring_count_; ++i) best = std::max(best, rings_[i].along * along + rings_[i].across * across);
    far = std::min(far, best);
  }
  return std::max(far, reach_now);
}

namespace {

// A half-space that turns: its plane is the only one there is. The gap shrinks by at most
// |v| + rate_a (|c| + |v| s + size_b) + rate_b turning_b after s seconds, c from A's origin to B's.
template <int D>
double turning_plane(const MovingPair<D>& pair, const MovingConvex<D>& b, double gap, double t, double t_end) {
  const double v = length(pair.velocity()), rate_a = turn_rate(pair.motion_a().angular);
  const double rate_b = turn_rate(pair.motion_b().angular);
  const double speed =
      (v + rate_a * (length(pair.offset(t)) + D * b.size()) + rate_b * b.turning()) * (1 + 64 * kRoundoff);
  const double growth = rate_a * v * (1 + 64 * kRoundoff);
  // growth s² + speed s = gap, the positive root
  const double s = 2 * gap / (speed + std::sqrt(speed * speed + 4 * growth * gap));
  return s >= t_end - t ? t_end : std::max(t, add_down(t, s * (1 - 16 * kRoundoff)));
}

}  // namespace

template <int D>
double free_until(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                  const Vec<D, double>& n, double t, double t_end) {
  using V = Vec<D, double>;
  const Rot<D, double> to_a = conjugate(pair.rotation_a(t)), to_b = conjugate(pair.rotation_b(t));
  const V n_a = rotate(to_a, n), n_b = rotate(to_b, n), c = pair.offset(t), v = pair.velocity();
  const double remaining = t_end - t, radii = a.radius() + b.radius();
  const double turned =
      turn_rate(pair.motion_a().angular) * a.turning() + turn_rate(pair.motion_b().angular) * b.turning();
  double slack = 0, parting = 0, parting_error = 0;
  for (int i = 0; i < D; ++i) {
    slack += std::fabs(c[i]);
    parting += n[i] * v[i];
    parting_error += std::fabs(n[i] * v[i]);
  }
  const double error = kMotionError * (a.size() + b.size() + slack) + kAngleError * turned * t;
  parting -= 8 * kRoundoff * parting_error;

  const double reach_a = a.reach(n_a), reach_b = b.reach(-n_b), base = dot(n, c) - radii - error;
  const double gap = base - reach_a - reach_b;
  if (!(gap > 0)) return t;
  if (a.is_flat() && pair.turns_a()) return turning_plane(pair, b, gap, t, t_end);

  // Any number of turns
  double step = 0;
  const double gap_of_turns = base - a.reach_of_turns(n_a, reach_a) - b.reach_of_turns(-n_b, reach_b);
  if (gap_of_turns > 0) step = parting >= 0 ? kInfinite : gap_of_turns / -parting;
  // By speed
  const double speed = a.reach_rate(n_a) + b.reach_rate(n_b) - parting;
  step = std::max(step, speed > 0 ? gap / speed : kInfinite);
  if (step * (1 - 16 * kRoundoff) >= remaining) return t_end;

  // By speed and curvature: concave in the step, so the secant never goes too far
  const double curvature = a.reach_curvature(n_a) + b.reach_curvature(n_b);
  if (curvature > 0) {
    const V turn_a = rotate(to_a, turned_direction(n, pair.motion_a().angular));
    const V turn_b = rotate(to_b, turned_direction(n, pair.motion_b().angular));
    const double tilt = turn_rate(pair.motion_a().angular) + turn_rate(pair.motion_b().angular);
    const auto gap_after = [&](double s) {
      return base - error * tilt * s + parting * s - a.reach(n_a + turn_a * s) - b.reach(-(n_b + turn_b * s)) -
             0.5 * curvature * s * s * (1 + 16 * kRoundoff);
    };
    double lo = 0, gap_lo = gap, hi = std::min(2 * step, remaining), gap_hi = gap_after(hi);
    for (int k = 0; k < 8 && gap_hi >= 0; ++k) {
      lo = hi, gap_lo = gap_hi;
      if (lo >= remaining) return t_end;
      hi = std::min(4 * hi, remaining), gap_hi = gap_after(hi);
    }
    for (int k = 0; k < 4 && gap_hi < 0 && gap_lo > 0; ++k) {
      const double s = lo + (hi - lo) * (gap_lo / (gap_lo - gap_hi)) * (1 - 16 * kRoundoff);
      if (!(s > lo && s < hi)) break;
      if (const double gap_s = gap_after(s); gap_s >= 0)
        lo = s, gap_lo = gap_s;
      else
        hi = s, gap_hi = gap_s;
    }
    step = std::max(step, lo);
  }
  return std::min(t_end, std::max(t, add_down(t, step * (1 - 16 * kRoundoff))));
}

template class MovingConvex<2>;
template class MovingConvex<3>;
template double free_until<2>(const MovingPair<2>&, const MovingConvex<2>&, const MovingConvex<2>&, const Vec2d&,
                              double, double);
template double free_until<3>(const MovingPair<3>&, const MovingConvex<3>&, const MovingConvex<3>&, const Vec3d&,
                              double, double);

}  // namespace sudar

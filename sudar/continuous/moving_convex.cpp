// What:    See moving_convex.hpp.
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
                              const Rot<D, double>& start, const Angular<D>& angular, bool measure)
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
  if (!(rate_ > 0) && !measure) return;
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
  turning_ *= kGrown;
  farthest_ *= kGrown;
}

template <int D>
double MovingConvex<D>::reach_rate(const V& m) const {
  if (!(rate_ > 0) || flat_) return 0;
  double along, across;
  split_axis(m, axis_, along, across);
  // The part across is found by cancellation where the direction is nearly the axis
  return rate_ * turning_ * (across + kDotError);
}

template <int D>
double MovingConvex<D>::reach_of_turns(const V& m, double reach_now) const {
  if (!(rate_ > 0) || flat_) return reach_now;
  double along, across;
  split_axis(m, axis_, along, across);
  across += kDotError;
  double far = farthest_;
  if (ringed_) {
    double best = -kInfinite;
    for (int i = 0; i < ring_count_; ++i) best = std::max(best, rings_[i].along * along + rings_[i].across * across);
    far = std::min(far, best);
  }
  return std::max(far, reach_now);
}

template class MovingConvex<2>;
template class MovingConvex<3>;

}  // namespace sudar

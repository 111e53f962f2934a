// What:    See swept_volume.hpp.
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/toi_tolerance.hpp>
#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

#include <algorithm>
#include <vector>

namespace sudar {

namespace {

// Intervals: one for each eighth of a turn, and not more than a turn needs, since turns repeat
int intervals_of(double angle) { return angle > 0 ? static_cast<int>(std::min(angle * 1.3, 63.0)) + 1 : 1; }

// The ends of the intervals, and how far a path strays from the segments between them
struct Cuts {
  int count;
  double step, bulge;
};
template <int D>
Cuts cuts_of(const RigidMotion<D>& motion, double radius, double t_begin, double t_end) {
  const double rate = turn_rate(motion.angular), duration = t_end - t_begin;
  const int count = intervals_of(rate * duration);
  const double step = duration / count, angle = rate * step;
  // A chord never strays farther from its arc than twice the radius
  return {count, step, rate > 0 ? radius * std::min(2.0, angle * angle / 8) * kGrown : 0};
}
template <int D>
double rounding(const Pose<D, double>& start, const RigidMotion<D>& motion, double radius, double t_end) {
  return kMotionError * (radius + max_abs(start.position) + max_abs(motion.linear) * t_end) +
         kAngleError * turn_rate(motion.angular) * t_end * radius;
}

template <int D, class View, class Make>
Result<AnyShape<D>> hull_of(const AnyShape<D>& shape, const Pose<D, double>& start, const RigidMotion<D>& motion,
                            double t_begin, double t_end, Make&& make) noexcept {
  return guarded([&]() -> Result<AnyShape<D>> {
    if (!is_polytope(shape))
      return Error{ErrorCode::unsupported, Error::kNoElement, "only polytopes have a swept hull"};
    if (const auto r = check_motion<D>(start, motion, t_end, Error::kNoElement); !r) return r.error();
    if (!std::isfinite(t_begin)) return Error{ErrorCode::non_finite, Error::kNoElement, "time is not finite"};
    if (!(0 <= t_begin && t_begin <= t_end))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the time ends before it begins"};
    const auto rotation = checked_rotation(start.rotation, Error::kNoElement);
    if (!rotation) return rotation.error();
    const Pose<D, double> begin{start.position, *rotation};
    const View view(shape);
    double radius = 0;
    for (const Vec<D, double>& p : view.vertices()) radius = std::max(radius, length(p));
    const Cuts cuts = cuts_of(motion, radius, t_begin, t_end);
    std::vector<Vec<D, double>> points;
    for (int k = 0; k <= cuts.count; ++k) {
      const Pose<D, double> pose = pose_at(begin, motion, k == cuts.count ? t_end : t_begin + k * cuts.step);
      for (const Vec<D, double>& p : view.vertices()) points.push_back(transform(pose, p));
    }
    return make(points, view.radius() + cuts.bulge + rounding(start, motion, radius, t_end));
  });
}

}  // namespace

template <int D>
Aabb<D, double> swept_box(const AnyShape<D>& shape, const Pose<D, double>& start, const RigidMotion<D>& motion,
                          double t_begin, double t_end) {
  if (!shape.is_bounded()) return bounding_box(shape);
  const double radius = farthest_radius<D>(shape);
  const Cuts cuts = cuts_of(motion, radius, t_begin, t_end);
  Aabb<D, double> out = Aabb<D, double>::empty();
  for (int k = 0; k <= cuts.count; ++k) {
    const double t = k == cuts.count ? t_end : t_begin + k * cuts.step;
    out = merge(out, bounding_box(shape, pose_at(start, motion, t)));
  }
  return expand(out, cuts.bulge + rounding(start, motion, radius, t_end));
}

Result<Shape2> swept_hull(const Shape2& shape, const Pose2d& start, const Motion2& motion, double t_begin,
                          double t_end) noexcept {
  return hull_of<2, PolytopeView2>(shape, start, motion, t_begin, t_end,
                                   [](std::span<const Vec2d> p, double r) { return make_polygon2(p, r); });
}
Result<Shape3> swept_hull(const Shape3& shape, const Pose3d& start, const Motion3& motion, double t_begin,
                          double t_end) noexcept {
  return hull_of<3, PolytopeView3>(shape, start, motion, t_begin, t_end,
                                   [](std::span<const Vec3d> p, double r) { return make_hull_shape3(p, r); });
}

template Aabb<2, double> swept_box<2>(const Shape2&, const Pose2d&, const Motion2&, double, double);
template Aabb<3, double> swept_box<3>(const Shape3&, const Pose3d&, const Motion3&, double, double);

}  // namespace sudar

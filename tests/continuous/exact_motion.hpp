// What:    Polytopes that move and do not turn against exact integers: what B passes over between two times is the hull of where
//          it is at both, so whether the two touch in between is whether that hull and A meet. And what a time of impact must
//          keep when this is known.
// Differs: Nothing is sampled, and nothing is rounded but the turn of B as A sees it, which is taken as the placement has it
//          (ExactMotion.PlacementsTurnAsTheQuaternionsSay has how near that is to the two rotations). Where A is turned, the way
//          and the place as A sees them are rational: those of the quaternion of unit length, to the last bit; in the plane of the
//          two numbers as they stand.
// Frame:   A's.
#pragma once

#include "tests/continuous/motion_promise.hpp"
#include "tests/narrowphase/aimed_pairs.hpp"
#include "tests/support/exact_points.hpp"
#include "tests/support/told_tolerance.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

namespace exact_motion_detail {

inline sudar::Vec3d in_space(const sudar::Vec3d& p) { return p; }
inline sudar::Vec3d in_space(const sudar::Vec2d& p) { return {p.x, p.y, 0}; }
inline sudar::Placement3 in_space(const sudar::Placement3& at) { return at; }
inline sudar::Placement3 in_space(const sudar::Placement2& at) {
  sudar::Placement3 out;
  out.turned = at.turned;
  if (at.turned) out.turn = {in_space(at.turn.x), in_space(at.turn.y), {0, 0, 1}};
  return out;
}
inline BodyCase numbers_as_body(const sudar::Shape3& shape) { return {shape.kind(), numbers_of(shape), {}, {}}; }
inline PlaneBodyCase numbers_as_body(const sudar::Shape2& shape) { return {shape.kind(), numbers_of(shape), {}, 0}; }
inline bool is_sharp(const sudar::Shape3& shape) {
  using K = sudar::ShapeKind3;
  const K kind = shape.kind();
  return kind == K::point || kind == K::segment || kind == K::triangle || kind == K::box ||
         (kind == K::hull && shape.as<sudar::HullShape3>().radius == 0);
}
inline bool is_sharp(const sudar::Shape2& shape) {
  using K = sudar::ShapeKind2;
  const K kind = shape.kind();
  return kind == K::point || kind == K::segment || kind == K::box ||
         (kind == K::polygon && shape.as<sudar::PolygonShape2>().radius == 0);
}

}  // namespace exact_motion_detail

// Corners and motions as they are, for questions to the integers
template <int D>
class ExactMotion {
 public:
  explicit ExactMotion(const MotionCase<D>& c) {
    namespace detail = exact_motion_detail;
    for (const auto& p : corners_of(detail::numbers_as_body(c.a.shape))) a_.push_back(detail::in_space(p));
    for (const auto& p : corners_of(detail::numbers_as_body(c.b.shape))) b_.push_back(detail::in_space(p));
    const sudar::Pose<D, double> a = c.a.pose(), b = c.b.pose();
    const sudar::Rot<D, double> turn_a = normalized(a.rotation);
    turned_ = detail::in_space(sudar::make_placement<D>({{}, turn_a}, {{}, normalized(b.rotation)}));
    if (!(turn_a == sudar::Rot<D, double>{})) into_a_ = into_frame(turn_a);
    start_ = {detail::in_space(b.position), detail::in_space(-a.position)};
    velocity_ = {detail::in_space(c.motion_b.linear), detail::in_space(-c.motion_a.linear)};
  }
  // Polytopes without a radius, and products of speeds and times whose rounding is a double
  static bool knows(const MotionCase<D>& c) {
    const auto fits = [&](const sudar::RigidMotion<D>& motion) {
      if (sudar::turn_rate(motion.angular) > 0) return false;
      for (int i = 0; i < D; ++i) {
        const double way = std::fabs(motion.linear[i]);
        if (way != 0 && !(way > 0x1p-300 && way < 0x1p300)) return false;
      }
      return true;
    };
    return exact_motion_detail::is_sharp(c.a.shape) && exact_motion_detail::is_sharp(c.b.shape) && fits(c.motion_a) &&
           fits(c.motion_b) && c.t_max < 0x1p300;
  }

  // At some time between these, both with it, when B is moved by this as well
  bool touch_between(double from, double to, const sudar::Vec<D, double>& moved = {}) const {
    ExactMove moves[] = {move_at(from), move_at(to)};
    for (ExactMove& move : moves) move.push_back(exact_motion_detail::in_space(moved));
    const ExactPoints points = exact_points(a_, b_, turned_, std::span(moves, from == to ? 1 : 2), into_a());
    return nearest(points.a, points.b).hit();
  }
  // The square of the distance at a time
  Rational square_at(double t) const {
    const ExactMove move = move_at(t);
    const ExactPoints points = exact_points(a_, b_, turned_, std::span(&move, 1), into_a());
    return points.square(nearest(points.a, points.b));
  }

 private:
  const ExactTurn* into_a() const { return into_a_ ? &*into_a_ : nullptr; }
  ExactMove move_at(double t) const {
    ExactMove out = start_;
    for (const sudar::Vec3d& v : velocity_) {
      const sudar::Vec3d way = v * t;
      sudar::Vec3d rest;
      for (int i = 0; i < 3; ++i) rest[i] = std::fma(v[i], t, -way[i]);
      out.push_back(way), out.push_back(rest);
    }
    return out;
  }

  std::vector<sudar::Vec3d> a_, b_;
  sudar::Placement3 turned_;
  std::optional<ExactTurn> into_a_;
  ExactMove start_, velocity_;
};

// What follows the last time that is told: nothing; a contact of bodies that touch no more when they are moved apart by twice the
// tolerance along the way, which is as much of a time at their speed; or along a normal of theirs until they part, to either side
// of what is flat, so that they slide and are within the tolerance all that time; or one that is there whichever way
enum class Afterwards { nothing, late_on_the_way, slide, contact };
template <int D>
Afterwards afterwards(const MotionCase<D>& c, const sudar::ToiAnswer<D>& x) {
  constexpr double kRounding = 1e-3;
  if (*x.t_last == c.t_max) return Afterwards::nothing;
  const ExactMotion<D> truth(c);
  const double next = std::nextafter(*x.t_last, c.t_max), far = 2 * x.tolerance_last * (1 + kRounding);
  if (!truth.touch_between(next, c.t_max)) return Afterwards::nothing;
  const sudar::MovingPair<D> pair = c.pair();
  if (!truth.touch_between(next, c.t_max, normalized(pair.velocity()) * far)) return Afterwards::late_on_the_way;
  const auto slides = [&](double t) {
    const auto normal = sudar::distance(c.a.shape, c.b.shape, pair.at(t)).normal;
    const auto across = rotate(pair.start_a(), normal) * far;
    return !truth.touch_between(next, c.t_max, across) || !truth.touch_between(next, c.t_max, -across);
  };
  if (slides(*x.t_last)) return Afterwards::slide;
  // Corners beside each other have any normal: when do they part?
  double lo = next, hi = c.t_max;
  for (double middle = 0.5 * (lo + hi); middle > lo && middle < hi; middle = 0.5 * (lo + hi))
    (truth.touch_between(middle, c.t_max) ? lo : hi) = middle;
  return slides(lo) || slides(0.5 * (next + lo)) ? Afterwards::slide : Afterwards::contact;
}

// Empty when all that is promised of linear motion holds; only for what the integers know
template <int D>
std::string broken_exactly(const MotionCase<D>& c, const sudar::ToiAnswer<D>& x) {
  const ExactMotion<D> truth(c);
  if (x.status != sudar::QueryStatus::converged) return "the search ended at its limit";
  if (!(0 <= x.t_lo && x.t_lo <= x.t_hi && x.t_hi <= c.t_max)) return "the times are not in order";
  const sudar::MovingPair<D> pair = c.pair();
  const auto is_coarse = [&](double tolerance, double t, double clock) {
    return !(tolerance <= coarsest_tolerance<D>(c.a.shape, c.b.shape, pair, t, clock));
  };
  if (is_coarse(x.tolerance, x.t_hi, x.t_hi)) return "the tolerance is coarser than rounding";
  if (!x.hit) return truth.touch_between(0, c.t_max) ? "the impact is missed" : "";
  if (x.t_lo > 0 && truth.touch_between(0, std::nextafter(x.t_lo, 0))) return "the impact is found late";
  // The least tolerance is thousands of roundings, and the separation is along a normal (time_of_impact.hpp)
  constexpr double kRounding = 1e-3, kRoundingOfGaps = 0.125;
  const auto is_near = [&](double t, double tolerance) {
    return is_within(0, truth.square_at(t), 2 * tolerance * (1 + kRounding));
  };
  if (!is_within(0, truth.square_at(x.t_lo), std::max(0.0, x.separation) + kRoundingOfGaps * x.tolerance))
    return "they are farther apart than the separation at the lower bound";
  if (!(x.separation <= 2 * x.tolerance * (1 + kRounding))) return "the separation is more than the tolerance";
  if (!is_near(x.t_hi, x.tolerance)) return "they are farther apart than the tolerance at the time of impact";
  if (!x.t_last) return "there is no last time";
  if (!(x.t_hi <= *x.t_last && *x.t_last <= c.t_max)) return "the last time is not in order";
  if (x.tolerance_last < x.tolerance) return "the tolerance of the last time is finer than that of the first";
  // It may be found from the end of the way
  if (is_coarse(x.tolerance_last, *x.t_last, c.t_max)) return "the tolerance of the last time is coarser than rounding";
  if (!is_near(*x.t_last, x.tolerance_last)) return "they are farther apart than the tolerance at the last time";
  if (afterwards(c, x) == Afterwards::contact) return "they touch after the last time";
  return "";
}
template <int D>
std::string broken_exactly(const MotionCase<D>& c) {
  if (!ExactMotion<D>::knows(c)) return "";
  const auto x = impact_time(c.body_a(), c.body_b(), c.t_max);
  return x ? broken_exactly(c, *x) : "it is refused";
}

}  // namespace sudar_test

// What:    What must hold of every time of impact: nothing touches before it, and at it the two are within the tolerance. And two
//          bodies on their way as a `toi` line of `sudar query`, shrunk and written.
// Differs: Where the bodies are is found without the library's motion (pose_by_hand). Each sample proves the time around it in which
//          no point is fast enough to close the gap (its proven lower bound); how much of the way is proven so is told. Between
//          bodies that are nearly touching that is little, so a campaign that planted a contact says when (`meets_at`), and the
//          case keeps it; of polytopes that do not turn exact_motion.hpp knows everything.
#pragma once

#include "lab/query_line.hpp"
#include "tests/continuous/moving_bodies.hpp"
#include "tests/support/shape_case.hpp"
#include "tests/support/told_tolerance.hpp"
#include "tests/support/written_case.hpp"
#include <sudar/continuous/time_of_impact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

template <int D>
struct MotionCase {
  ShapeCase<D> a, b;
  sudar::RigidMotion<D> motion_a{}, motion_b{};
  double t_max = 1;
  std::optional<double> meets_at{};
  bool loose = false;  // of any magnitude: the work may run out

  std::vector<ShapeCase<D>*> shapes() { return {&a, &b}; }
  std::vector<double*> numbers() {
    std::vector<double*> all;
    for (auto* motion : {&motion_a, &motion_b}) {
      for (int k = 0; k < D; ++k) all.push_back(&motion->linear[k]);
      if constexpr (D == 2)
        all.push_back(&motion->angular);
      else
        for (int k = 0; k < 3; ++k) all.push_back(&motion->angular[k]);
    }
    all.push_back(&t_max);
    return all;
  }
  MovingBody<D> body_a() const { return {a.shape, a.pose(), motion_a}; }
  MovingBody<D> body_b() const { return {b.shape, b.pose(), motion_b}; }
  sudar::MovingPair<D> pair() const { return {a.pose(), motion_a, b.pose(), motion_b}; }
};
template <int D>
MotionCase<D> motion_case(const MovingBody<D>& a, const MovingBody<D>& b, double t_max = 1,
                          std::optional<double> meets_at = {}) {
  return {shape_case<D>(a.shape, a.pose), shape_case<D>(b.shape, b.pose), a.motion, b.motion, t_max, meets_at, false};
}

template <int D>
sudar::Result<sudar::ToiAnswer<D>> impact_time(const MovingBody<D>& a, const MovingBody<D>& b, double t_max = 1) {
  return sudar::time_of_impact(a.shape, a.pose, a.motion, b.shape, b.pose, b.motion,
                               {.t_max = t_max, .contacts = false});
}

// Of the ways that were asked about, how many, and which share of them was proven to be free
struct MotionTally {
  double ways = 0, proven = 0;
  double share() const { return ways > 0 ? proven / ways : 1; }
};

// No point of one body comes nearer to one of the other any faster
template <int D>
double fastest(const MovingBody<D>& a, const MovingBody<D>& b) {
  double out = sudar::any_length(b.motion.linear - a.motion.linear);
  for (const MovingBody<D>* body : {&a, &b})
    if (const double rate = sudar::turn_rate(body->motion.angular); rate > 0)
      out += rate * sudar::farthest_radius<D>(body->shape);
  return out;
}

// Empty when the bodies are as near at the impact as it says, by a tolerance that is not made coarse to have it so
template <int D>
std::string broken_impact(const MovingBody<D>& a, const MovingBody<D>& b, const sudar::ToiAnswer<D>& x, double t_max) {
  using namespace sudar;
  const Pose<D, double> at_a = pose_by_hand(a, x.t_hi), at_b = pose_by_hand(b, x.t_hi);
  // These poses are rounded
  const double rounding = 1e-14 + 16 * kRoundoff * std::max(max_abs(at_a.position), max_abs(at_b.position));
  if (!(distance(a.shape, b.shape, make_placement<D>(at_a, at_b)).separation <=
        2 * x.tolerance * (1 + 1e-3) + rounding))
    return "they are farther apart than the tolerance at the time of impact";
  if (!(x.tolerance <=
        coarsest_tolerance<D>(a.shape, b.shape, any_length(b.pose.position - a.pose.position), fastest(a, b) * t_max)))
    return "the tolerance is coarser than rounding";
  return "";
}

// Empty when the answer is one that may be given. Of the samples each comes after what the last one proves, and they are not
// nearer to each other than `samples` would be evenly.
template <int D>
std::string broken_promise(const MovingBody<D>& a, const MovingBody<D>& b, const sudar::ToiAnswer<D>& x, double t_max,
                           int samples, MotionTally* tally = nullptr) {
  using namespace sudar;
  if (x.status != QueryStatus::converged) return "the search ended at its limit";
  // Before the impact, or on the whole way: free. And around the closest of the samples.
  const double until = x.hit ? x.t_lo : t_max, step = until / samples;
  if (until == 0) return "";
  constexpr double kRounding = 1e-13;
  const double speed = fastest(a, b);
  double proven = 0;
  const auto separation = [&](double t) {
    return distance(a.shape, b.shape, make_placement<D>(pose_by_hand(a, t), pose_by_hand(b, t))).separation;
  };
  double closest = std::numeric_limits<double>::infinity(), when = 0;
  for (double t = 0, next = 0; t < until; t = next) {
    const Placement<D> place = make_placement<D>(pose_by_hand(a, t), pose_by_hand(b, t));
    const DistanceAnswer<D> at = distance(a.shape, b.shape, place);
    if (at.separation < closest) closest = at.separation, when = t;
    const double sure = at.lower - kRounding * (length(place.translation) + std::fabs(at.separation));
    const double free = sure > 0 ? (speed > 0 ? sure / speed : until) : 0;
    next = t + std::max(free, step);
    proven += std::min({free, next - t, until - t});
  }
  if (tally != nullptr) tally->ways += 1, tally->proven += proven / until;
  double lo = std::max(0.0, when - step), hi = std::min(until, when + step);
  for (int k = 0; k < 24 && closest > 0; ++k) {
    const double s = lo + (hi - lo) / 3, t = hi - (hi - lo) / 3, gap_s = separation(s), gap_t = separation(t);
    (gap_s < gap_t ? hi : lo) = gap_s < gap_t ? t : s;
    // At the impact itself rounding may see a contact
    if (t < until - 1e-9 * until) closest = std::min({closest, gap_s, gap_t});
  }
  if (closest <= 0) return x.hit ? "they touch before the time of impact" : "they touch, and no impact is found";
  return x.hit ? broken_impact(a, b, x, t_max) : "";
}

// What holds of sizes, places, speeds and turns of any magnitude: an answer in bounded work, and nothing before it
template <int D>
std::string broken_at_any_magnitude(const MotionCase<D>& c, bool contacts) {
  using namespace sudar;
  constexpr int kMostLooks = 300;
  const MovingBody<D> a = c.body_a(), b = c.body_b();
  const auto x = time_of_impact(a.shape, a.pose, a.motion, b.shape, b.pose, b.motion,
                                {.t_max = c.t_max, .max_iterations = kMostLooks, .contacts = contacts});
  if (!x) return "it is refused";
  if (!(std::isfinite(x->t_lo) && x->t_lo >= 0 && x->t_lo <= x->t_hi && x->t_hi <= c.t_max))
    return "the times are not in order";
  if (x->iterations > kMostLooks) return "more was asked than may be";
  if (!is_finite(x->point) || !is_finite(x->normal)) return "the answer is not finite";
  const MovingPair<D> pair(a.pose, a.motion, b.pose, b.motion);
  for (int k = 0; k < 20 && x->t_lo > 0; ++k)
    if (intersects(a.shape, b.shape, pair.at(x->t_lo * (k + 0.5) / 20.5)))
      return "they touch before the time of impact";
  return "";
}

template <int D>
std::string broken_promise(const MotionCase<D>& c) {
  if (c.loose) return broken_at_any_magnitude(c, true);
  const MovingBody<D> a = c.body_a(), b = c.body_b();
  if (c.meets_at && !(*c.meets_at >= 0 && *c.meets_at <= c.t_max)) return "";
  const auto x = impact_time(a, b, c.t_max);
  if (!x) return "it is refused";
  if (c.meets_at && (!x->hit || x->t_lo > *c.meets_at) &&
      sudar::intersects(a.shape, pose_by_hand(a, *c.meets_at), b.shape, pose_by_hand(b, *c.meets_at)))
    return x->hit ? "the impact is found late" : "the impact is missed";
  return broken_promise(a, b, *x, c.t_max, 50);
}

template <int D>
std::string case_line(const MotionCase<D>& c) {
  using sudar::lab::body_text, sudar::lab::json_text;
  return sudar::lab::query_line(
      "toi", D,
      "\"a\":" + body_text(c.a.shape, c.a.at) + ",\"b\":" + body_text(c.b.shape, c.b.at) + ",\"motion_a\":" +
          json_text(c.motion_a) + ",\"motion_b\":" + json_text(c.motion_b) + ",\"t_max\":" + json_text(c.t_max) +
          (c.meets_at ? ",\"meets_at\":" + json_text(*c.meets_at) : "") + (c.loose ? ",\"loose\":true" : ""));
}

// What to say of bodies of which something else than these promises is broken; shrunk where one of these is, too
template <int D>
std::string written_motion(const MovingBody<D>& a, const MovingBody<D>& b) {
  const MotionCase<D> c = motion_case(a, b);
  const auto broken = [](const MotionCase<D>& other) { return broken_promise(other); };
  const std::string first = broken(c);
  return first.empty() ? "the case is " + write_case_text(case_line(c)) : shrunk_case(c, first, broken);
}

}  // namespace sudar_test

// What:    See free_step.hpp.
#include <sudar/continuous/free_step.hpp>
#include <sudar/math/outward.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
// How near to the end of its room a step need not come, relative to the step
constexpr double kRoomLeft = 0x1p-10;

double later(double t, double step, double t_end) {
  return step * kShrunk >= t_end - t ? t_end : std::min(t_end, std::max(t, add_down(t, step * kShrunk)));
}

// A half-space that turns: its plane is the only one there is. The gap shrinks by at most
// |v| + rate_a (|c| + |v| s + size_b) + rate_b turning_b after s seconds, c from A's origin to B's.
template <int D>
double step_of_halfspace(const MovingPair<D>& pair, const MovingConvex<D>& b, const Vec<D, double>& c, double gap) {
  const double v = pair.speed(), rate = pair.rate_a();
  const double speed = (v + rate * (any_length(c) + D * b.size()) + pair.rate_b() * b.turning()) * kGrownMuch;
  // rate v s² + speed s = gap, the positive root; by parts of the speed where its square is out of range
  if (speed > 0x1p-400 && speed < 0x1p400)
    return 2 * gap / (speed + std::sqrt(speed * speed + 4 * rate * v * kGrownMuch * gap));
  return 2 * gap / speed / (1 + std::sqrt(1 + 4 * (rate / speed) * (v / speed) * kGrownMuch * gap));
}

// A plane with an angular velocity, and what is known of the gap across it after s seconds
template <int D>
struct SpinningPlane {
  using V = Vec<D, double>;
  V turn_a, turn_b;  // of the normal as the bodies see it, a second
  double parting;    // growth of the offset along the normal, at first
  double curvature, curvature_growth, tilt;

  SpinningPlane(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                const MovingInstant<D>& at, const V& n, const V& v, double parting_of_offset, const Angular<D>& spin) {
    const Angular<D> from_a = spin - pair.motion_a().angular, from_b = spin - pair.motion_b().angular;
    turn_a = rotate(conjugate(at.rotation_a), tip_velocity(from_a, n));
    turn_b = rotate(conjugate(at.rotation_b), tip_velocity(from_b, n));
    const double rate = turn_rate(spin), rate_from_a = turn_rate(from_a), rate_from_b = turn_rate(from_b);
    const double far = any_length(at.offset), fast = any_length(v);
    const V swing = tip_velocity(spin, n);
    parting = parting_of_offset;
    for (int i = 0; i < D; ++i) parting += swing[i] * at.offset[i] - kDotError * std::fabs(swing[i] * at.offset[i]);
    // Half the second derivatives: of the normal seen by A, times its points; by B; of the offset along the normal
    curvature = 0.5 * kGrownMuch *
                (a.farthest() * rate_from_a * (rate + pair.rate_a()) +
                 b.farthest() * rate_from_b * (rate + pair.rate_b()) + rate * (rate * far + 2 * fast));
    curvature_growth = 0.5 * kGrownMuch * rate * rate * fast;
    tilt = rate_from_a + rate_from_b + rate;
  }
};

// Of a gap along a unit direction
template <int D>
double gap_rounding(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                    const MovingInstant<D>& at) {
  double far = 0;
  for (int i = 0; i < D; ++i) far += std::fabs(at.offset[i]);
  // Rounding of its angle moves a half-space at B, however far that is from A's origin
  const double arm_a = a.is_flat() ? far + D * b.size() : a.turning();
  return kMotionError * (a.size() + b.size() + far) +
         kAngleError * (pair.rate_a() * arm_a + pair.rate_b() * b.turning()) * at.t;
}

}  // namespace

template <int D>
double free_by_distance(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                        const MovingInstant<D>& at, double distance, double t_end) {
  const double gap = distance - gap_rounding(pair, a, b, at);
  if (!(gap > 0) || a.is_flat()) return at.t;
  const double speed = (pair.speed() + pair.rate_a() * a.turning() + pair.rate_b() * b.turning()) * kGrownMuch;
  return later(at.t, speed > 0 ? gap / speed : kEndless, t_end);
}

template <int D>
double free_until(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                  const MovingInstant<D>& at, const Vec<D, double>& n, double t_end, const Angular<D>* guess) {
  using V = Vec<D, double>;
  const V n_a = rotate(conjugate(at.rotation_a), n), n_b = rotate(conjugate(at.rotation_b), n), v = pair.velocity();
  const double remaining = t_end - at.t;
  double parting = 0, parting_error = 0;
  for (int i = 0; i < D; ++i) {
    parting += n[i] * v[i];
    parting_error += std::fabs(n[i] * v[i]);
  }
  const double error = gap_rounding(pair, a, b, at);
  parting -= kDotError * parting_error;

  const double reach_a = a.reach(n_a), reach_b = b.reach(-n_b);
  const double base = dot(n, at.offset) - (a.radius() + b.radius()) - error, gap = base - reach_a - reach_b;
  if (!(gap > 0)) return at.t;
  if (a.is_flat() && pair.turns_a()) return later(at.t, step_of_halfspace(pair, b, at.offset, gap), t_end);

  // Any number of turns, and by speed: planes that do not turn
  double step = 0;
  const double gap_of_turns = base - a.reach_of_turns(n_a, reach_a) - b.reach_of_turns(-n_b, reach_b);
  if (gap_of_turns > 0) step = parting >= 0 ? kEndless : gap_of_turns / -parting;
  const double speed = a.reach_rate(n_a) + b.reach_rate(n_b) - parting;
  step = std::max(step, speed > 0 ? gap / speed : kEndless);
  if (!pair.turns() || step * kShrunk >= remaining) return later(at.t, step, t_end);

  // By speed and curvature, for the plane that has the most room a little later
  const auto gap_after = [&](const SpinningPlane<D>& plane, double s) {
    const double curve = (plane.curvature + plane.curvature_growth * s) * s;
    return base - error * plane.tilt * s + (plane.parting - curve) * s - a.reach(n_a + plane.turn_a * s) -
           b.reach(-(n_b + plane.turn_b * s));
  };
  const double soon = std::min(3 * step, remaining);
  SpinningPlane<D> plane(pair, a, b, at, n, v, parting, Angular<D>{});
  double room = gap_after(plane, soon);
  const auto consider = [&](const Angular<D>& spin) {
    const SpinningPlane<D> other(pair, a, b, at, n, v, parting, spin);
    if (const double other_room = gap_after(other, soon); other_room > room) plane = other, room = other_room;
  };
  if (pair.turns_a() && !a.is_flat()) consider(pair.motion_a().angular);
  if (pair.turns_b() && !a.is_flat()) consider(pair.motion_b().angular);
  if (guess != nullptr && !a.is_flat()) consider(*guess);

  // Concave in the step: the secant never goes too far
  double lo = 0, gap_lo = gap, hi = soon, gap_hi = room;
  for (int k = 0; k < 8 && gap_hi >= 0; ++k) {
    lo = hi, gap_lo = gap_hi;
    if (lo >= remaining) return t_end;
    hi = std::min(4 * hi, remaining), gap_hi = gap_after(plane, hi);
  }
  for (int k = 0; k < 4 && gap_hi < 0 && gap_lo > 0; ++k) {
    const double s = lo + (hi - lo) * (gap_lo / (gap_lo - gap_hi)) * kShrunk;
    if (!(s > lo && s < hi)) break;
    if (const double gap_s = gap_after(plane, s); gap_s >= 0)
      lo = s, gap_lo = gap_s;
    else
      hi = s, gap_hi = gap_s;
    if (hi - lo < kRoomLeft * lo) break;
  }
  return later(at.t, std::max(step, lo), t_end);
}

template double free_by_distance<2>(const MovingPair<2>&, const MovingConvex<2>&, const MovingConvex<2>&,
                                    const MovingInstant<2>&, double, double);
template double free_by_distance<3>(const MovingPair<3>&, const MovingConvex<3>&, const MovingConvex<3>&,
                                    const MovingInstant<3>&, double, double);
template double free_until<2>(const MovingPair<2>&, const MovingConvex<2>&, const MovingConvex<2>&,
                              const MovingInstant<2>&, const Vec2d&, double, const double*);
template double free_until<3>(const MovingPair<3>&, const MovingConvex<3>&, const MovingConvex<3>&,
                              const MovingInstant<3>&, const Vec3d&, double, const Vec3d*);

}  // namespace sudar

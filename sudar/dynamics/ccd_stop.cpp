// What:    Where a fast body stops at one thing in its way.
// Source:  continuous/time_of_impact.hpp for the first touch; Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
//          Systems", 1996, for advancement by bounds of the closing speed.
// Differs: - A touch that ends with less overlap than a small part of the margin is the solver's: bodies slide. While it lasts,
//            and when the body touched at the start, it goes on by conservative advancement as long as it overlaps no more
//            than it did by that part: what it touches hides nothing behind it.
//          - The bound is that of A as B sees it, so B's own turn counts where A is and not at B's far ends: what rides on a
//            turntable is slow, and half-spaces may turn. The gap of convex bodies closes no faster than along its own
//            direction, so what slides comes no nearer.
// Frame:   The world's; ways are over [0, 1].
// Fails:   what time_of_impact says.
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/dynamics/ccd_pass.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Of a point of a body on its way
template <int D>
Vec<D, double> point_velocity(const Pose<D, double>& start, const RigidMotion<D>& motion, double t,
                              const Vec<D, double>& point) {
  return motion.linear + tip_velocity(motion.angular, point - (start.position + motion.linear * t));
}

// How long from t on a gap takes at least to lose `room`; infinite when it does not
template <int D>
double time_to_close(const StopQuestion<D>& q, const DistanceAnswer<D>& gap, double t, double room) {
  const Vec<D, double> relative = q.motion_a.linear - q.motion_b.linear;
  const Vec<D, double> offset = (q.start_a.position - q.start_b.position) + relative * t;
  // The velocity of A's origin as B sees it, and a bound of its change
  const Vec<D, double> seen = relative - tip_velocity(q.motion_b.angular, offset);
  const double turn_b = turn_rate(q.motion_b.angular), speed = length(relative);
  const double curve = turn_b * (turn_b * (length(offset) + speed) + 2 * speed);
  const bool along = q.a.is_convex() && q.b.is_convex() && length_squared(gap.normal) > 0;
  const double rate = (along ? dot(seen, gap.normal) : length(seen)) +
                      turn_rate(Angular<D>(q.motion_a.angular - q.motion_b.angular)) * q.radius_a;
  // curve / 2 · x² + rate · x = room
  const double sum = rate + std::sqrt(rate * rate + 2 * curve * room);
  return sum > 0 ? 2 * room / sum : std::numeric_limits<double>::infinity();
}

}  // namespace

template <int D>
Result<double> stop_at(const StopQuestion<D>& q, double t_max) {
  const double graze = kGrazeShare * (q.thickness_a > 0 ? std::min(q.margin, q.thickness_a) : q.margin * kGrazeShare);
  // Below this there is no room left to go on
  const double least = graze * kGrazeShare;
  const auto gap_at = [&](double t) {
    return distance(q.a, pose_at<D>(q.start_a, q.motion_a, t), q.b, pose_at<D>(q.start_b, q.motion_b, t));
  };

  double t = 0, allowed = 0;
  for (int k = 0; k < kMostGrazes;) {
    // The next touch from here on
    ToiOptions options;
    options.t_max = t_max - t;
    options.contacts = false;
    options.last = false;
    const Pose<D, double> a_now = pose_at<D>(q.start_a, q.motion_a, t), b_now = pose_at<D>(q.start_b, q.motion_b, t);
    const auto hit = time_of_impact(q.a, a_now, q.motion_a, q.b, b_now, q.motion_b, options);
    if (!hit) return hit.error();
    if (!hit->hit) return kNoStop;
    const double t_hit = t + hit->t_lo;
    const double approach = dot(point_velocity<D>(a_now, q.motion_a, hit->t_lo, hit->point) -
                                    point_velocity<D>(b_now, q.motion_b, hit->t_lo, hit->point),
                                hit->normal);
    if (t_hit > 0 && approach * (1 - t_hit) > graze) return t_hit;

    // It touches without going in, or touched when it began: on as far as it overlaps no more than it did, until it is
    // free again
    t = t_hit;
    DistanceAnswer<D> gap = gap_at(t);
    allowed = std::max({allowed, graze, least - gap.separation});
    for (; gap.separation <= graze; ++k) {
      const double room = gap.separation + allowed;
      if (room < least || k == kMostGrazes) return t;
      const double step = time_to_close(q, gap, t, room);
      if (!(step < t_max - t)) return kNoStop;
      t += step;
      gap = gap_at(t);
    }
  }
  return t;
}

template Result<double> stop_at<2>(const StopQuestion<2>&, double);
template Result<double> stop_at<3>(const StopQuestion<3>&, double);

}  // namespace sudar

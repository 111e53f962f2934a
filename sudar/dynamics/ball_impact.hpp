// What:    The time until two balls on straight ways meet, and until a point under constant acceleration passes a bound:
//          the times of seed C7's "time to the next collision".
// Source:  The roots of |d + v t|² = R² and of w t + a t²/2 = gap, the first at which the gap closes.
// Differs: Written as c / (−b + √(b² − v² c)), which does not cancel: a graze or a near miss is decided by the sign under
//          the root alone. Of balls that are small beside their distance b² − v² c is rounding: it is v² R² − |d × v|²
//          there, the same number, and balls down to a rounding of their distance meet. What overlaps and still closes
//          meets now, what touches and parts never, so that nothing that was pushed by rounding falls through or
//          sticks.
// Frame:   Offsets and velocities of the second as the first sees them; seconds from now.
// Fails:   never, for sizes and speeds that the doors take (ball_check.hpp); infinity when they do not meet.
#pragma once

#include <sudar/dynamics/ball_tolerance.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>
#include <limits>

namespace sudar {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

inline double cross_squared(const Vec2d& a, const Vec2d& b) {
  const double c = cross(a, b);
  return c * c;
}
inline double cross_squared(const Vec3d& a, const Vec3d& b) { return length_squared(cross(a, b)); }

// The same as below for balls that are small beside their distance
template <int D>
double time_to_meet_far(const Vec<D, double>& offset, const Vec<D, double>& velocity, double reach, double limit) {
  const double b = dot(offset, velocity), c = dot(offset, offset) - reach * reach, v2 = dot(velocity, velocity);
  if (!((b < 0) & (c < -2 * b * limit)) || v2 < kBallSlow) return kNever;
  const double under = v2 * (reach * reach) - cross_squared(offset, velocity);
  return under > 0 ? (c > 0 ? c / (std::sqrt(under) - b) : 0) : kNever;
}

// `reach` is the sum of the radii. An answer of `limit` or later need not be right: it only says "not before the limit".
template <int D>
double time_to_meet(const Vec<D, double>& offset, const Vec<D, double>& velocity, double reach, double limit = kNever) {
  const double b = dot(offset, velocity), d2 = dot(offset, offset), r2 = reach * reach, c = d2 - r2;
  const double v2 = dot(velocity, velocity), under = b * b - v2 * c;
  if (d2 > kBallNear * r2) [[unlikely]]
    return time_to_meet_far<D>(offset, velocity, reach, limit);
  // Most pairs miss: one branch for all of the reasons, because each of them alone is a coin toss. They cannot meet before
  // c / (−2b).
  if (!((b < 0) & (under > 0) & (c < -2 * b * limit))) return kNever;
  return c > 0 ? c / (std::sqrt(under) - b) : 0;
}

// Until what is `gap` before a bound, closes in with `speed` and is accelerated towards it passes it. At or behind the
// bound (gap ≤ 0) it passes now if it moves on, and otherwise when it comes back.
inline double time_to_pass(double gap, double speed, double acceleration) {
  if (acceleration == 0) return speed > 0 ? (gap > 0 ? gap / speed : 0) : kNever;
  if (gap <= 0) {
    if (speed > 0) return 0;
    return acceleration > 0 ? -2 * speed / acceleration : kNever;
  }
  const double under = speed * speed + 2 * acceleration * gap;
  if (acceleration < 0) return speed > 0 && under >= 0 ? 2 * gap / (speed + std::sqrt(under)) : kNever;
  return speed >= 0 ? 2 * gap / (speed + std::sqrt(under)) : (std::sqrt(under) - speed) / acceleration;
}

// How long a contact takes at a time that has passed: as asked for, and so long that time passes in it
inline double contact_time_at(double now, double contact_time) {
  return contact_time > 0 ? std::fmax(contact_time, now * kBallTimeShare) : 0;
}

}  // namespace sudar

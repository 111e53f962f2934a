// What:    Rigid motion with a constant linear velocity and a constant angular velocity about the shape's origin; where two
//          moving bodies are as A sees B at a time; how fast a point of a body can come nearer.
// Source:  Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, ch. 2 (bounds of closing speed);
//          seed A10.
// Differs: The offset of the two origins is kept to twice the precision, so bodies far from the world's origin that only
//          move lose nothing: their placement is the exact one, rounded once.
// Frame:   The world's axes, with the origin of a pair at that of A. Metres, seconds, radians; full turns are turns.
// Fails:   check_motion: non_finite, degenerate (a rotation of zero length), too_large (a position or path beyond kMaxPath,
//          more than kMaxTurn radians) with element 0 for A and 1 for B; invalid_argument for a negative time.
#pragma once

#include <sudar/continuous/toi_tolerance.hpp>
#include <sudar/core/result.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace sudar {

// Radians a second: a number in the plane, a vector along the axis in space
template <int D>
using Angular = std::conditional_t<D == 2, double, Vec3d>;

template <int D>
struct RigidMotion {
  Vec<D, double> linear{};
  Angular<D> angular{};
};
using Motion2 = RigidMotion<2>;
using Motion3 = RigidMotion<3>;

// Metres: twice this is still in reach of the narrow phase (far_pair.hpp). Radians: beyond it, the rounding of an angle
// is a ten-millionth of a radian.
inline constexpr double kMaxPath = 0x1p100, kMaxTurn = 0x1p30;

// Lengths of vectors whose squares may be out of range: relative to the largest coordinate
template <class V>
double scaled_length(const V& v) {
  const double m = max_abs(v);
  return m > 0 ? length(v / m) * m : 0;
}
// The same, where it is needed; elsewhere the plain length to the last bit
template <class V>
double any_length(const V& v) {
  const double plain = length(v);
  return plain > 0x1p-400 && plain < 0x1p400 ? plain : scaled_length(v);
}

inline double turn_rate(double angular) { return std::fabs(angular); }
inline double turn_rate(const Vec3d& angular) { return scaled_length(angular); }
inline bool is_finite_rate(double angular) { return std::isfinite(angular); }
inline bool is_finite_rate(const Vec3d& angular) { return is_finite(angular); }

inline Rot2d rotation_at(const Rot2d& start, double angular, double t) {
  return angular == 0 ? start : Rot2d::from_angle(angular * t) * start;
}
inline Quatd rotation_at(const Quatd& start, const Vec3d& angular, double t) {
  const double rate = turn_rate(angular);
  return rate == 0 ? start : normalized(Quatd::from_axis_angle(normalized(angular), rate * t) * start);
}
template <int D>
Pose<D, double> pose_at(const Pose<D, double>& start, const RigidMotion<D>& motion, double t) {
  return {start.position + motion.linear * t, rotation_at(start.rotation, motion.angular, t)};
}

// The velocity of the tip of a vector that turns, and the angular velocity that gives its tip this velocity
inline Vec2d tip_velocity(double angular, const Vec2d& n) { return perp(n) * angular; }
inline Vec3d tip_velocity(const Vec3d& angular, const Vec3d& n) { return cross(angular, n); }
inline double spin_of(const Vec2d& n, const Vec2d& velocity) { return cross(n, velocity); }
inline Vec3d spin_of(const Vec3d& n, const Vec3d& velocity) { return cross(n, velocity); }

// A rotation about an axis of unit length (in the plane: to the left or to the right), start not normalized again
inline double unit_axis(double angular) { return angular < 0 ? -1 : 1; }
inline Vec3d unit_axis(const Vec3d& angular) { return normalized(angular); }
inline Rot2d turned_by(const Rot2d& start, double axis, double angle) {
  return Rot2d::from_angle(axis * angle) * start;
}
inline Quatd turned_by(const Quatd& start, const Vec3d& axis, double angle) {
  return Quatd::from_axis_angle(axis, angle) * start;
}

inline bool is_finite(const Rot2d& r) { return std::isfinite(r.c) && std::isfinite(r.s); }
inline bool is_finite(const Quatd& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

inline bool is_zero(const Rot2d& r) { return r.c == 0 && r.s == 0; }
inline bool is_zero(const Quatd& q) { return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0; }

// One body of a pair
template <int D>
Result<void> check_motion(const Pose<D, double>& start, const RigidMotion<D>& motion, double t_max,
                          std::size_t element) {
  if (!is_finite(start.position) || !is_finite(start.rotation))
    return Error{ErrorCode::non_finite, element, "pose is not finite"};
  if (is_zero(start.rotation)) return Error{ErrorCode::degenerate, element, "rotation has no length"};
  // A length may overflow, and passes over a NaN
  if (!is_finite(motion.linear) || !is_finite_rate(motion.angular) || !std::isfinite(turn_rate(motion.angular)))
    return Error{ErrorCode::non_finite, element, "velocity is not finite"};
  if (!std::isfinite(t_max)) return Error{ErrorCode::non_finite, Error::kNoElement, "time is not finite"};
  if (t_max < 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "time is negative"};
  if (!(max_abs(start.position) <= kMaxPath) || !(max_abs(motion.linear) * t_max <= kMaxPath))
    return Error{ErrorCode::too_large, element, "position or path is beyond 2^100 metres"};
  if (!(turn_rate(motion.angular) * t_max <= kMaxTurn))
    return Error{ErrorCode::too_large, element, "more than 2^30 radians of rotation"};
  return {};
}

// Where two bodies are at a time: their rotations, and B's origin from A's
template <int D>
struct MovingInstant {
  double t = 0;
  Rot<D, double> rotation_a{}, rotation_b{};
  Vec<D, double> offset{};
};

// Two bodies on their way
template <int D>
class MovingPair {
 public:
  using V = Vec<D, double>;
  using R = Rot<D, double>;

  MovingPair(const Pose<D, double>& a, const RigidMotion<D>& motion_a, const Pose<D, double>& b,
             const RigidMotion<D>& motion_b)
      : rotation_a_(a.rotation),
        rotation_b_(b.rotation),
        motion_a_(motion_a),
        motion_b_(motion_b),
        axis_a_(unit_axis(motion_a.angular)),
        axis_b_(unit_axis(motion_b.angular)),
        rate_a_(turn_rate(motion_a.angular)),
        rate_b_(turn_rate(motion_b.angular)) {
    for (int i = 0; i < D; ++i) {
      offset_[i] = two_difference(b.position[i], a.position[i]);
      velocity_[i] = two_difference(motion_b.linear[i], motion_a.linear[i]);
    }
  }

  const RigidMotion<D>& motion_a() const { return motion_a_; }
  const RigidMotion<D>& motion_b() const { return motion_b_; }
  // Radians a second
  double rate_a() const { return rate_a_; }
  double rate_b() const { return rate_b_; }
  R rotation_a(double t) const { return turns_a() ? turned_by(rotation_a_, axis_a_, rate_a_ * t) : rotation_a_; }
  R rotation_b(double t) const { return turns_b() ? turned_by(rotation_b_, axis_b_, rate_b_ * t) : rotation_b_; }
  const R& start_a() const { return rotation_a_; }
  const R& start_b() const { return rotation_b_; }
  bool turns_a() const { return rate_a_ > 0; }
  bool turns_b() const { return rate_b_ > 0; }
  bool turns() const { return turns_a() || turns_b(); }

  DoubleDouble offset(int i, double t) const { return offset_[i] + velocity_[i] * t; }
  DoubleDouble velocity(int i) const { return velocity_[i]; }
  // Of B's origin from A's, and its velocity
  V offset(double t) const {
    V out;
    for (int i = 0; i < D; ++i) out[i] = offset(i, t).hi;
    return out;
  }
  V velocity() const {
    V out;
    for (int i = 0; i < D; ++i) out[i] = velocity_[i].hi;
    return out;
  }
  double speed() const { return any_length(velocity()); }
  bool still() const { return velocity() == V{} && !turns(); }

  MovingInstant<D> instant(double t) const { return {t, rotation_a(t), rotation_b(t), offset(t)}; }
  Placement<D> at(double t) const { return at(instant(t)); }
  Placement<D> at(const MovingInstant<D>& x) const {
    Placement<D> out = make_placement<D>(Pose<D, double>{V{}, x.rotation_a}, Pose<D, double>{x.offset, x.rotation_b});
    if (x.rotation_a == R{})
      for (int i = 0; i < D; ++i) out.rest[i] = offset(i, x.t).lo;
    return out;
  }
  // The same way from its end at t on; of bodies that do not turn
  MovingPair backwards_from(double t) const {
    MovingPair out = *this;
    out.motion_a_.linear = -motion_a_.linear, out.motion_b_.linear = -motion_b_.linear;
    for (int i = 0; i < D; ++i) out.offset_[i] = offset(i, t), out.velocity_[i] = -velocity_[i];
    return out;
  }
  MovingPair swapped() const {
    MovingPair out = *this;
    std::swap(out.rotation_a_, out.rotation_b_);
    std::swap(out.motion_a_, out.motion_b_);
    std::swap(out.axis_a_, out.axis_b_);
    std::swap(out.rate_a_, out.rate_b_);
    for (int i = 0; i < D; ++i) out.offset_[i] = -offset_[i], out.velocity_[i] = -velocity_[i];
    return out;
  }

 private:
  R rotation_a_, rotation_b_;
  RigidMotion<D> motion_a_, motion_b_;
  Angular<D> axis_a_{}, axis_b_{};
  double rate_a_ = 0, rate_b_ = 0;
  DoubleDouble offset_[D], velocity_[D];
};
using MovingPair2 = MovingPair<2>;
using MovingPair3 = MovingPair<3>;

// No point of the shape is farther from its origin. Infinite for a half-space.
template <int D>
double farthest_radius(const AnyShape<D>& shape) {
  const Aabb<D, double> box = bounding_box(shape);
  const Vec<D, double> corner = max(abs(box.lo), abs(box.hi));
  const double m = max_abs(corner);
  return m < std::numeric_limits<double>::infinity() && m > 0 ? length(corner / m) * m * kGrown : m;
}

// The sum of two sizes, of which one may be infinite: a half-space has no size of its own
inline double both_sizes(double a, double b) { return (std::isfinite(a) ? a : 0) + (std::isfinite(b) ? b : 0); }

// How fast two bodies can come nearer, whatever their poses: no two of their points do it faster
template <int D>
double closing_speed(const MovingPair<D>& pair, double radius_a, double radius_b) {
  double out = scaled_length(pair.velocity());
  if (pair.turns_a()) out += pair.rate_a() * radius_a;
  if (pair.turns_b()) out += pair.rate_b() * radius_b;
  return out * kGrown;
}

}  // namespace sudar

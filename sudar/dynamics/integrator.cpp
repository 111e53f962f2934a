#include <sudar/dynamics/integrator.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

namespace {

// Sums of states as vectors, for the stages of a step: y + h k. The rotation is four numbers here, not of unit length.
Rot2d moved(const Rot2d& r, const Vec2d& spin, double h) { return {r.c + spin.x * h, r.s + spin.y * h}; }
Quatd moved(const Quatd& q, const Quatd& spin, double h) {
  return {q.w + spin.w * h, q.x + spin.x * h, q.y + spin.y * h, q.z + spin.z * h};
}
Quatd sum_of(const Quatd& a, const Quatd& b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec2d sum_of(const Vec2d& a, const Vec2d& b) { return a + b; }
Quatd spin_of(const Quatd& q, const Vec3d& omega) { return Quatd{0, omega.x / 2, omega.y / 2, omega.z / 2} * q; }

template <class State, class Slope, class Wrench>
struct RigidStage {
  Slope slope;
  Wrench wrench;
};

template <class Slope, class Wrench, class State, class Mass, class Law>
RigidStage<State, Slope, Wrench> stage_at(const State& y, const Mass& mass, double time, const Law& forces) {
  return {slope(y, mass), forces(time, y)};
}

template <class State, class Slope, class Wrench>
State plus(const State& y, const RigidStage<State, Slope, Wrench>& k, double h) {
  State out = y;
  out.position = y.position + k.slope.velocity * h;
  out.rotation = moved(y.rotation, k.slope.spin, h);
  out.momentum = y.momentum + k.wrench.force * h;
  out.angular_momentum = y.angular_momentum + k.wrench.torque * h;
  return out;
}

template <class Slope, class Wrench, class State, class Mass, class Law>
State runge_kutta(const State& y, const Mass& mass, double t, double h, const Law& forces) {
  const auto k1 = stage_at<Slope, Wrench>(y, mass, t, forces);
  const auto k2 = stage_at<Slope, Wrench>(plus(y, k1, h / 2), mass, t + h / 2, forces);
  const auto k3 = stage_at<Slope, Wrench>(plus(y, k2, h / 2), mass, t + h / 2, forces);
  const auto k4 = stage_at<Slope, Wrench>(plus(y, k3, h), mass, t + h, forces);
  // The slopes in the middle count twice. Sums of slopes, so that a momentum without force is not touched by rounding.
  const auto mean = [](const auto& a, const auto& b, const auto& c, const auto& d) {
    return ((a + d) + (b + c) * 2.0) / 6.0;
  };
  State out = y;
  out.position += mean(k1.slope.velocity, k2.slope.velocity, k3.slope.velocity, k4.slope.velocity) * h;
  out.momentum += mean(k1.wrench.force, k2.wrench.force, k3.wrench.force, k4.wrench.force) * h;
  out.angular_momentum += mean(k1.wrench.torque, k2.wrench.torque, k3.wrench.torque, k4.wrench.torque) * h;
  const auto ends = sum_of(k1.slope.spin, k4.slope.spin), middle = sum_of(k2.slope.spin, k3.slope.spin);
  out.rotation = normalized(moved(moved(y.rotation, ends, h / 6), middle, h / 3));
  return out;
}

// What a semi-implicit step goes with. In space the angular velocity of a body that nothing touches changes as it turns: that in
// the middle of the turn keeps its energy a thousand times better than that at the start (Integrator.FreeBodiesKeepTheirEnergy).
RigidSlope2 slope_of_turn(const RigidState2& later, const RigidMass2& mass, double) { return slope(later, mass); }
RigidSlope3 slope_of_turn(const RigidState3& later, const RigidMass3& mass, double h) {
  RigidSlope3 out = slope(later, mass);
  RigidState3 middle = later;
  middle.rotation = normalized(moved(later.rotation, out.spin, h / 2));
  out.angular_velocity = slope(middle, mass).angular_velocity;
  out.spin = spin_of(later.rotation, out.angular_velocity);
  return out;
}

template <class Slope, class Wrench, class State, class Mass, class Law>
State advance_by(Integrator method, const State& y, const Mass& mass, double t, double h, const Law& forces) {
  if (mass.inverse_mass == 0 && mass.inverse_inertia == Mass{}.inverse_inertia) return y;
  if (method == Integrator::runge_kutta4) return runge_kutta<Slope, Wrench>(y, mass, t, h, forces);
  // Both Euler methods take the forces at the start; they differ in the velocities that the places go with
  auto k = stage_at<Slope, Wrench>(y, mass, t, forces);
  if (method == Integrator::semi_implicit_euler) {
    State later = y;
    later.momentum = y.momentum + k.wrench.force * h;
    later.angular_momentum = y.angular_momentum + k.wrench.torque * h;
    k.slope = slope_of_turn(later, mass, h);
  }
  State out = plus(y, k, h);
  out.rotation = normalized(out.rotation);
  return out;
}

}  // namespace

Result<RigidMass2> make_mass(double mass, double inertia) noexcept {
  if (!std::isfinite(mass)) return Error{ErrorCode::non_finite, 0, "the mass is NaN or infinite"};
  if (!std::isfinite(inertia)) return Error{ErrorCode::non_finite, 1, "the inertia is NaN or infinite"};
  if (!(mass > 0)) return Error{ErrorCode::invalid_argument, 0, "a mass must be positive"};
  if (!(inertia > 0)) return Error{ErrorCode::degenerate, 1, "an inertia must be positive"};
  const RigidMass2 out{1 / mass, 1 / inertia};
  if (!std::isfinite(out.inverse_mass) || !std::isfinite(out.inverse_inertia))
    return Error{ErrorCode::too_large, Error::kNoElement, "the inverse leaves the range of double"};
  return out;
}

Result<RigidMass3> make_mass(double mass, const Mat3d& inertia) noexcept {
  if (!std::isfinite(mass)) return Error{ErrorCode::non_finite, 0, "the mass is NaN or infinite"};
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    if (!is_finite(inertia[i])) return Error{ErrorCode::non_finite, 1, "the inertia is NaN or infinite"};
    size = std::fmax(size, max_abs(inertia[i]));
  }
  if (!(mass > 0)) return Error{ErrorCode::invalid_argument, 0, "a mass must be positive"};
  // At size one, so that the determinant stays in range
  if (!(size > 0)) return Error{ErrorCode::degenerate, 1, "an inertia must be positive"};
  const Mat3d unit = inertia * (1 / size);
  if (!(determinant(unit) > 0)) return Error{ErrorCode::degenerate, 1, "the inertia has no inverse"};
  const RigidMass3 out{1 / mass, inverse(unit) * (1 / size)};
  for (int i = 0; i < 3; ++i)
    if (!is_finite(out.inverse_inertia[i]) || !std::isfinite(out.inverse_mass))
      return Error{ErrorCode::too_large, Error::kNoElement, "the inverse leaves the range of double"};
  return out;
}

RigidSlope2 slope(const RigidState2& state, const RigidMass2& mass) noexcept {
  const double omega = state.angular_momentum * mass.inverse_inertia;
  return {state.momentum * mass.inverse_mass, omega, Vec2d{-state.rotation.s, state.rotation.c} * omega};
}
RigidSlope3 slope(const RigidState3& state, const RigidMass3& mass) noexcept {
  const Mat3d turn = to_rotation_matrix(state.rotation);
  const Vec3d omega = turn * (mass.inverse_inertia * transpose_mul(turn, state.angular_momentum));
  return {state.momentum * mass.inverse_mass, omega, spin_of(state.rotation, omega)};
}

RigidState2 advance(Integrator method, const RigidState2& state, const RigidMass2& mass, double time, double dt,
                    ForceLaw2 forces) noexcept {
  return advance_by<RigidSlope2, Wrench2>(method, state, mass, time, dt, forces);
}
RigidState3 advance(Integrator method, const RigidState3& state, const RigidMass3& mass, double time, double dt,
                    ForceLaw3 forces) noexcept {
  return advance_by<RigidSlope3, Wrench3>(method, state, mass, time, dt, forces);
}

Rot2d turned(const Rot2d& rotation, double angular_velocity, double dt) noexcept {
  const double angle = angular_velocity * dt;
  return normalized(Rot2d{rotation.c - rotation.s * angle, rotation.s + rotation.c * angle});
}
Quatd turned(const Quatd& rotation, const Vec3d& angular_velocity, double dt) noexcept {
  return normalized(moved(rotation, spin_of(rotation, angular_velocity), dt));
}
Quatd turned_exactly(const Quatd& rotation, const Vec3d& angular_velocity, double dt) noexcept {
  const Vec3d way = angular_velocity * dt;
  const double angle = length(way);
  if (!(angle > 0)) return rotation;
  return normalized(Quatd::from_axis_angle(way / angle, angle) * rotation);
}

Mat3d world_inverse_inertia(const Quatd& rotation, const Mat3d& inverse_inertia) noexcept {
  const Mat3d turn = to_rotation_matrix(rotation);
  return turn * inverse_inertia * transpose(turn);
}

double kinetic_energy(const RigidState2& state, const RigidMass2& mass) noexcept {
  const RigidSlope2 s = slope(state, mass);
  return (dot(s.velocity, state.momentum) + s.angular_velocity * state.angular_momentum) / 2;
}
double kinetic_energy(const RigidState3& state, const RigidMass3& mass) noexcept {
  const RigidSlope3 s = slope(state, mass);
  return (dot(s.velocity, state.momentum) + dot(s.angular_velocity, state.angular_momentum)) / 2;
}

}  // namespace sudar

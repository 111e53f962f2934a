#include <sudar/dynamics/impulse_response.hpp>

namespace sudar {

namespace {

template <class State, class Mass, class Vector>
Strike strike_along(State& a, const Mass& mass_a, State& b, const Mass& mass_b, const Vector& point,
                    const Vector& normal, double restitution) {
  Strike impact;
  impact.closing = dot(velocity_at(a, mass_a, point) - velocity_at(b, mass_b, point), normal);
  const double inverse = inverse_mass_at(a, mass_a, point, normal) + inverse_mass_at(b, mass_b, point, normal);
  if (!(impact.closing > 0) || !(inverse > 0)) return impact;
  impact.impulse = (1 + restitution) * impact.closing / inverse;
  const Vector change = normal * impact.impulse;
  a.momentum -= change;
  b.momentum += change;
  a.angular_momentum = a.angular_momentum - cross(point - a.position, change);
  b.angular_momentum = b.angular_momentum + cross(point - b.position, change);
  return impact;
}

}  // namespace

Strike strike(RigidState2& a, const RigidMass2& mass_a, RigidState2& b, const RigidMass2& mass_b, const Vec2d& point,
              const Vec2d& normal, double restitution) noexcept {
  return strike_along(a, mass_a, b, mass_b, point, normal, restitution);
}
Strike strike(RigidState3& a, const RigidMass3& mass_a, RigidState3& b, const RigidMass3& mass_b, const Vec3d& point,
              const Vec3d& normal, double restitution) noexcept {
  return strike_along(a, mass_a, b, mass_b, point, normal, restitution);
}

Vec2d velocity_at(const RigidState2& body, const RigidMass2& mass, const Vec2d& point) noexcept {
  return body.momentum * mass.inverse_mass +
         perp(point - body.position) * (body.angular_momentum * mass.inverse_inertia);
}
Vec3d velocity_at(const RigidState3& body, const RigidMass3& mass, const Vec3d& point) noexcept {
  const RigidSlope3 s = slope(body, mass);
  return s.velocity + cross(s.angular_velocity, point - body.position);
}

double inverse_mass_at(const RigidState2& body, const RigidMass2& mass, const Vec2d& point,
                       const Vec2d& direction) noexcept {
  const double lever = cross(point - body.position, direction);
  return mass.inverse_mass + lever * lever * mass.inverse_inertia;
}
double inverse_mass_at(const RigidState3& body, const RigidMass3& mass, const Vec3d& point,
                       const Vec3d& direction) noexcept {
  // Along the axes of the body
  const Vec3d lever = rotate(conjugate(normalized(body.rotation)), cross(point - body.position, direction));
  return mass.inverse_mass + dot(lever, mass.inverse_inertia * lever);
}

}  // namespace sudar

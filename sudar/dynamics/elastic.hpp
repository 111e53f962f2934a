// What:    Balls with mass and velocity (seed C4): two of them collide along the line of their centres and keep what is
//          across it; off walls they are reflected. Elastic, or with a coefficient of restitution.
// Source:  Berchek, "2-Dimensional Elastic Collisions without Trigonometry", 2009, and the formulas of seeds C4 and E8:
//          v₁' = v₁ − (1 + e) m₂/(m₁ + m₂) ⟨v₁ − v₂, n⟩ n.
// Differs: Through inverse masses, so a body of infinite mass is a moving wall. The line of centres is not taken to be of
//          unit length after rounding: the impulse is divided by n·n, which keeps energy to the last bits
//          (Elastic.AgreesWithExactArithmetic). What is given to one is taken from the other: the same impulse.
// Frame:   The world's: metres, kilograms, seconds. Normals point from the first to the second, or from the ball into the wall.
// Fails:   never. Balls that part are left as they are. Centres on one point collide along their relative velocity.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <int D>
struct Ball {
  Vec<D, double> position{}, velocity{};
  double radius = 1, mass = 1;

  friend bool operator==(const Ball&, const Ball&) = default;
};
using Ball2 = Ball<2>;
using Ball3 = Ball<3>;

template <int D>
double kinetic_energy(const Ball<D>& ball) {
  return ball.mass * length_squared(ball.velocity) / 2;
}
template <int D>
Vec<D, double> momentum(const Ball<D>& ball) {
  return ball.velocity * ball.mass;
}

// The velocity behind a wall whose normal points along `normal` (any length but zero): its part along the normal, seen
// from the wall, is turned round and becomes `restitution` times as large. What moves away from the wall goes on.
template <int D>
Vec<D, double> reflected(const Vec<D, double>& velocity, const Vec<D, double>& normal, double restitution = 1,
                         const Vec<D, double>& wall_velocity = {}) {
  const Vec<D, double> n = normalized(normal);
  const double closing = dot(velocity - wall_velocity, n);
  if (!(closing > 0)) return velocity;
  return velocity - n * ((1 + restitution) * closing / dot(n, n));
}

// Two bodies that meet along `normal` (from a to b, any length but zero): new velocities, and the impulse that b got along
// the normal, in newton seconds; zero when they part. Inverse masses, zero for what cannot be moved.
template <int D>
double exchange(Vec<D, double>& velocity_a, double inverse_a, Vec<D, double>& velocity_b, double inverse_b,
                const Vec<D, double>& normal, double restitution = 1) {
  const Vec<D, double> n = normalized(normal);
  const double closing = dot(velocity_a - velocity_b, n), inverse = inverse_a + inverse_b;
  if (!(closing > 0) || !(inverse > 0)) return 0;
  const double change = (1 + restitution) * closing / dot(n, n);
  velocity_a -= n * (change * (inverse_a / inverse));
  velocity_b += n * (change * (inverse_b / inverse));
  return change / inverse;
}

// Two balls that touch or overlap
template <int D>
double collide(Ball<D>& a, Ball<D>& b, double restitution = 1) {
  Vec<D, double> normal = b.position - a.position;
  if (normal == Vec<D, double>{}) normal = a.velocity - b.velocity;
  return exchange<D>(a.velocity, 1 / a.mass, b.velocity, 1 / b.mass, normal, restitution);
}

}  // namespace sudar

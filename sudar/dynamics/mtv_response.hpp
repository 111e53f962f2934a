// What:    Overlapping bodies moved apart by the minimum translation vector, half each or by their masses, and then given
//          new velocities (seed E8).
// Source:  Moore and Wilhelms, "Collision Detection and Response for Computer Animation", 1988; seed E8.
// Differs: The source halves the vector between any two bodies; one that cannot be moved leaves all of it to the other. By
//          mass, the common centre of mass stays where it was.
// Frame:   The world's; the normal is of unit length and points from a to b, separation is negative where they overlap.
// Fails:   never: what does not overlap, and two that cannot be moved, stay where they are. The push leaves them touching, up
//          to rounding; other bodies may be in the way, so a crowd needs several rounds (or the contact solvers).
#pragma once

#include <sudar/dynamics/elastic.hpp>

#include <cstdint>

namespace sudar {

enum class MtvShare : std::uint8_t { half, by_mass };

template <int D>
struct MtvPush {
  Vec<D, double> a{}, b{};
};

// What to add to the positions of a and b. Inverse masses, zero for what cannot be moved.
template <int D>
MtvPush<D> mtv_push(const Vec<D, double>& normal, double separation, double inverse_a, double inverse_b,
                    MtvShare share = MtvShare::half) {
  if (!(separation < 0) || !(inverse_a + inverse_b > 0)) return {};
  double part_a = inverse_a / (inverse_a + inverse_b);
  if (share == MtvShare::half && inverse_a > 0 && inverse_b > 0) part_a = 0.5;
  return {normal * (separation * part_a), normal * (-separation * (1 - part_a))};
}

// Two balls: moved apart, and new velocities if they still close in. True when they overlapped.
template <int D>
bool push_apart(Ball<D>& a, Ball<D>& b, double restitution = 1, MtvShare share = MtvShare::half) {
  const Vec<D, double> offset = b.position - a.position;
  const double separation = length(offset) - (a.radius + b.radius);
  if (!(separation < 0)) return false;
  // Centres on one point part along the way they came, or along x
  Vec<D, double> normal = normalized(offset);
  if (normal == Vec<D, double>{}) normal = normalized(a.velocity - b.velocity);
  if (normal == Vec<D, double>{}) normal[0] = 1;
  const MtvPush<D> push = mtv_push<D>(normal, separation, 1 / a.mass, 1 / b.mass, share);
  a.position += push.a;
  b.position += push.b;
  exchange<D>(a.velocity, 1 / a.mass, b.velocity, 1 / b.mass, normal, restitution);
  return true;
}

}  // namespace sudar

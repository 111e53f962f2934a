#include <sudar/dynamics/spring_response.hpp>
#include <sudar/math/scalar.hpp>

#include <cmath>
#include <limits>

namespace sudar {

namespace {

// How long a contact takes in units of √(m/k), for a damper of ζ = c / (2 √(k m)): until the force is zero again
double relative_duration(double zeta) {
  if (zeta < 1) {
    const double s = std::sqrt((1 - zeta) * (1 + zeta));
    return (kPi - arc_tangent(2 * zeta * s, (s - zeta) * (s + zeta))) / s;
  }
  if (zeta == 1) return 2;
  // (ζ + S) (ζ − S) = 1
  const double s = std::sqrt((zeta - 1) * (zeta + 1));
  return 2 * logarithm(zeta + s) / s;
}

}  // namespace

SpringContact spring_contact(const SpringLaw& law, double reduced_mass) noexcept {
  const double unit = std::sqrt(reduced_mass / law.stiffness);
  const double zeta = law.damping / (2 * std::sqrt(law.stiffness) * std::sqrt(reduced_mass));
  const double duration = relative_duration(zeta);
  return {duration * unit, zeta * duration};
}

Result<SpringLaw> make_spring(double stiffness, double restitution, double reduced_mass) noexcept {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    return Error{ErrorCode::invalid_argument, 0, "a stiffness must be positive"};
  if (!(restitution > 0 && restitution <= 1))
    return Error{ErrorCode::invalid_argument, 1, "restitution must be above 0 and at most 1"};
  if (!(reduced_mass > 0) || !std::isfinite(reduced_mass))
    return Error{ErrorCode::invalid_argument, 2, "a mass must be positive"};
  // The loss grows with the damper: halve the interval until its ends are neighbours
  const double wanted = -logarithm(restitution);
  double lo = 0, hi = 1;
  while (hi * relative_duration(hi) < wanted) hi *= 2;
  for (;;) {
    const double middle = lo + (hi - lo) / 2;
    if (!(middle > lo && middle < hi)) break;
    (middle * relative_duration(middle) < wanted ? lo : hi) = middle;
  }
  const double zeta = wanted > 0 ? hi : 0;
  const SpringLaw law{stiffness, 2 * zeta * std::sqrt(stiffness) * std::sqrt(reduced_mass)};
  if (!std::isfinite(law.damping))
    return Error{ErrorCode::too_large, Error::kNoElement, "the damping is beyond the doubles"};
  return law;
}

double stable_step(const SpringLaw& law, double reduced_mass) noexcept {
  // Of x'' = −(k x + c x')/m by v += a h, x += v h: h² k/m + 2 h c/m < 4 …
  const double a = law.stiffness / reduced_mass, b = 2 * law.damping / reduced_mass;
  if (!(a > 0)) return b > 0 ? 4 / b : std::numeric_limits<double>::infinity();
  // … the root of a h² + b h = 4 without cancellation
  return 8 / (b + std::sqrt(b * b + 16 * a));
}

}  // namespace sudar

// What:    First and last time of contact of two spheres or circles whose centres move along straight lines: a quadratic.
// Source:  closed form; Ericson, "Real-Time Collision Detection", 2005, 5.5.5.
// Differs: The discriminant is computed in twice the precision, so grazing is decided to about 2^-100 of its terms. The
//          first root is taken without cancellation.
// Frame:   The world's axes, A's centre at the origin at t = 0.
// Fails:   never, for motions that check_motion accepts.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/continuous/toi_tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

struct RoundImpact {
  bool hit = false;
  double first = 0, last = 0;  // last not beyond t_max
};

template <int D>
RoundImpact round_impact(const MovingPair<D>& pair, double radius_a, double radius_b, double t_max) {
  // Scaled by powers of two, lengths by the offset and times by the path
  double far = std::fmax(radius_a, radius_b), fast = 0;
  for (int i = 0; i < D; ++i) {
    far = std::fmax(far, std::fabs(pair.offset(i, 0).hi));
    fast = std::fmax(fast, std::fabs(pair.velocity(i).hi));
  }
  const double length_scale = std::ldexp(1.0, -std::ilogb(far));
  const double speed_scale = fast > 0 ? std::ldexp(1.0, std::min(1000, -std::ilogb(fast))) : 0;
  DoubleDouble a, b, c;
  for (int i = 0; i < D; ++i) {
    const DoubleDouble p = pair.offset(i, 0) * length_scale, v = pair.velocity(i) * speed_scale;
    a += v * v, b += p * v, c += p * p;
  }
  const DoubleDouble reach = DoubleDouble(two_sum(radius_a, radius_b)) * length_scale;
  c += -(reach * reach);
  const double time_scale = speed_scale > 0 ? speed_scale / length_scale : 0;  // seconds for one scaled second
  RoundImpact out;
  const auto ended = [&](double t) { return std::fmin(t * time_scale, t_max); };
  const DoubleDouble discriminant = b * b - a * c;
  const double error = kMovingFineError * (b.hi * b.hi + std::fabs(a.hi * c.hi)),
               square = static_cast<double>(discriminant);
  const double root = square > 0 ? std::sqrt(square) : 0;
  if (static_cast<double>(c) <= 0) {
    out.hit = true;
    out.last = a.hi > 0 ? ended((root - b.hi) / a.hi) : t_max;
    return out;
  }
  if (!(a.hi > 0) || b.hi >= 0 || square < -error) return out;
  const double first = c.hi / (root - b.hi) * time_scale;
  if (!(first <= t_max)) return out;
  out.hit = true;
  out.first = first;
  out.last = std::fmax(first, ended((root - b.hi) / a.hi));
  return out;
}

}  // namespace sudar

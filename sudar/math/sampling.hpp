// What:    Random directions, points, rotations and normal variates from a seeded generator.
// Source:  Marsaglia, "Choosing a point from the surface of a sphere", 1972 (quaternions from two discs); Marsaglia and
//          Bray, "A convenient method for generating normal variables", 1964 (polar method).
// Differs: Rejection and square roots only (and our own logarithm), so the numbers are the same on every platform.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>

namespace sudar {

// Uniform in the box
template <AnyVec V>
constexpr V point_in_box(Random& random, const V& lo, const V& hi) {
  V p;
  for (int i = 0; i < V::kDim; ++i)
    p[i] = static_cast<typename V::Scalar>(random.uniform(static_cast<double>(lo[i]), static_cast<double>(hi[i])));
  return p;
}

// Uniform in the unit disc (D = 2) or ball (D = 3)
template <int D>
constexpr Vec<D, double> point_in_ball(Random& random) {
  for (;;) {
    Vec<D, double> p;
    for (int i = 0; i < D; ++i) p[i] = random.uniform(-1, 1);
    if (length_squared(p) <= 1) return p;
  }
}

// Uniform on the unit circle or sphere
template <int D>
Vec<D, double> unit_vector(Random& random) {
  for (;;) {
    const Vec<D, double> p = point_in_ball<D>(random);
    // Too close to the centre the direction is coarse
    if (length_squared(p) >= 0x1p-20) return normalized(p);
  }
}

// Uniform over all rotations
inline Quatd unit_quaternion(Random& random) {
  for (;;) {
    const Vec2d a = point_in_ball<2>(random), b = point_in_ball<2>(random);
    const double aa = length_squared(a), bb = length_squared(b);
    if (bb == 0) continue;
    const double s = std::sqrt((1 - aa) / bb);
    return normalized(Quatd{a.x, a.y, b.x * s, b.y * s});
  }
}
inline Rot2d unit_rotation(Random& random) {
  const Vec2d u = unit_vector<2>(random);
  return {u.x, u.y};
}

// Mean 0, standard deviation 1
inline double normal_variate(Random& random) {
  for (;;) {
    const Vec2d p = point_in_ball<2>(random);
    const double s = length_squared(p);
    if (s > 0 && s < 1) return p.x * std::sqrt(-2 * logarithm(s) / s);
  }
}

}  // namespace sudar

// What:    Vectors of exact integers: differences, products and signs for exact_gjk2 and exact_gjk3, and the way back to
//          doubles. Internal to the narrow phase.
// Differs: As dyadic.hpp: capacities grow with the operations, lengths in use stay small.
#pragma once

#include <sudar/math/dyadic.hpp>
#include <sudar/math/vec.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>

namespace sudar {

template <int D, int N>
using ExactVec = std::array<Dyadic<N>, static_cast<std::size_t>(D)>;

// The same number with more room
template <int M, int N>
Dyadic<M> widen(const Dyadic<N>& x) {
  static_assert(M >= N);
  Dyadic<M> r;
  r.size = x.size;
  r.negative = x.negative;
  std::copy(x.limb, x.limb + x.size, r.limb);
  return r;
}

template <int D, int N, int M>
auto exact_minus(const ExactVec<D, N>& u, const ExactVec<D, M>& v) {
  ExactVec<D, (N > M ? N : M) + 1> r;
  for (int i = 0; i < D; ++i) r[i] = u[i] - v[i];
  return r;
}
template <std::size_t D, int N, int M>
auto exact_dot(const std::array<Dyadic<N>, D>& u, const std::array<Dyadic<M>, D>& v) {
  if constexpr (D == 2)
    return u[0] * v[0] + u[1] * v[1];
  else
    return (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2];
}
template <int N, int M>
ExactVec<3, N + M + 1> exact_cross(const std::array<Dyadic<N>, 3>& u, const std::array<Dyadic<M>, 3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
template <std::size_t D, int N, int M>
std::array<Dyadic<N + M>, D> exact_scale(const std::array<Dyadic<N>, D>& u, const Dyadic<M>& s) {
  std::array<Dyadic<N + M>, D> r;
  for (std::size_t i = 0; i < D; ++i) r[i] = u[i] * s;
  return r;
}
template <std::size_t D, int N>
bool exact_zero(const std::array<Dyadic<N>, D>& u) {
  return std::all_of(u.begin(), u.end(), [](const Dyadic<N>& x) { return x.sign() == 0; });
}

// 2^x with x < bits <= x + 1 limits the number's size
template <int N>
int bit_length(const Dyadic<N>& x) {
  return x.size == 0 ? 0 : 64 * (x.size - 1) + static_cast<int>(std::bit_width(x.limb[x.size - 1]));
}
// x · 2^-shift, to about 2^-52 of 2^(bit length - shift)
template <int N>
double to_double(const Dyadic<N>& x, int shift) {
  double sum = 0;
  for (int i = std::max(0, x.size - 3); i < x.size; ++i)
    sum += std::ldexp(static_cast<double>(x.limb[i]), 64 * i - shift);
  return x.negative ? -sum : sum;
}
// The vector divided by 2^shift, where shift makes its largest coordinate about one
template <std::size_t D, int N>
Vec<static_cast<int>(D), double> to_direction(const std::array<Dyadic<N>, D>& u, int& shift) {
  shift = 0;
  for (const Dyadic<N>& x : u) shift = std::max(shift, bit_length(x));
  Vec<static_cast<int>(D), double> d;
  for (int i = 0; i < static_cast<int>(D); ++i) d[i] = to_double(u[static_cast<std::size_t>(i)], shift);
  return d;
}

// The largest power of two that divides all coordinates, as an exponent; `none` when all are zero
inline constexpr int kNoExponent = 4000;
template <int D>
int least_exponent(const Vec<D, double>& p, int so_far = kNoExponent) {
  for (int i = 0; i < D; ++i)
    if (p[i] != 0) so_far = std::min(so_far, odd_mantissa(p[i]).exponent);
  return so_far;
}

}  // namespace sudar

// What:    Does a polytope, grown by a radius, reach into a half-space (half-plane)? In exact integers.
// Source:  the least product of the normal with a vertex, against the offset.
// Differs: The numbers are taken literally, as exact_gjk3.hpp does: normals need not be of exactly unit length, nor turns be
//          rotations. In either order of the two: a half-space that is B has its normal in A's frame through the
//          cofactors of the turn, so no inverse is rounded.
// Frame:   A's. Internal to the narrow phase.
// Fails:   never, for finite numbers and a turn that does not mirror.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/exact_vector.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sudar {

// -1: they meet, touching included; 1: apart. `view` is the polytope's ConvexView2 or ConvexView3.
template <int D, class View>
int halfspace_sign(const Vec<D, double>& normal, double offset, const View& view, const Placement<D>& a_from_b,
                   bool halfspace_is_a) {
  const auto column_of = [&](int j) -> const Vec<D, double>& { return (&a_from_b.turn.x)[j]; };
  // Vertices that rounding cannot tell from the lowest
  const Vec<D, double> n_view = halfspace_is_a    ? to_b(a_from_b, normal)
                                : a_from_b.turned ? a_from_b.turn * normal
                                                  : normal;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < view.count; ++i) least = std::fmin(least, dot(n_view, view.vertex(i)));
  const double limit = least + 64 * kRoundoff * D * view.size * max_abs(n_view);
  const auto is_low = [&](std::uint32_t i) { return !(dot(n_view, view.vertex(i)) > limit); };

  // Units: of lengths, of the turn, of the normal. A product is at most 203 limbs long, see the sums below.
  int e = least_exponent<D>(a_from_b.rest, least_exponent<D>(a_from_b.translation));
  for (const double x : {offset, view.radius})
    if (x != 0) e = std::min(e, odd_mantissa(x).exponent);
  for (std::uint32_t i = 0; i < view.count; ++i)
    if (is_low(i)) e = least_exponent<D>(view.vertex(i), e);
  int turn_unit = 0, normal_unit = std::min(least_exponent<D>(normal), 0);
  for (int j = 0; j < D && a_from_b.turned; ++j) turn_unit = least_exponent<D>(column_of(j), turn_unit);
  using Number = Dyadic<256>;
  const auto fit = [](const auto& x) {
    SUDAR_ASSERT(x.size <= 256);
    Number r;
    r.size = x.size;
    r.negative = x.negative;
    std::copy(x.limb, x.limb + x.size, r.limb);
    return r;
  };
  const auto length_of = [&](double x) { return to_dyadic<256>(x, e); };
  Number n[D], turn[D][D], place[D];  // turn[j]: column j
  for (int i = 0; i < D; ++i) {
    n[i] = to_dyadic<256>(normal[i], normal_unit);
    place[i] = fit(length_of(a_from_b.translation[i]) + length_of(a_from_b.rest[i]));
    for (int j = 0; j < D; ++j)
      turn[j][i] = to_dyadic<256>(a_from_b.turned ? column_of(j)[i] : i == j ? 1.0 : 0.0, turn_unit);
  }
  const Number one_turn = to_dyadic<256>(1, turn_unit), one_normal = to_dyadic<256>(1, normal_unit);
  const auto dot_of = [&](const Number* u, const Number* v) {
    Number sum = fit(u[0] * v[0]);
    for (int i = 1; i < D; ++i) sum = fit(sum + u[i] * v[i]);
    return sum;
  };

  // A half-space that is B: m · (x - place) <= offset · det, with m the cofactors of the turn times the normal
  Number m[D], level = fit(length_of(offset) * one_turn);
  if (halfspace_is_a) {
    std::copy(n, n + D, m);
  } else {
    Number cofactor[D][D];
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) {
        if constexpr (D == 2) {
          cofactor[j][i] = turn[1 - j][1 - i];
          if (i != j) cofactor[j][i].negative = !cofactor[j][i].negative;
        } else {
          const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          cofactor[j][i] = fit(turn[j1][i1] * turn[j2][i2] - turn[j1][i2] * turn[j2][i1]);
        }
      }
    for (int i = 0; i < D; ++i) {
      m[i] = fit(cofactor[0][i] * n[0]);
      for (int j = 1; j < D; ++j) m[i] = fit(m[i] + cofactor[j][i] * n[j]);
    }
    level = fit(length_of(offset) * dot_of(turn[0], cofactor[0]));
  }
  level = fit(level * one_normal);
  const Number reach = fit(length_of(view.radius) * one_turn), m_squared = fit(dot_of(m, m));

  for (std::uint32_t k = 0; k < view.count; ++k) {
    if (!is_low(k)) continue;
    const Vec<D, double> v = view.vertex(k);
    Number x[D], p[D];
    for (int i = 0; i < D; ++i) x[i] = length_of(v[i]);
    for (int i = 0; i < D; ++i) {
      if (halfspace_is_a) {
        p[i] = fit(place[i] * one_turn);
        for (int j = 0; j < D; ++j) p[i] = fit(p[i] + turn[j][i] * x[j]);
      } else {
        p[i] = fit((x[i] - place[i]) * one_turn);
      }
    }
    const Number gap = fit(dot_of(m, p) - level);
    if (gap.sign() <= 0) return -1;
    // What the radius takes, in the same unit
    if (reach.sign() > 0 && (gap * gap - (reach * reach) * m_squared).sign() <= 0) return -1;
  }
  return 1;
}

}  // namespace sudar

// What:    Two polytopes and their placement in exact integers, for exact_gjk2 and exact_gjk3: differences of vertices, and
//          directions times vertices. Internal to the narrow phase.
// Differs: Numbers are whole multiples of a power of two that suits the vertices at hand, so they stay short.
// Frame:   A's.
#pragma once

#include <sudar/narrowphase/exact_vector.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/vertex_pair.hpp>

#include <cstdint>
#include <span>

namespace sudar {

// Limbs of a sum of coordinates of the placement: they span 2^1025, and products of turn and vertex go down to 2^-2148
inline constexpr int kPlainLimbs = 52;
inline constexpr int kTurnedLimbs = 2 * kDyadicLimbs + 2;
template <int D>
using ExactCorner = ExactVec<D, kTurnedLimbs + 1>;

template <int D, class Difference>
class ExactPair {
  using Point = Vec<D, double>;

 public:
  explicit ExactPair(const Difference& difference) : difference_(difference) {
    const Placement<D>& at = difference.a_from_b;
    place_exponent_ = least_exponent<D>(at.rest, least_exponent<D>(at.translation));
    if (!at.turned) return;
    turn_exponent_ = kNoExponent;
    for (int j = 0; j < D; ++j) turn_exponent_ = least_exponent<D>(column(j), turn_exponent_);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) turn_[i][j] = to_dyadic(column(j)[i], turn_exponent_);
  }

  // Every coordinate of these differences is a whole multiple of 2^exponent
  int exponent(std::span<const VertexPair> pairs) const {
    int e = place_exponent_;
    for (const VertexPair& p : pairs) {
      e = least_exponent<D>(difference_.a.vertex(p.a), e);
      if (const int b = least_exponent<D>(difference_.b.vertex(p.b)); b != kNoExponent)
        e = std::min(e, b + turn_exponent_);
    }
    return e == kNoExponent ? 0 : e;
  }
  ExactCorner<D> corner(const VertexPair& pair, int e) const {
    const Point p_a = difference_.a.vertex(pair.a), p_b = difference_.b.vertex(pair.b);
    const Placement<D>& at = difference_.a_from_b;
    const ExactVec<D, kTurnedLimbs> turned_b = turned(p_b, e);
    ExactCorner<D> w;
    for (int i = 0; i < D; ++i) {
      const auto place = to_dyadic<kPlainLimbs>(at.translation[i], e) + to_dyadic<kPlainLimbs>(at.rest[i], e);
      w[i] = (to_dyadic<kPlainLimbs>(p_a[i], e) - place) - turned_b[i];
    }
    return w;
  }
  // The sign of a direction times the difference of vertices i and j
  template <int N>
  int compare_a(const std::array<Dyadic<N>, D>& v, std::uint32_t i, std::uint32_t j) const {
    const Point p = difference_.a.vertex(i), q = difference_.a.vertex(j);
    const int e = least_exponent<D>(q, least_exponent<D>(p));
    ExactVec<D, kDyadicLimbs + 1> d;
    for (int k = 0; k < D; ++k) d[k] = to_dyadic(p[k], e) - to_dyadic(q[k], e);
    return exact_dot(v, d).sign();
  }
  template <int N>
  int compare_b(const std::array<Dyadic<N>, D>& v, std::uint32_t i, std::uint32_t j) const {
    const Point p = difference_.b.vertex(i), q = difference_.b.vertex(j);
    const int e = least_exponent<D>(q, least_exponent<D>(p)) + turn_exponent_;
    return exact_dot(v, exact_minus<D>(turned(p, e), turned(q, e))).sign();
  }

 private:
  const Point& column(int j) const {
    const auto& turn = difference_.a_from_b.turn;
    if constexpr (D == 2)
      return j == 0 ? turn.x : turn.y;
    else
      return turn[j];
  }
  ExactVec<D, kTurnedLimbs> turned(const Point& p_b, int e) const {
    ExactVec<D, kDyadicLimbs> x;
    for (int i = 0; i < D; ++i) x[i] = to_dyadic(p_b[i], e - turn_exponent_);
    ExactVec<D, kTurnedLimbs> r;
    for (int i = 0; i < D; ++i)
      r[i] = difference_.a_from_b.turned ? widen<kTurnedLimbs>(exact_dot(turn_[i], x)) : widen<kTurnedLimbs>(x[i]);
    return r;
  }

  const Difference& difference_;
  std::array<ExactVec<D, kDyadicLimbs>, D> turn_;  // rows
  int place_exponent_ = 0, turn_exponent_ = 0;
};

}  // namespace sudar

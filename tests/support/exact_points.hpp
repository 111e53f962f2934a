// What:    Corners of two bodies, one of them placed, as integers of one common power of two: without any rounding, for the
//          oracles; and distances of them as rational numbers.
// Differs: Integers need no common divisors, which is most of the time that rational numbers take.
// Fails:   never, for finite numbers. Heavy to compile: include it in few files.
#pragma once

#include "tests/support/exact.hpp"
#include "tests/support/nearest_oracle.hpp"
#include <sudar/narrowphase/placement.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sudar_test {

using Whole = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

// x = digits · 2^exponent with odd digits
struct Digits {
  std::int64_t digits = 0;
  int exponent = std::numeric_limits<int>::max();  // of zero
};
inline Digits digits_of(double x) {
  if (x == 0) return {};
  int exponent = 0;
  const auto all = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(all));
  return {all / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}
inline Whole whole(double x, int exponent) {
  const Digits d = digits_of(x);
  Whole out = d.digits;
  if (d.digits != 0) out <<= static_cast<unsigned>(d.exponent - exponent);
  return out;
}
inline int least_exponent(std::span<const sudar::Vec3d> points) {
  int least = std::numeric_limits<int>::max();
  for (const sudar::Vec3d& p : points)
    for (int i = 0; i < 3; ++i) least = std::min(least, digits_of(p[i]).exponent);
  return least;
}

struct ExactPoints {
  Points<Whole> a, b;
  int exponent = 0;  // what the integers are multiples of

  // The square of the distance
  Rational square(const Nearest<Whole>& nearest) const {
    Whole over = nearest.level * nearest.level, under = dot3(nearest.v, nearest.v);
    if (nearest.hit()) return 0;
    if (exponent >= 0)
      over <<= static_cast<unsigned>(2 * exponent);
    else
      under <<= static_cast<unsigned>(-2 * exponent);
    return Rational(boost::multiprecision::mpz_int(over), boost::multiprecision::mpz_int(under));
  }
};

// B's corners at turn · x + translation + rest
inline ExactPoints exact_points(std::span<const sudar::Vec3d> a, std::span<const sudar::Vec3d> b,
                                const sudar::Placement3& a_from_b = {}) {
  const sudar::Vec3d moves[2] = {a_from_b.translation, a_from_b.rest};
  const sudar::Vec3d turn[3] = {a_from_b.turn.x, a_from_b.turn.y, a_from_b.turn.z};
  constexpr int kNone = std::numeric_limits<int>::max();
  const int own = least_exponent(b), of_turn = a_from_b.turned ? least_exponent(turn) : 0;
  const int turned = own == kNone ? kNone : own + of_turn;
  int least = std::min({least_exponent(a), turned, least_exponent(moves)});
  if (least == kNone) least = 0;
  ExactPoints out;
  out.exponent = least;
  for (const sudar::Vec3d& p : a) out.a.push_back({whole(p.x, least), whole(p.y, least), whole(p.z, least)});
  Point<Whole> column[3], move;
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(i);
    move[i] = whole(moves[0][k], least) + whole(moves[1][k], least);
    for (std::size_t j = 0; j < 3 && a_from_b.turned; ++j) column[j][i] = whole(turn[j][k], of_turn);
  }
  for (const sudar::Vec3d& p : b) {
    Point<Whole> q;
    if (own == kNone) {
      q = move;
    } else if (a_from_b.turned) {
      const Whole x[3] = {whole(p.x, own), whole(p.y, own), whole(p.z, own)};
      for (std::size_t i = 0; i < 3; ++i) {
        q[i] = column[0][i] * x[0] + column[1][i] * x[1] + column[2][i] * x[2];
        q[i] <<= static_cast<unsigned>(turned - least);
        q[i] += move[i];
      }
    } else {
      for (std::size_t i = 0; i < 3; ++i) q[i] = whole(p[static_cast<int>(i)], least) + move[i];
    }
    out.b.push_back(q);
  }
  return out;
}

inline double root_of(const Rational& square) { return std::sqrt(static_cast<double>(square)); }

// lower <= distance <= upper, where only the square of it is known
inline bool is_within(double lower, const Rational& square_of_distance, double upper) {
  return (lower <= 0 || square(lower) <= square_of_distance) && upper >= 0 && square_of_distance <= square(upper);
}

}  // namespace sudar_test

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

// The sum of these, without rounding
using ExactMove = std::vector<sudar::Vec3d>;

// B's corners at turn · x + move, one copy of them for each of the moves; the placement's own translation counts for nothing
inline ExactPoints exact_points(std::span<const sudar::Vec3d> a, std::span<const sudar::Vec3d> b,
                                const sudar::Placement3& turned_as, std::span<const ExactMove> moves) {
  const sudar::Vec3d turn[3] = {turned_as.turn.x, turned_as.turn.y, turned_as.turn.z};
  constexpr int kNone = std::numeric_limits<int>::max();
  const int own = least_exponent(b), of_turn = turned_as.turned ? least_exponent(turn) : 0;
  const int turned = own == kNone ? kNone : own + of_turn;
  int least = std::min(least_exponent(a), turned);
  for (const ExactMove& move : moves) least = std::min(least, least_exponent(move));
  if (least == kNone) least = 0;
  const auto in_whole = [least](const sudar::Vec3d& p) {
    return Point<Whole>{whole(p.x, least), whole(p.y, least), whole(p.z, least)};
  };
  const auto add = [](Point<Whole>& p, const Point<Whole>& q) {
    for (std::size_t i = 0; i < 3; ++i) p[i] += q[i];
  };
  ExactPoints out;
  out.exponent = least;
  for (const sudar::Vec3d& p : a) out.a.push_back(in_whole(p));
  Point<Whole> column[3];
  for (std::size_t j = 0; j < 3 && turned_as.turned; ++j)
    for (std::size_t i = 0; i < 3; ++i) column[j][i] = whole(turn[j][static_cast<int>(i)], of_turn);
  std::vector<Point<Whole>> corners;
  for (const sudar::Vec3d& p : b) {
    Point<Whole> q{};
    if (own != kNone && turned_as.turned) {
      const Whole x[3] = {whole(p.x, own), whole(p.y, own), whole(p.z, own)};
      for (std::size_t i = 0; i < 3; ++i) {
        q[i] = column[0][i] * x[0] + column[1][i] * x[1] + column[2][i] * x[2];
        q[i] <<= static_cast<unsigned>(turned - least);
      }
    } else if (own != kNone) {
      q = in_whole(p);
    }
    corners.push_back(q);
  }
  for (const ExactMove& move : moves) {
    Point<Whole> sum{};
    for (const sudar::Vec3d& term : move) add(sum, in_whole(term));
    for (Point<Whole> q : corners) {
      add(q, sum);
      out.b.push_back(q);
    }
  }
  return out;
}
// B's corners at turn · x + translation + rest
inline ExactPoints exact_points(std::span<const sudar::Vec3d> a, std::span<const sudar::Vec3d> b,
                                const sudar::Placement3& a_from_b = {}) {
  const ExactMove move = {a_from_b.translation, a_from_b.rest};
  return exact_points(a, b, a_from_b, std::span<const ExactMove>(&move, 1));
}

inline double root_of(const Rational& square) { return std::sqrt(static_cast<double>(square)); }

// lower <= distance <= upper, where only the square of it is known
inline bool is_within(double lower, const Rational& square_of_distance, double upper) {
  return (lower <= 0 || square(lower) <= square_of_distance) && upper >= 0 && square_of_distance <= square(upper);
}

}  // namespace sudar_test

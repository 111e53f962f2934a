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
  int exponent = 0;  // the integers are multiples of 2^exponent / over
  Whole over = 1;

  // The square of the distance
  Rational square(const Nearest<Whole>& nearest) const {
    Whole square = nearest.level * nearest.level, under = dot3(nearest.v, nearest.v) * over * over;
    if (nearest.hit()) return 0;
    if (exponent >= 0)
      square <<= static_cast<unsigned>(2 * exponent);
    else
      under <<= static_cast<unsigned>(-2 * exponent);
    return Rational(boost::multiprecision::mpz_int(square), boost::multiprecision::mpz_int(under));
  }
};

// The sum of these, without rounding
using ExactMove = std::vector<sudar::Vec3d>;

// The way into a frame: integers over an integer
struct ExactTurn {
  Point<Whole> row[3];
  Whole over = 1;

  Point<Whole> operator()(const Point<Whole>& p) const { return {dot3(row[0], p), dot3(row[1], p), dot3(row[2], p)}; }
};
// Of the frame that the quaternion turns: its matrix is one of rational numbers, whatever its length
inline ExactTurn into_frame(const sudar::Quatd& q) {
  const double all[] = {q.w, q.x, q.y, q.z};
  int least = std::numeric_limits<int>::max();
  for (const double x : all) least = std::min(least, digits_of(x).exponent);
  const Whole w = whole(q.w, least), x = whole(q.x, least), y = whole(q.y, least), z = whole(q.z, least);
  const Whole ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  return {{{ww + xx - yy - zz, 2 * (x * y + w * z), 2 * (x * z - w * y)},
           {2 * (x * y - w * z), ww - xx + yy - zz, 2 * (y * z + w * x)},
           {2 * (x * z + w * y), 2 * (y * z - w * x), ww - xx - yy + zz}},
          ww + xx + yy + zz};
}
// Of the plane's: the numbers as they stand, whose length is irrational
inline ExactTurn into_frame(const sudar::Rot2d& r) {
  const int least = std::min({digits_of(r.c).exponent, digits_of(r.s).exponent, 0});
  const Whole c = whole(r.c, least), s = whole(r.s, least), one = whole(1, least);
  return {{{c, s, 0}, {0 - s, c, 0}, {0, 0, one}}, one};
}

// B's corners at turn · x + move, one copy of them for each of the moves, which are the world's where the way into A's frame is
// given; the placement's own translation counts for nothing
inline ExactPoints exact_points(std::span<const sudar::Vec3d> a, std::span<const sudar::Vec3d> b,
                                const sudar::Placement3& turned_as, std::span<const ExactMove> moves,
                                const ExactTurn* into_a = nullptr) {
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
  Points<Whole> corners;
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
  if (into_a != nullptr) {
    out.over = into_a->over;
    for (Points<Whole>* all : {&out.a, &corners})
      for (Point<Whole>& p : *all)
        for (Whole& x : p) x *= out.over;
  }
  for (const ExactMove& move : moves) {
    Point<Whole> sum{};
    for (const sudar::Vec3d& term : move) add(sum, in_whole(term));
    if (into_a != nullptr) sum = (*into_a)(sum);
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

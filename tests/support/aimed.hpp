// What:    What campaigns aim with: sizes and places that are round now and then, so that features coincide; the ladder of small
//          steps around a degeneracy; ratios of size to 1e10; places 1e7 away; bodies that are thin or flat.
#pragma once

#include "tests/support/random.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

namespace sudar_test {

inline double some_size(sudar::Random& random) {
  return random.below(3) == 0 ? 0.25 * static_cast<double>(1 + random.below(8)) : random.uniform(0.1, 1);
}
inline double some_coordinate(sudar::Random& random) {
  return random.below(3) == 0 ? 0.25 * (static_cast<double>(random.below(17)) - 8) : random.uniform(-1, 1);
}
// A multiple of an eighth within 1
inline double lattice_coordinate(sudar::Random& random) { return 0.125 * (static_cast<double>(random.below(17)) - 8); }

// A step of the ladder: 0, one unit in the last place, 1e-15 … 1e-3 of a scale
inline double nudged(sudar::Random& random, double x, double scale) {
  const std::uint64_t rung = random.below(16);
  if (rung == 0) return x;
  if (rung < 3) return std::nextafter(x, rung == 1 ? -1e300 : 1e300);
  return x + (random.coin() ? scale : -scale) * std::pow(10.0, -static_cast<double>(rung));
}

// How much larger B is than A: mostly alike, else to 1e10 both ways
inline double some_ratio(sudar::Random& random) {
  return random.below(6) == 0 ? std::pow(10.0, random.uniform(-10, 10)) : 1;
}
// The power of two next to it, by which nothing is rounded
inline double whole_ratio(double ratio) { return std::exp2(std::round(std::log2(ratio))); }

// To 1e7, along one axis
inline double some_offset(sudar::Random& random) { return 1e7 * some_coordinate(random); }

inline sudar::Quatd some_rotation(sudar::Random& random) {
  constexpr sudar::Quatd kQuarters[] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                        {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}};
  if (random.coin()) return random_rotation(random);
  sudar::Quatd q = kQuarters[random.below(std::size(kQuarters))];
  // Nearly in line
  if (random.below(4) == 0) q.x += std::ldexp(1.0, -static_cast<int>(1 + random.below(60)));
  return normalized(q);
}
inline double some_angle(sudar::Random& random) {
  constexpr double kQuarter = 1.5707963267948966;
  if (random.coin()) return random.uniform(-4, 4);
  const double angle = kQuarter * (static_cast<double>(random.below(5)) - 2);
  return random.below(4) == 0 ? angle + std::ldexp(1.0, -static_cast<int>(1 + random.below(60))) : angle;
}

// Points of `dim` numbers each made thin along one axis, or flat
inline void make_sliver(sudar::Random& random, std::span<double> numbers, std::size_t dim) {
  const std::size_t axis = random.below(dim);
  const double thin = random.below(3) == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(1 + random.below(40)));
  for (std::size_t i = axis; i < numbers.size(); i += dim) numbers[i] *= thin;
}

}  // namespace sudar_test

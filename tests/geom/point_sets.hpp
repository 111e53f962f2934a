// Point sets that are hard on geometric algorithms, by name
#pragma once

#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/math/scalar.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace sudar_test {

template <class V>
struct PointSet {
  std::string name;
  std::vector<V> points;
};

// Integer coordinates 0 … side - 1
template <int D>
sudar::Vec<D, double> random_grid_point(sudar::Random& random, std::uint64_t side) {
  sudar::Vec<D, double> p;
  for (int i = 0; i < D; ++i) p[i] = static_cast<double>(random.below(side));
  return p;
}

template <int D>
std::vector<sudar::Vec<D, double>> random_points(std::size_t count, std::uint64_t seed, double lo = -1, double hi = 1) {
  sudar::Random random(campaign_seed(seed));
  std::vector<sudar::Vec<D, double>> points(count);
  for (auto& p : points) p = random_point<D>(random, lo, hi);
  return points;
}

// Sets of about `count` points. All of them have full dimension.
template <int D>
std::vector<PointSet<sudar::Vec<D, double>>> hostile_sets(std::size_t count, std::uint64_t seed) {
  using V = sudar::Vec<D, double>;
  sudar::Random random(campaign_seed(seed));
  std::vector<PointSet<V>> sets;
  const auto add = [&](std::string name, auto&& make) {
    PointSet<V> set{std::move(name), {}};
    for (std::size_t i = 0; i < count; ++i) set.points.push_back(make(i));
    sets.push_back(std::move(set));
  };
  const auto side = static_cast<std::uint64_t>(D == 2 ? std::sqrt(double(count)) + 1 : std::cbrt(double(count)) + 1);
  const auto grid_point = [&](std::size_t i) {
    V p;
    for (int axis = 0; axis < D; ++axis, i /= side) p[axis] = static_cast<double>(i % side);
    return p;
  };
  add("uniform", [&](std::size_t) { return random_point<D>(random, -1, 1); });
  add("grid in order", grid_point);
  add("grid far from the origin", [&](std::size_t i) { return grid_point(i) + V{1e15, 1e15}; });
  add("grid with duplicates", [&](std::size_t) { return random_grid_point<D>(random, 1 + side / 2); });
  add("tiny grid, mostly duplicates", [&](std::size_t) { return random_grid_point<D>(random, 3); });
  // Pythagorean points: exactly on one circle or sphere of radius 65
  add("exactly cospherical", [&](std::size_t) {
    constexpr int kTriples[][2] = {{16, 63}, {25, 60}, {33, 56}, {39, 52}, {65, 0}, {60, 25}, {0, 65}};
    const auto& t = kTriples[random.below(7)];
    V p;
    const int first = static_cast<int>(random.below(D)), second = (first + 1) % D;
    p[first] = random.coin() ? t[0] : -t[0];
    p[second] = random.coin() ? t[1] : -t[1];
    return p;
  });
  add("nearly on one circle or sphere", [&](std::size_t) { return sudar::normalized(random_point<D>(random, -1, 1)); });
  add("nearly on one line", [&](std::size_t) {
    V p;
    const double t = random.uniform();
    for (int i = 0; i < D; ++i) p[i] = t * 3 + random.uniform() * 1e-15;
    return p;
  });
  add("clusters and outliers", [&](std::size_t i) {
    return i % 50 == 0 ? random_point<D>(random, -1e9, 1e9) : random_point<D>(random, 0, 1e-6);
  });
  add("huge", [&](std::size_t) { return random_point<D>(random, -8e307, 8e307); });
  add("subnormal", [&](std::size_t) { return random_grid_point<D>(random, 200) * 5e-324; });
  add("exponents of every size", [&](std::size_t) {
    V p;
    for (int i = 0; i < D; ++i) p[i] = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(1000)) - 500);
    return p;
  });
  add("two parallel lines", [&](std::size_t i) {
    V p;
    p[0] = static_cast<double>(i / 2);
    p[D - 1] = static_cast<double>(i % 2);
    if (D == 3) p[1] = i % 2 == 0 ? p[0] : -p[0];
    return p;
  });
  add("a flat layer and one point off it", [&](std::size_t i) {
    V p = random_grid_point<D>(random, side * side);
    p[D - 1] = i == count / 2 ? 1 : 0;
    return p;
  });
  return sets;
}

}  // namespace sudar_test

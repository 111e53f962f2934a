// What:    Random points, rotations and poses for tests. Directions are in sudar/math/sampling.hpp.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/vec.hpp>

#include <cstddef>
#include <vector>

namespace sudar_test {

// Coordinates in [lo, hi), one after the other
template <int D, class T = double>
sudar::Vec<D, T> random_point(sudar::Random& random, double lo, double hi) {
  sudar::Vec<D, T> p;
  for (int i = 0; i < D; ++i) p[i] = static_cast<T>(random.uniform(lo, hi));
  return p;
}
template <int D, class T = double>
sudar::Vec<D, T> random_point(sudar::Random& random, double reach = 1) {
  return random_point<D, T>(random, -reach, reach);
}
template <int D>
std::vector<sudar::Vec<D, double>> random_points(sudar::Random& random, std::size_t count) {
  std::vector<sudar::Vec<D, double>> points(count);
  for (auto& p : points) p = random_point<D>(random);
  return points;
}

// Not evenly over all rotations, but each is about as likely as any other
template <class T = double>
sudar::BasicQuat<T> random_rotation(sudar::Random& random) {
  const auto one = [&] { return static_cast<T>(random.uniform(-1, 1)); };
  return normalized(sudar::BasicQuat<T>{one(), one(), one(), one()});
}

inline sudar::Pose3d random_pose(sudar::Random& random, double reach) {
  const sudar::Vec3d position = random_point<3>(random) * reach;
  return {position, random_rotation(random)};
}

}  // namespace sudar_test

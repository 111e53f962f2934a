// What:    Bodies that several tests of the narrow phase put together: the corners of a cube, random polytopes.
#pragma once

#include "tests/support/random.hpp"
#include <sudar/shapes/shape3.hpp>

#include <cstddef>
#include <vector>

namespace sudar_test {

inline std::vector<sudar::Vec3d> cube_corners(double h) {
  std::vector<sudar::Vec3d> out;
  for (int i = 0; i < 8; ++i) out.push_back({i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h});
  return out;
}

// Of points near the unit sphere
inline sudar::Shape3 random_hull(sudar::Random& random, std::size_t count) {
  std::vector<sudar::Vec3d> points;
  for (std::size_t i = 0; i < count; ++i)
    points.push_back(normalized(random_point<3>(random)) * random.uniform(0.8, 1));
  return *sudar::make_hull_shape3(points);
}
// A point, a segment, a triangle, a box or a hull of up to so many points
inline sudar::Shape3 random_polytope(sudar::Random& random, std::size_t most_points) {
  const auto point = [&] { return random_point<3>(random); };
  switch (random.below(6)) {
    case 0:
      return *sudar::make_point3(point());
    case 1: {
      const sudar::Vec3d p = point();
      return *sudar::make_segment3(p, point());
    }
    case 2: {
      const sudar::Vec3d p = point(), q = point();
      return *sudar::make_triangle3(p, q, point());
    }
    case 3:
      return *sudar::make_box3(random_point<3>(random, 0.2, 1));
    default:
      return random_hull(random, 4 + random.below(most_points - 3));
  }
}

}  // namespace sudar_test

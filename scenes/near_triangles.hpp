// What:    Pairs of triangles that nearly touch, for the tests and the benchmark: a corner on a face, two edges, a corner on an edge,
//          a corner or an edge that both have, one plane; then moved by a few units in the last place.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/geom/triangle.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace sudar::scenes {

inline constexpr int kNearKinds = 6;

inline Vec3d point_of_cube(Random& random, double reach = 1) {
  Vec3d p;
  for (int k = 0; k < 3; ++k) p[k] = random.uniform(-reach, reach);
  return p;
}
inline Triangle<3, double> triangle_of_cube(Random& random, double reach = 1) {
  return {point_of_cube(random, reach), point_of_cube(random, reach), point_of_cube(random, reach)};
}

inline double stepped(double x, int ulps) {
  for (; ulps > 0; --ulps) x = std::nextafter(x, std::numeric_limits<double>::infinity());
  for (; ulps < 0; ++ulps) x = std::nextafter(x, -std::numeric_limits<double>::infinity());
  return x;
}
// By up to so many units in the last place
inline Vec3d shaken(Vec3d p, Random& random, int ulps) {
  for (int k = 0; k < 3; ++k)
    p[k] = stepped(p[k], static_cast<int>(random.below(static_cast<std::uint64_t>(2 * ulps + 1))) - ulps);
  return p;
}

// `kind` below kNearKinds, in the order above
inline std::pair<Triangle<3, double>, Triangle<3, double>> near_pair(Random& random, int kind) {
  const Triangle<3, double> a = triangle_of_cube(random);
  const Vec3d on_face = a.at(random.uniform(0, 0.5), random.uniform(0, 0.5));
  const Vec3d on_edge = lerp(a.a, a.b, random.uniform());
  switch (kind) {
    case 0:
      return {a, {on_face, point_of_cube(random), point_of_cube(random)}};
    case 1: {
      const Vec3d d = point_of_cube(random);
      return {a, {on_edge - d * random.uniform(), on_edge + d * random.uniform(), point_of_cube(random)}};
    }
    case 2:
      return {a, {on_edge, point_of_cube(random), point_of_cube(random)}};
    case 3:
      return {a, {a.b, point_of_cube(random), point_of_cube(random)}};
    case 4:
      return {a, {a.b, point_of_cube(random), a.a}};
    default: {
      const auto in_plane = [&] { return a.at(random.uniform(-1, 2), random.uniform(-1, 2)); };
      return {a, {in_plane(), in_plane(), in_plane()}};
    }
  }
}

}  // namespace sudar::scenes

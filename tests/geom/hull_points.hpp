// What:    Point sets for the hull tests: friendly ones, and those that break hulls.
#pragma once

#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/vec.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace sudar_test {

using Cloud = std::vector<sudar::Vec3d>;

inline sudar::Vec3d in_cube(sudar::Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return {x, y, random.uniform(-1, 1)};
}
inline sudar::Vec3d in_ball(sudar::Random& random) {
  for (;;) {
    const sudar::Vec3d p = in_cube(random);
    if (length_squared(p) <= 1) return p;
  }
}
inline sudar::Vec3d on_sphere(sudar::Random& random) {
  for (;;) {
    const sudar::Vec3d p = in_ball(random);
    if (length_squared(p) > 0.01) return normalized(p);
  }
}

template <class Make>
Cloud cloud(std::size_t n, std::uint64_t seed, Make&& make) {
  sudar::Random random(campaign_seed(seed));
  Cloud points(n);
  for (sudar::Vec3d& p : points) p = make(random);
  return points;
}
inline Cloud ball(std::size_t n, std::uint64_t seed) { return cloud(n, seed, in_ball); }
inline Cloud sphere(std::size_t n, std::uint64_t seed) { return cloud(n, seed, on_sphere); }
inline Cloud cube(std::size_t n, std::uint64_t seed) { return cloud(n, seed, in_cube); }
// In a cube, the last n / 100 being copies of earlier ones
inline Cloud cube_with_duplicates(std::size_t n, std::uint64_t seed) {
  Cloud points = cube(n, seed);
  sudar::Random random(campaign_seed(seed + 1));
  const std::size_t copies = n / 100;
  for (std::size_t i = n - copies; i < n; ++i) points[i] = points[random.below(n - copies)];
  return points;
}
// Integer points: nearly every predicate is zero for someone
inline Cloud lattice(std::size_t n, std::uint64_t seed, std::uint64_t side) {
  return cloud(n, seed, [side](sudar::Random& random) {
    const auto axis = [&] { return static_cast<double>(random.below(side)); };
    const double x = axis(), y = axis();
    return sudar::Vec3d{x, y, axis()};
  });
}
inline Cloud grid(int side) {
  Cloud points;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) points.push_back({double(x), double(y), double(z)});
  return points;
}

struct NamedCloud {
  std::string name;
  Cloud points;
};

// What hulls fail on, with full dimension
inline std::vector<NamedCloud> hostile_bodies() {
  using sudar::Vec3d;
  std::vector<NamedCloud> all;
  all.push_back({"grid", grid(6)});
  all.push_back({"lattice", lattice(300, 1, 5)});
  // All integer points on a sphere of squared radius 9·25·9: cospherical, with cocircular facets
  Cloud cospherical;
  for (int x = -45; x <= 45; ++x)
    for (int y = -45; y <= 45; ++y)
      for (int z = -45; z <= 45; ++z)
        if (x * x + y * y + z * z == 2025) cospherical.push_back({double(x), double(y), double(z)});
  all.push_back({"cospherical", cospherical});
  // Prism over an exact circle of Pythagorean points, all 2·k points on two planes
  Cloud prism;
  for (int x = -325; x <= 325; ++x)
    for (int y = -325; y <= 325; ++y)
      if (x * x + y * y == 325 * 325) {
        prism.push_back({double(x), double(y), 0});
        prism.push_back({double(x), double(y), 7});
      }
  all.push_back({"prism", prism});
  // A cube with points on its faces and edges, each moved by at most one unit in the last place
  Cloud nearly = cloud(400, 3, [](sudar::Random& random) {
    Vec3d p = in_cube(random);
    p[static_cast<int>(random.below(3))] = random.coin() ? 1 : -1;
    if (random.coin()) p[static_cast<int>(random.below(3))] = random.coin() ? 1 : std::nextafter(1.0, 0.0);
    return p;
  });
  all.push_back({"nearly flat faces", nearly});
  // A tilted square with rounding noise: sliver hull
  all.push_back({"sliver", cloud(300, 4, [](sudar::Random& random) {
                   const double u = random.uniform(), v = random.uniform();
                   return Vec3d{u, v, 0.3 * u + 0.7 * v};
                 })});
  all.push_back({"needle", cloud(200, 5, [](sudar::Random& random) {
                   const double t = random.uniform();
                   return Vec3d{t, t * 0.1, t * 0.7 + random.uniform() * 1e-16};
                 })});
  all.push_back({"far from the origin", cloud(300, 6, [](sudar::Random& random) {
                   const Vec3d p = on_sphere(random);
                   return p * 1e-3 + Vec3d{1e6, -3e6, 7e6};
                 })});
  for (const double scale : {1e-300, 1e-160, 1e150, 1e300, 0x1p-1060}) {
    Cloud scaled = sphere(100, 7);
    for (Vec3d& p : scaled) p = p * scale;
    all.push_back({"sphere of size " + std::to_string(scale), scaled});
  }
  Cloud mixed = sphere(60, 8);
  for (Vec3d& p : mixed) p = {p.x * 1e300, p.y * 1e-300, p.z};
  all.push_back({"1e300 by 1e-300", mixed});
  // Clusters whose sizes span the whole range of double
  Cloud clusters;
  sudar::Random random(campaign_seed(9));
  for (int e = -300; e <= 300; e += 60)
    for (int i = 0; i < 6; ++i) clusters.push_back(on_sphere(random) * std::pow(10.0, e));
  all.push_back({"clusters", clusters});
  const double big = 1.7e308;
  all.push_back({"corners of the number range",
                 {{big, big, big},
                  {-big, big, big},
                  {big, -big, big},
                  {big, big, -big},
                  {-big, -big, big},
                  {-big, big, -big},
                  {big, -big, -big},
                  {-big, -big, -big},
                  {0, 0, 0},
                  {big, 0, 0},
                  {big, big, 0}}});
  Cloud duplicated;
  for (int i = 0; i < 100; ++i)
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{0.25, 0.25, 0.25}})
      duplicated.push_back(p);
  all.push_back({"duplicates", duplicated});
  return all;
}

}  // namespace sudar_test

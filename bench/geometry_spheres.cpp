// What:    Smallest sphere of 1 000 000 points against CGAL: in a ball, on a sphere, in a cube, along a line. Every
//          contestant must find the same radius to 1e-12.
#include "bench/peers/peers.hpp"
#include "bench/suites.hpp"
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/core/random.hpp>

#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec3d;
using Cloud = std::vector<Vec3d>;

void race_spheres(Session& session, const std::string& workload, const Cloud& points) {
  const std::string table = "smallest_sphere";
  const auto radius = [](const auto& sphere) { return sphere ? sphere->radius : -1.0; };
  std::vector<Contestant> contestants = {
      {"smallest_sphere", "", [&] { return radius(sudar::smallest_sphere<3>(points)); }},
      {"welzl_sphere", "", [&] { return radius(sudar::welzl_sphere<3>(points)); }},
  };
  if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_SPHERE)
    contestants.push_back(
        {"CGAL Min_sphere_of_spheres_d", cgal_sphere_version(), cgal_sphere_of_spheres_radius(points)});
    contestants.push_back({"CGAL Min_sphere_d", cgal_sphere_version(), cgal_sphere_radius(points)});
#else
    session.missing_peer(table, "CGAL");
#endif
  }
  const auto rows = session.race(table, workload, 15, 1e-12, contestants);
  session.bar_against_peers("smallest sphere of points " + workload + ": times as fast as the best peer", 2,
                            speedup_over_best_peer(rows));
}

}  // namespace

void bench_spheres(Session& session) {
  const std::size_t n = session.options().quick ? 100000 : 1000000;
  sudar::Random random(session.options().seed);
  Cloud ball, sphere, cube, line;
  while (ball.size() < n) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3d p{x, y, z};
    if (cube.size() < n) cube.push_back(p);
    if (line.size() < n) line.push_back(Vec3d{1, 2, 3} * p.x);
    if (length_squared(p) <= 1) ball.push_back(p);
    if (length_squared(p) <= 1 && length_squared(p) > 0.01 && sphere.size() < n) sphere.push_back(normalized(p));
  }
  race_spheres(session, "in a ball", ball);
  race_spheres(session, "on a sphere", sphere);
  race_spheres(session, "in a cube", cube);
  race_spheres(session, "along a line", line);
}

}  // namespace sudar_bench

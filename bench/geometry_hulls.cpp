// What:    Convex hulls of 100 000 points in space against Qhull and CGAL: in a ball, on a sphere, and in a cube with
//          1 000 duplicates. Every contestant must find the same number of vertices.
#include "bench/peers/peers.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/hull3.hpp>

#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec3d;
using Cloud = std::vector<Vec3d>;

Vec3d in_cube(sudar::Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return {x, y, random.uniform(-1, 1)};
}

Vec3d in_ball(sudar::Random& random) {
  for (;;) {
    const Vec3d p = in_cube(random);
    if (length_squared(p) <= 1) return p;
  }
}

void race_hulls(Session& session, const std::string& workload, const Cloud& points) {
  const std::string table = "hull3";
  const auto vertices = [](const sudar::Result<sudar::Hull3>& hull) { return hull ? hull->vertex_count() : -1.0; };
  std::vector<Contestant> contestants = {
      {"quickhull3", "", [&] { return vertices(sudar::quickhull3(points)); }},
      {"incremental_hull3", "", [&] { return vertices(sudar::incremental_hull3(points)); }},
  };
  if (session.options().peers) {
#if defined(SUDAR_PEER_QHULL)
    contestants.push_back({"Qhull", qhull_version(), [&] { return qhull_vertex_count(points); }});
#else
    session.missing_peer(table, "Qhull");
#endif
#if defined(SUDAR_PEER_CGAL_HULL)
    contestants.push_back({"CGAL convex_hull_3", cgal_version(), cgal_hull_vertex_count(points)});
#else
    session.missing_peer(table, "CGAL");
#endif
  }
  const auto rows = session.race(table, workload, 15, 0, contestants);
  session.bar_against_peers("hull of points " + workload + ": times as fast as the best peer", 1,
                            speedup_over_best_peer(rows));

  const auto proof = sudar::validate(*sudar::quickhull3(points), points);
  session.bar_at_least("hull of points " + workload + ": every point inside or on every face", 1, proof ? 1 : 0);
}

}  // namespace

void bench_hulls(Session& session) {
  const std::size_t n = session.options().quick ? 20000 : 100000;
  sudar::Random random(session.options().seed);
  Cloud ball(n), sphere(n), cube(n);
  for (Vec3d& p : ball) p = in_ball(random);
  for (Vec3d& p : sphere) {
    do p = in_ball(random);
    while (length_squared(p) < 0.01);
    p = normalized(p);
  }
  for (Vec3d& p : cube) p = in_cube(random);
  for (std::size_t i = n - n / 100; i < n; ++i) cube[i] = cube[random.below(n - n / 100)];
  race_hulls(session, "in a ball", ball);
  race_hulls(session, "on a sphere", sphere);
  race_hulls(session, "in a cube with duplicates", cube);
}

}  // namespace sudar_bench

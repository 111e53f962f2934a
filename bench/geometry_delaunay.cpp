// What:    Delaunay triangulations of the plane and of space against CGAL's, on points in general position and on grids,
//          where everything is cocircular.
#include "bench/peers/peers.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay3.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec2d;
using sudar::Vec3d;

// Every triangulation of a point set in the plane has the same number of triangles
void race2(Session& session, const std::string& workload, int rounds, const std::vector<Vec2d>& points) {
  std::vector<Contestant> contestants = {{"sudar", "", [&] {
                                            const auto d = sudar::delaunay2(points);
                                            return d.ok() ? static_cast<double>(d->triangles.size()) : -1;
                                          }}};
  if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_DELAUNAY)
    contestants.push_back({"CGAL Delaunay_triangulation_2", cgal_delaunay_version(), cgal_delaunay2_triangles(points)});
#else
    session.missing_peer("delaunay", "CGAL");
#endif
  }
  const auto rows = session.race("delaunay", workload, rounds, 0, contestants);
  session.bar_against_peers(workload + ": speed-up over CGAL", 1, speedup_over_best_peer(rows));
}

double vertex_count(const sudar::Delaunay3& d) {
  std::vector<bool> used(d.first_of.size());
  for (const auto& corners : d.tetrahedra)
    for (const std::uint32_t v : corners) used[v] = true;
  return static_cast<double>(std::count(used.begin(), used.end(), true));
}

// In space the number of tetrahedra is settled in general position only; on a grid all vertices must be there
void race3(Session& session, const std::string& workload, int rounds, const std::vector<Vec3d>& points, bool general) {
  std::vector<Contestant> contestants = {{"sudar", "", [&] {
                                            const auto d = sudar::delaunay3(points);
                                            if (!d.ok()) return -1.0;
                                            return general ? static_cast<double>(d->tetrahedra.size())
                                                           : vertex_count(*d);
                                          }}};
  if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_DELAUNAY)
    contestants.push_back(
        {"CGAL Delaunay_triangulation_3", cgal_delaunay_version(), cgal_delaunay3_tetrahedra(points, general)});
#else
    session.missing_peer("delaunay", "CGAL");
#endif
  }
  const auto rows = session.race("delaunay", workload, rounds, 0, contestants);
  session.bar_against_peers(workload + ": speed-up over CGAL", 1, speedup_over_best_peer(rows));
}

}  // namespace

void bench_delaunay(Session& session) {
  const bool quick = session.options().quick;
  sudar::Random random(session.options().seed);
  const int side2 = quick ? 100 : 316, side3 = quick ? 15 : 30;
  std::vector<Vec2d> uniform2(quick ? 10000 : 100000), grid2;
  for (Vec2d& p : uniform2) p = {random.uniform(), random.uniform()};
  for (int i = 0; i < side2 * side2; ++i) grid2.push_back({double(i % side2), double(i / side2)});
  std::vector<Vec3d> uniform3(quick ? 10000 : 100000), grid3;
  for (Vec3d& p : uniform3) p = {random.uniform(), random.uniform(), random.uniform()};
  for (int i = 0; i < side3 * side3 * side3; ++i)
    grid3.push_back({double(i % side3), double(i / side3 % side3), double(i / side3 / side3)});

  const int rounds = quick ? 5 : 9;
  race2(session, "Delaunay in the plane, " + std::to_string(uniform2.size()) + " random points", rounds, uniform2);
  race2(session, "Delaunay in the plane, grid of " + std::to_string(grid2.size()), rounds, grid2);
  race3(session, "Delaunay in space, " + std::to_string(uniform3.size()) + " random points", rounds, uniform3, true);
  race3(session, "Delaunay in space, grid of " + std::to_string(grid3.size()), rounds, grid3, false);
}

}  // namespace sudar_bench

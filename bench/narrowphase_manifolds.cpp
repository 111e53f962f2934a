// What:    Nanoseconds a manifold, of pairs as a rigid-body step has them: bodies that rest on each other, a little deep and
//          a little tilted. Boxes against the peers' box–box: they make all their contact points, too.
// Differs: Ours start from two poses in the world. The peers' transforms are converted beforehand, but for ODE, whose geoms
//          have to be placed. A wrong depth is off by more than 1e-9 (ours) or 1e-3 (peers) from the distance().
#include "bench/ns_table.hpp"
#include "bench/peers/pair_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr std::size_t kRests = 1000;

// Pairs of one kind, B on top of A; every pair has a cache of its own, as in a scene
struct Rests {
  std::string name;
  Shape3 a, b;
  std::vector<Pose3d> poses_a, poses_b;
  std::vector<QueryCache3> caches = std::vector<QueryCache3>(kRests);
};
Rests rests_of(std::string name, const Shape3& a, const Shape3& b, double height, double drift, bool turned,
               Random& random) {
  Rests out{std::move(name), a, b, {}, {}};
  const auto one = [&] { return random.uniform(-1, 1); };
  for (std::size_t i = 0; i < kRests; ++i) {
    const double yaw = turned ? 3 * one() : 0, x = one(), y = one(), z = one();
    const Quatd tilt = normalized(Quatd{1, 1e-4 * one(), 1e-4 * one(), 1e-4 * one()});
    out.poses_a.push_back({});
    out.poses_b.push_back(
        {{drift * x, drift * y, height - 1e-3 + 2e-4 * z}, Quatd::from_axis_angle({0, 0, 1}, yaw) * tilt});
  }
  return out;
}
double depth_of(const std::vector<PieceManifold<3>>& manifolds) {
  double least = 0;
  for (const auto& piece : manifolds)
    for (int i = 0; i < piece.manifold.count; ++i) least = std::min(least, piece.manifold.points[i].separation);
  return -least;
}
PairFill ours(Rests& rests, bool plain) {
  return [&rests, plain](std::span<double> out) {
    std::vector<PieceManifold<3>> manifolds;
    for (std::size_t i = 0; i < kRests; ++i) {
      manifolds.clear();
      const Placement3 at = make_placement(rests.poses_a[i], rests.poses_b[i]);
      if (plain)
        append_manifolds_plain(rests.a, rests.b, at, 0, manifolds);
      else
        append_manifolds(rests.a, rests.b, at, 0, &rests.caches[i], manifolds);
      out[i] = depth_of(manifolds);
    }
  };
}

void race_rests(Session& session, Table& table, Rests& rests, double most_ns, bool compare) {
  struct Entrant {
    std::string name, version;
    PairFill fill;
  };
  std::vector<Entrant> entrants;
  entrants.push_back({"sudar", "", ours(rests, false)});
  if (compare) entrants.push_back({"sudar, plain", "", ours(rests, true)});
  std::vector<BoxPairCase> cases;
  const bool boxes = rests.a.kind() == ShapeKind3::box && rests.b.kind() == ShapeKind3::box;
  if (boxes && session.options().peers) {
    for (std::size_t i = 0; i < kRests; ++i)
      cases.push_back({rests.a.as<BoxShape3>().half, rests.b.as<BoxShape3>().half, rests.poses_a[i], rests.poses_b[i]});
#if defined(SUDAR_PEER_BULLET)
    entrants.push_back({"Bullet", bullet_pairs_version(), bullet_box_pairs(cases, PairQuery::depth)});
#else
    session.missing_peer("manifolds", "Bullet");
#endif
#if defined(SUDAR_PEER_ODE)
    entrants.push_back({"ODE", ode_version(), ode_box_pairs(cases, PairQuery::depth)});
#else
    session.missing_peer("manifolds", "ODE");
#endif
  }
  std::vector<std::vector<double>> answers(entrants.size(), std::vector<double>(kRests));
  std::vector<double> truth;
  for (std::size_t i = 0; compare && i < kRests; ++i) {
    const Placement3 at = make_placement(rests.poses_a[i], rests.poses_b[i]);
    truth.push_back(std::max(0.0, -distance(rests.a, rests.b, at).separation));
  }
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    contestants.push_back({entrants[i].name, entrants[i].version, [fill = entrants[i].fill, &out = answers[i]] {
                             fill(out);
                             return 0.0;
                           }});
    if (!compare) continue;
    contestants.back().wrong = [&out = answers[i], &truth, allowed = entrants[i].version.empty() ? 1e-9 : 1e-3] {
      return count_wrong(out, truth, allowed);
    };
    contestants.back().of = kRests;
  }
  const int rounds = rests.a.kind() == ShapeKind3::mesh ? 9 : 60;
  const auto results = session.race("manifolds", rests.name, rounds, 0, contestants);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const double ns = results[k].min_ms * 1e6 / static_cast<double>(kRests);
    if (results[k].version.empty() && compare)
      session.bar_at_most(rests.name + ", " + results[k].contestant + ": wrong depths", 0, results[k].disagreements);
    if (k == 0 && most_ns > 0) session.bar_at_most(rests.name + ": ns a manifold", most_ns, ns);
  }
  add_ns_rows(table, results, kRests);
  if (boxes)
    session.bar_against_peers(rests.name + ": times faster than the best peer", 1, speedup_over_best_peer(results));
}

// Two triangles a cell, 71 by 71 cells of 20 cm
Shape3 ground_of(double height) {
  constexpr std::uint32_t kCells = 71;
  std::vector<Vec3d> vertices;
  std::vector<MeshTriangle> triangles;
  for (std::uint32_t j = 0; j <= kCells; ++j)
    for (std::uint32_t i = 0; i <= kCells; ++i) {
      const double x = 0.2 * i - 7.1, y = 0.2 * j - 7.1;
      vertices.push_back({x, y, height * sin_cos(2 * x).sin * sin_cos(1.7 * y).cos});
    }
  for (std::uint32_t j = 0; j < kCells; ++j)
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t p = j * (kCells + 1) + i, q = p + kCells + 1;
      triangles.push_back({p, p + 1, q + 1});
      triangles.push_back({p, q + 1, q});
    }
  return *make_mesh_shape3(vertices, triangles, false);
}

}  // namespace

void bench_manifolds(Session& session) {
  Table table = ns_table("manifold_ns", "pair");
  Random random(session.options().seed);
  const Shape3 cube = *make_box3({0.5, 0.5, 0.5}), slab = *make_box3({5, 5, 1}), ball = *make_sphere3(0.5);
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5});
  const Shape3 block = *make_hull_shape3(corners), floor = *make_halfspace3({0, 0, 1}, 0);
  const Shape3 flat = ground_of(0), hilly = ground_of(0.05);
  Rests all[] = {rests_of("box on a larger box", slab, cube, 1.5, 2, true, random),
                 rests_of("box on its like, a tower", cube, cube, 1, 0.003, false, random),
                 rests_of("box across its like", cube, cube, 1, 0.2, true, random),
                 rests_of("box on a half-space", floor, cube, 0.5, 2, true, random),
                 rests_of("hull on hull", block, block, 1, 0.2, true, random),
                 rests_of("sphere on sphere", ball, ball, 0.9, 0.1, true, random)};
  for (Rests& rests : all) race_rests(session, table, rests, rests.name.starts_with("box on") ? 300 : 0, true);
  Rests ground[] = {rests_of("box on 10 000 flat triangles", flat, cube, 0.5, 3, true, random),
                    rests_of("sphere on 10 000 flat triangles", flat, ball, 0.5, 3, true, random),
                    rests_of("box on 10 000 hilly triangles", hilly, cube, 0.53, 3, true, random)};
  for (Rests& rests : ground) race_rests(session, table, rests, 0, false);
  session.add_table(std::move(table));
}

}  // namespace sudar_bench

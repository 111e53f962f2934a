// What:    Hulls of 16, 64 and 256 points on a sphere, one pair at a time: yes/no, distance and depth, cold, and warm after
//          a small drift, with peers: nanoseconds a query and wrong answers. Half of the pairs overlap by up to 0.3, half
//          miss by as much; depth is asked of those that overlap.
// Differs: Ours start from two poses in the world and give the certificate. A wrong yes/no is one that differs from exact
//          arithmetic; a wrong distance is off by more than 1e-9 (ours; 1e-3 for peers) from it, a wrong depth from the
//          middle of its own bounds or (peers) from ours.
#include "bench/peers/hull_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Pose3d;
using sudar::Vec3d;

constexpr std::size_t kHulls = 64, kPairs = 1000;

Vec3d random_unit(sudar::Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const double l = std::sqrt(x * x + y * y + z * z);
    if (l > 0.1 && l < 1) return Vec3d{x, y, z} / l;
  }
}
sudar::Quatd random_turn(sudar::Random& random) {
  const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return normalized(sudar::Quatd{w, x, y, random.uniform(-1, 1)});
}

struct HullScene {
  std::vector<std::vector<Vec3d>> points;
  std::vector<sudar::Shape3> shapes;
  std::vector<HullPairCase> cases;  // even ones overlap
};

sudar::DistanceAnswer3 measured(const HullScene& scene, const HullPairCase& c) {
  return sudar::convex_distance3(scene.shapes[c.a], scene.shapes[c.b], sudar::make_placement(c.pose_a, c.pose_b));
}

HullScene make_scene(std::size_t vertices, std::uint64_t seed) {
  sudar::Random random(seed);
  HullScene scene;
  for (std::size_t i = 0; i < kHulls; ++i) {
    std::vector<Vec3d> points(vertices);
    for (Vec3d& p : points) p = random_unit(random);
    scene.shapes.push_back(*sudar::make_hull_shape3(points));
    scene.points.push_back(std::move(points));
  }
  for (std::size_t i = 0; i < kPairs; ++i) {
    HullPairCase c{static_cast<std::uint32_t>(random.below(kHulls)),
                   static_cast<std::uint32_t>(random.below(kHulls)),
                   {random_unit(random) * 5.0, random_turn(random)},
                   {}};
    c.pose_b = {c.pose_a.position + random_unit(random) * 3.0, random_turn(random)};
    const sudar::DistanceAnswer3 r = measured(scene, c);
    const double target = (i % 2 == 0 ? -1 : 1) * random.uniform(0, 0.3);
    c.pose_b.position += rotate(c.pose_a.rotation, r.normal) * (target - r.separation);
    scene.cases.push_back(c);
  }
  return scene;
}

double value_of(const sudar::DistanceAnswer3& answer, PairQuery query) {
  return query == PairQuery::distance ? std::max(answer.separation, 0.0) : std::max(-answer.separation, 0.0);
}

std::vector<double> truth_of(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query) {
  std::vector<double> out;
  for (const HullPairCase& c : cases) {
    const sudar::Placement3 at = sudar::make_placement(c.pose_a, c.pose_b);
    const sudar::ConvexView3 a = make_view(scene.shapes[c.a]), b = make_view(scene.shapes[c.b]);
    const sudar::Difference3 difference(a, b, at);
    const sudar::ExactGjk3 exact = exact_gjk3(difference, {}, query == PairQuery::distance);
    const sudar::DistanceAnswer3 r = measured(scene, c);
    out.push_back(query == PairQuery::hit        ? (exact.hit ? 1 : 0)
                  : query == PairQuery::distance ? (exact.hit ? 0 : exact.distance)
                                                 : -(r.lower + r.upper) / 2);
  }
  return out;
}

// The answers of all pairs; with caches, as many as pairs, warm
void fill(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query,
          std::vector<sudar::GjkCache3>* caches, std::span<double> out) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const HullPairCase& c = cases[i];
    const sudar::Placement3 at = sudar::make_placement(c.pose_a, c.pose_b);
    sudar::GjkCache3* cache = caches != nullptr ? &(*caches)[i] : nullptr;
    if (query == PairQuery::hit)
      out[i] = sudar::convex_intersects3(scene.shapes[c.a], scene.shapes[c.b], at, cache) ? 1 : 0;
    else
      out[i] = value_of(sudar::convex_distance3(scene.shapes[c.a], scene.shapes[c.b], at, cache), query);
  }
}

void race_query(Session& session, Table& table, const HullScene& scene, std::size_t vertices, PairQuery query) {
  static constexpr const char* kNames[] = {"yes/no", "distance", "depth"};
  const std::string what = "hull " + std::to_string(vertices) + " " + kNames[static_cast<int>(query)];
  std::vector<HullPairCase> cases;
  // Distance is asked of those apart, where it is more than a yes or no
  for (std::size_t i = 0; i < scene.cases.size(); ++i)
    if (query == PairQuery::hit || (query == PairQuery::depth) == (i % 2 == 0)) cases.push_back(scene.cases[i]);
  const std::vector<double> truth = truth_of(scene, cases, query);
  std::vector<std::vector<double>> answers(3, std::vector<double>(cases.size()));

  // Warm: the simplex of the same pair a thousandth of a width before
  std::vector<HullPairCase> before = cases;
  sudar::Random random(session.options().seed);
  for (HullPairCase& c : before) c.pose_b.position += random_unit(random) * 0.002;
  std::vector<sudar::GjkCache3> fresh(cases.size()), caches;
  fill(scene, before, query, &fresh, answers[1]);

  std::vector<Contestant> contestants;
  contestants.push_back({"sudar", "", [&] {
                           fill(scene, cases, query, nullptr, answers[0]);
                           return 0.0;
                         }});
  if (query != PairQuery::depth)
    contestants.push_back({"sudar, warm", "", [&] {
                             caches = fresh;
                             fill(scene, cases, query, &caches, answers[1]);
                             return 0.0;
                           }});
  if (session.options().peers) {
#if defined(SUDAR_PEER_BULLET)
    contestants.push_back({"Bullet", bullet_pairs_version(), [&, run = bullet_hull_pairs(scene.points, cases, query)] {
                             run(answers[2]);
                             return 0.0;
                           }});
#else
    session.missing_peer("narrowphase_hulls", "Bullet");
#endif
  }
  const auto results = session.race("narrowphase_hulls", what, session.options().quick ? 5 : 40, 0, contestants);
  double cold = 0;
  for (const auto& result : results) {
    const bool ours = result.version.empty(), warm = result.contestant == "sudar, warm";
    const std::vector<double>& given = answers[!ours ? 2 : warm ? 1 : 0];
    const double allowed = query == PairQuery::hit ? 0 : ours ? 1e-9 : 1e-3;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) wrong += std::fabs(given[i] - truth[i]) > allowed ? 1 : 0;
    char ns[32];
    std::snprintf(ns, sizeof ns, "%.1f", result.min_ms * 1e6 / static_cast<double>(cases.size()));
    table.rows.push_back({what, result.contestant, ns, std::to_string(wrong), std::to_string(cases.size())});
    if (ours) session.bar_at_most(what + ", " + result.contestant + ": wrong answers", 0, static_cast<double>(wrong));
    if (result.contestant == "sudar") cold = result.min_ms;
    if (warm) session.bar_at_least(what + ": times faster warm than cold", 2.5, cold / result.min_ms);
  }
  if (const double speedup = speedup_over_best_peer(results); speedup > 0)
    session.bar_at_least(what + ": times faster than the best peer", 2, speedup);
}

}  // namespace

void bench_hull_pairs(Session& session) {
  Table table{"narrowphase_hulls_ns", {"query", "contestant", "ns", "wrong", "of"}, {}};
  for (const std::size_t vertices : {16, 64, 256}) {
    const HullScene scene = make_scene(vertices, session.options().seed);
    for (const PairQuery query : {PairQuery::hit, PairQuery::distance, PairQuery::depth})
      race_query(session, table, scene, vertices, query);
  }
  session.add_table(std::move(table));
}

}  // namespace sudar_bench

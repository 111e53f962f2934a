// What:    Convex polygons of 8, 64 and 256 vertices, one pair at a time, by every method of the plane: GJK with EPA and
//          exact signs (cold, and warm after a small drift), its vector form, separating axes on both sides and on one:
//          nanoseconds a query and wrong answers. Half of the pairs overlap by up to 0.3, half miss by as much.
// Differs: Ours start from two poses in the world. A wrong yes/no is one that differs from exact arithmetic; a wrong
//          distance is off by more than 1e-9 from it, a wrong depth from the separating axes projected in full.
#include "bench/ns_table.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>
#include <sudar/narrowphase/sat2.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr std::size_t kPolygons = 64, kPairs = 1000;

struct Case {
  std::uint32_t a, b;
  Pose2d pose_a, pose_b;

  Placement2 at() const { return make_placement(pose_a, pose_b); }
};
struct Scene {
  std::vector<Shape2> shapes;
  std::vector<Case> cases;  // even ones overlap
};
enum class Query { hit, distance, depth };

Vec2d random_unit(Random& random) {
  const SinCos sc = sin_cos(random.uniform(-kPi, kPi));
  return {sc.cos, sc.sin};
}
Scene make_scene(std::size_t vertices, std::uint64_t seed) {
  Random random(seed);
  Scene scene;
  while (scene.shapes.size() < kPolygons) {
    std::vector<double> angles(vertices);
    for (double& x : angles) x = random.uniform(-kPi, kPi);
    std::sort(angles.begin(), angles.end());
    std::vector<Vec2d> points;
    for (const double x : angles) points.push_back({sin_cos(x).cos, sin_cos(x).sin});
    if (Result<Shape2> made = make_polygon2(points); made.ok()) scene.shapes.push_back(*made);
  }
  for (std::size_t i = 0; i < kPairs; ++i) {
    Case c{static_cast<std::uint32_t>(random.below(kPolygons)),
           static_cast<std::uint32_t>(random.below(kPolygons)),
           {random_unit(random) * 5.0, Rot2d::from_angle(random.uniform(-kPi, kPi))},
           {}};
    c.pose_b = {c.pose_a.position + random_unit(random) * 3.0, Rot2d::from_angle(random.uniform(-kPi, kPi))};
    const DistanceAnswer2 r = convex_distance2(scene.shapes[c.a], scene.shapes[c.b], c.at());
    const double target = (i % 2 == 0 ? -1 : 1) * random.uniform(0, 0.3);
    c.pose_b.position += rotate(c.pose_a.rotation, r.normal) * (target - r.separation);
    scene.cases.push_back(c);
  }
  return scene;
}

double value_of(double separation, Query query) {
  if (query == Query::hit) return separation <= 0 ? 1 : 0;
  return query == Query::distance ? std::max(separation, 0.0) : std::max(-separation, 0.0);
}
double truth_of(const Scene& scene, const Case& c, Query query) {
  const Placement2 at = c.at();
  const PolytopeView2 a(scene.shapes[c.a]), b(scene.shapes[c.b]);
  if (query == Query::depth) return -sat2_plain(a, b, at).separation;
  const ConvexView2 view_a = make_view(scene.shapes[c.a]), view_b = make_view(scene.shapes[c.b]);
  const ExactGjk2 exact = exact_gjk2(Difference2(view_a, view_b, at), {}, query == Query::distance);
  return query == Query::hit ? (exact.hit ? 1 : 0) : exact.hit ? 0 : exact.distance;
}

void race_query(Session& session, Table& table, const Scene& scene, std::size_t vertices, Query query) {
  static constexpr const char* kNames[] = {"yes/no", "distance", "depth"};
  const std::string what = "polygon " + std::to_string(vertices) + " " + kNames[static_cast<int>(query)];
  std::vector<Case> cases;
  for (std::size_t i = 0; i < scene.cases.size(); ++i)
    if (query == Query::hit || (query == Query::depth) == (i % 2 == 0)) cases.push_back(scene.cases[i]);
  std::vector<double> truth;
  for (const Case& c : cases) truth.push_back(truth_of(scene, c, query));

  const auto ask = [&](const Case& c, GjkCache2* cache) {
    if (query == Query::hit) return convex_intersects2(scene.shapes[c.a], scene.shapes[c.b], c.at(), cache) ? 1.0 : 0.0;
    return value_of(convex_distance2(scene.shapes[c.a], scene.shapes[c.b], c.at(), cache).separation, query);
  };
  // Warm: what the same pair left a thousandth of a width and of a radian before
  Random random(session.options().seed);
  std::vector<GjkCache2> fresh(cases.size()), caches;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case before = cases[i];
    before.pose_b.position += random_unit(random) * 0.002;
    before.pose_b.rotation = Rot2d::from_angle(0.002) * before.pose_b.rotation;
    keep(ask(before, &fresh[i]));
  }
  const auto axes = [&](const Case& c, bool plain) {
    const PolytopeView2 a(scene.shapes[c.a]), b(scene.shapes[c.b]);
    const SatGoal goal = query == Query::hit ? SatGoal::separate : SatGoal::measure;
    return value_of((plain ? sat2_plain(a, b, c.at()) : sat2(a, b, c.at(), goal)).separation, query);
  };

  std::vector<std::vector<double>> answers;
  std::vector<Contestant> contestants;
  answers.reserve(8);
  const auto enter = [&](
                         const std::string& name, std::function<double(std::size_t)> method,
                         std::function<void()> before = [] {}) {
    std::vector<double>& out = answers.emplace_back(cases.size());
    contestants.push_back(
        {name, "",
         [&out, method, before] {
           before();
           for (std::size_t i = 0; i < out.size(); ++i) out[i] = method(i);
           return 0.0;
         },
         nullptr, [&out, &truth, allowed = query == Query::hit ? 0 : 1e-9] { return count_wrong(out, truth, allowed); },
         cases.size(), query == Query::hit ? "no exact signs, at pairs that nearly touch" : ""});
  };
  enter("gjk2, epa2, exact", [&](std::size_t i) { return ask(cases[i], nullptr); });
  enter(
      "gjk2, epa2, exact, warm", [&](std::size_t i) { return ask(cases[i], &caches[i]); }, [&] { caches = fresh; });
  if (query == Query::hit)
    enter("gjk_plain2", [&](std::size_t i) {
      const ConvexView2 a = make_view(scene.shapes[cases[i].a]), b = make_view(scene.shapes[cases[i].b]);
      const Placement2 at = cases[i].at();
      return gjk_plain2(Difference2(a, b, at)) ? 1.0 : 0.0;
    });
  // A gap of separating axes is no distance
  if (query != Query::distance) {
    enter("sat2", [&](std::size_t i) { return axes(cases[i], false); });
    if (vertices <= 64) enter("sat2_plain", [&](std::size_t i) { return axes(cases[i], true); });
  }
  const auto results = session.race("narrowphase_polygons", what, 30, 0, contestants);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].contestant.find("exact") != std::string::npos)
      session.bar_at_most(what + ", " + results[k].contestant + ": wrong answers", 0, results[k].disagreements);
  }
  add_ns_rows(table, results, cases.size());
}

}  // namespace

void bench_polygons(Session& session) {
  Table table = ns_table("narrowphase_polygons_ns", "query");
  for (const std::size_t vertices : {8, 64, 256}) {
    const Scene scene = make_scene(vertices, session.options().seed);
    for (const Query query : {Query::hit, Query::distance, Query::depth})
      race_query(session, table, scene, vertices, query);
  }
  session.add_table(std::move(table));
}

}  // namespace sudar_bench

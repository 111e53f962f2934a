// What:    Hulls of 16, 64 and 256 points on a sphere, one pair at a time: yes/no, distance and depth, cold, and warm after
//          a small drift, and in batches, beside the other methods and peers: nanoseconds a query and wrong answers. Half
//          of the pairs overlap by up to 0.3, half miss by as much; all queries are asked of all pairs.
// Differs: Ours start from two poses in the world and give the certificate. A wrong yes/no is one that differs from exact
//          arithmetic; a wrong distance is off by more than 1e-9 (ours; 1e-3 for peers) from it, a wrong depth from the
//          separating axes: all of them, or (256 points) those of the Gauss map.
#include "bench/ns_table.hpp"
#include "bench/peers/hull_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/sat3.hpp>
#include <sudar/narrowphase/vclip3.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
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

// Yes/no and distances in integers; depths over all axes. All axes of large hulls take minutes: there the Gauss map's.
std::vector<double> truth_of(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query) {
  constexpr std::size_t kAllAxes = 64;
  std::vector<double> out;
  for (const HullPairCase& c : cases) {
    const sudar::Placement3 at = sudar::make_placement(c.pose_a, c.pose_b);
    if (query == PairQuery::depth) {
      const sudar::PolytopeView3 a(scene.shapes[c.a]), b(scene.shapes[c.b]);
      const bool plain = a.vertices().size() <= kAllAxes;
      out.push_back(std::max(0.0, -(plain ? sat3_plain(a, b, at) : sat3(a, b, at)).separation));
      continue;
    }
    const sudar::ConvexView3 a = make_view(scene.shapes[c.a]), b = make_view(scene.shapes[c.b]);
    const sudar::ExactGjk3 exact = exact_gjk3(sudar::Difference3(a, b, at), {}, query == PairQuery::distance);
    out.push_back(query == PairQuery::hit ? (exact.hit ? 1 : 0) : exact.hit ? 0 : exact.distance);
  }
  return out;
}

// The answers of all pairs, those that meet and those that do not; with caches, as many as pairs, warm
void fill(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query,
          std::vector<sudar::GjkCache3>* caches, std::span<double> out) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const HullPairCase& c = cases[i];
    const sudar::Placement3 at = sudar::make_placement(c.pose_a, c.pose_b);
    sudar::GjkCache3* cache = caches != nullptr ? &(*caches)[i] : nullptr;
    if (query == PairQuery::hit)
      out[i] = sudar::convex_intersects3(scene.shapes[c.a], scene.shapes[c.b], at, cache) ? 1 : 0;
    else if (query == PairQuery::distance)
      out[i] = value_of(sudar::convex_gap3(scene.shapes[c.a], scene.shapes[c.b], at, cache), query);
    else
      out[i] = value_of(sudar::convex_depth3(scene.shapes[c.a], scene.shapes[c.b], at, cache), query);
  }
}

// The other methods of the narrow phase, which have no proofs
PairFill plain_gjk(const HullScene& scene, std::span<const HullPairCase> cases) {
  return [&scene, cases](std::span<double> out) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const sudar::Placement3 at = sudar::make_placement(cases[i].pose_a, cases[i].pose_b);
      const sudar::ConvexView3 a = make_view(scene.shapes[cases[i].a]), b = make_view(scene.shapes[cases[i].b]);
      out[i] = sudar::gjk_plain3(sudar::Difference3(a, b, at)) ? 1 : 0;
    }
  };
}
PairFill axes(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query) {
  return [&scene, cases, query](std::span<double> out) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const sudar::Placement3 at = sudar::make_placement(cases[i].pose_a, cases[i].pose_b);
      const sudar::PolytopeView3 a(scene.shapes[cases[i].a]), b(scene.shapes[cases[i].b]);
      const bool hit = query == PairQuery::hit;
      const double gap = sat3(a, b, at, hit ? sudar::SatGoal::separate : sudar::SatGoal::measure).separation;
      out[i] = hit ? (gap <= 0 ? 1 : 0) : std::max(0.0, -gap);
    }
  };
}
// From the features of the pose before, where given
PairFill walk(const HullScene& scene, std::span<const HullPairCase> cases, std::span<const HullPairCase> before) {
  auto bodies = std::make_shared<std::deque<sudar::VClipBody3>>();
  for (const sudar::Shape3& shape : scene.shapes) bodies->emplace_back(shape);
  auto hints = std::make_shared<std::vector<sudar::VClip3>>(cases.size());
  const auto ask = [bodies](const HullPairCase& c, const sudar::VClip3& hint) {
    return vclip3((*bodies)[c.a], (*bodies)[c.b], sudar::make_placement(c.pose_a, c.pose_b), hint.a, hint.b);
  };
  for (std::size_t i = 0; i < before.size(); ++i) (*hints)[i] = ask(before[i], {});
  return [cases, hints, ask](std::span<double> out) {
    for (std::size_t i = 0; i < cases.size(); ++i) out[i] = ask(cases[i], (*hints)[i]).distance;
  };
}

// Hulls at poses of their own, pair by pair
PairFill batched(const HullScene& scene, std::span<const HullPairCase> cases, PairQuery query, bool in_float) {
  struct Batch {
    sudar::HullBatch3 batch;
    std::vector<sudar::HullBatch3::Pair> pairs;
    std::vector<std::uint8_t> hits;
    std::vector<sudar::DistanceAnswer3> answers;
  };
  auto x = std::make_shared<Batch>();
  std::vector<sudar::Shape3> shapes;
  std::vector<Pose3d> poses;
  for (const HullPairCase& c : cases) {
    const auto at = static_cast<std::uint32_t>(shapes.size());
    x->pairs.push_back({at, at + 1});
    shapes.insert(shapes.end(), {scene.shapes[c.a], scene.shapes[c.b]});
    poses.insert(poses.end(), {c.pose_a, c.pose_b});
  }
  keep(x->batch.build(shapes, poses).ok());
  x->hits.resize(cases.size());
  x->answers.resize(cases.size());
  return [x, query, in_float](std::span<double> out) {
    if (query == PairQuery::hit) {
      if (in_float)
        x->batch.intersects(x->pairs, x->hits);
      else
        x->batch.intersects_double(x->pairs, x->hits);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = x->hits[i];
      return;
    }
    if (query == PairQuery::distance) {
      if (in_float)
        x->batch.gaps(x->pairs, x->answers);
      else
        x->batch.gaps_double(x->pairs, x->answers);
    } else {
      if (in_float)
        x->batch.depths(x->pairs, x->answers);
      else
        x->batch.depths_double(x->pairs, x->answers);
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = value_of(x->answers[i], query);
  };
}

struct Entrant {
  std::string name, version;
  PairFill fill;
};

// What is known of the wrong answers
std::string why_wrong(const std::string& name, PairQuery query) {
  if (name == "gjk_plain3" || name == "sat3") return "no exact signs, at pairs that nearly touch";
  if (name == "Bullet" && query != PairQuery::hit) return "in float";
  return name == "FCL" && query == PairQuery::depth ? "libccd's expanding polytope stops before the nearest face" : "";
}

void race_query(Session& session, Table& table, const HullScene& scene, std::size_t vertices, PairQuery query) {
  static constexpr const char* kNames[] = {"yes/no", "distance", "depth"};
  const std::string what = "hull " + std::to_string(vertices) + " " + kNames[static_cast<int>(query)];
  const std::vector<HullPairCase>& cases = scene.cases;
  const std::vector<double> truth = truth_of(scene, cases, query);

  // Warm: what the same pair left a thousandth of a width and of a radian before
  std::vector<HullPairCase> before = cases;
  sudar::Random random(session.options().seed);
  for (HullPairCase& c : before) {
    c.pose_b.position += random_unit(random) * 0.002;
    c.pose_b.rotation = sudar::Quatd::from_axis_angle(random_unit(random), 0.002) * c.pose_b.rotation;
  }
  std::vector<sudar::GjkCache3> fresh(cases.size()), caches;
  std::vector<double> ignored(cases.size());
  fill(scene, before, query, &fresh, ignored);

  std::vector<Entrant> entrants;
  entrants.push_back({"sudar", "", [&](std::span<double> out) { fill(scene, cases, query, nullptr, out); }});
  entrants.push_back({"sudar, warm", "", [&](std::span<double> out) {
                        caches = fresh;
                        fill(scene, cases, query, &caches, out);
                      }});
  entrants.push_back({"sudar, batch in float", "", batched(scene, cases, query, true)});
  entrants.push_back({"sudar, batch in double", "", batched(scene, cases, query, false)});
  if (query == PairQuery::hit) entrants.push_back({"gjk_plain3", "", plain_gjk(scene, cases)});
  if (query == PairQuery::distance) {
    entrants.push_back({"vclip3", "", walk(scene, cases, {})});
    entrants.push_back({"vclip3, warm", "", walk(scene, cases, before)});
  } else if (vertices <= 64) {
    // Milliseconds a pair beyond
    entrants.push_back({"sat3", "", axes(scene, cases, query)});
  }
  if (session.options().peers) {
#if defined(SUDAR_PEER_BULLET)
    entrants.push_back({"Bullet", bullet_pairs_version(), bullet_hull_pairs(scene.points, cases, query)});
#else
    session.missing_peer("narrowphase_hulls", "Bullet");
#endif
#if defined(SUDAR_PEER_FCL)
    entrants.push_back({"FCL", fcl_pairs_version(), fcl_hull_pairs(scene.points, cases, query)});
#else
    session.missing_peer("narrowphase_hulls", "FCL");
#endif
#if defined(SUDAR_PEER_ODE)
    if (query != PairQuery::distance)
      entrants.push_back({"ODE", ode_version(), ode_hull_pairs(scene.points, cases, query)});
#else
    session.missing_peer("narrowphase_hulls", "ODE");
#endif
  }
  std::vector<std::vector<double>> answers(entrants.size(), std::vector<double>(cases.size()));
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    const bool ours = entrants[i].version.empty();
    const double allowed = query == PairQuery::hit ? 0 : ours ? 1e-9 : 1e-3;
    contestants.push_back({entrants[i].name, entrants[i].version,
                           [fill = entrants[i].fill, &out = answers[i]] {
                             fill(out);
                             return 0.0;
                           },
                           nullptr, [&out = answers[i], &truth, allowed] { return count_wrong(out, truth, allowed); },
                           cases.size(), why_wrong(entrants[i].name, query)});
  }
  const auto results = session.race("narrowphase_hulls", what, 40, 0, contestants);
  std::vector<Measurement> useful;
  // Wrong on half of those that overlap is no answer
  for (const Measurement& result : results)
    if (4 * static_cast<std::size_t>(result.disagreements) < cases.size()) useful.push_back(result);
  const Measurement* peer = best_peer(useful);
  add_ns_rows(table, results, cases.size());
  for (std::size_t k = 0; k < results.size(); ++k) {
    const auto& result = results[k];
    const bool certified = result.contestant.starts_with("sudar");
    if (certified) session.bar_at_most(what + ", " + result.contestant + ": wrong answers", 0, result.disagreements);
    if (result.contestant == "sudar, warm" && query != PairQuery::depth)
      session.bar_at_least(what + ": times faster warm than cold", 2.5, speedup_over(result, results.front()));
    const Speedup speedup = peer != nullptr ? speedup_over(result, *peer) : speedup_over_best_peer(useful);
    if (result.contestant.starts_with("sudar, batch"))
      session.bar_against_peers(what + ", " + result.contestant + ": times faster than the best peer", 4, speedup);
    if (result.contestant == "sudar") session.bar_against_peers(what + ": times faster than the best peer", 2, speedup);
  }
}

}  // namespace

void bench_hull_pairs(Session& session) {
  Table table = ns_table("narrowphase_hulls_ns", "query");
  for (const std::size_t vertices : {16, 64, 256}) {
    const HullScene scene = make_scene(vertices, session.options().seed);
    for (const PairQuery query : {PairQuery::hit, PairQuery::distance, PairQuery::depth})
      race_query(session, table, scene, vertices, query);
  }
  session.add_table(std::move(table));
}

}  // namespace sudar_bench

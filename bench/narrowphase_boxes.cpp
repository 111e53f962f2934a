// What:    Box against box and sphere against capsule, one pair at a time and in batches, with peers: nanoseconds a query
//          and wrong answers. Half of the pairs overlap, half are near misses; depth is asked of those that overlap.
// Differs: Ours start from two poses in the world and give the certificate. The peers' transforms are converted
//          beforehand, but for ODE, whose geoms have to be placed. A wrong yes/no is one that differs from the signs of
//          all fifteen axes in integers; a wrong distance or depth is off by more than 1e-3 (peers, some in float), 1e-5
//          (ours in float) or 1e-9 (ours) from the exact distance of the cores, or from the separating axes.
#include "bench/ns_table.hpp"
#include "bench/peers/pair_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/sat3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Pose3d;
using sudar::Vec3d;

constexpr std::size_t kPairs = 4000;

Vec3d random_vec(sudar::Random& random, double lo, double hi) {
  const double x = random.uniform(lo, hi), y = random.uniform(lo, hi);
  return {x, y, random.uniform(lo, hi)};
}
sudar::Quatd random_turn(sudar::Random& random) {
  const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return normalized(sudar::Quatd{w, x, y, random.uniform(-1, 1)});
}

// B on a ray from A's centre, a little before or behind the place where they touch
template <class Case, class Hit>
void place_near_touch(Case& c, bool overlap, sudar::Random& random, Hit&& hit) {
  c.a = {random_vec(random, -5, 5), random_turn(random)};
  c.b = {c.a.position, random_turn(random)};
  const Vec3d direction = normalized(random_vec(random, -1, 1));
  double lo = 0, hi = 8;
  for (int k = 0; k < 40; ++k) {
    c.b.position = c.a.position + direction * ((lo + hi) / 2);
    (hit(c) ? lo : hi) = (lo + hi) / 2;
  }
  c.b.position = c.a.position + direction * (lo + (overlap ? -1 : 1) * random.uniform(0, 0.2));
}

sudar::Placement3 place(const Pose3d& a, const Pose3d& b) { return sudar::make_placement(a, b); }

// Even ones overlap
std::vector<BoxPairCase> box_cases(sudar::Random& random) {
  std::vector<BoxPairCase> out;
  for (std::size_t i = 0; i < kPairs; ++i) {
    BoxPairCase c{random_vec(random, 0.2, 1), random_vec(random, 0.2, 1), {}, {}};
    place_near_touch(c, i % 2 == 0, random, [](const BoxPairCase& x) {
      return sudar::box_box_intersects3(x.half_a, x.half_b, place(x.a, x.b));
    });
    out.push_back(c);
  }
  return out;
}

struct Rods {
  std::vector<RodPairCase> cases;
  std::vector<sudar::Shape3> spheres, capsules;
};
Rods rod_cases(sudar::Random& random) {
  Rods out;
  for (std::size_t i = 0; i < kPairs; ++i) {
    RodPairCase c{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 0.6), {}, {}};
    const sudar::Shape3 sphere = *sudar::make_sphere3(c.sphere);
    const sudar::Shape3 capsule = *sudar::make_capsule3({0, 0, -c.half_length}, {0, 0, c.half_length}, c.radius);
    place_near_touch(c, i % 2 == 0, random, [&](const RodPairCase& x) {
      return sudar::primitive_distance3(sphere, capsule, place(x.a, x.b)).hit;
    });
    out.cases.push_back(c);
    out.spheres.push_back(sphere);
    out.capsules.push_back(capsule);
  }
  return out;
}

double value_of(const sudar::DistanceAnswer3& answer, PairQuery query) {
  if (query == PairQuery::hit) return answer.hit ? 1 : 0;
  return query == PairQuery::distance ? std::max(answer.separation, 0.0) : std::max(-answer.separation, 0.0);
}

// In integers; 0 when they meet
double exact_distance(const sudar::Shape3& a, const sudar::Shape3& b, const sudar::Placement3& at) {
  const sudar::ConvexView3 view_a = make_view(a), view_b = make_view(b);
  const sudar::ExactGjk3 exact = exact_gjk3(sudar::Difference3(view_a, view_b, at), {}, true);
  return exact.hit ? 0 : exact.distance;
}

struct Entrant {
  std::string name, version;
  PairFill fill;
};

// What is known of the peers' wrong answers
std::string why_wrong(const std::string& shapes, PairQuery query) {
  if (shapes == "box–box" && query == PairQuery::depth)
    return "all of them are descended from one box–box, which takes an axis of two edges only where it beats the faces "
           "by 5 %";
  return "";
}

// One query of all entrants, with the numbers per pair and the wrong answers
void race_pairs(Session& session, Table& table, const std::string& shapes, PairQuery query,
                const std::vector<double>& truth, const std::vector<Entrant>& entrants, double bar) {
  static constexpr const char* kNames[] = {"yes/no", "distance", "depth"};
  const std::string what = shapes + " " + kNames[static_cast<int>(query)];
  const std::size_t count = truth.size();
  std::vector<std::vector<double>> answers(entrants.size(), std::vector<double>(count));
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    if (!entrants[i].fill) continue;
    const bool ours = entrants[i].version.empty(), in_float = entrants[i].name.ends_with("in float");
    const double allowed = query == PairQuery::hit ? 0 : !ours ? 1e-3 : in_float ? 1e-5 : 1e-9;
    contestants.push_back({entrants[i].name, entrants[i].version,
                           [fill = entrants[i].fill, &out = answers[i]] {
                             fill(out);
                             return 0.0;
                           },
                           nullptr, [&out = answers[i], &truth, allowed] { return count_wrong(out, truth, allowed); },
                           count, ours ? "" : why_wrong(shapes, query)});
  }
  const auto results = session.race("narrowphase_pairs", what, 60, 0, contestants);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].version.empty())
      session.bar_at_most(what + ", " + results[k].contestant + ": wrong answers", 0, results[k].disagreements);
  }
  add_ns_rows(table, results, count);
  const Measurement* peer = best_peer(results);
  for (const Measurement& result : results) {
    if (!result.version.empty()) continue;
    const bool batch = result.contestant.starts_with("sudar, batch");
    session.bar_against_peers(
        what + (batch ? ", " + result.contestant : std::string()) + ": times faster than the best peer",
        batch ? 2 * bar : bar, peer != nullptr ? speedup_over(result, *peer) : speedup_over_best_peer(results));
  }
}

void race_boxes(Session& session, Table& table) {
  sudar::Random random(session.options().seed);
  const std::vector<BoxPairCase> cases = box_cases(random);
  std::vector<Vec3d> halves;
  std::vector<Pose3d> poses;
  std::vector<sudar::BoxPair> pairs;
  for (const BoxPairCase& c : cases) {
    pairs.push_back({static_cast<std::uint32_t>(halves.size()), static_cast<std::uint32_t>(halves.size() + 1)});
    halves.push_back(c.half_a);
    halves.push_back(c.half_b);
    poses.push_back(c.a);
    poses.push_back(c.b);
  }
  sudar::BoxBatch3 batch;
  keep(batch.build(halves, poses).ok());
  std::vector<std::uint8_t> hits(kPairs);
  const auto batched = [&](auto method) {
    return [&batch, &pairs, &hits, method](std::span<double> out) {
      (batch.*method)(pairs, hits);
      for (std::size_t i = 0; i < kPairs; ++i) out[i] = hits[i];
    };
  };
  for (const PairQuery query : {PairQuery::hit, PairQuery::distance, PairQuery::depth}) {
    std::vector<double> truth;
    std::vector<BoxPairCase> asked;
    for (const BoxPairCase& c : cases)
      if (query != PairQuery::depth || sudar::box_box_intersects3_plain(c.half_a, c.half_b, place(c.a, c.b)))
        asked.push_back(c);
    for (const BoxPairCase& c : asked) {
      const sudar::Placement3 at = place(c.a, c.b);
      if (query == PairQuery::hit)
        truth.push_back(sudar::box_box_intersects3_plain(c.half_a, c.half_b, at) ? 1 : 0);
      else if (query == PairQuery::distance)
        truth.push_back(exact_distance(*sudar::make_box3(c.half_a), *sudar::make_box3(c.half_b), at));
      else
        truth.push_back(-sat3_plain(sudar::PolytopeView3(*sudar::make_box3(c.half_a)),
                                    sudar::PolytopeView3(*sudar::make_box3(c.half_b)), at)
                             .separation);
    }
    std::vector<Entrant> entrants;
    entrants.push_back({"sudar", "", [&asked, query](std::span<double> out) {
                          for (std::size_t i = 0; i < asked.size(); ++i) {
                            const BoxPairCase& c = asked[i];
                            const sudar::Placement3 at = place(c.a, c.b);
                            if (query == PairQuery::hit)
                              out[i] = sudar::box_box_intersects3(c.half_a, c.half_b, at) ? 1 : 0;
                            else if (query == PairQuery::distance)
                              out[i] = value_of(sudar::box_box_distance3(c.half_a, c.half_b, at), query);
                            else
                              out[i] = sudar::box_box_depth3(c.half_a, c.half_b, at).depth;
                          }
                        }});
    if (query == PairQuery::hit) {
      entrants.push_back({"sudar, batch in float", "", batched(&sudar::BoxBatch3::intersects)});
      entrants.push_back({"sudar, batch in double", "", batched(&sudar::BoxBatch3::intersects_double)});
    }
    std::vector<sudar::DistanceAnswer3> measured(asked.size());
    if (query == PairQuery::distance)
      entrants.push_back({"sudar, batch in double", "", [&](std::span<double> out) {
                            batch.distances(pairs, measured);
                            for (std::size_t i = 0; i < out.size(); ++i) out[i] = value_of(measured[i], query);
                          }});
    sudar::BoxBatch3 deep;
    std::vector<sudar::BoxPair> deep_pairs;
    std::vector<sudar::BoxDepth3> depths(asked.size());
    std::vector<float> narrow(asked.size());
    if (query == PairQuery::depth) {
      std::vector<Vec3d> sides;
      std::vector<Pose3d> places;
      for (const BoxPairCase& c : asked) {
        deep_pairs.push_back({static_cast<std::uint32_t>(sides.size()), static_cast<std::uint32_t>(sides.size() + 1)});
        sides.insert(sides.end(), {c.half_a, c.half_b});
        places.insert(places.end(), {c.a, c.b});
      }
      keep(deep.build(sides, places).ok());
      entrants.push_back({"sudar, batch in double", "", [&](std::span<double> out) {
                            deep.depths(deep_pairs, depths);
                            for (std::size_t i = 0; i < out.size(); ++i) out[i] = depths[i].depth;
                          }});
      entrants.push_back({"sudar, batch in float", "", [&](std::span<double> out) {
                            deep.depths_float(deep_pairs, narrow);
                            for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(narrow[i]);
                          }});
    }
    if (session.options().peers) {
#if defined(SUDAR_PEER_BULLET)
      entrants.push_back({"Bullet", bullet_pairs_version(), bullet_box_pairs(asked, query)});
#else
      session.missing_peer("narrowphase_pairs", "Bullet");
#endif
#if defined(SUDAR_PEER_FCL)
      entrants.push_back({"FCL", fcl_pairs_version(), fcl_box_pairs(asked, query)});
#else
      session.missing_peer("narrowphase_pairs", "FCL");
#endif
#if defined(SUDAR_PEER_ODE)
      entrants.push_back({"ODE", ode_version(), ode_box_pairs(asked, query)});
      if (query == PairQuery::depth)
        entrants.push_back({"ODE, one point", ode_version(), ode_box_pairs(asked, query, true)});
#else
      session.missing_peer("narrowphase_pairs", "ODE");
#endif
    }
    race_pairs(session, table, "box–box", query, truth, entrants, 2);
  }
}

void race_rods(Session& session, Table& table) {
  sudar::Random random(session.options().seed + 1);
  const Rods rods = rod_cases(random);
  for (const PairQuery query : {PairQuery::hit, PairQuery::distance, PairQuery::depth}) {
    std::vector<double> truth;
    for (std::size_t i = 0; i < rods.cases.size(); ++i) {
      const RodPairCase& c = rods.cases[i];
      const double gap = exact_distance(rods.spheres[i], rods.capsules[i], place(c.a, c.b)) - (c.sphere + c.radius);
      truth.push_back(query == PairQuery::hit        ? (gap <= 0 ? 1 : 0)
                      : query == PairQuery::distance ? std::max(gap, 0.0)
                                                     : std::max(-gap, 0.0));
    }
    std::vector<Entrant> entrants;
    entrants.push_back({"sudar", "", [&rods, query](std::span<double> out) {
                          for (std::size_t i = 0; i < rods.cases.size(); ++i) {
                            const RodPairCase& c = rods.cases[i];
                            const auto& capsule = rods.capsules[i].as<sudar::CapsuleShape3>();
                            if (query == PairQuery::hit)
                              out[i] = sudar::sphere_capsule_intersects3(c.sphere, capsule, c.a, c.b) ? 1 : 0;
                            else
                              out[i] = value_of(sudar::sphere_capsule_distance3(c.sphere, capsule, c.a, c.b), query);
                          }
                        }});
    sudar::SphereCapsuleBatch3 batch;
    std::vector<sudar::SphereCapsuleBatch3::Pair> pairs;
    std::vector<std::uint8_t> hits(rods.cases.size());
    {
      std::vector<sudar::SphereShape3> spheres;
      std::vector<sudar::CapsuleShape3> capsules;
      std::vector<Pose3d> at_spheres, at_capsules;
      for (std::size_t i = 0; i < rods.cases.size(); ++i) {
        pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)});
        spheres.push_back(rods.spheres[i].as<sudar::SphereShape3>());
        capsules.push_back(rods.capsules[i].as<sudar::CapsuleShape3>());
        at_spheres.push_back(rods.cases[i].a);
        at_capsules.push_back(rods.cases[i].b);
      }
      keep(batch.build(spheres, at_spheres, capsules, at_capsules).ok());
    }
    std::vector<sudar::DistanceAnswer3> wide(rods.cases.size());
    std::vector<float> narrow(rods.cases.size());
    const auto signed_value = [query](double x) {
      return query == PairQuery::distance ? std::max(x, 0.0) : std::max(-x, 0.0);
    };
    entrants.push_back({"sudar, batch in double", "", [&](std::span<double> out) {
                          if (query == PairQuery::hit) {
                            batch.intersects(pairs, hits);
                            for (std::size_t i = 0; i < out.size(); ++i) out[i] = hits[i];
                            return;
                          }
                          batch.distances(pairs, std::span<sudar::DistanceAnswer3>(wide));
                          for (std::size_t i = 0; i < out.size(); ++i) out[i] = signed_value(wide[i].separation);
                        }});
    entrants.push_back({"sudar, batch in float", "", [&](std::span<double> out) {
                          if (query == PairQuery::hit) {
                            batch.intersects_float(pairs, hits);
                            for (std::size_t i = 0; i < out.size(); ++i) out[i] = hits[i];
                            return;
                          }
                          batch.distances_float(pairs, narrow);
                          for (std::size_t i = 0; i < out.size(); ++i)
                            out[i] = signed_value(static_cast<double>(narrow[i]));
                        }});
    if (session.options().peers) {
#if defined(SUDAR_PEER_FCL)
      entrants.push_back({"FCL", fcl_pairs_version(), fcl_rod_pairs(rods.cases, query)});
#else
      session.missing_peer("narrowphase_pairs", "FCL");
#endif
#if defined(SUDAR_PEER_ODE)
      entrants.push_back({"ODE", ode_version(), ode_rod_pairs(rods.cases, query)});
#else
      session.missing_peer("narrowphase_pairs", "ODE");
#endif
    }
    race_pairs(session, table, "sphere–capsule", query, truth, entrants, 2);
  }
}

}  // namespace

void bench_boxes(Session& session) {
  Table table = ns_table("narrowphase_ns", "query");
  race_boxes(session, table);
  race_rods(session, table);
  session.add_table(std::move(table));
  session.note(
      "Box–box depth: Bullet and ODE make all points of the contact within the clock, up to eight; ours and FCL's with "
      "one "
      "contact asked give the depth and the normal alone. For equal work see the manifolds; \"ODE, one point\" asks "
      "for a "
      "single one.");
}

}  // namespace sudar_bench

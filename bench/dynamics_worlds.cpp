// What:    Worlds of boxes, ours and the peers': a pile of a thousand in a pit and a pyramid of twenty rows, milliseconds a
//          step over 600 steps of 1/60 s on one thread, and how they stand afterwards: whether the pyramid stood and the pile
//          stayed in its pit, how deep boxes are in each other, and how much they still move.
// Differs: Nobody may sleep, so that all steps are work. One run of a contestant is 600 steps of a world that is built anew;
//          they take turns, block by block of steps and in random order in every block, so that whatever disturbs one disturbs
//          all. A first block of worlds that are thrown away warms up. Jolt and Box2D 3 are in no package of Debian: they run
//          where the build was told of them (docs/peers.md); elsewhere they are listed as missing, with the ratio to a peer
//          that is here, from a machine that had both.
#include "bench/peers/world_peer.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include "scenes/physics.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide2.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

template <int D>
struct Runner {
  std::string name, version;
  PeerWorld<D> world;
  double ms = 0;
};

struct WorldVerdict {
  double sunk = 0;     // the top's loss of height
  double speed = 0;    // the fastest box over the last second, metres a second
  int outside = 0;     // boxes under the floor or beyond the walls
  double overlap = 0;  // the deepest of all pairs, metres
  double energy = 0;   // of the last step: kinetic, of translation, the mean over all boxes, joules a kilogram
};

constexpr double kStep = 1.0 / 60;
// Metres, of boxes of one metre
constexpr double kMostOverlap = 0.05;

// Milliseconds a step of two peers on one machine that had both, 600 steps of each workload
struct AbsentPeer {
  std::string_view name, beside;  // beside: the peer that is here
  double pile, beside_pile, pyramid, beside_pyramid;
};
constexpr AbsentPeer kJolt{"Jolt", "Bullet", 2.5, 4.0, 2.3, 3.4};
constexpr AbsentPeer kBox2d3{"Box2D 3", "Box2D", 0.51, 2.1, 0.37, 2.0};

template <int D>
std::vector<WorldBox<D>> boxes_of(const World<D>& world) {
  std::vector<WorldBox<D>> boxes;
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
    const SceneObject<D>& object = world.scene()[i];
    // All of these scenes are boxes: half of the box at no rotation
    const Aabb<D, double> box = bounding_box(object.shape);
    boxes.push_back({(box.hi - box.lo) / 2, object.pose, !world.bodies()[i].is_dynamic()});
  }
  return boxes;
}

template <int D>
PeerWorld<D> own_world(const scenes::Spec& spec) {
  WorldOptions<D> options;
  options.sleeping = false;
  auto made = scenes::make_physics<D>(spec, options);
  std::shared_ptr<scenes::PhysicsScene<D>> scene = made ? std::move(*made) : nullptr;
  const auto poses = [scene] {
    std::vector<Pose<D, double>> out;
    for (const WorldBody<D>& body : scene->world().bodies()) out.push_back({body.state.position, body.state.rotation});
    return out;
  };
  return {[scene](double dt) { (void)scene->step(dt); }, poses};
}

template <int D>
std::vector<Runner<D>> runners(Session& session, const scenes::Spec& spec, const std::string& table, bool first) {
  std::vector<Runner<D>> all;
  all.push_back({"Sudar", "", own_world<D>(spec)});
  if (!session.options().peers) return all;
  const auto model = scenes::make_physics<D>(spec, WorldOptions<D>{});
  const std::vector<WorldBox<D>> boxes = boxes_of((*model)->world());
  if constexpr (D == 3) {
#ifdef SUDAR_PEER_BULLET
    all.push_back({"Bullet", bullet_world_version(), bullet_world(boxes)});
#else
    if (first) session.missing_peer(table, "Bullet");
#endif
#ifdef SUDAR_PEER_JOLT
    all.push_back({"Jolt", jolt_world_version(), jolt_world(boxes)});
#endif
#ifdef SUDAR_PEER_ODE
    all.push_back({"ODE", ode_world_version(), ode_world(boxes)});
#else
    if (first) session.missing_peer(table, "ODE");
#endif
  } else {
#ifdef SUDAR_PEER_BOX2D
    all.push_back({"Box2D", box2d_world_version(), box2d_world(boxes)});
#else
    if (first) session.missing_peer(table, "Box2D");
#endif
#ifdef SUDAR_PEER_BOX2D3
    all.push_back({"Box2D 3", box2d3_world_version(), box2d3_world(boxes)});
#endif
  }
  (void)table, (void)first;
  return all;
}

// The deepest that two boxes are in each other; no pair is left out
double depth_of(const Vec3d& a, const Vec3d& b, const Pose3d& at_a, const Pose3d& at_b) {
  const Placement3 at = make_placement(at_a, at_b);
  return box_box_intersects3(a, b, at) ? box_box_depth3(a, b, at).depth : 0;
}
double depth_of(const Vec2d& a, const Vec2d& b, const Pose2d& at_a, const Pose2d& at_b) {
  return std::max(0.0, -distance(*make_box2(a), at_a, *make_box2(b), at_b).separation);
}
template <int D>
double deepest_overlap(const std::vector<WorldBox<D>>& boxes, const std::vector<Pose<D, double>>& poses) {
  double deepest = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].fixed && boxes[j].fixed) continue;
      const double reach = length(boxes[i].half) + length(boxes[j].half);
      if (distance(poses[i].position, poses[j].position) > reach) continue;
      deepest = std::max(deepest, depth_of(boxes[i].half, boxes[j].half, poses[i], poses[j]));
    }
  return deepest;
}

template <int D>
WorldVerdict verdict_of(Runner<D>& runner, const std::vector<WorldBox<D>>& boxes) {
  const auto before = runner.world.poses();
  for (int i = 0; i < 59; ++i) runner.world.step(kStep);
  const auto last = runner.world.poses();
  runner.world.step(kStep);
  const auto after = runner.world.poses();
  WorldVerdict verdict;
  double top_before = 0, top = 0, wide = 0, squares = 0, moving = 0;
  for (const WorldBox<D>& box : boxes)
    for (int a = 0; a + 1 < D; ++a) wide = std::max(wide, std::fabs(box.pose.position[a]) + box.half[a]);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].fixed) continue;
    const Vec<D, double>& at = after[i].position;
    top_before = std::max(top_before, boxes[i].pose.position[D - 1]);
    top = std::max(top, at[D - 1]);
    verdict.speed = std::max(verdict.speed, distance(at, before[i].position));
    squares += length_squared((at - last[i].position) / kStep), ++moving;
    bool out = at[D - 1] < 0;
    for (int a = 0; a + 1 < D; ++a) out = out || std::fabs(at[a]) > wide;
    verdict.outside += out ? 1 : 0;
  }
  verdict.sunk = top_before - top;
  verdict.energy = moving > 0 ? squares / 2 / moving : 0;
  verdict.overlap = deepest_overlap<D>(boxes, after);
  return verdict;
}

std::string three_digits(double x) {
  char out[32];
  std::snprintf(out, sizeof out, "%.3g", x);
  return out;
}

template <int D>
void race_worlds(Session& session, const std::string& workload, const std::string& text, Table& quality) {
  const auto spec = scenes::parse(text);
  if (!spec) return;
  const int steps = session.options().quick ? 120 : 600, rounds = session.options().quick ? 3 : 4, block = 20;
  const auto model = scenes::make_physics<D>(*spec, WorldOptions<D>{});
  if (!model) return;
  const std::vector<WorldBox<D>> boxes = boxes_of((*model)->world());
  const std::string table = "w7_worlds";
  Random random(session.options().seed);
  std::vector<std::vector<double>> ms;  // a step, by contestant and round
  std::vector<Measurement> rows;
  std::vector<WorldVerdict> verdicts;
  // Round 0 is the warm-up
  for (int round = 0; round <= rounds; ++round) {
    session.progress(workload + (round == 0 ? ", warming up" : ", round " + std::to_string(round)));
    std::vector<Runner<D>> all = runners<D>(session, *spec, table, round == 0);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    for (int i = 0; i < (round == 0 ? block : steps); i += block) {
      for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
      for (const std::size_t who : order) {
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < block; ++k) all[who].world.step(kStep);
        all[who].ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    }
    if (round == 0) {
      ms.resize(all.size()), rows.resize(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) rows[i].contestant = all[i].name, rows[i].version = all[i].version;
      continue;
    }
    for (std::size_t i = 0; i < all.size(); ++i) ms[i].push_back(all[i].ms / steps);
    // All rounds of one contestant go the same way
    for (std::size_t i = 0; round == rounds && i < all.size(); ++i) verdicts.push_back(verdict_of(all[i], boxes));
  }
  std::size_t best = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Summary summary = summarize(ms[i]);
    rows[i].table = table, rows[i].workload = workload;
    rows[i].rounds = summary.count, rows[i].min_ms = summary.min, rows[i].median_ms = summary.median;
    rows[i].spread = summary.spread;
    if (rows[i].min_ms < rows[best].min_ms) best = i;
  }
  const bool stands = workload.find("pyramid") != std::string::npos;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WorldVerdict& v = verdicts[i];
    const bool good = v.outside == 0 && (!stands || v.sunk < 1);
    const std::string result = good ? (stands ? "stood" : "stayed") : (stands ? "fell" : "left the pit");
    const RatioRange range = ratio_range(ms[i], ms[best]);
    rows[i].ratio_to_best = rows[i].min_ms / rows[best].min_ms;
    rows[i].ratio_low = range.low, rows[i].ratio_high = range.high;
    rows[i].answer = v.sunk, rows[i].disagreements = good ? 0 : 1, rows[i].of = 1;
    rows[i].why = good ? "" : "the " + std::string(stands ? "pyramid" : "pile") + " " + result;
    quality.rows.push_back({workload, rows[i].contestant, rows[i].version, three_digits(rows[i].min_ms),
                            three_digits(rows[i].ratio_to_best), std::to_string(rows[i].disagreements), result,
                            three_digits(v.sunk), three_digits(v.overlap * 1000), three_digits(v.energy),
                            three_digits(v.speed), std::to_string(v.outside)});
    // The best of today's: twice their time is the bar, less is the aim
    const bool best_of_today = rows[i].contestant == kJolt.name || rows[i].contestant == kBox2d3.name;
    if (i > 0)
      session.bar_at_least(workload + ": time of " + rows[i].contestant + " over ours", best_of_today ? 0.5 : 1,
                           rows[i].min_ms / rows[0].min_ms);
    session.add_measurement(rows[i]);
  }
  const AbsentPeer& absent = D == 3 ? kJolt : kBox2d3;
  const auto same = [&](const Measurement& m) { return m.contestant == absent.name; };
  if (session.options().peers && std::none_of(rows.begin(), rows.end(), same)) {
    const double theirs = stands ? absent.pyramid : absent.pile;
    const double ratio = theirs / (stands ? absent.beside_pyramid : absent.beside_pile);
    session.missing_peer(table, std::string(absent.name) + " (no package of it; on another machine it took " +
                                    three_digits(ratio) + " of the time of " + std::string(absent.beside) +
                                    " for the " + (stands ? "pyramid" : "pile") + ")");
  }
  session.bar_at_most(workload + ": boxes of ours outside", 0, verdicts[0].outside);
  // After a few steps they still fall upon each other
  session.bar_at_most(workload + ": ours, deepest overlap in the end, metres",
                      session.options().quick ? 2 * kMostOverlap : kMostOverlap, verdicts[0].overlap);
  if (stands) session.bar_at_most(workload + ": ours lost of its height, metres", 0.5, verdicts[0].sunk);
}

}  // namespace

void bench_worlds(Session& session) {
  Table quality{"w7_quality",
                {"workload", "contestant", "version", "ms_a_step", "ratio_to_best", "disagreements", "result", "sunk_m",
                 "deepest_overlap_mm", "energy_j_kg", "fastest_m_s", "outside"},
                {}};
  race_worlds<3>(session, "pile of 1000, space", "pile n=1000", quality);
  race_worlds<3>(session, "pyramid of 20 rows, space", "pyramid rows=20", quality);
  race_worlds<2>(session, "pile of 1000, plane", "pile n=1000 dim=2", quality);
  race_worlds<2>(session, "pyramid of 20 rows, plane", "pyramid rows=20 dim=2", quality);
  session.add_table(std::move(quality));
  session.note(
      "Worlds: 600 steps of 1/60 s (120 when quick), nobody sleeps, one thread, friction 0.6 between any two boxes, no "
      "damping; the contestants take turns every 20 steps, in random order. Times of w7_worlds are those of one step. "
      "A "
      "pyramid stood when its top sank by less than a box. Overlap is the deepest of all pairs a second after the last "
      "step that was timed, energy the mean over all boxes of half the square of the speed, without turning.");
}

}  // namespace sudar_bench

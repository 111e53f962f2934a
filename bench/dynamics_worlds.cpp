// What:    Worlds of boxes, ours and the peers': a pile of a thousand in a pit and a pyramid of twenty rows, milliseconds a
//          step over 600 steps of 1/60 s on one thread, and whether the pyramid stood and the pile stayed in its pit.
// Differs: Nobody may sleep, so that all steps are work. The contestants run in turn, block by block of steps, on the same
//          boxes; each round builds its worlds anew. Jolt and Box2D 3 are in no package of Debian: they run where the build was
//          told of them (SUDAR_BENCH_JOLT, SUDAR_BENCH_BOX2D3); elsewhere their rows are inferred from a peer that is here and
//          the ratio of the two on a machine that had both.
#include "bench/peers/world_peer.hpp"
#include "bench/suites.hpp"
#include "scenes/physics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
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
  double sunk = 0;   // the top's loss of height
  double speed = 0;  // the fastest box over the last second, metres a second
  int outside = 0;   // boxes under the floor or beyond the walls
};

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
  const auto positions = [scene] {
    std::vector<Vec<D, double>> out;
    for (const WorldBody<D>& body : scene->world().bodies()) out.push_back(body.state.position);
    return out;
  };
  return {[scene](double dt) { (void)scene->step(dt); }, positions};
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

template <int D>
WorldVerdict verdict_of(Runner<D>& runner, const std::vector<WorldBox<D>>& boxes) {
  const auto before = runner.world.positions();
  for (int i = 0; i < 60; ++i) runner.world.step(1.0 / 60);
  const auto after = runner.world.positions();
  WorldVerdict verdict;
  double top_before = 0, top = 0, wide = 0;
  for (const WorldBox<D>& box : boxes)
    for (int a = 0; a + 1 < D; ++a) wide = std::max(wide, std::fabs(box.pose.position[a]) + box.half[a]);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].fixed) continue;
    top_before = std::max(top_before, boxes[i].pose.position[D - 1]);
    top = std::max(top, after[i][D - 1]);
    verdict.speed = std::max(verdict.speed, distance(after[i], before[i]));
    bool out = after[i][D - 1] < 0;
    for (int a = 0; a + 1 < D; ++a) out = out || std::fabs(after[i][a]) > wide;
    verdict.outside += out ? 1 : 0;
  }
  verdict.sunk = top_before - top;
  return verdict;
}

template <int D>
void race_worlds(Session& session, const std::string& workload, const std::string& text, Table& table) {
  const auto spec = scenes::parse(text);
  if (!spec) return;
  const int steps = session.options().quick ? 120 : 600, rounds = session.options().quick ? 1 : 3, block = 20;
  const auto model = scenes::make_physics<D>(*spec, WorldOptions<D>{});
  if (!model) return;
  const std::vector<WorldBox<D>> boxes = boxes_of((*model)->world());
  std::vector<double> best;
  std::vector<WorldVerdict> verdicts;
  std::vector<std::string> names, versions;
  for (int round = 0; round < rounds; ++round) {
    session.progress(workload + ", round " + std::to_string(round + 1));
    std::vector<Runner<D>> all = runners<D>(session, *spec, table.name, round == 0);
    for (int i = 0; i < steps; i += block)
      for (Runner<D>& runner : all) {
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < block; ++k) runner.world.step(1.0 / 60);
        runner.ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    best.resize(all.size(), 1e300);
    verdicts.resize(all.size());
    names.clear(), versions.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      best[i] = std::min(best[i], all[i].ms / steps);
      verdicts[i] = verdict_of(all[i], boxes);
      names.push_back(all[i].name);
      versions.push_back(all[i].version);
    }
  }
  const double least = *std::min_element(best.begin(), best.end());
  const auto text_of_number = [](double x) {
    char out[32];
    std::snprintf(out, sizeof out, "%.3g", x);
    return std::string(out);
  };
  const bool stands = workload.find("pyramid") != std::string::npos;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const WorldVerdict& v = verdicts[i];
    const bool good = v.outside == 0 && (!stands || v.sunk < 1);
    table.rows.push_back({workload, names[i], versions[i], text_of_number(best[i]), text_of_number(best[i] / least),
                          good ? (stands ? "stood" : "stayed") : (stands ? "fell" : "left the pit"),
                          text_of_number(v.sunk), text_of_number(v.speed), std::to_string(v.outside)});
    // The best of today's: twice their time is the bar, less is the aim
    const bool best_of_today = names[i] == kJolt.name || names[i] == kBox2d3.name;
    if (i > 0)
      session.bar_at_least(workload + ": time of " + names[i] + " over ours", best_of_today ? 0.5 : 1,
                           best[i] / best[0]);
  }
  const AbsentPeer& absent = D == 3 ? kJolt : kBox2d3;
  if (session.options().peers && std::find(names.begin(), names.end(), absent.name) == names.end()) {
    const double theirs = stands ? absent.pyramid : absent.pile;
    const double ratio = theirs / (stands ? absent.beside_pyramid : absent.beside_pile);
    const std::string name(absent.name), beside(absent.beside);
    session.missing_peer(table.name, name + " (no package of it; elsewhere it took " + text_of_number(ratio) +
                                         " of the time of " + beside + " for the " + (stands ? "pyramid" : "pile") +
                                         ", " + text_of_number(theirs) + " ms a step)");
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i] != beside) continue;
      const double inferred = best[i] * ratio;
      table.rows.push_back({workload, name + ", inferred", "from " + beside + " x " + text_of_number(ratio),
                            text_of_number(inferred), text_of_number(inferred / least), "not run", "", "", ""});
    }
  }
  session.bar_at_most(workload + ": boxes of ours outside", 0, verdicts[0].outside);
  if (stands) session.bar_at_most(workload + ": ours lost of its height, metres", 0.5, verdicts[0].sunk);
}

}  // namespace

void bench_worlds(Session& session) {
  Table table{
      "w7_worlds",
      {"workload", "contestant", "version", "ms_a_step", "ratio_to_best", "result", "sunk_m", "speed_m_s", "outside"},
      {}};
  race_worlds<3>(session, "pile of 1000, space", "pile n=1000", table);
  race_worlds<3>(session, "pyramid of 20 rows, space", "pyramid rows=20", table);
  race_worlds<2>(session, "pile of 1000, plane", "pile n=1000 dim=2", table);
  race_worlds<2>(session, "pyramid of 20 rows, plane", "pyramid rows=20 dim=2", table);
  session.add_table(std::move(table));
  session.note(
      "Worlds: 600 steps of 1/60 s, nobody sleeps, one thread; the contestants take turns every 20 steps. A pyramid "
      "stood when its top sank by less than a box. Rows that are inferred were not run here.");
}

}  // namespace sudar_bench

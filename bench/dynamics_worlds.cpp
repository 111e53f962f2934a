// What:    Worlds of boxes, ours and the peers': a pile of a thousand in a pit and a pyramid of twenty rows, milliseconds a
//          step over 600 steps of 1/60 s on one thread, and how they stand afterwards: whether the pyramid stood and the pile
//          stayed in its pit, how deep boxes are in each other, and how much they still move.
// Differs: Nobody may sleep, so that all steps are work. One run of a contestant is 600 steps of a world that is built anew;
//          they take turns every 20 steps (turns.hpp). Jolt and Box2D 3 are in no package of Debian: they run where the build
//          was told of them (docs/peers.md); elsewhere they are listed as missing, with the ratio to a peer that is here, from
//          a machine that had both, and their bars are not measured.
#include "bench/peers/world_peer.hpp"
#include "bench/suites.hpp"
#include "bench/turns.hpp"
#include "scenes/physics.hpp"
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide2.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

template <int D>
struct WorldMaker {
  std::string name, version;
  std::function<PeerWorld<D>()> make;
};

struct WorldVerdict {
  double sunk = 0;     // the top's loss of height
  double speed = 0;    // the fastest box over the last second, metres a second
  int outside = 0;     // boxes under the floor or beyond the walls
  double overlap = 0;  // the deepest of all pairs, metres
  double energy = 0;   // of the last step: kinetic, of translation, the mean over all boxes, joules a kilogram
};

constexpr double kStep = 1.0 / 60;
constexpr int kBlock = 20;  // steps of one turn
// Metres, of boxes of one metre
constexpr double kMostOverlap = 0.05, kMostSunk = 0.5;

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
  if (!made) throw std::runtime_error("its scene cannot be made");
  const std::shared_ptr<scenes::PhysicsScene<D>> scene = std::move(*made);
  const auto poses = [scene] {
    std::vector<Pose<D, double>> out;
    for (const WorldBody<D>& body : scene->world().bodies()) out.push_back({body.state.position, body.state.rotation});
    return out;
  };
  const auto step = [scene](double dt) {
    if (!scene->step(dt)) throw std::runtime_error("a step failed");
  };
  return {step, poses};
}

template <int D>
std::vector<WorldMaker<D>> makers(Session& session, const scenes::Spec& spec,
                                  [[maybe_unused]] const std::vector<WorldBox<D>>& boxes,
                                  [[maybe_unused]] const std::string& table) {
  std::vector<WorldMaker<D>> all = {{"Sudar", "", [&spec] { return own_world<D>(spec); }}};
  if (!session.options().peers) return all;
  if constexpr (D == 3) {
#ifdef SUDAR_PEER_BULLET
    all.push_back({"Bullet", bullet_world_version(), [&boxes] { return bullet_world(boxes); }});
#else
    session.missing_peer(table, "Bullet");
#endif
#ifdef SUDAR_PEER_JOLT
    all.push_back({"Jolt", jolt_world_version(), [&boxes] { return jolt_world(boxes); }});
#endif
#ifdef SUDAR_PEER_ODE
    all.push_back({"ODE", ode_world_version(), [&boxes] { return ode_world(boxes); }});
#else
    session.missing_peer(table, "ODE");
#endif
  } else {
#ifdef SUDAR_PEER_BOX2D
    all.push_back({"Box2D", box2d_world_version(), [&boxes] { return box2d_world(boxes); }});
#else
    session.missing_peer(table, "Box2D");
#endif
#ifdef SUDAR_PEER_BOX2D3
    all.push_back({"Box2D 3", box2d3_world_version(), [&boxes] { return box2d3_world(boxes); }});
#endif
  }
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
WorldVerdict verdict_of(const PeerWorld<D>& world, const std::vector<WorldBox<D>>& boxes) {
  const auto before = world.poses();
  for (int i = 0; i < 59; ++i) world.step(kStep);
  const auto last = world.poses();
  world.step(kStep);
  const auto after = world.poses();
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
  const bool quick = session.options().quick, stands = workload.find("pyramid") != std::string::npos;
  const std::string table = "w7_worlds";
  // After a few steps they still fall upon each other
  const double most_overlap = quick ? 2 * kMostOverlap : kMostOverlap;
  const std::string outside = workload + ": boxes of ours outside",
                    overlap = workload + ": ours, deepest overlap in the end, metres",
                    sunk = workload + ": ours lost of its height, metres";
  session.expect_bar(outside, 0);
  session.expect_bar(overlap, most_overlap);
  if (stands) session.expect_bar(sunk, kMostSunk);
  const auto bar_of = [&](std::string_view peer) { return workload + ": time of " + std::string(peer) + " over ours"; };
  // The best of today's: twice their time is the bar, less is the aim
  const auto required_of = [](std::string_view peer) { return peer == kJolt.name || peer == kBox2d3.name ? 0.5 : 1; };

  const auto spec = scenes::parse(text);
  if (!spec) return;
  const auto model = scenes::make_physics<D>(*spec, WorldOptions<D>{});
  if (!model) return;
  const std::vector<WorldBox<D>> boxes = boxes_of((*model)->world());
  const std::vector<WorldMaker<D>> all = makers<D>(session, *spec, boxes, table);
  for (std::size_t i = 1; i < all.size(); ++i) session.expect_bar(bar_of(all[i].name), required_of(all[i].name));
  std::vector<PeerWorld<D>> worlds(all.size());
  std::vector<WorldVerdict> verdicts(all.size());
  std::vector<TurnTaker> takers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto begin = [&, i]() -> std::function<void()> {
      worlds[i] = {};
      worlds[i] = all[i].make();
      return [&world = worlds[i]] {
        for (int k = 0; k < kBlock; ++k) world.step(kStep);
      };
    };
    // All rounds of one contestant go the same way
    const auto judge = [&, i] {
      verdicts[i] = verdict_of<D>(worlds[i], boxes);
      worlds[i] = {};
    };
    takers.push_back({all[i].name, all[i].version, begin, judge});
  }
  const int steps = quick ? 120 : 600;
  auto rows = race_in_turns(session, table, workload, {quick ? 3 : 4, steps / kBlock, kBlock}, takers);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Measurement& row = rows[i];
    const WorldVerdict& v = verdicts[i];
    const bool good = v.outside == 0 && (!stands || v.sunk < 1);
    const std::string result = good ? (stands ? "stood" : "stayed") : (stands ? "fell" : "left the pit");
    if (row.trouble.empty()) {
      row.answer = v.sunk, row.disagreements = good ? 0 : 1, row.of = 1;
      row.why = good ? "" : "the " + std::string(stands ? "pyramid" : "pile") + " " + result;
      quality.rows.push_back({workload, row.contestant, row.version, three_digits(row.min_ms),
                              three_digits(row.ratio_to_best), std::to_string(row.disagreements), result,
                              three_digits(v.sunk), three_digits(v.overlap * 1000), three_digits(v.energy),
                              three_digits(v.speed), std::to_string(v.outside)});
    }
    if (const Speedup seen = speedup_over(rows[0], row); i > 0 && seen > 0)
      session.bar_at_least(bar_of(row.contestant), required_of(row.contestant), seen);
    session.add_measurement(row);
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
  if (!rows[0].trouble.empty()) return;
  session.bar_at_most(outside, 0, verdicts[0].outside);
  session.bar_at_most(overlap, most_overlap, verdicts[0].overlap);
  if (stands) session.bar_at_most(sunk, kMostSunk, verdicts[0].sunk);
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
      "damping; the contestants take turns every 20 steps, in random order. Times of w7_worlds are those of one step, "
      "the least ones put together from the least of every 20 steps over all rounds. A pyramid stood when its top sank "
      "by less than a box. Overlap is the deepest of all pairs a second after the last "
      "step that was timed, energy the mean over all boxes of half the square of the speed, without turning.");
}

}  // namespace sudar_bench

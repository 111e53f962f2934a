// What:    What a scene costs above what it stands on: a hundred thousand objects that all move, from their poses to contacts
//          with their history and events, against the broad phase and the narrow phase alone.
// Differs: "Alone" is the least that gives the same contacts: boxes of the shapes, the adaptive broad phase, and the
//          manifolds of every pair, which are counted and forgotten. It keeps nothing, matches nothing and checks nothing.
#include "bench/suites.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/scene/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr double kAboveAlone = 1.2;
constexpr std::size_t kSceneFrames = 8, kStages = 5;
// Of the number of points: what the narrow phase remembers may change the last bit of a depth that is nearly none
constexpr double kPointsAgree = 1e-4;

// Objects of about a metre that fly and turn in a room where each box meets about one other
struct Flight {
  std::vector<Shape3> shapes;
  std::vector<std::vector<Pose3d>> frames;
};

Flight fly(const std::vector<Shape3>& kinds, std::size_t count, double step, std::uint64_t seed) {
  Random random(seed);
  const double width = 2 * std::cbrt(static_cast<double>(count));
  Flight out;
  std::vector<Pose3d> poses(count);
  std::vector<Vec3d> velocities(count);
  std::vector<Quatd> spins(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.shapes.push_back(kinds[random.below(kinds.size())]);
    poses[i] = {{random.uniform(0, width), random.uniform(0, width), random.uniform(0, width)},
                unit_quaternion(random)};
    velocities[i] = unit_vector<3>(random) * step;
    spins[i] = Quatd::from_axis_angle(unit_vector<3>(random), step);
  }
  for (std::size_t f = 0; f < kSceneFrames; ++f) {
    out.frames.push_back(poses);
    for (std::size_t i = 0; i < count; ++i) {
      poses[i].rotation = normalized(spins[i] * poses[i].rotation);
      for (int k = 0; k < 3; ++k) {
        double& x = poses[i].position[k];
        x += velocities[i][k];
        if (x >= 0 && x <= width) continue;
        x = x < 0 ? -x : 2 * width - x;
        velocities[i][k] = -velocities[i][k];
      }
    }
  }
  return out;
}

Contestant with_scene(const Flight& flight) {
  auto scene = std::make_shared<Scene<3>>(*Scene<3>::make());
  auto ids = std::make_shared<std::vector<ObjectId<3>>>();
  std::vector<ObjectSpec<3>> specs;
  for (std::size_t i = 0; i < flight.shapes.size(); ++i) specs.push_back({flight.shapes[i], flight.frames[0][i]});
  const bool added = scene->add_many(specs, *ids).ok();
  return {"scene", "", [&flight, scene, ids, added] {
            double points = added ? 0 : -1e9;
            for (const auto& poses : flight.frames) {
              const bool ok = scene->set_poses(*ids, poses).ok() && scene->update().ok();
              points += ok ? static_cast<double>(scene->points().size()) : -1e9;
            }
            return points;
          }};
}

Contestant alone(const Flight& flight) {
  struct State {
    BoxStore<3> store;
    std::unique_ptr<Broadphase<3>> broadphase = *make_broadphase<3>("adaptive");
    std::vector<float> rows;
    std::vector<PieceManifold<3>> pieces;
  };
  auto state = std::make_shared<State>();
  return {"broad phase + narrow phase", "", [&flight, state] {
            double points = 0;
            for (const auto& poses : flight.frames) {
              state->rows.resize(6 * poses.size());
              for (std::size_t i = 0; i < poses.size(); ++i) {
                const Aabb3d box = bounding_box(flight.shapes[i], poses[i]);
                for (int k = 0; k < 3; ++k) {
                  state->rows[6 * i + static_cast<std::size_t>(k)] = float_down(box.lo[k]);
                  state->rows[6 * i + static_cast<std::size_t>(k) + 3] = float_up(box.hi[k]);
                }
              }
              bool ok = state->store.assign(std::span<const float>(state->rows)).ok();
              ok = ok && state->broadphase->update(state->store).ok();
              const auto pairs = state->broadphase->pairs(state->store);
              if (!ok || !pairs) return -1e9;
              for (const IdPair pair : *pairs) {
                state->pieces.clear();
                append_manifolds(flight.shapes[pair.lo], flight.shapes[pair.hi],
                                 make_placement(poses[pair.lo], poses[pair.hi]), 0, nullptr, state->pieces);
                for (const PieceManifold<3>& piece : state->pieces) points += piece.manifold.count;
              }
            }
            return points;
          }};
}

// The stages of a step, and what the scene adds to those that anybody needs: boxes, pairs and manifolds. The shortest
// times of several flights, so that another process does not count.
void list_stages(Session& session, Table& table, const std::string& workload, const Flight& flight, int rounds) {
  const std::string above = "scene, " + workload + ": the step against its boxes, pairs and manifolds";
  if (!session.options().quick) session.expect_bar(above, kAboveAlone);
  auto scene = *Scene<3>::make();
  std::vector<ObjectId<3>> ids;
  std::vector<ObjectSpec<3>> specs;
  for (std::size_t i = 0; i < flight.shapes.size(); ++i) specs.push_back({flight.shapes[i], flight.frames[0][i]});
  if (!scene.add_many(specs, ids) || !scene.update()) return;
  double poses_ms = 1e9;
  std::array<double, kStages> least;
  least.fill(1e9);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t f = 1; f < flight.frames.size(); ++f) {
      StepStats before;
      {
        const StageTimer timer(before, Stage::boxes);
        if (!scene.set_poses(ids, flight.frames[f])) return;
      }
      if (!scene.update()) return;
      poses_ms = std::min(poses_ms, before[Stage::boxes]);
      for (std::size_t i = 0; i < kStages; ++i) least[i] = std::min(least[i], scene.stats().stage_ms[i]);
    }
  double total = poses_ms;
  for (const double ms : least) total += ms;
  const double needed = least[static_cast<std::size_t>(Stage::boxes)] + least[static_cast<std::size_t>(Stage::pairs)] +
                        least[static_cast<std::size_t>(Stage::manifolds)];
  std::vector<std::string> row = {workload, std::to_string(poses_ms)};
  for (const double ms : least) row.push_back(std::to_string(ms));
  row.push_back(std::to_string(scene.bytes().total() >> 20));
  table.rows.push_back(std::move(row));
  if (!session.options().quick) session.bar_at_most(above, kAboveAlone, total / needed);
}

}  // namespace

void bench_scene_step(Session& session) {
  const bool quick = session.options().quick;
  const std::size_t count = quick ? 20000 : 100000;
  Random random(session.options().seed);
  std::vector<Vec3d> cloud;
  for (int i = 0; i < 24; ++i) cloud.push_back(unit_vector<3>(random) * 0.5);
  const std::vector<Shape3> boxes = {*make_box3({0.5, 0.4, 0.3})};
  const std::vector<Shape3> kinds = {boxes[0], *make_sphere3(0.5), *make_capsule3({-0.3, 0, 0}, {0.3, 0, 0}, 0.3),
                                     *make_hull_shape3(cloud)};
  Table stages{"scene_stages", {"workload", "poses ms"}, {}};
  for (std::size_t i = 0; i < kStages; ++i)
    stages.columns.push_back(std::string(to_string(static_cast<Stage>(i))) + " ms");
  stages.columns.push_back("MiB");
  for (const auto& [name, shapes] : {std::pair{"boxes", &boxes}, std::pair{"boxes, balls, capsules, hulls", &kinds}}) {
    const Flight flight = fly(*shapes, count, 0.02, session.options().seed);
    const std::string workload = std::to_string(count / 1000) + " k moving, " + name + ", 8 steps";
    const auto race =
        session.race("scene_step", workload, quick ? 3 : 7, kPointsAgree, {with_scene(flight), alone(flight)});
    list_stages(session, stages, workload, flight, quick ? 3 : 7);
    if (!quick)
      session.bar_at_most("scene, " + workload + ": times the broad phase and the narrow phase alone", kAboveAlone,
                          race[0].min_ms / race[1].min_ms);
  }
  session.add_table(std::move(stages));
}

}  // namespace sudar_bench

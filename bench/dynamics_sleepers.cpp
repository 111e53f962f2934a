// What:    What a step costs when most of a world sleeps: towers of four boxes of which one in a hundred is kept awake, against
//          the same towers that are awake without the others.
// Differs: The two worlds take their steps in turn, so that what else the machine does is shared. Those that are awake jump now
//          and then; those that sleep are all around them.
#include "bench/suites.hpp"
#include <sudar/dynamics/world.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr std::size_t kTower = 4, kAwakeShare = 100;

template <int D>
struct TowerField {
  World<D> world;
  std::vector<BodyId<D>> awake;
};

template <int D>
Result<TowerField<D>> make_towers(std::size_t bodies, bool sleepers) {
  auto made = World<D>::make();
  if (!made) return made.error();
  TowerField<D> out{*std::move(made), {}};
  Vec<D, double> up{};
  up[D - 1] = 1;
  const auto floor = [&] {
    if constexpr (D == 2)
      return *make_halfplane2(up, 0);
    else
      return *make_halfspace3(up, 0);
  }();
  const auto box = [] {
    if constexpr (D == 2)
      return *make_box2({0.5, 0.5});
    else
      return *make_box3({0.5, 0.5, 0.5});
  }();
  if (const auto id = out.world.add_body({.shape = floor, .kind = BodyKind::fixed}); !id) return id.error();
  const std::size_t towers = bodies / kTower;
  const auto across = D == 2 ? towers : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(towers))));
  for (std::size_t tower = 0; tower < towers; ++tower) {
    const bool awake = tower % kAwakeShare == 0;
    if (!awake && !sleepers) continue;
    Vec<D, double> at{};
    at[0] = 1.6 * static_cast<double>(tower % across);
    if constexpr (D == 3) at[1] = 1.6 * static_cast<double>(tower / across);
    for (std::size_t k = 0; k < kTower; ++k) {
      at[D - 1] = 0.5 + static_cast<double>(k);
      const auto id = out.world.add_body({.shape = box, .pose = {at, {}}, .can_sleep = !awake});
      if (!id) return id.error();
      if (awake) out.awake.push_back(*id);
    }
  }
  return out;
}

// The top boxes of a tenth of the towers jump
template <int D>
double step_ms(TowerField<D>& field, std::size_t step) {
  constexpr std::size_t kTurns = 10;
  Vec<D, double> up{};
  up[D - 1] = 2;
  for (std::size_t i = kTower * (step % kTurns + 1) - 1; i < field.awake.size(); i += kTurns * kTower)
    (void)field.world.set_velocity(field.awake[i], up).ok();
  const auto start = std::chrono::steady_clock::now();
  (void)field.world.step(1.0 / 60).ok();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

constexpr double kMostRatio = 3;

template <int D>
void race_sleepers(Session& session, std::size_t bodies, Table& table) {
  const std::string workload = std::to_string(bodies) + (D == 2 ? " in the plane" : " in space");
  session.progress(workload);
  const std::string ratio = workload + ": a step over that of what is awake alone",
                    restless = workload + ": awake that should sleep";
  session.expect_bar(ratio, kMostRatio);
  session.expect_bar(restless, 0);
  auto crowd = make_towers<D>(bodies, true), few = make_towers<D>(bodies, false);
  if (!crowd || !few) return;
  constexpr std::size_t kMostSteps = 200;
  for (std::size_t i = 0; i < kMostSteps && (i == 0 || crowd->world.stats().awake > crowd->awake.size()); ++i)
    (void)crowd->world.step(1.0 / 60).ok();
  std::vector<double> with, without;
  const std::size_t steps = session.options().quick ? 40 : 200;
  for (std::size_t i = 0; i < steps; ++i) {
    with.push_back(step_ms(*crowd, i));
    without.push_back(step_ms(*few, i));
  }
  const auto median = [](std::vector<double>& ms) {
    std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
    return ms[ms.size() / 2];
  };
  const double ours = median(with), alone = median(without);
  const auto text = [](double x) {
    char out[32];
    std::snprintf(out, sizeof out, "%.3g", x);
    return std::string(out);
  };
  table.rows.push_back({workload, std::to_string(crowd->world.stats().bodies),
                        std::to_string(crowd->world.stats().awake), text(ours), text(alone), text(ours / alone)});
  session.bar_at_most(ratio, kMostRatio, ours / alone);
  session.bar_at_most(restless, 0,
                      static_cast<double>(crowd->world.stats().awake) - static_cast<double>(crowd->awake.size()));
}

}  // namespace

void bench_sleepers(Session& session) {
  Table table{"sleepers", {"workload", "bodies", "awake", "ms_a_step", "ms_awake_alone", "ratio"}, {}};
  const std::size_t bodies = session.options().quick ? 10000 : 100000;
  race_sleepers<3>(session, bodies, table);
  race_sleepers<2>(session, bodies, table);
  session.add_table(std::move(table));
  session.note(
      "Sleepers: towers of four boxes, one in a hundred kept awake; medians of steps taken in turn, one thread.");
}

}  // namespace sudar_bench

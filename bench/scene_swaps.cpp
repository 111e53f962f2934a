// What:    The broad phase of a running scene is changed every few steps, through all that there are: events of pairs and of touching
//          that are missing, or told and never were, against the same scene that is never changed.
// Differs: Objects fly and turn, some leap, some go and others come in every step, so that what an algorithm keeps from step to step
//          is at stake. How long a swap takes is in program_lab.cpp.
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/scene/scene.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr std::size_t kStepsEach = 3;  // of one algorithm before the next
constexpr double kGoing = 0.01,
                 kStep = 0.05;  // share that goes, and share that leaps, in a step; way of a step, metres

template <int D>
ObjectSpec<D> some_object(Random& random, double width) {
  Vec<D, double> at;
  for (int k = 0; k < D; ++k) at[k] = random.uniform(0, width);
  if constexpr (D == 2)
    return {random.coin() ? *make_circle2(0.5) : *make_box2({0.5, 0.3}), {at, unit_rotation(random)}};
  else
    return {random.coin() ? *make_sphere3(0.5) : *make_box3({0.5, 0.4, 0.3}), {at, unit_quaternion(random)}};
}

// In the one and not in the other; both are in order
template <int D>
std::size_t missing_in(std::span<const SceneEvent<D>> those, std::span<const SceneEvent<D>> in) {
  std::vector<SceneEvent<D>> out;
  std::set_difference(those.begin(), those.end(), in.begin(), in.end(), std::back_inserter(out));
  return out.size();
}

struct Swaps {
  std::size_t swaps = 0, events = 0, missed = 0, invented = 0;
};
constexpr Swaps kFailed{0, 0, 1, 0};

template <int D>
Swaps live_through(std::size_t count, std::size_t rounds, std::uint64_t seed) {
  Random random(seed);
  const double width = 2 * std::pow(static_cast<double>(count), 1.0 / D);
  Swaps out;
  auto swapped = Scene<D>::make(), never = Scene<D>::make({.broadphase = "columns"});
  if (!swapped || !never) return kFailed;
  std::vector<ObjectId<D>> ids;
  std::vector<Vec<D, double>> velocities;
  const auto both = [&](auto&& act) { return act(*swapped).ok() && act(*never).ok(); };
  const auto come = [&] {
    const ObjectSpec<D> spec = some_object<D>(random, width);
    const auto id = swapped->add(spec);
    if (!id || !never->add(spec)) return false;
    ids.push_back(*id);
    velocities.push_back(unit_vector<D>(random) * kStep);
    return true;
  };
  for (std::size_t i = 0; i < count; ++i)
    if (!come()) return kFailed;
  const auto all = broadphases();
  const auto few = static_cast<std::size_t>(kGoing * static_cast<double>(count)) + 1;
  for (std::size_t step = 0; step < rounds * all.size() * kStepsEach; ++step) {
    if (step % kStepsEach == 0) {
      if (!swapped->set_broadphase(all[step / kStepsEach % all.size()].name)) return kFailed;
      ++out.swaps;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      auto pose = (*swapped)[ids[i].index].pose;
      pose.position = pose.position + velocities[i];
      if (!both([&](Scene<D>& scene) { return scene.set_pose(ids[i], pose); })) return kFailed;
    }
    for (std::size_t i = 0; i < few; ++i) {
      const std::size_t gone = random.below(ids.size()), leaping = random.below(ids.size());
      const auto there = some_object<D>(random, width).pose;
      if (!both([&](Scene<D>& scene) { return scene.teleport(ids[leaping], there); }) ||
          !both([&](Scene<D>& scene) { return scene.remove(ids[gone]); }))
        return kFailed;
      ids[gone] = ids.back(), velocities[gone] = velocities.back();
      ids.pop_back(), velocities.pop_back();
      if (!come()) return kFailed;
    }
    if (!both([](Scene<D>& scene) { return scene.update(); })) return kFailed;
    const SceneEvents<D> seen = swapped->events(), truth = never->events();
    const auto compare = [&](std::span<const SceneEvent<D>> x, std::span<const SceneEvent<D>> right) {
      out.events += right.size();
      out.missed += missing_in<D>(right, x);
      out.invented += missing_in<D>(x, right);
    };
    compare(seen.pairs.begin, truth.pairs.begin);
    compare(seen.pairs.end, truth.pairs.end);
    compare(seen.touching.begin, truth.touching.begin);
    compare(seen.touching.end, truth.touching.end);
  }
  return out;
}

}  // namespace

void bench_swaps(Session& session) {
  const bool quick = session.options().quick;
  Table table{"scene_swaps", {"dimension", "objects", "swaps", "events", "missed", "invented"}, {}};
  Swaps all;
  const auto add = [&](int dimension, std::size_t count, const Swaps& x) {
    table.rows.push_back({std::to_string(dimension), std::to_string(count), std::to_string(x.swaps),
                          std::to_string(x.events), std::to_string(x.missed), std::to_string(x.invented)});
    all.swaps += x.swaps, all.events += x.events, all.missed += x.missed, all.invented += x.invented;
  };
  for (const std::size_t count : {200u, quick ? 1000u : 5000u}) {
    session.progress("swaps of the broad phase, " + std::to_string(count) + " objects");
    const std::size_t rounds = quick ? 1 : 3;
    add(2, count, live_through<2>(count, rounds, session.options().seed));
    add(3, count, live_through<3>(count, rounds, session.options().seed + 1));
  }
  session.add_table(std::move(table));
  session.bar_at_most("broad phase changed while the scene runs: events missed or invented", 0,
                      static_cast<double>(all.missed + all.invented));
  session.bar_at_least("broad phase changed while the scene runs: events that there were to miss", 1000,
                       static_cast<double>(all.events));
}

}  // namespace sudar_bench

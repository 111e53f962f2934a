#include "cli/tour.hpp"

#include "scenes/registry.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>

#include <algorithm>
#include <ctime>

namespace sudar_cli {

namespace {

// One in so many boxes for a scene in which every pair overlaps
constexpr std::size_t kQuadraticShare = 10;
// Played in each scene, whatever the number of steps
constexpr double kSeconds = 0.7;

// Processor time of this thread: the tour uses one, and what else runs on the machine must not count
double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

template <int D>
Snapshot snapshot_of(const sudar::BoxStore<D>& store, std::span<const sudar::IdPair> pairs) {
  Snapshot snapshot{D, {}};
  for (std::uint32_t id = 0; id < store.size(); ++id) {
    const std::uint32_t row = store.row_of(id);
    Snapshot::Item item{{}, {}, store.is_fixed(row), false};
    for (int k = 0; k < D; ++k) {
      item.lo[static_cast<std::size_t>(k)] = store.lo(k)[row];
      item.hi[static_cast<std::size_t>(k)] = store.hi(k)[row];
    }
    snapshot.items.push_back(item);
  }
  for (const sudar::IdPair& pair : pairs) snapshot.items[pair.lo].overlaps = snapshot.items[pair.hi].overlaps = true;
  return snapshot;
}

template <int D>
sudar::Result<TourStop> run_stop(const sudar::scenes::SceneEntry& entry, const TourOptions& options) {
  sudar::scenes::Spec spec(entry);
  const std::size_t n = entry.name == "one_point" ? options.boxes / kQuadraticShare : options.boxes;
  for (const auto& [key, value] :
       {std::pair<const char*, double>{"n", static_cast<double>(std::max<std::size_t>(n, 1))},
        {"dim", D},
        {"seed", static_cast<double>(options.seed)}})
    if (const auto set = spec.set(key, value); !set) return set.error();
  struct Runner {
    std::unique_ptr<sudar::Broadphase<D>> algorithm;
    std::vector<double> ms;  // the best of each step
    sudar::Hash64 hash;
  };
  std::vector<Runner> runners;
  for (const auto& known : sudar::broadphases()) {
    auto algorithm = sudar::make_broadphase<D>(known.name);
    if (!algorithm) return algorithm.error();
    runners.push_back({*std::move(algorithm), {}, {}});
  }

  TourStop stop{std::string(entry.name), spec.text(), std::string(entry.what), D, n, 0, 0, {}, 0, true, {}};
  for (int round = 0; round < options.rounds; ++round) {
    const auto scene = sudar::scenes::make<D>(spec);
    if (!scene) return scene.error();
    const sudar::BoxStore<D>& boxes = (*scene)->boxes();
    stop.boxes = boxes.size();
    for (int step = 0; step < options.steps; ++step) {
      if (const auto stepped = (*scene)->step(kSeconds / options.steps); !stepped) return stepped.error();
      for (Runner& runner : runners) {
        const double start = thread_ms();
        if (const auto updated = runner.algorithm->update(boxes); !updated) return updated.error();
        const auto pairs = runner.algorithm->pairs(boxes);
        // A clock may be coarse, or stand still
        const double ms = std::max(thread_ms() - start, kLeastTime);
        if (!pairs) return pairs.error();
        if (round == 0) runner.ms.push_back(ms);
        double& best = runner.ms[static_cast<std::size_t>(step)];
        best = std::min(best, ms);
        for (const sudar::IdPair& pair : *pairs) {
          runner.hash.add(pair.lo);
          runner.hash.add(pair.hi);
        }
        if (&runner != &runners.front()) continue;
        stop.pairs = pairs->size();
        stop.pairs_in_all += pairs->size();
        if (round == 0 && step + 1 == options.steps) stop.snapshot = snapshot_of(boxes, *pairs);
      }
    }
  }
  for (Runner& runner : runners) {
    std::sort(runner.ms.begin(), runner.ms.end());
    const sudar::SearchCounters& counters = std::as_const(*runner.algorithm).counters();
    stop.times.push_back({std::string(runner.algorithm->name()), runner.ms[runner.ms.size() / 2], runner.ms.front(),
                          counters.box_tests, counters.bytes, runner.hash.value()});
    stop.agree = stop.agree && runner.hash.value() == runners.front().hash.value();
    if (stop.times.back().median_ms < stop.times[stop.fastest].median_ms) stop.fastest = stop.times.size() - 1;
  }
  return stop;
}

}  // namespace

bool Tour::agree() const {
  return std::all_of(stops.begin(), stops.end(), [](const TourStop& stop) { return stop.agree; });
}

sudar::Result<Tour> run_tour(const TourOptions& options,
                             const std::function<void(std::size_t, std::size_t, const std::string&)>& progress) {
  Tour tour{options, {}};
  const auto all = sudar::scenes::all();
  for (const int dim : {2, 3}) {
    for (const auto& entry : all) {
      progress(tour.stops.size(), 2 * all.size(), std::string(entry.name) + (dim == 2 ? " 2D" : " 3D"));
      auto stop = dim == 2 ? run_stop<2>(entry, options) : run_stop<3>(entry, options);
      if (!stop) return stop.error();
      tour.stops.push_back(*std::move(stop));
    }
  }
  progress(tour.stops.size(), tour.stops.size(), "");
  return tour;
}

}  // namespace sudar_cli

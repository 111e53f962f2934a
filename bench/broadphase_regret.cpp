// What:    The regret of `adaptive`: its time over whole scenes against that of the best fixed algorithm of each scene,
//          known afterwards.
// Differs: All algorithms follow one scene in lockstep, on one store, in random order. What counts is processor
//          time, so that other programs on the machine do not decide who is best. An algorithm that has fallen ten times
//          behind is out. Beside `adaptive` runs one whose cost models know nothing (all candidates alike), to show
//          what is learnt while it runs.
#include "bench/suites.hpp"
#include "scenes/registry.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <limits>
#include <map>
#include <span>
#include <sstream>

namespace sudar_bench {

namespace {

constexpr double kMedianRegret = 1.15, kWorstRegret = 1.5;
constexpr double kOut = 10;             // times behind the best
constexpr std::size_t kLeastSteps = 3;  // before one can be out
constexpr double kStep = 1.0 / 60;
constexpr std::size_t kMostForBruteForce = 10000;
// Whose pairs are all pairs, in the lists of eighteen algorithms at once: two gigabytes
constexpr std::size_t kMostInOnePoint = 4000;
constexpr std::size_t kStepsOfAllPairs = 30;

double processor_ms() {
#if defined(CLOCK_PROCESS_CPUTIME_ID)
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
#else
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

std::string text_of(double value) {
  std::ostringstream text;
  text << std::setprecision(4) << value;
  return text.str();
}

template <int D>
struct Runner {
  std::string name;
  std::unique_ptr<sudar::Broadphase<D>> algorithm;
  double ms = 0;
  bool out = false;
};

struct Regret {
  std::vector<double> ratios;                           // of adaptive, one a scene, size and dimension
  std::vector<double> untaught;                         // the same, with models that know nothing
  std::map<std::string, std::vector<double>> of_fixed;  // the same for each fixed algorithm; kOut when it was out
  std::size_t wrong = 0;                                // steps whose number of pairs was not everybody's
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

// One step of one algorithm; the number of its pairs
template <int D>
std::size_t step_of(Runner<D>& runner, const sudar::BoxStore<D>& store) {
  const double start = processor_ms();
  std::size_t count = 0;
  if (runner.algorithm->update(store).ok()) {
    const auto pairs = runner.algorithm->pairs(store, sudar::PairOrder::any);
    count = pairs ? pairs->size() : 0;
  }
  runner.ms += processor_ms() - start;
  return count;
}

// Every candidate costs the same, as far as these know
std::span<const sudar::CostModel> models_that_know_nothing() {
  static const std::vector<sudar::CostModel> models = [] {
    const sudar::CostModel& first = sudar::cost_models()[0];
    std::vector<sudar::CostModel> alike;
    for (const sudar::CostModel& model : sudar::cost_models()) {
      alike.push_back(first);
      alike.back().name = model.name;
      alike.back().spread = 1;
      alike.back().warm_up = model.warm_up;
      alike.back().incremental = model.incremental;
    }
    return alike;
  }();
  return models;
}

// False when the scene cannot be made
template <int D>
bool run_scene(const sudar::scenes::SceneEntry& entry, std::size_t n, std::size_t steps, std::uint64_t seed,
               Table& table, Regret& regret) {
  sudar::scenes::Spec spec(entry);
  if (!spec.set("n", static_cast<double>(n)) || !spec.set("seed", static_cast<double>(seed))) return false;
  const auto scene = sudar::scenes::make<D>(spec);
  if (!scene) return false;
  auto adaptive = std::make_unique<sudar::Adaptive<D>>();
  const sudar::Adaptive<D>& watched = *adaptive;
  std::vector<Runner<D>> runners;
  runners.push_back({"adaptive", std::move(adaptive)});
  runners.push_back({"untaught", std::make_unique<sudar::Adaptive<D>>(models_that_know_nothing())});
  const std::size_t fixed_begin = runners.size();
  for (const sudar::BroadphaseEntry& fixed : sudar::broadphases()) {
    if (fixed.name == "adaptive" || (fixed.name == "brute_force" && n > kMostForBruteForce)) continue;
    if constexpr (D == 2)
      runners.push_back({std::string(fixed.name), fixed.make2()});
    else
      runners.push_back({std::string(fixed.name), fixed.make3()});
  }

  sudar::Random random(seed);
  std::vector<std::size_t> order(runners.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t step = 0; step < steps; ++step) {
    // What the one before leaves in the caches matters, so nobody follows the same one all the time
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
    for (const std::size_t i : order) {
      if (runners[i].out) continue;
      const std::size_t count = step_of(runners[i], (*scene)->boxes());
      least = std::min(least, count);
      most = std::max(most, count);
    }
    regret.wrong += least == most ? 0 : 1;
    double best = 0;
    for (std::size_t i = fixed_begin; i < runners.size(); ++i)
      if (!runners[i].out && (best == 0 || runners[i].ms < best)) best = runners[i].ms;
    for (std::size_t i = fixed_begin; i < runners.size() && step + 1 >= kLeastSteps; ++i)
      runners[i].out = runners[i].out || runners[i].ms > kOut * best;
    if (!(*scene)->step(kStep)) return false;
  }

  const Runner<D>* best = nullptr;
  for (std::size_t i = fixed_begin; i < runners.size(); ++i)
    if (!runners[i].out && (best == nullptr || runners[i].ms < best->ms)) best = &runners[i];
  if (best == nullptr) return false;
  const double ratio = runners[0].ms / best->ms;
  std::size_t switches = 0;
  for (const sudar::AdaptiveDecision& decision : watched.decisions())
    switches += decision.kind == sudar::DecisionKind::kept ? 1 : 0;
  table.rows.push_back({std::string(entry.name), std::to_string(D), std::to_string(n), best->name, text_of(best->ms),
                        text_of(runners[0].ms), text_of(ratio), text_of(runners[1].ms / best->ms),
                        std::to_string(switches), std::string(watched.in_use()), text_of(watched.trial_ms()),
                        text_of(watched.watch_ms())});
  regret.ratios.push_back(ratio);
  regret.untaught.push_back(runners[1].ms / best->ms);
  for (std::size_t i = fixed_begin; i < runners.size(); ++i)
    regret.of_fixed[runners[i].name].push_back(runners[i].out ? kOut : runners[i].ms / best->ms);
  // Left out is as bad as out
  if (n > kMostForBruteForce) regret.of_fixed["brute_force"].push_back(kOut);
  return true;
}

}  // namespace

void bench_regret(Session& session) {
  const bool quick = session.options().quick;
  Table table{"regret",
              {"scene", "dimension", "bodies", "best_fixed", "best_fixed_ms", "adaptive_ms", "ratio", "untaught_ratio",
               "switches", "in_use_at_end", "trials_ms", "watching_ms"},
              {}};
  Regret regret;
  struct Size {
    std::size_t bodies, steps;
  };
  const std::vector<Size> sizes =
      quick ? std::vector<Size>{{1000, 80}, {3000, 30}} : std::vector<Size>{{1000, 300}, {10000, 150}, {100000, 60}};
  for (const Size& size : sizes)
    for (const sudar::scenes::SceneEntry& entry : sudar::scenes::all()) {
      const bool all_pairs = entry.name == "one_point" && size.bodies > kMostInOnePoint;
      const std::size_t bodies = all_pairs ? kMostInOnePoint : size.bodies;
      const std::string what = std::string(entry.name) + " " + std::to_string(bodies);
      if (all_pairs) {
        session.note("Instead of " + std::to_string(size.bodies) + " bodies in one point, whose " +
                     text_of(0.5 * static_cast<double>(size.bodies * size.bodies)) +
                     " pairs would be held by every algorithm, there are " + std::to_string(bodies) + ".");
        if (&size != &sizes[1]) continue;
      }
      const std::size_t steps = all_pairs ? kStepsOfAllPairs : size.steps;
      for (const int dimension : {2, 3}) {
        session.progress("regret: " + what + " " + std::to_string(dimension) + "D");
        const bool ran = dimension == 2 ? run_scene<2>(entry, bodies, steps, session.options().seed, table, regret)
                                        : run_scene<3>(entry, bodies, steps, session.options().seed, table, regret);
        if (!ran) session.note("Left out: " + what + " in " + std::to_string(dimension) + "D cannot be made.");
      }
    }
  session.add_table(std::move(table));

  Table fixed{"regret_of_fixed", {"algorithm", "median", "geometric_mean", "worst"}, {}};
  const auto row = [&](const std::string& name, const std::vector<double>& ratios) {
    fixed.rows.push_back({name, text_of(median(ratios)), text_of(geometric_mean(ratios)),
                          text_of(*std::max_element(ratios.begin(), ratios.end()))});
  };
  row("adaptive", regret.ratios);
  row("untaught", regret.untaught);
  std::string best;
  for (const auto& [name, ratios] : regret.of_fixed) {
    row(name, ratios);
    if (best.empty() || geometric_mean(ratios) < geometric_mean(regret.of_fixed[best])) best = name;
  }
  session.add_table(std::move(fixed));
  session.note("The best single fixed algorithm over all scenes is " + best + ": median " +
               text_of(median(regret.of_fixed[best])) + ", mean " + text_of(geometric_mean(regret.of_fixed[best])) +
               " times the best of each scene; adaptive: " + text_of(median(regret.ratios)) + ", " +
               text_of(geometric_mean(regret.ratios)) + "; adaptive with cost models that know nothing: " +
               text_of(median(regret.untaught)) + ", " + text_of(geometric_mean(regret.untaught)) + ".");
  session.bar_at_most("regret over all scenes and sizes: median", kMedianRegret, median(regret.ratios));
  session.bar_at_most("regret over all scenes and sizes: worst", kWorstRegret,
                      *std::max_element(regret.ratios.begin(), regret.ratios.end()));
  session.bar_at_most("regret with cost models that know nothing: median", kMedianRegret, median(regret.untaught));
  session.bar_at_most("steps of all scenes in which an algorithm found another number of pairs", 0,
                      static_cast<double>(regret.wrong));
}

}  // namespace sudar_bench

// What:    All pairs of standing boxes, from boxes to pair list: against Embree and CGAL; on sets that break grids and
//          sweeps; ten times the boxes; two threads.
// Differs: Ours is timed with the copy of the boxes into the store, as the peers' copies are. The pairs are unsorted, as
//          the peers' are.
#include "bench/box_workloads.hpp"
#include "bench/suites.hpp"
#include <sudar/broadphase/registry.hpp>

#include <cmath>

namespace sudar_bench {

namespace {

constexpr double kAgainstPeers = 10;
constexpr double kHardAgainstUniform = 5;
constexpr double kFourTimesTheBoxes = 2;  // linear would be 1, quadratic 4
constexpr double kEqualPairs = 0.01;
constexpr int kHalvings = 30;
constexpr double kTwoThreads = 1.6;
constexpr double kGrowth = 12;
constexpr double kBytesABox = 128;

std::string thousands(std::size_t n) {
  return n >= 1000000 ? std::to_string(n / 1000000) + " M" : std::to_string(n / 1000) + " k";
}

template <int D>
void race_standing(Session& session, std::size_t n, int rounds) {
  const std::string table = "static_pairs", workload = std::to_string(D) + "D " + thousands(n);
  const BoxRows rows = uniform_boxes<D>(n, session.options().seed);
  std::vector<Contestant> contestants = {
      standing("adaptive", "", our_search<D>("adaptive", Memory::none), rows),
      standing("adaptive, boxes in the store", "", our_search_of_stored<D>("adaptive", rows), rows),
      standing("columns", "", our_search<D>("columns", Memory::none), rows),
      standing("grid", "", our_search<D>("grid", Memory::none), rows),
  };
  // Its work grows faster than the number of boxes
  if (n <= 100000) contestants.push_back(standing("sort_sweep", "", our_search<D>("sort_sweep", Memory::none), rows));
  for (Peer& peer : pair_peers(session, table, D, false))
    contestants.push_back(standing(peer.name, peer.version, std::move(peer.search), rows));
  const auto race = session.race(table, workload, rounds, 0, contestants);
  session.bar_against_peers("static pairs " + workload + ": times as fast as the best peer", kAgainstPeers,
                            speedup_over_best_peer(race));
}

template <int D>
std::size_t count_pairs(const BoxRows& rows) {
  return our_search<D>("columns", Memory::none)(rows).size();
}

// Evenly spread boxes with as many pairs: their size is found by halving the interval that holds it
template <int D>
BoxRows uniform_with_pairs(std::size_t n, std::size_t pairs, std::uint64_t seed) {
  double low = 1, high = 1;
  while (count_pairs<D>(uniform_boxes<D>(n, seed, low)) > pairs) low /= 2;
  while (count_pairs<D>(uniform_boxes<D>(n, seed, high)) < pairs) high *= 2;
  const double wanted = static_cast<double>(pairs);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    BoxRows rows = uniform_boxes<D>(n, seed, middle);
    const auto found = static_cast<double>(count_pairs<D>(rows));
    if (std::abs(found - wanted) <= kEqualPairs * wanted) return rows;
    (found < wanted ? low : high) = middle;
  }
  return uniform_boxes<D>(n, seed, high);
}

// Each against evenly spread boxes of the same number and with the same number of pairs, and against itself with a
// quarter of the boxes: never quadratic
template <int D>
void race_hard_sets(Session& session, std::size_t n, int rounds) {
  const std::uint64_t seed = session.options().seed;
  constexpr std::pair<const char*, BoxRows (*)(std::size_t, std::uint64_t)> kSets[] = {
      {"1 % of 20x boxes", mixed_boxes<D>},
      {"100 clusters", clustered_boxes<D>},
      {"Gaussian blob", blob_boxes<D>},
      {"crowd in a huge world", crowd_boxes<D>}};
  for (const auto& [name, make] : kSets) {
    const BoxRows rows = make(n, seed), quarter = make(n / 4, seed);
    const std::size_t pairs = count_pairs<D>(rows);
    const BoxRows even = uniform_with_pairs<D>(n, pairs, seed);
    const std::string set = std::string(name) + ", " + std::to_string(D) + "D " + thousands(n);
    session.race("hard_sets", set, rounds, 0,
                 {standing("adaptive", "", our_search<D>("adaptive", Memory::none), rows),
                  standing("columns", "", our_search<D>("columns", Memory::none), rows)});
    // Three sets in turns: their answers differ, and were compared above
    const auto timed = [&](const char* what, const BoxRows& boxes) {
      Contestant contestant = standing(what, "", our_search<D>("adaptive", Memory::none), boxes);
      contestant.answer = nullptr;
      return contestant;
    };
    const auto race = session.race("hard_sets_growth", set, rounds, 0,
                                   {timed("adaptive, this set", rows), timed("adaptive, evenly spread", even),
                                    timed("adaptive, a quarter of this set", quarter)});
    session.bar_at_most(set + ": time against evenly spread boxes with as many pairs", kHardAgainstUniform,
                        race[0].min_ms / race[1].min_ms);
    const double growth = static_cast<double>(n + pairs) / static_cast<double>(n / 4 + count_pairs<D>(quarter));
    session.bar_at_most(set + ": time against a quarter of the boxes, over the growth of boxes and pairs",
                        kFourTimesTheBoxes, race[0].min_ms / race[2].min_ms / growth);
  }
}

void race_threads(Session& session, std::size_t n, int rounds) {
  const BoxRows rows = uniform_boxes<3>(n, session.options().seed);
  const auto two = sudar::make_executor(2);
  const auto cores = session.all_cores();
  const auto race =
      session.race("threads", "3D " + thousands(n), rounds, 0,
                   {standing("adaptive, 2 threads", "", our_search<3>("adaptive", Memory::none, *two), rows),
                    standing("adaptive, 1 thread", "", our_search<3>("adaptive", Memory::none), rows)});
  session.bar_at_least("two threads on " + thousands(n) + ": times as fast as one", kTwoThreads,
                       race[1].min_ms / race[0].min_ms);
}

// Ten times the boxes at equal density, in turns, and what they take
void race_growth(Session& session) {
  constexpr const char* kTime = "time of 10 M boxes against 1 M";
  constexpr const char* kMemory = "bytes a box at 10 M, of the store and the search with its list of pairs";
  session.expect_bar(kTime, kGrowth);
  session.expect_bar(kMemory, kBytesABox);
  struct Crowd {
    std::size_t n;
    sudar::BoxStore<3> store = {};
    std::unique_ptr<sudar::Broadphase<3>> adaptive = *sudar::make_broadphase<3>("adaptive");
    std::size_t pairs = 0;
  };
  Crowd crowds[2] = {{1000000}, {10000000}};
  std::vector<Contestant> contestants;
  for (Crowd& crowd : crowds) {
    const BoxRows rows = uniform_boxes<3>(crowd.n, session.options().seed);
    if (!crowd.store.assign(rows)) return session.missing_input("memory for " + thousands(crowd.n) + " boxes");
    contestants.push_back({"adaptive, " + thousands(crowd.n) + " boxes in the store", "", [&crowd] {
                             if (crowd.adaptive->build(crowd.store).ok())
                               crowd.pairs = crowd.adaptive->pairs(crowd.store, sudar::PairOrder::any)->size();
                             return 0.0;
                           }});
  }
  // Their answers differ, and are compared in other races
  const auto race = session.race("growth", "3D, ten times the boxes", 5, 0, contestants);
  session.bar_at_most(kTime, kGrowth, race[1].min_ms / race[0].min_ms);
  const auto a_box = [&](std::size_t bytes) { return static_cast<double>(bytes) / static_cast<double>(crowds[1].n); };
  const double store = a_box(crowds[1].store.bytes()), search = a_box(crowds[1].adaptive->counters().bytes);
  session.note("bytes a box at 10 M: " + std::to_string(store) + " in the box store, " + std::to_string(search) +
               " in the search with its list of " + std::to_string(crowds[1].pairs) + " pairs");
  session.bar_at_most(kMemory, kBytesABox, store + search);
}

}  // namespace

void bench_pairs(Session& session) {
  const bool quick = session.options().quick;
  for (const std::size_t n : {10000u, 100000u}) {
    race_standing<3>(session, n, 30);
    race_standing<2>(session, n, 30);
  }
  race_standing<3>(session, 1000000, quick ? 3 : 9);
  if (!quick) race_standing<2>(session, 1000000, 9);
  const std::size_t many = quick ? 100000 : 1000000;
  race_hard_sets<3>(session, many, 9);
  race_hard_sets<2>(session, many, 9);
  race_threads(session, many, 15);
  if (!quick) race_growth(session);
}

}  // namespace sudar_bench

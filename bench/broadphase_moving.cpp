// What:    Boxes that move: slow, fast and converging, from the boxes of each step to its pairs, against Embree and CGAL;
//          and a million of them on two threads.
// Differs: All contestants are given whole frames, and are timed with taking them in.
#include "bench/box_workloads.hpp"
#include "bench/suites.hpp"

namespace sudar_bench {

namespace {

constexpr double kAgainstPeers = 8;
constexpr double kStepsASecond = 60;
constexpr std::size_t kFrames = 20;
constexpr double kSlow = 0.001, kFast = 0.02;  // of the width of the world, a step

void race_frames(Session& session, const std::string& workload, const std::vector<BoxRows>& frames, int rounds,
                 bool with_refit) {
  const std::string table = "moving_pairs";
  std::vector<Contestant> contestants = {
      walking("adaptive", "", our_search<3>("adaptive", Memory::last_step), frames),
      walking("columns", "", our_search<3>("columns", Memory::last_step), frames),
      walking("grid", "", our_search<3>("grid", Memory::last_step), frames),
  };
  for (Peer& peer : pair_peers(session, table, 3, with_refit))
    contestants.push_back(walking(peer.name, peer.version, std::move(peer.search), frames));
  const auto race = session.race(table, workload, rounds, 0, contestants);
  session.bar_against_peers("moving " + workload + ": times as fast a step as the best peer", kAgainstPeers,
                            speedup_over_best_peer(race));
}

void race_million(Session& session) {
  const auto two = sudar::make_executor(2);
  const auto cores = session.all_cores();
  constexpr std::size_t kFew = 8;
  for (const auto& [name, step] : {std::pair{"slow", kSlow}, std::pair{"fast", kFast}}) {
    const auto frames = moving_boxes<3>(1000000, step, kFew, session.options().seed);
    const std::string workload = std::string(name) + " 1 M, 2 threads, 8 steps";
    const auto race = session.race("moving_million", workload, 5, 0,
                                   {walking("adaptive", "", our_search<3>("adaptive", Memory::last_step, *two), frames),
                                    walking("columns", "", our_search<3>("columns", Memory::last_step, *two), frames)});
    session.bar_at_least("moving " + workload + ": steps a second", kStepsASecond,
                         1000 * static_cast<double>(kFew) / race[0].median_ms);
  }
}

// Bodies so slow that keeping them sorted pays; whole frames are given here too
void race_very_slow(Session& session, std::size_t n, int rounds) {
  const auto frames = moving_boxes<3>(n, kSlow / 64, kFrames, session.options().seed);
  const std::string workload = "64 times slower than slow, " + std::to_string(n / 1000) + " k, 20 steps";
  const auto race = session.race("very_slow", workload, rounds, 0,
                                 {walking("sap", "", our_search<3>("sap", Memory::last_step), frames),
                                  walking("adaptive", "", our_search<3>("adaptive", Memory::last_step), frames),
                                  walking("columns", "", our_search<3>("columns", Memory::last_step), frames)});
  const double steps = 1000 * static_cast<double>(kFrames) / race[0].min_ms;
  if (n == 100000) session.bar_at_least("sap, " + workload + ": steps a second", kStepsASecond, steps);
}

}  // namespace

void bench_moving(Session& session) {
  const bool quick = session.options().quick;
  const std::uint64_t seed = session.options().seed;
  for (const std::size_t n : {10000u, 100000u}) {
    const std::string count = std::to_string(n / 1000) + " k, 20 steps";
    const int rounds = n > 10000 ? (quick ? 2 : 9) : (quick ? 7 : 15);
    race_frames(session, "slow " + count, moving_boxes<3>(n, kSlow, kFrames, seed), rounds, true);
    // A tree that is only refit falls apart when boxes move this fast
    race_frames(session, "fast " + count, moving_boxes<3>(n, kFast, kFrames, seed), rounds, false);
    race_frames(session, "converging " + count, converging_boxes<3>(n, kFrames, seed), rounds, true);
  }
  race_very_slow(session, 100000, 9);
  if (!quick) race_very_slow(session, 500000, 3);
  if (!quick) race_million(session);
}

}  // namespace sudar_bench

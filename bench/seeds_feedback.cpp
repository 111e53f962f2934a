// What:    Sweep and prune in a loop whose step follows the clock (seed E14): a slow step makes the next step longer, bodies then
//          go farther, more ends change places, and the step is slower still.
// Differs: As in the seed, dt is what the last step took, but never less than a frame of 1/60 s. `sap` as the seed has it sorts by
//          swaps whatever it takes; ours starts anew when that costs more. The number of bodies is the one, found by halving,
//          with which the seed's form runs away in 20 to 60 steps, since machines are faster now: with fewer it does not,
//          with more there is nothing to see.
#include "bench/lockstep.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <cmath>

namespace sudar_bench {

namespace {

constexpr double kRunaway = 1000, kQuickRunaway = 250;  // ms a step: ended there
constexpr double kFeedbackSpeed = 0.2;

struct FeedbackRun {
  std::vector<double> dt, swaps;  // of every step, ms
  bool ran_away = false;
};

FeedbackRun follow_clock(Session& session, std::size_t n, bool restarts, std::size_t steps, Table& table) {
  FeedbackRun run;
  const auto scene = make_scene3("uniform n=" + std::to_string(n) + " speed=" + number_text(kFeedbackSpeed) +
                                 " seed=" + std::to_string(session.options().seed));
  if (!scene) return run;
  Lockstep track(session.options().seed);
  const std::string name = restarts ? "sap" : "sap, never anew";
  if (restarts)
    track.add("sap", name);
  else
    track.add("sap", name, {{"swaps", 100000}, {"batch", 1}});
  track.step(scene->boxes());  // the first one builds
  double dt = kFrameMs;
  for (std::size_t step = 0; step < steps && !run.ran_away; ++step) {
    const double begin = processor_ms();
    if (!scene->step(dt / 1000)) break;
    const double moved = processor_ms() - begin;
    track.step(scene->boxes());
    dt = std::max(kFrameMs, moved + track.followers()[0].ms.back());
    const auto swaps = static_cast<double>(track.followers()[0].algorithm->counters().swaps);
    run.dt.push_back(dt), run.swaps.push_back(swaps);
    run.ran_away = dt > (session.options().quick ? kQuickRunaway : kRunaway);
    table.rows.push_back({std::to_string(step), number_text(swaps), number_text(dt), std::to_string(n), name});
  }
  return run;
}

}  // namespace

void bench_seed_feedback(Session& session) {
  Table table{"e14_sap_feedback", {"step", "swaps", "dt_ms", "bodies", "algorithm"}, {}};
  Table shown = table;
  constexpr std::size_t kFewest = 20, kMost = 60;
  FeedbackRun plain;
  double low = 4000, high = 256000;
  std::size_t bodies = 0;
  // A factor of 64 halved eleven times is one of 1.002
  for (int look = 0; look < (session.options().quick ? 8 : 11); ++look) {
    const auto n = static_cast<std::size_t>(std::sqrt(low * high));
    session.progress("e14: sweep and prune that follows the clock, " + std::to_string(n) + " bodies");
    Table rows = table;
    FeedbackRun run = follow_clock(session, n, false, kMost, rows);
    const bool early = run.ran_away && run.dt.size() < kFewest;
    // The best so far is kept: it should run away, and not at once
    if (bodies == 0 || !plain.ran_away || (run.ran_away && run.dt.size() > plain.dt.size())) {
      plain = std::move(run);
      bodies = n;
      shown = std::move(rows);
    }
    if (plain.ran_away && plain.dt.size() >= kFewest) break;
    (early ? high : low) = static_cast<double>(n);
  }
  table = std::move(shown);
  const FeedbackRun guarded = follow_clock(session, bodies, true, kMost, table);
  session.add_table(std::move(table));
  session.add_chart({"e14_sap_feedback",
                     "dt of sweep and prune when the step follows the clock",
                     "e14_sap_feedback",
                     "lines",
                     "step",
                     "dt_ms",
                     "algorithm",
                     false,
                     true,
                     {"bodies=" + std::to_string(bodies)},
                     {{kFrameMs, "60 steps/s"}}});
  session.add_chart({"e14_swaps",
                     "Swaps of the same steps",
                     "e14_sap_feedback",
                     "lines",
                     "step",
                     "swaps",
                     "algorithm",
                     false,
                     true,
                     {"bodies=" + std::to_string(bodies)},
                     {}});
  if (plain.dt.empty() || guarded.dt.empty()) return;
  const double worst = *std::max_element(guarded.dt.begin(), guarded.dt.end());
  const std::string ours = "starting anew when swaps cost too much, the same bodies end at " +
                           number_text(guarded.dt.back()) + " ms a step, at worst " + number_text(worst) + ".";
  session.add_finding(
      {"E14",
       "More swaps make a step longer, and a longer step makes more swaps, until sweep and prune takes a second for "
       "one.",
       plain.ran_away ? Verdict::confirmed : Verdict::refuted,
       (plain.ran_away
            ? "sorting by swaps whatever it takes, " + about(static_cast<double>(bodies)) + " bodies go from " +
                  number_text(plain.dt.front()) + " ms and " + about(plain.swaps.front()) + " swaps to " +
                  number_text(plain.dt.back()) + " ms and " + about(plain.swaps.back()) + " swaps in " +
                  std::to_string(plain.dt.size()) + " steps (the seed saw it with 12 800 bodies); "
            : "sorting by swaps whatever it takes, " + about(static_cast<double>(bodies)) + " bodies still end at " +
                  number_text(plain.dt.back()) + " ms a step; ") +
           ours,
       "e14_sap_feedback"});
}

}  // namespace sudar_bench

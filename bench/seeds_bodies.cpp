// What:    Relative dt (the time of a step over 1/60 s) against the number of bodies (seed E14): no detection, brute force, both
//          octrees, sweep and prune at several speeds, and all our other broad phases; default speed a fifth of the
//          container's width a second.
// Differs: A step is the motion of the bodies and the search for pairs; nothing is drawn and nothing is resolved. Steps are of
//          1/60 s whatever they take; what happens when they follow the clock is in seeds_feedback.cpp. An algorithm that
//          takes too long is left out for larger numbers. The seed's sweep and prune sorts by swaps whatever it takes, so its
//          claims are judged by that form ("sap, never anew"); ours, which starts anew when that is cheaper, runs beside. A
//          verdict is on the shape of a claim; the numbers of the seed's machine are told beside ours.
#include "bench/lockstep.hpp"
#include "bench/suites.hpp"

#include <cmath>
#include <map>

namespace sudar_bench {

namespace {

constexpr double kDefaultSpeed = 0.2;
constexpr double kTooLong = 100;  // ms a step: left out from there on
constexpr const char* kSeedSap = "sap, never anew";
constexpr const char* kSeedsOwn[] = {"brute_force", "octree", "octree_nodup", kSeedSap};
// Powers and times that are closer than these are the same
constexpr double kSamePower = 0.1, kSameTime = 1.15;

using Curve = std::vector<CurvePoint>;
// By algorithm, relative dt over bodies
using Curves = std::map<std::string, Curve>;

struct Evaluation {
  Session& session;
  Table table{
      "e14_bodies", {"bodies", "algorithm", "speed", "ms_median", "ms_min", "relative_dt", "pairs", "spread"}, {}};
  std::map<double, Curves> by_speed{};
  std::size_t disagreements = 0;

  void run(double speed, const std::vector<std::size_t>& sizes, const std::vector<std::string>& algorithms) {
    Curves& curves = by_speed[speed];
    for (const std::size_t n : sizes) {
      session.progress("e14: " + std::to_string(n) + " bodies at speed " + number_text(speed));
      const auto scene = make_scene3("uniform n=" + std::to_string(n) + " speed=" + number_text(speed) +
                                     " seed=" + std::to_string(session.options().seed));
      if (!scene) continue;
      Lockstep track(session.options().seed + n);
      for (const std::string& name : algorithms) {
        const Curve& so_far = curves[name];
        if (!so_far.empty() && so_far.back().y * kFrameMs >= kTooLong) continue;
        if (name == kSeedSap)
          track.add("sap", name, {{"swaps", 100000}, {"batch", 1}});
        else
          track.add(name);
      }
      std::vector<double> moves;
      const std::size_t steps = kWarmUpSteps + (session.options().quick ? 8 : n > 50000 ? 16 : 40);
      for (std::size_t step = 0; step < steps; ++step) {
        track.step(scene->boxes());
        const double begin = processor_ms();
        if (!scene->step(kFrameMs / 1000)) return;
        moves.push_back(processor_ms() - begin);
      }
      const Summary move = summarize(moves);
      const auto row = [&](const std::string& name, double median, double least, double spread, std::size_t pairs) {
        table.rows.push_back({std::to_string(n), name, number_text(speed), number_text(median), number_text(least),
                              number_text(median / kFrameMs), std::to_string(pairs), number_text(spread)});
        curves[name].push_back({static_cast<double>(n), median / kFrameMs});
      };
      row("none", move.median, move.min, move.spread, 0);
      for (const Follower& f : track.followers()) {
        const Summary s = f.summary();
        row(f.name, move.median + s.median, move.min + s.min, s.spread, f.pairs);
      }
      disagreements += track.disagreements();
    }
  }

  const Curve& curve(double speed, const std::string& name) { return by_speed[speed][name]; }
  // The point for this many bodies; zero when there is none
  static double at(const Curve& curve, double n) {
    for (const CurvePoint& p : curve)
      if (p.x == n) return p.y;
    return 0;
  }
  static std::string late_at(const Curve& curve) {
    const auto x = crossing(curve, 1);
    if (x) return "falls under 60 steps/s at about " + about(*x) + " bodies";
    return curve.empty() ? "was not run"
                         : "holds 60 steps/s to the end, " + about(curve.back().x) + " bodies, at a relative dt of " +
                               number_text(curve.back().y);
  }
  // From the middle of its range on
  static double late_growth(const Curve& curve) {
    return growth_exponent(std::span(curve).subspan(curve.size() > 3 ? curve.size() / 2 : 0));
  }

  void find(const std::string& claim, bool confirmed, const std::string& ours,
            const std::string& chart = "e14_bodies") {
    session.add_finding({"E14", claim, confirmed ? Verdict::confirmed : Verdict::refuted, ours, chart});
  }
};

void conclude(Evaluation& e, double slow) {
  const Curve &none = e.curve(kDefaultSpeed, "none"), &brute = e.curve(kDefaultSpeed, "brute_force"),
              &octree = e.curve(kDefaultSpeed, "octree"), &nodup = e.curve(kDefaultSpeed, "octree_nodup");
  const double growth_none = growth_exponent(none);
  e.find("Without detection a step grows linearly with the bodies and stays far below 1/60 s.",
         growth_none > 0.75 && growth_none < 1.35 && none.back().y < 1,
         "it grows with the power " + number_text(growth_none) + " and takes a relative dt of " +
             number_text(none.back().y) + " with " + about(none.back().x) + " bodies.");
  const double growth_brute = Evaluation::late_growth(brute);
  e.find("Brute force grows with the square of the number.", growth_brute > 1.7 && growth_brute < 2.3,
         "it grows with the power " + number_text(growth_brute) + " and " + Evaluation::late_at(brute) +
             " (on the seed's machine before 2 000).");
  const double early =
      growth_exponent(std::span(octree).first(std::min<std::size_t>(octree.size(), octree.size() / 2 + 1)));
  const double late = Evaluation::late_growth(octree);
  e.find("The octree grows along a straight line at first and leaves it later.",
         std::fabs(early - 1) < 2 * kSamePower && late > early + kSamePower,
         "it grows with the power " + number_text(early) + " at first and " + number_text(late) + " later, and " +
             Evaluation::late_at(octree) + " (on the seed's machine at 12 000, and under 30 at 20 000).");
  const double last = std::min(octree.back().x, nodup.back().x);
  const double ratio_first = nodup.front().y / octree.front().y;
  const double ratio_last = Evaluation::at(nodup, last) / Evaluation::at(octree, last);
  e.find("The octree without duplicates is like the one with them up to 5 000 bodies and grows faster beyond.",
         ratio_first < 1.5 && ratio_last > kSameTime * ratio_first && ratio_last > kSameTime,
         "without duplicates it takes " + number_text(ratio_first) + " times as long at " + about(octree.front().x) +
             " bodies and " + number_text(ratio_last) + " times at " + about(last) + "; late growth " +
             number_text(Evaluation::late_growth(nodup)) + " against " + number_text(late) + ".");

  // Sweep and prune by speed, at the largest number that every speed reached in both forms
  double common = 1e300;
  for (auto& [speed, curves] : e.by_speed)
    for (const char* name : {kSeedSap, "sap"})
      if (!curves[name].empty()) common = std::min(common, curves[name].back().x);
  const auto over_speeds = [&](const std::string& name) {
    std::string text;
    for (auto& [speed, curves] : e.by_speed)  // the slowest first
      text += (text.empty() ? "" : ", ") + number_text(Evaluation::at(curves[name], common) * kFrameMs) +
              " ms at speed " + number_text(speed);
    return text;
  };
  bool rises = true;
  double before = 0, slowest = 0;
  for (auto& [speed, curves] : e.by_speed) {
    const double y = Evaluation::at(curves[kSeedSap], common);
    rises = rises && y * kSameTime > before;
    if (slowest == 0) slowest = y;
    before = y;
  }
  e.find("The slower the bodies, the longer sweep and prune holds out.", rises && before > kSameTime * slowest,
         "with " + about(common) + " bodies a step by swaps alone takes " + over_speeds(kSeedSap) +
             "; ours, which may start anew, " + over_speeds("sap") + ".",
         "e14_speeds");

  // Very slow bodies
  const Curve &swapped = e.curve(slow, kSeedSap), &sap = e.curve(slow, "sap");
  double octrees = 1e300, best = 1e300;
  std::string best_name;
  const double most = swapped.empty() ? 0 : swapped.back().x;
  for (auto& [name, curve] : e.by_speed[slow]) {
    const double y = Evaluation::at(curve, most);
    if (y <= 0 || name == "none") continue;
    if (name == "octree" || name == "octree_nodup") octrees = std::min(octrees, y);
    if (y < best) best = y, best_name = name;
  }
  const double swapped_there = Evaluation::at(swapped, most);
  e.find("With bodies 64 times slower sweep and prune is by far the best of the four.", swapped_there < octrees / 1.5,
         "with " + about(most) + " very slow bodies it takes a relative dt of " + number_text(swapped_there) +
             " by swaps alone (ours, which may start anew, " + number_text(Evaluation::at(sap, most)) +
             "), the better octree " + number_text(octrees) + "; by swaps alone it " + Evaluation::late_at(swapped) +
             " (on the seed's machine at 75 000); the fastest of all ours there is " + best_name + " with " +
             number_text(best) + ".",
         "e14_speeds");

  // Of the four, who wins at the default speed
  std::map<std::string, int> wins;
  int sizes = 0;
  std::string all_best;
  for (const CurvePoint& p : none) {
    if (p.x < 1000) continue;
    std::string winner, winner_of_all;
    double least = 1e300, least_of_all = 1e300;
    for (auto& [name, curve] : e.by_speed[kDefaultSpeed]) {
      const double y = Evaluation::at(curve, p.x);
      if (y <= 0 || name == "none") continue;
      if (y < least_of_all) least_of_all = y, winner_of_all = name;
      for (const char* own : kSeedsOwn)
        if (name == own && y < least) least = y, winner = name;
    }
    ++sizes, ++wins[winner];
    all_best += (all_best.empty() ? "" : ", ") + winner_of_all + " at " + about(p.x);
  }
  const int octree_wins = wins["octree"] + wins["octree_nodup"];
  std::string who;
  for (const auto& [name, count] : wins)
    if (count > 0) who += (who.empty() ? "" : ", ") + name + " " + std::to_string(count);
  e.find("At the default speed an octree is the best choice of the four for thousands of bodies.",
         2 * octree_wins > sizes,
         "of " + std::to_string(sizes) + " sizes from 1 000 on, the four win: " + who +
             "; the fastest of all of ours: " + all_best + ".");
}

}  // namespace

void bench_seed_bodies(Session& session) {
  const bool quick = session.options().quick;
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{250, 1000, 4000, 16000, 48000}
            : std::vector<std::size_t>{100, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 192000};
  std::vector<std::string> all;
  for (const sudar::BroadphaseEntry& entry : sudar::broadphases()) all.emplace_back(entry.name);
  all.emplace_back(kSeedSap);
  const double slow = kDefaultSpeed / 64;
  Evaluation e{session};
  e.run(kDefaultSpeed, sizes, all);
  for (const double speed : {kDefaultSpeed / 2, kDefaultSpeed / 4})
    e.run(speed, sizes, {"sap", kSeedSap, "octree", "columns"});
  e.run(slow, sizes, all);
  session.add_table(std::move(e.table));
  const std::vector<Chart::Level> levels = {{1, "60 steps/s"}, {2, "30 steps/s"}};
  session.add_chart({"e14_bodies",
                     "Relative dt against the number of bodies",
                     "e14_bodies",
                     "lines",
                     "bodies",
                     "relative_dt",
                     "algorithm",
                     true,
                     true,
                     {"speed"},
                     levels});
  session.add_chart({"e14_speeds",
                     "Relative dt of one algorithm at several speeds",
                     "e14_bodies",
                     "lines",
                     "bodies",
                     "relative_dt",
                     "speed",
                     true,
                     true,
                     {"algorithm=" + std::string(kSeedSap)},
                     levels});
  conclude(e, slow);
  session.bar_at_most("e14: steps in which an algorithm found another number of pairs", 0,
                      static_cast<double>(e.disagreements));
}

}  // namespace sudar_bench

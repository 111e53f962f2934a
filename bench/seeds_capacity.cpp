// What:    How many bodies a leaf may hold, and how deep a tree may grow (seed E14): the time of a step against both, for every
//          broad phase that has such a limit.
// Differs: Depth 10 while the capacity changes and capacity 32 while the depth changes, as in the seed.
#include "bench/lockstep.hpp"
#include "bench/suites.hpp"

#include <map>

namespace sudar_bench {

namespace {

constexpr const char* kTrees[] = {"octree", "octree_nodup", "octree_loose", "kd_tree", "bsp_tree"};

// By algorithm, ms over the value of the parameter
std::map<std::string, std::vector<CurvePoint>> sweep(Session& session, std::string_view parameter,
                                                     const std::vector<double>& values, const Lockstep::Settings& fixed,
                                                     Table& table) {
  const std::size_t n = session.options().quick ? 4000 : 10000;
  std::map<std::string, std::vector<CurvePoint>> curves;
  const auto scene =
      make_scene3("uniform n=" + std::to_string(n) + " speed=0.2 seed=" + std::to_string(session.options().seed));
  if (!scene) return curves;
  session.progress("e14: " + std::string(parameter));
  Lockstep track(session.options().seed);
  struct Entry {
    std::string algorithm;
    double value;
  };
  std::vector<Entry> entries;
  for (const char* name : kTrees)
    for (const double value : values) {
      Lockstep::Settings settings = fixed;
      settings.push_back({parameter, value});
      track.add(name, {}, settings);
      entries.push_back({name, value});
    }
  for (std::size_t step = 0; step < kWarmUpSteps + (session.options().quick ? 9u : 25u); ++step) {
    track.step(scene->boxes());
    if (!scene->step(kFrameMs / 1000)) break;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Summary s = track.followers()[i].summary();
    table.rows.push_back({number_text(entries[i].value), entries[i].algorithm, number_text(s.median),
                          number_text(s.min), std::to_string(n)});
    curves[entries[i].algorithm].push_back({entries[i].value, s.median});
  }
  return curves;
}

double value_at(const std::vector<CurvePoint>& curve, double x) {
  for (const CurvePoint& p : curve)
    if (p.x == x) return p.y;
  return 0;
}
CurvePoint least_of(const std::vector<CurvePoint>& curve) {
  CurvePoint best = curve.front();
  for (const CurvePoint& p : curve)
    if (p.y < best.y) best = p;
  return best;
}

}  // namespace

void bench_seed_capacity(Session& session) {
  Table capacity{"e14_leaf_capacity", {"capacity", "algorithm", "ms_median", "ms_min", "bodies"}, {}};
  const auto by_capacity =
      sweep(session, "leaf_capacity", {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}, {{"depth", 10}}, capacity);
  Table depth{"e14_depth", {"depth", "algorithm", "ms_median", "ms_min", "bodies"}, {}};
  const auto by_depth = sweep(session, "depth", {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16}, {{"leaf_capacity", 32}}, depth);
  session.add_table(std::move(capacity));
  session.add_table(std::move(depth));
  session.add_chart({"e14_leaf_capacity",
                     "Time of a step against the capacity of a leaf",
                     "e14_leaf_capacity",
                     "lines",
                     "capacity",
                     "ms_median",
                     "algorithm",
                     true,
                     true,
                     {},
                     {}});
  session.add_chart({"e14_depth",
                     "Time of a step against the greatest depth",
                     "e14_depth",
                     "lines",
                     "depth",
                     "ms_median",
                     "algorithm",
                     false,
                     true,
                     {},
                     {}});
  if (by_capacity.count("octree") == 0 || by_depth.count("octree") == 0) return;

  const auto& octree = by_capacity.at("octree");
  const double one = value_at(octree, 1), four = value_at(octree, 4), thirty_two = value_at(octree, 32);
  double worst = 0;
  for (const CurvePoint& p : octree) worst = std::max(worst, p.y);
  const CurvePoint best = least_of(octree);
  session.add_finding({"E14", "One body a leaf is worst; the time falls up to 32 a leaf, which is 36 % faster than 4.",
                       four > 1.1 * thirty_two && best.x > 4 ? Verdict::confirmed : Verdict::refuted,
                       "32 a leaf is " + number_text(100 * (four / thirty_two - 1)) + " % faster than 4 (" +
                           number_text(four) + " to " + number_text(thirty_two) + " ms); 1 a leaf takes " +
                           number_text(one) + " ms" + (one >= worst ? ", the worst" : "") + "; the best is " +
                           number_text(best.x) + " with " + number_text(best.y) + " ms.",
                       "e14_leaf_capacity"});
  const auto& deep = by_depth.at("octree");
  const CurvePoint best_depth = least_of(deep);
  const double nine_to_twelve = std::max(value_at(deep, 10), value_at(deep, 12));
  session.add_finding({"E14", "A depth of 1 or 2 is slow, because nearly all pairs are tested; 9 to 12 are all alike.",
                       value_at(deep, 1) > 1.3 * best_depth.y && nine_to_twelve < 1.25 * best_depth.y
                           ? Verdict::confirmed
                           : Verdict::refuted,
                       "depth 1 takes " + number_text(value_at(deep, 1)) + " ms, 2 " + number_text(value_at(deep, 2)) +
                           ", 10 " + number_text(value_at(deep, 10)) + ", 12 " + number_text(value_at(deep, 12)) +
                           "; the best is " + number_text(best_depth.x) + " with " + number_text(best_depth.y) + " ms.",
                       "e14_depth"});
}

}  // namespace sudar_bench

#include "bench/suites.hpp"

#include "bench/report.hpp"

#include <array>
#include <ostream>

namespace sudar_bench {

namespace {
// One part per line
// clang-format off
constexpr std::array kGeometry = {
    Part{"delaunay", bench_delaunay},
    Part{"hulls", bench_hulls},
    Part{"predicates", bench_predicates},
    Part{"solids", bench_solids},
    Part{"spheres", bench_spheres},
    Part{"trace", bench_trace},
    Part{"volumes", bench_volumes},
};
constexpr std::array kBroadphase = {
    Part{"pairs", bench_pairs},
    Part{"moving", bench_moving},
    Part{"regret", bench_regret},
    Part{"trees", bench_trees},
};
constexpr std::array kNarrowphase = {
    Part{"triangle pairs", bench_triangle_pairs},
};
constexpr std::array kMesh = {
    Part{"meshes", bench_meshes},
};
// clang-format on
constexpr std::array kSuites = {
    Suite{"geometry", "predicates, hulls, bounding volumes, solids, triangulations", kGeometry},
    Suite{"broadphase", "all pairs of boxes: standing, moving, hard sets, growth, threads, regret", kBroadphase},
    Suite{"narrowphase", "shape against shape: triangles", kNarrowphase},
    Suite{"mesh", "mesh against mesh: build, all pairs, first hit, disjoint, distance", kMesh},
};
}  // namespace

std::span<const Suite> suites() { return kSuites; }

int run_suite(std::string_view name, const Options& options, std::ostream& out, std::ostream& progress) {
  Session session(options, progress);
  bool found = false;
  for (const Suite& suite : suites()) {
    if (name != "all" && name != suite.name) continue;
    found = true;
    for (const Part& part : suite.parts) part.run(session);
  }
  if (!found) {
    progress << "sudar bench: no suite named '" << name << "'; there are: all";
    for (const Suite& suite : suites()) progress << ", " << suite.name;
    progress << '\n';
    return 2;
  }
  print_results(session, out);
  if (!options.out_dir.empty() && !write_results(session, name, options.out_dir)) {
    progress << "sudar bench: cannot write the results to '" << options.out_dir << "'\n";
    return 2;
  }
  for (const Bar& bar : session.bars())
    if (!bar.passed) return 1;
  return 0;
}

}  // namespace sudar_bench

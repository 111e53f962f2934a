#include "bench/suites.hpp"

#include "bench/report.hpp"

#include <algorithm>
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
    Part{"accuracy", bench_accuracy},
    Part{"boxes", bench_boxes},
    Part{"extremes", bench_extremes},
    Part{"hard_cases", bench_hard_cases},
    Part{"hulls", bench_hull_pairs},
    Part{"manifolds", bench_manifolds},
    Part{"parts", bench_parts},
    Part{"polygons", bench_polygons},
    Part{"triangle pairs", bench_triangle_pairs},
};
constexpr std::array kMesh = {
    Part{"meshes", bench_meshes},
    Part{"levels", bench_levels},
};
constexpr std::array kContinuous = {
    Part{"ccd", bench_ccd},
    Part{"toi", bench_toi},
    Part{"parts", bench_impact_parts},
    Part{"sdf", bench_sdf},
};
constexpr std::array kRays = {
    Part{"rays", bench_rays},
    Part{"leaks", bench_leaks},
};
constexpr std::array kDynamics = {
    Part{"contact solver", bench_contact_solver},
    Part{"scene", bench_scene_step},
    Part{"balls", bench_balls},
    Part{"worlds", bench_worlds},
};
// clang-format on
constexpr std::array kSuites = {
    Suite{"geometry", "predicates, hulls, bounding volumes, solids, triangulations", kGeometry},
    Suite{"broadphase", "all pairs of boxes: standing, moving, hard sets, growth, threads, regret", kBroadphase},
    Suite{"narrowphase",
          "shape against shape: boxes, spheres and capsules, extremes, hulls, parts, polygons, triangles",
          kNarrowphase},
    Suite{"mesh", "mesh against mesh: build, all pairs, first hit, disjoint, distance, levels of detail", kMesh},
    Suite{"continuous",
          "moving shapes: guaranteed times of vertices, edges and faces; times of impact, tunnelling; fields, haptics",
          kContinuous},
    Suite{"rays", "rays against a mesh: first hit, any hit, batches; leaks through edges and corners", kRays},
    Suite{"dynamics", "scenes without physics, the contact solver, and what stands on them", kDynamics},
};
}  // namespace

std::span<const Suite> suites() { return kSuites; }

int run_suite(std::string_view name, const Options& options, std::ostream& out, std::ostream& progress) {
  // An hour of measuring is not lost to a folder that cannot be written
  if (!options.out_dir.empty() && !can_write(options.out_dir)) {
    progress << "sudar bench: cannot write to '" << options.out_dir << "'\n";
    return 2;
  }
  Session session(options, progress);
  bool found = false;
  const std::string_view suite_name = name.substr(0, name.find('/'));
  const std::string_view part_name = name.substr(std::min(name.size(), suite_name.size() + 1));
  for (const Suite& suite : suites()) {
    if (name != "all" && suite_name != suite.name) continue;
    for (const Part& part : suite.parts) {
      if (!part_name.empty() && part_name != part.name) continue;
      found = true;
      part.run(session);
    }
  }
  if (!found) {
    progress << "sudar bench: no suite named '" << name << "'; there are: all";
    for (const Suite& suite : suites()) {
      progress << ", " << suite.name;
      for (const Part& part : suite.parts) progress << ", " << suite.name << '/' << part.name;
    }
    progress << '\n';
    return 2;
  }
  print_results(session, out);
  if (!options.out_dir.empty() && !write_results(session, name, options.out_dir)) {
    progress << "sudar bench: cannot write the results to '" << options.out_dir << "'\n";
    return 2;
  }
  if (!options.markdown.empty() && !write_markdown(session, name, options.markdown)) {
    progress << "sudar bench: cannot write '" << options.markdown << "'\n";
    return 2;
  }
  for (const Bar& bar : session.bars())
    if (!bar.passed) return 1;
  return 0;
}

}  // namespace sudar_bench

#include "bench/suites.hpp"

#include "bench/child_program.hpp"
#include "bench/compare.hpp"
#include "bench/mesh_assembly.hpp"
#include "bench/part_file.hpp"
#include "bench/part_run.hpp"
#include "bench/report.hpp"
#include "bench/tallies.hpp"
#include <sudar/io/part_file.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace sudar_bench {

namespace {
// One part per line
// clang-format off
constexpr std::array kSeeds = {
    Part{"bodies", bench_seed_bodies},
    Part{"clustering", bench_seed_clustering},
    Part{"capacity", bench_seed_capacity},
    Part{"feedback", bench_seed_feedback},
    Part{"winners", bench_seed_winners},
    Part{"polygons", bench_seed_polygons},
    Part{"extremes", bench_extremes, Cores::one, "narrow phase"},
    Part{"builders", bench_seed_builders},
    Part{"volumes", bench_volumes, Cores::one, "geometry"},
    Part{"balls", bench_seed_balls},
};
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
    Part{"pairs", bench_pairs, Cores::all},
    Part{"moving", bench_moving, Cores::all},
    Part{"regret", bench_regret},
    Part{"trees", bench_trees},
};
constexpr std::array kNarrowphase = {
    Part{"accuracy", bench_accuracy},
    Part{"boxes", bench_boxes},
    Part{"extremes", bench_extremes},
    Part{"hard_cases", bench_hard_cases},
    Part{"hulls", bench_hull_pairs},
    Part{"kernels", bench_kernels},
    Part{"manifolds", bench_manifolds},
    Part{"parts", bench_parts},
    Part{"polygons", bench_polygons},
    Part{"triangle pairs", bench_triangle_pairs},
};
constexpr std::array kMesh = {
    Part{"meshes", bench_meshes},
    Part{"levels", bench_levels},
    Part{"check", bench_assembly},
};
constexpr std::array kContinuous = {
    Part{"ccd", bench_ccd, Cores::all},
    Part{"toi", bench_toi},
    Part{"parts", bench_impact_parts},
    Part{"hard_cases", bench_hard_queries},
    Part{"sdf", bench_sdf, Cores::all, "distance fields"},
};
constexpr std::array kRays = {
    Part{"rays", bench_rays, Cores::all},
    Part{"leaks", bench_leaks, Cores::all},
};
constexpr std::array kDynamics = {
    Part{"contact solver", bench_contact_solver},
    Part{"scene", bench_scene_step, Cores::one, "scenes"},
    Part{"balls", bench_balls},
    Part{"laws", bench_laws, Cores::all},
    Part{"shots", bench_shots, Cores::all},
    Part{"sleepers", bench_sleepers},
    Part{"swaps", bench_swaps, Cores::one, "scenes"},
    Part{"worlds", bench_worlds},
};
constexpr std::array kProgram = {
    Part{"check", bench_program_check, Cores::all},
    Part{"query", bench_program_query, Cores::all},
    Part{"lab", bench_program_lab, Cores::all, "lab"},
};
constexpr std::array kHarness = {
    Part{"repeats", bench_repeats},
    Part{"faults", bench_faults},
    Part{"lasting", bench_lasting},
};
// clang-format on
constexpr std::array kSuites = {
    Suite{"seeds", "evaluation", "the experiments of the five documents, and whether their findings hold here", kSeeds},
    Suite{"geometry", "geometry", "predicates, hulls, bounding volumes, solids, triangulations", kGeometry},
    Suite{"broadphase", "broad phase", "all pairs of boxes: standing, moving, hard sets, growth, threads, regret",
          kBroadphase},
    Suite{"narrowphase", "narrow phase",
          "shape against shape: boxes, spheres and capsules, extremes, hulls, parts, polygons, triangles",
          kNarrowphase},
    Suite{"mesh", "meshes",
          "mesh against mesh: build, all pairs, first hit, disjoint, distance, levels of detail; assemblies", kMesh},
    Suite{"continuous", "continuous",
          "moving shapes: guaranteed times of vertices, edges and faces; times of impact, tunnelling; fields, haptics",
          kContinuous},
    Suite{"rays", "rays", "rays against a mesh: first hit, any hit, batches; leaks through edges and corners", kRays},
    Suite{"dynamics", "dynamics", "scenes without physics, the contact solver, and what stands on them", kDynamics},
    Suite{"program", "check and query", "the command itself: files to reports, query lines, the lab without a window",
          kProgram},
    Suite{"harness", "evaluation",
          "the race track itself: contestants that crash, hang, throw or are missing; steady work", kHarness, true},
};

struct Chosen {
  const Suite* suite;
  const Part* part;
};

// A part that two suites have is run once
std::vector<Chosen> choose(std::string_view name) {
  const std::string_view suite_name = name.substr(0, name.find('/'));
  const std::string_view part_name = name.substr(std::min(name.size(), suite_name.size() + 1));
  std::vector<Chosen> chosen;
  for (const Suite& suite : kSuites) {
    if (name == "all" ? suite.by_name_only : suite_name != suite.name) continue;
    for (const Part& part : suite.parts) {
      if (name != "all" && !part_name.empty() && part_name != part.name) continue;
      const auto same = [&](const Chosen& c) { return c.part->run == part.run; };
      if (std::none_of(chosen.begin(), chosen.end(), same)) chosen.push_back({&suite, &part});
    }
  }
  return chosen;
}

// The results of the parts lie there while the run lasts, and after it when the user named a folder
class PartFolder {
 public:
  explicit PartFolder(const std::string& out_dir) {
    if (out_dir.empty()) {
      try {
        root_ = scratch_.emplace().path();
        good_ = true;
      } catch (const std::runtime_error&) {
        // It is not good
      }
      return;
    }
    std::error_code error;
    root_ = std::filesystem::path(out_dir) / "parts";
    std::filesystem::create_directories(root_, error);
    good_ = !error;
  }

  bool good() const { return good_; }
  std::string file(const Chosen& chosen) const {
    std::string name = std::string(chosen.suite->name) + "." + std::string(chosen.part->name) + ".json";
    std::replace(name.begin(), name.end(), ' ', '_');
    return (root_ / name).string();
  }

 private:
  bool good_ = false;
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path root_;
};

// Minutes that a run of everything may take, and a suite of a quick one
constexpr double kFullRun = 60, kQuickRun = 10, kQuickSuite = 2;

// What the run as a whole must keep to
PartResult bars_of_the_run(std::string_view name, const Options& options, const std::vector<Chosen>& chosen,
                           const Report& report) {
  PartResult run;
  run.suite = "harness", run.part = "the run";
  const auto at_most = [&](const std::string& what, double required, double seconds) {
    run.results.bars.push_back({what, required, seconds / 60, seconds / 60 <= required, true, 0, Bar::Side::at_most});
  };
  for (const Suite& suite : kSuites) {
    if (!options.quick || suite.by_name_only || (name != "all" && name != suite.name)) continue;
    double seconds = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) seconds += chosen[i].suite == &suite ? report.parts[i].seconds : 0;
    at_most("quick run of " + std::string(suite.name) + ": minutes", kQuickSuite, seconds);
  }
  if (name == "all")
    at_most(options.quick ? "quick run of everything: minutes" : "full run of everything: minutes",
            options.quick ? kQuickRun : kFullRun, report.seconds);
  return run;
}

int refuse(std::ostream& progress, const std::string& why) {
  progress << "sudar bench: " << why << '\n';
  return 2;
}

}  // namespace

std::span<const Suite> suites() { return kSuites; }

std::string_view capability_of(std::string_view suite_name, std::string_view part_name) {
  for (const Suite& suite : kSuites) {
    if (suite.name != suite_name) continue;
    for (const Part& part : suite.parts)
      if (part.name == part_name && !part.capability.empty()) return part.capability;
    return suite.capability;
  }
  return suite_name;
}

int run_suite(std::string_view name, const Options& options, std::ostream& out, std::ostream& progress) {
  if (!options.compare.empty() && !options.newer.empty())
    return compare_results(options.compare, options.newer, out, progress);
  const std::vector<Chosen> chosen = choose(name);
  if (chosen.empty()) {
    std::string names = "no suite named '" + std::string(name) + "'; there are: all";
    for (const Suite& suite : suites()) {
      names += ", " + std::string(suite.name);
      for (const Part& part : suite.parts) names += ", " + std::string(suite.name) + "/" + std::string(part.name);
    }
    return refuse(progress, names);
  }
  if (options.resume && options.out_dir.empty())
    return refuse(progress, "--resume needs the folder of the earlier run: -o DIR");
  if (!options.compare.empty() && options.out_dir.empty())
    return refuse(progress, "--compare needs a folder for the new results: -o DIR, or --with FILE");
  // An hour of measuring is not lost to a folder that cannot be written, or to a file that cannot be read
  if (!options.out_dir.empty() && !can_write(options.out_dir))
    return refuse(progress, "cannot write to '" + options.out_dir + "'");
  if (!options.compare.empty() && !is_results_file(options.compare, progress)) return 2;
  std::error_code failed;
  if (!options.compare.empty() &&
      std::filesystem::equivalent(options.compare, std::filesystem::path(options.out_dir) / "results.json", failed))
    return refuse(progress, "'" + options.compare + "' would be replaced by the new results");
  if (!options.markdown.empty() && !sudar::can_write_file(options.markdown))
    return refuse(progress, "cannot write '" + options.markdown + "'");
  if (options.out_dir.empty() && chosen.size() > 1)
    progress << "without a folder (-o DIR) the results are only printed, and the run cannot be resumed" << std::endl;
  std::optional<PartFolder> folder(options.out_dir);
  if (!folder->good()) return refuse(progress, "no folder for the results of the parts can be made");

  Report report{std::string(name), options, build_facts(), machine_facts(), {}, 0};
  report.build.emplace_back("commit", SUDAR_COMMIT);
  if (options.peers)
    for (const auto& fact : peer_facts()) report.build.push_back(fact);
  const auto stopped = [&] { return options.stop_asked && options.stop_asked(); };
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::string file = folder->file(chosen[i]);
    const std::string title = std::string(chosen[i].suite->name) + "/" + std::string(chosen[i].part->name);
    if (stopped()) {
      PartResult none;
      none.suite = chosen[i].suite->name, none.part = chosen[i].part->name;
      none.trouble = "not run: the run was interrupted";
      report.parts.push_back(std::move(none));
      continue;
    }
    progress << "== " << title << " (" << i + 1 << " of " << chosen.size() << ")" << std::endl;
    auto finished = options.resume ? read_finished_part(file, options) : std::nullopt;
    if (finished) progress << "already there" << std::endl;
    report.parts.push_back(finished ? *std::move(finished)
                                    : run_part_apart(chosen[i].suite->name, *chosen[i].part, options, file, progress));
  }
  // Those of parts of an earlier run count as well
  for (const PartResult& part : report.parts) report.seconds += part.seconds;
  if (!stopped()) {
    PartResult run = bars_of_the_run(name, options, chosen, report);
    if (!run.results.bars.empty()) report.parts.push_back(std::move(run));
  } else {
    progress << "interrupted: what is known is told"
             << (options.out_dir.empty() ? "" : "; --resume goes on with the parts that are missing") << std::endl;
  }

  // The files first, and no folder left behind: printing into a pipe that was closed ends the process
  const bool results_written = options.out_dir.empty() || write_results(report, options.out_dir);
  const bool markdown_written = options.markdown.empty() || write_text(options.markdown, to_markdown(report));
  folder.reset();
  print_results(report, out);
  if (!results_written) return refuse(progress, "cannot write the results to '" + options.out_dir + "'");
  if (!markdown_written) return refuse(progress, "cannot write '" + options.markdown + "'");
  int slower = 0;
  if (!options.compare.empty())
    slower = compare_results(options.compare, options.out_dir + "/results.json", out, progress);
  if (slower == 2) return 2;
  if (!report.complete()) return 3;
  const BarTally tally = bars_of_all(report.parts);
  return slower == 1 || tally.met < tally.all ? 1 : 0;
}

}  // namespace sudar_bench

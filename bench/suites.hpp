// What:    The list of suites that `sudar bench --suite NAME` can run, and the parts each is made of.
#pragma once

#include "bench/harness.hpp"

#include <iosfwd>
#include <span>
#include <string_view>

namespace sudar_bench {

enum class Cores { one, all };

struct Part {
  std::string_view name;
  void (*run)(Session&);
  Cores cores = Cores::one;          // all: it also measures on several threads, and is not pinned
  std::string_view capability = {};  // that its bars are of, where it is not that of the suite
};

struct Suite {
  std::string_view name;
  std::string_view capability;  // that its bars are of
  std::string_view what;
  std::span<const Part> parts;
  bool by_name_only = false;  // not a part of "all"
};

std::span<const Suite> suites();

// What of Sudar the bars of a part are about; the name of the suite when there is no such suite
std::string_view capability_of(std::string_view suite, std::string_view part);

// Runs a suite ("all" for every one, "suite/part" for one part), each part in a process of its own, prints its tables to
// `out` and progress to `progress`, writes results.json, *.csv and report.html when options.out_dir is set, and compares with
// options.compare. 0: done and all bars met or not asked; 1: a bar was missed, or something got slower; 2: no such suite, or
// the results could not be written; 3: something crashed or timed out, and the results say what.
int run_suite(std::string_view name, const Options& options, std::ostream& out, std::ostream& progress);

// Parts of the seeds suite
void bench_seed_balls(Session& session);
void bench_seed_bodies(Session& session);
void bench_seed_builders(Session& session);
void bench_seed_capacity(Session& session);
void bench_seed_clustering(Session& session);
void bench_seed_feedback(Session& session);
void bench_seed_polygons(Session& session);
void bench_seed_winners(Session& session);

// Parts of the harness suite
void bench_faults(Session& session);
void bench_lasting(Session& session);
void bench_repeats(Session& session);

// Parts of the geometry suite
void bench_delaunay(Session& session);
void bench_hulls(Session& session);
void bench_predicates(Session& session);
void bench_solids(Session& session);
void bench_spheres(Session& session);
void bench_trace(Session& session);
void bench_volumes(Session& session);

// Parts of the broadphase suite
void bench_moving(Session& session);
void bench_pairs(Session& session);
void bench_regret(Session& session);
void bench_trees(Session& session);

// Parts of the narrowphase suite
void bench_accuracy(Session& session);
void bench_boxes(Session& session);
void bench_extremes(Session& session);
void bench_hard_cases(Session& session);
void bench_hull_pairs(Session& session);
void bench_kernels(Session& session);
void bench_manifolds(Session& session);
void bench_parts(Session& session);
void bench_polygons(Session& session);
void bench_triangle_pairs(Session& session);

// Parts of the continuous suite
void bench_ccd(Session& session);
void bench_hard_queries(Session& session);
void bench_toi(Session& session);
void bench_impact_parts(Session& session);
void bench_sdf(Session& session);

// Parts of the dynamics suite
void bench_balls(Session& session);
void bench_contact_solver(Session& session);
void bench_laws(Session& session);
void bench_scene_step(Session& session);
void bench_shots(Session& session);
void bench_sleepers(Session& session);
void bench_swaps(Session& session);
void bench_worlds(Session& session);

// Parts of the mesh suite
void bench_levels(Session& session);
void bench_meshes(Session& session);

// Parts of the program suite
void bench_program_check(Session& session);
void bench_program_lab(Session& session);
void bench_program_query(Session& session);

// Parts of the rays suite
void bench_leaks(Session& session);
void bench_rays(Session& session);

}  // namespace sudar_bench

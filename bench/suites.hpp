// What:    The list of suites that `sudar bench --suite NAME` can run, and the parts each is made of.
#pragma once

#include "bench/harness.hpp"

#include <iosfwd>
#include <span>
#include <string_view>

namespace sudar_bench {

struct Part {
  std::string_view name;
  void (*run)(Session&);
};

struct Suite {
  std::string_view name;
  std::string_view what;
  std::span<const Part> parts;
};

std::span<const Suite> suites();

// Runs a suite ("all" for every one, "suite/part" for one part), prints its tables to `out` and progress to `progress`, writes results.json,
// *.csv and report.html when options.out_dir is set. 0: done and all bars met or not asked; 1: a bar was missed;
// 2: no such suite or the results could not be written.
int run_suite(std::string_view name, const Options& options, std::ostream& out, std::ostream& progress);

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
void bench_manifolds(Session& session);
void bench_parts(Session& session);
void bench_polygons(Session& session);
void bench_triangle_pairs(Session& session);

// Parts of the continuous suite
void bench_ccd(Session& session);
void bench_toi(Session& session);
void bench_impact_parts(Session& session);
void bench_sdf(Session& session);

// Parts of the dynamics suite
void bench_balls(Session& session);
void bench_contact_solver(Session& session);
void bench_scene_step(Session& session);
void bench_worlds(Session& session);

// Parts of the mesh suite
void bench_levels(Session& session);
void bench_meshes(Session& session);

// Parts of the rays suite
void bench_leaks(Session& session);
void bench_rays(Session& session);

}  // namespace sudar_bench

#include "tests/fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

namespace sudar_fuzz {

namespace {

// clang-format off
constexpr Target kTargets[] = {
    {"aabbs", fuzz_aabbs},
#ifdef SUDAR_FUZZ_JSON
    {"baseline", fuzz_baseline},
#endif
    {"batch", fuzz_batch},
    {"bodies", fuzz_bodies},
    {"broadphase", fuzz_broadphase},
    {"csv", fuzz_csv},
#ifdef SUDAR_FUZZ_JSON
    {"gltf", fuzz_gltf},
#endif
    {"hull", fuzz_hull},
#ifdef SUDAR_FUZZ_JSON
    {"lab_files", fuzz_lab_files},
#endif
    {"mesh_check", fuzz_mesh_check},
    {"npy", fuzz_npy},
    {"obj", fuzz_obj},
    {"off", fuzz_off},
    {"ply", fuzz_ply},
    {"polygon", fuzz_polygon},
#ifdef SUDAR_FUZZ_JSON
    {"query", fuzz_query},
#endif
    {"recording", fuzz_recording},
#ifdef SUDAR_FUZZ_JSON
    {"robot", fuzz_robot},
    {"rules", fuzz_rules},
    {"scene_file", fuzz_scene_file},
#endif
    {"snapshot", fuzz_snapshot},
    {"stl", fuzz_stl},
    {"world", fuzz_world},
};
// clang-format on

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return &target;
  return nullptr;
}

void promise(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace sudar_fuzz

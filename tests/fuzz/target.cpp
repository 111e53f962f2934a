#include "tests/fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

namespace sudar_fuzz {

namespace {

// clang-format off
constexpr Target kTargets[] = {
    {"aabbs", fuzz_aabbs},
    {"baseline", fuzz_baseline},
    {"batch", fuzz_batch},
    {"bodies", fuzz_bodies},
    {"broadphase", fuzz_broadphase},
    {"csv", fuzz_csv},
    {"gltf", fuzz_gltf},
    {"hull", fuzz_hull},
    {"lab_files", fuzz_lab_files},
    {"mesh_check", fuzz_mesh_check},
    {"npy", fuzz_npy},
    {"obj", fuzz_obj},
    {"off", fuzz_off},
    {"ply", fuzz_ply},
    {"polygon", fuzz_polygon},
    {"query", fuzz_query},
    {"recording", fuzz_recording},
    {"robot", fuzz_robot},
    {"rules", fuzz_rules},
    {"scene_file", fuzz_scene_file},
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

#include "tests/fuzz/target.hpp"

#include "tests/fuzz/memory_peak.hpp"

#include <cstdio>
#include <cstdlib>

namespace sudar_fuzz {

namespace {

// What is read, and what bodies are made from; what the lab reads asks for scenes of a size that it names
constexpr std::size_t kRead = 128, kMade = 1024;
// clang-format off
constexpr Target kTargets[] = {
    {"aabbs", fuzz_aabbs, kRead},
    {"balls", fuzz_balls},
    {"baseline", fuzz_baseline, kRead},
    {"batch", fuzz_batch},
    {"bodies", fuzz_bodies},
    {"broadphase", fuzz_broadphase},
    {"csv", fuzz_csv, kRead},
    {"fields", fuzz_fields},
    {"gltf", fuzz_gltf, kRead},
    {"hull", fuzz_hull},
    {"lab_files", fuzz_lab_files},
    {"mesh_check", fuzz_mesh_check},
    {"npy", fuzz_npy, kRead},
    {"obj", fuzz_obj, kRead},
    {"off", fuzz_off, kRead},
    {"ply", fuzz_ply, kRead},
    {"polygon", fuzz_polygon},
    {"query", fuzz_query, kMade},
    {"questions", fuzz_questions},
    {"recording", fuzz_recording, kRead},
    {"robot", fuzz_robot, kRead},
    {"rules", fuzz_rules, kRead},
    {"scene_file", fuzz_scene_file, kMade},
    {"snapshot", fuzz_snapshot},
    {"stl", fuzz_stl, kRead},
    {"ways", fuzz_ways},
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

void Target::run(FuzzBytes bytes) const {
  const MemoryPeak peak;
  take(bytes);
  promise(most_for_a_byte == 0 || peak.bytes() <= kAnyway + most_for_a_byte * bytes.size(),
          "memory is bounded by the size of what is read");
}

void promise(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace sudar_fuzz

// What:    The targets of the fuzzer: what takes bytes from outside, and what must hold whatever they are.
// Differs: One program has all of them (--target=NAME), so that the library is linked once. A target that returns is content;
//          a broken promise ends the program, as a sanitizer does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sudar_fuzz {

using FuzzBytes = std::span<const std::uint8_t>;

struct Target {
  std::string_view name;
  void (*take)(FuzzBytes bytes);
  // How much memory it may hold at once for each byte that it is given, beside kAnyway; 0: as much as it wants
  std::size_t most_for_a_byte = 0;

  void run(FuzzBytes bytes) const;
};
inline constexpr std::size_t kAnyway = 64 << 10;

// Sorted by name
std::span<const Target> targets();
// null when there is none of that name
const Target* find_target(std::string_view name);

// Says what was broken and ends the program when the promise does not hold
void promise(bool holds, const char* what);

// File formats
void fuzz_aabbs(FuzzBytes bytes);
void fuzz_baseline(FuzzBytes bytes);
void fuzz_csv(FuzzBytes bytes);
void fuzz_gltf(FuzzBytes bytes);
void fuzz_lab_files(FuzzBytes bytes);
void fuzz_npy(FuzzBytes bytes);
void fuzz_obj(FuzzBytes bytes);
void fuzz_off(FuzzBytes bytes);
void fuzz_ply(FuzzBytes bytes);
void fuzz_query(FuzzBytes bytes);
void fuzz_recording(FuzzBytes bytes);
void fuzz_robot(FuzzBytes bytes);
void fuzz_rules(FuzzBytes bytes);
void fuzz_scene_file(FuzzBytes bytes);
void fuzz_stl(FuzzBytes bytes);
// A part of `baseline`; false for what is none of these files
bool fuzz_bench_files(FuzzBytes bytes);
// Geometry from numbers
void fuzz_balls(FuzzBytes bytes);
void fuzz_batch(FuzzBytes bytes);
void fuzz_bodies(FuzzBytes bytes);
void fuzz_fields(FuzzBytes bytes);
void fuzz_hull(FuzzBytes bytes);
void fuzz_mesh_check(FuzzBytes bytes);
void fuzz_polygon(FuzzBytes bytes);
void fuzz_questions(FuzzBytes bytes);
void fuzz_ways(FuzzBytes bytes);
// Sequences of calls
void fuzz_broadphase(FuzzBytes bytes);
void fuzz_snapshot(FuzzBytes bytes);
void fuzz_world(FuzzBytes bytes);

}  // namespace sudar_fuzz

// What:    The golden hashes of worlds (worlds.txt) and how they are made: a world by name is stepped, and the hashes of its
//          states after every step are hashed.
#pragma once

#include "scenes/physics.hpp"
#include <sudar/core/hash.hpp>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

struct GoldenWorld {
  std::uint64_t hash = 0;
  int steps = 0;
  std::string text;  // the scene
};

// Nothing when a line is not what it should be
inline std::vector<GoldenWorld> read_golden_worlds(const std::string& path) {
  std::vector<GoldenWorld> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    GoldenWorld world;
    std::size_t digits = 0, more = 0;
    try {
      world.hash = std::stoull(line, &digits, 16);
      world.steps = std::stoi(line.substr(digits), &more);
    } catch (const std::exception&) {
      return {};
    }
    world.text = line.substr(digits + more + 1);
    out.push_back(world);
  }
  return out;
}

template <int D>
std::optional<std::uint64_t> world_hash(const sudar::scenes::Spec& spec, int steps, std::string_view broadphase,
                                        sudar::Executor* executor) {
  sudar::WorldOptions<D> options;
  options.broadphase = broadphase;
  options.executor = executor;
  const auto scene = sudar::scenes::make_physics<D>(spec, options);
  if (!scene) return std::nullopt;
  sudar::Hash64 hash;
  for (int i = 0; i < steps; ++i) {
    if (!(*scene)->step(1.0 / 60)) return std::nullopt;
    hash.add((*scene)->world().state_hash());
  }
  return hash.value();
}
// Nothing when the scene is not there or a step fails
inline std::optional<std::uint64_t> world_hash(const GoldenWorld& world, std::string_view broadphase,
                                               sudar::Executor* executor) {
  const auto spec = sudar::scenes::parse(world.text);
  if (!spec) return std::nullopt;
  return spec->dim() == 2 ? world_hash<2>(*spec, world.steps, broadphase, executor)
                          : world_hash<3>(*spec, world.steps, broadphase, executor);
}

}  // namespace sudar_test

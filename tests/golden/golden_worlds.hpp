// What:    Golden hashes of worlds by name: a world is stepped, and the hashes of its states after every step are hashed.
#pragma once

#include "scenes/physics.hpp"
#include <sudar/core/hash.hpp>

#include <optional>
#include <string_view>

namespace sudar_test {

// Nothing when the scene is not there or a step fails
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

}  // namespace sudar_test

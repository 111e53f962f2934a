// What:    The one list of scenes by name.
#pragma once

#include "scenes/scene.hpp"

namespace sudar::scenes {

struct SceneEntry {
  std::string_view name;
  std::string_view what;                       // a paragraph
  std::span<const SceneParameter> parameters;  // of its own, or with a default of its own
  std::unique_ptr<Scene<2>> (*make2)(const Spec&);
  std::unique_ptr<Scene<3>> (*make3)(const Spec&);
};

std::span<const SceneEntry> all() noexcept;
// Null when there is none of that name
const SceneEntry* find(std::string_view name) noexcept;

// The scene at time 0. D is the caller's choice, whatever the spec says. Memory: out_of_memory.
template <int D>
Result<std::unique_ptr<Scene<D>>> make(const Spec& spec);

}  // namespace sudar::scenes

// What:    The two lists of scenes by name: boxes that move by themselves, and worlds of bodies (physics.hpp).
#pragma once

#include "scenes/scene.hpp"

namespace sudar {
template <int D>
struct WorldOptions;
}

namespace sudar::scenes {

template <int D>
class PhysicsScene;
// A world at time 0; what the scene needs of the options is changed, the rest is the caller's
template <int D>
using MakePhysics = Result<std::unique_ptr<PhysicsScene<D>>> (*)(const Spec&, const WorldOptions<D>&);

struct SceneEntry {
  std::string_view name;
  std::string_view what;                       // a paragraph
  std::span<const SceneParameter> parameters;  // of its own, or with a default of its own
  std::unique_ptr<Scene<2>> (*make2)(const Spec&);
  std::unique_ptr<Scene<3>> (*make3)(const Spec&);
  // Of worlds, in place of the two above; null where the scene has no such dimension
  MakePhysics<2> physics2 = nullptr;
  MakePhysics<3> physics3 = nullptr;

  bool physics() const noexcept { return physics2 != nullptr || physics3 != nullptr; }
};

// Scenes of boxes
std::span<const SceneEntry> all() noexcept;
// Worlds of bodies
std::span<const SceneEntry> physics_scenes() noexcept;
// In either list; null when there is none of that name
const SceneEntry* find(std::string_view name) noexcept;

// The scene at time 0. D is the caller's choice, whatever the spec says. Memory: out_of_memory. A scene of the other list:
// unsupported.
template <int D>
Result<std::unique_ptr<Scene<D>>> make(const Spec& spec);

}  // namespace sudar::scenes

// What:    Scene files: worlds of bodies as JSON, `sudar/scene-1`. docs/scene_file.md describes them.
// Fails:   throws QueryError with one clear line that names the body or joint; unknown keys are refused, so that a misspelt
//          one is not a silent default.
#pragma once

#include "cli/shape_json.hpp"
#include "scenes/physics.hpp"

#include <optional>
#include <string>

namespace sudar_cli {

// The head of a scene file, and the rest as it was read
struct SceneFile {
  int dim = 3;
  std::optional<double> dt;
  std::optional<std::string> broadphase;
  std::string builtin;  // the scene string that the file names in place of bodies; empty for none
  nlohmann::json json;
};

// From a file's text: bad_format with the place where it is no JSON
SceneFile read_scene_file(const std::string& text);

// What the file says of a world's options, over those of the caller
template <int D>
sudar::WorldOptions<D> file_options(const SceneFile& file, sudar::WorldOptions<D> options);
// A scene by name may have options of its own: throws where the file asks for others
template <int D>
void check_options_kept(const SceneFile& file, const sudar::WorldOptions<D>& kept);

// The world that it describes. The options are the caller's, changed by what the file says.
template <int D>
sudar::World<D> make_world(const SceneFile& file, sudar::WorldOptions<D> options);

}  // namespace sudar_cli

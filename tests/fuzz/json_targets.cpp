// What comes in as JSON: lines of `sudar query`, scene files, glTF. Whatever the text, the answer is an answer or a clear
// error, and no number in it is none.
#include "cli/gltf_file.hpp"
#include "cli/query_line.hpp"
#include "cli/scene_json.hpp"
#include "tests/fuzz/target.hpp"
#include <sudar/geom/mesh_check.hpp>

#include <cmath>

namespace sudar_fuzz {

namespace {

constexpr std::size_t kLinesAtOnce = 4, kBodiesAtOnce = 40;
constexpr int kSteps = 4;

bool all_finite(const nlohmann::ordered_json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  if (json.is_structured())
    for (const auto& item : json)
      if (!all_finite(item)) return false;
  return true;
}

template <int D>
void run_file(const sudar_cli::SceneFile& file) {
  sudar::WorldOptions<D> options;
  options.broadphase = "sort_sweep";
  sudar::World<D> world = sudar_cli::make_world<D>(file, options);
  const double dt = file.dt && *file.dt > 0 ? *file.dt : 1.0 / 60;
  for (int i = 0; i < kSteps && world.bodies().size() <= kBodiesAtOnce; ++i) {
    const auto done = world.step(dt);
    promise(done.ok(), "a world that was made can be stepped");
    for (const auto& body : world.bodies())
      if (body.is_dynamic())
        promise(is_finite(body.state.position) && is_finite(body.state.momentum), "states are finite");
  }
}

}  // namespace

void fuzz_query(FuzzBytes bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // The first bytes choose nothing: a corpus is plain lines
  std::size_t at = 0;
  const sudar_cli::ShapeReader exact(false), rounded(true);
  for (std::size_t line = 0; line < kLinesAtOnce && at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    const bool single = line % 2 == 1;
    const auto answer =
        sudar_cli::answer_line(one, line + 1, {.single = single, .trace = line == 2}, single ? rounded : exact);
    promise(answer.json.is_object() && answer.answered != answer.json.contains("error"), "an answer or an error");
    // What does not fit a float is rounded to an infinity; an id is the caller's own
    if (answer.answered && !single) promise(all_finite(answer.json), "numbers are finite");
    (void)answer.json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void fuzz_scene_file(FuzzBytes bytes) {
  try {
    const auto file = sudar_cli::read_scene_file({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!file.builtin.empty()) return;
    file.dim == 2 ? run_file<2>(file) : run_file<3>(file);
  } catch (const sudar_cli::QueryError& error) {
    promise(*error.what() != '\0' && !error.code().empty(), "an error says why");
  }
}

void fuzz_gltf(FuzzBytes bytes) {
  // No file lies there
  const auto parts = sudar_cli::parse_gltf({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "/nowhere");
  if (!parts) {
    promise(*parts.error().reason != '\0', "an error says why");
    return;
  }
  std::size_t triangles = 0;
  for (const sudar::MeshPart& part : *parts) {
    promise(sudar::check_mesh(part.mesh).ok(), "what is read is a mesh");
    triangles += part.mesh.triangles.size();
  }
  promise(triangles <= sudar_cli::gltf_limit(bytes.size()), "triangles are bounded");
}

}  // namespace sudar_fuzz

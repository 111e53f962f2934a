// Recordings of worlds: whatever the bytes, steps come back one by one until an end or an error, and take no more memory
// than the file has bytes. What the text of one says of its run is read, and a small run replayed, as `sudar sim --replay` does.
#include "cli/scene_json.hpp"
#include "cli/sim_recording.hpp"
#include "tests/fuzz/one_file.hpp"
#include <sudar/io/recording_file.hpp>

#include <algorithm>
#include <cmath>

namespace sudar_fuzz {

namespace {

template <int D>
void follow_steps(sudar::RecordingReader& reader, std::size_t bytes) {
  sudar::RecordedStep<D> step;
  // A step has thirteen bytes at least
  for (std::size_t i = 0; i <= bytes / 13 + 1; ++i) {
    const auto more = reader.next(step);
    if (!more) {
      promise(*more.error().reason != '\0' && more.error().element == i, "an error says why, and where");
      return;
    }
    if (!*more) return;
    promise(step.bodies.size() <= bytes, "bodies are backed by bytes");
  }
  promise(false, "a recording ends");
}

constexpr std::uint64_t kMostStepsReplayed = 4;
constexpr std::size_t kMostBodiesReplayed = 20;

template <int D>
void replay_file(const sudar_cli::RecordedRun& run, const sudar_cli::SceneFile& file, sudar::RecordingReader& reader) {
  sudar::WorldOptions<D> options;
  options.broadphase = "sort_sweep";
  sudar::World<D> world = sudar_cli::make_world<D>(file, options);
  if (world.bodies().size() > kMostBodiesReplayed) return;
  sudar_cli::SimTape<D> tape;
  tape.replay(reader);
  const std::uint64_t steps = std::min(run.steps, kMostStepsReplayed);
  for (std::uint64_t i = 0; i < steps && tape.goes_on(); ++i) {
    promise(world.step(run.dt).ok(), "a world that was made can be stepped");
    if (tape.take(world)) continue;
    promise(!tape.difference()->empty(), "a difference is told");
    break;
  }
  tape.finish(steps < run.steps);
}

void look_at_text(const std::string& path) {
  try {
    sudar::RecordingReader reader = *sudar::RecordingReader::make(path);
    const sudar_cli::RecordedRun run = sudar_cli::run_from_text(reader.text());
    promise(run.dt > 0 && std::isfinite(run.dt), "a step has a length");
    const std::string text = to_text(run);
    promise(to_text(sudar_cli::run_from_text(text)) == text, "what is written is read as the same");
    if (run.file.empty()) return;
    const auto file = sudar_cli::read_scene_file(run.file);
    if (!file.builtin.empty() || file.dim != reader.dim()) return;
    file.dim == 2 ? replay_file<2>(run, file, reader) : replay_file<3>(run, file, reader);
  } catch (const sudar_cli::QueryError& error) {
    promise(*error.what() != '\0' && !error.code().empty(), "an error says why");
  }
}

}  // namespace

void fuzz_recording(FuzzBytes bytes) {
  static const OneFile kFile("recording");
  const std::string& path = kFile.holding(bytes);
  auto reader = sudar::RecordingReader::make(path);
  if (!reader) {
    promise(*reader.error().reason != '\0', "an error says why");
    return;
  }
  promise(reader->text().size() <= bytes.size(), "the text is backed by bytes");
  reader->dim() == 2 ? follow_steps<2>(*reader, bytes.size()) : follow_steps<3>(*reader, bytes.size());
  look_at_text(path);
}

}  // namespace sudar_fuzz

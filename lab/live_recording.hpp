// What:    A recording of a living scene as a file that people can read: the scene, what was done to it at which step, and a
//          fingerprint of its state every so often; and its replay, which says where it first differs.
// Differs: A scene by name is the same on every machine, so nothing but its name and the inputs need be written.
// Fails:   io_failure; bad_format with the number of the line; unknown names as the scenes say.
#pragma once

#include "lab/live_scene.hpp"

#include <optional>

namespace sudar::lab {

template <int D>
struct LiveRecording {
  static constexpr std::uint64_t kHashEvery = 10;

  std::string scene;  // as scenes/spec.hpp writes it
  LiveOptions options;
  double dt = 1.0 / 60;
  struct Entry {
    std::uint64_t step;
    LiveInput<D> input;
  };
  std::vector<Entry> inputs;  // by step
  struct Print {
    std::uint64_t step, hash;
  };
  std::vector<Print> prints;
  std::uint64_t steps = 0;

  // After every step
  void note(const LiveScene<D>& live, std::span<const LiveInput<D>> step_inputs);
  // Nothing after this step: it was gone back to
  void cut(std::uint64_t step);
  std::string text() const;
};

template <int D>
Result<LiveRecording<D>> parse_recording(std::string_view text);
template <int D>
Result<void> write_recording(const LiveRecording<D>& recording, const std::string& path);
template <int D>
Result<LiveRecording<D>> read_recording(const std::string& path);
// The dimension of the recording in a file
Result<int> recorded_dimension(std::string_view text);

// Step by step, for whoever draws in between: the inputs of a step, and whether its state is the one that was recorded
template <int D>
class LiveReplay {
 public:
  explicit LiveReplay(LiveRecording<D> recording) : recording_(std::move(recording)) {}

  const LiveRecording<D>& recording() const { return recording_; }
  std::vector<LiveInput<D>> inputs_of(std::uint64_t step) const;
  // After a step; the first that differs is kept
  void compare(const LiveScene<D>& live);
  bool done(const LiveScene<D>& live) const { return live.steps() >= recording_.steps; }
  std::optional<std::uint64_t> diverged() const { return diverged_; }
  std::size_t compared() const { return compared_; }

 private:
  LiveRecording<D> recording_;
  std::optional<std::uint64_t> diverged_;
  std::size_t compared_ = 0;
};

}  // namespace sudar::lab

// What:    `sudar sim --record` and `--replay`: a run in a file (io/recording_file.hpp), and the same run once more, compared
//          with it step by step: every state, and the hash.
// Differs: The text of the file is one JSON object, `sudar/recording-1`: the scene by name or the whole scene file, dt and
//          the number of steps that were asked for; a run that a signal stopped has fewer, and is replayed as far as it went.
//          The broad phase and the threads are not in it: they change no bit.
// Fails:   throws QueryError with one clear line.
#pragma once

#include "cli/shape_json.hpp"
#include <sudar/io/recording_file.hpp>

#include <optional>
#include <string>

namespace sudar_cli {

// How a run was made
struct RecordedRun {
  std::string scene;  // its name, or the path of its file
  std::string file;   // the text of the scene file; empty for a scene by name
  double dt = 0;
  std::uint64_t steps = 0;
};
std::string to_text(const RecordedRun& run);
RecordedRun run_from_text(const std::string& text);

// What goes on beside the steps of a run: nothing, a recording, or a comparison with one
template <int D>
class SimTape {
 public:
  void record(const std::string& path, const RecordedRun& run);
  // The reader must outlive the run
  void replay(sudar::RecordingReader& reader) { reader_ = &reader; }
  // Before each step; false after the last one of the recording
  bool goes_on();
  // After each step; false when the run differs and need not go on
  bool take(const sudar::World<D>& world);
  // At the end; `stopped`: before the last step
  void finish(bool stopped);
  const std::optional<std::string>& difference() const { return difference_; }
  // Whether a recording ended before the steps that it was asked for
  bool ended() const { return ended_; }

 private:
  [[noreturn]] void cannot_write(const sudar::Error& error) const;

  std::string path_;  // of the recording
  std::optional<sudar::RecordingWriter<D>> writer_;
  sudar::RecordingReader* reader_ = nullptr;
  sudar::RecordedStep<D> step_;
  std::size_t steps_ = 0;
  bool ended_ = false;  // the recording
  std::optional<std::string> difference_;
};

}  // namespace sudar_cli

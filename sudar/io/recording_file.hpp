// What:    Recordings of worlds in files: a text of the caller's that says how the run was made, and the hash and the state of
//          every body after every step.
// Source:  the divergence check of dynamics/recording.hpp, for two runs that are not in one process, or not on one machine.
// Differs: Steps are written and read one by one, so that neither side holds a run in memory. A file appears under its name
//          when it is complete (part_file.hpp). Little-endian: "SUDARREC", version, dimension, length of the text (64 bits), the text; for
//          each step 1 (a byte), hash, number of bodies (32 bits), and of each body index (32 bits), asleep (a byte),
//          position, rotation, momentum and angular momentum; then 0 and the number of steps.
// Fails:   io_failure; bad_format, with the step, for a file that is not what it should be; out_of_memory.
#pragma once

#include <sudar/dynamics/recording.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/part_file.hpp>

#include <string>
#include <string_view>

namespace sudar {

template <int D>
struct RecordedStep {
  std::uint64_t hash = 0;
  std::vector<RecordedBody<D>> bodies;  // in rising order of their indices
};

template <int D>
class SUDAR_API RecordingWriter {
 public:
  static Result<RecordingWriter> make(const std::string& path, std::string_view text);
  // The world as it is after a step
  Result<void> add(const World<D>& world);
  // Gives the file its name. A writer that ends without it leaves no file.
  Result<void> finish();

 private:
  explicit RecordingWriter(PartFile file) : file_(std::move(file)) {}

  PartFile file_;
  std::string bytes_;  // of one step
  std::uint64_t steps_ = 0;
};

class SUDAR_API RecordingReader {
 public:
  static Result<RecordingReader> make(const std::string& path);
  int dim() const noexcept { return dim_; }
  const std::string& text() const noexcept { return text_; }
  // The next step, or false after the last; D is dim()
  template <int D>
  Result<bool> next(RecordedStep<D>& out);

 private:
  explicit RecordingReader(OpenedFile file) : file_(std::move(file)), left_(file_.size) {}
  // False at the end of the file
  bool take(std::size_t count);

  OpenedFile file_;
  std::string text_, bytes_;  // bytes_: what was taken last
  std::uint64_t left_;        // in the file
  std::uint64_t steps_ = 0;
  int dim_ = 0;
};

extern template class SUDAR_API RecordingWriter<2>;
extern template class SUDAR_API RecordingWriter<3>;
extern template SUDAR_API Result<bool> RecordingReader::next(RecordedStep<2>&);
extern template SUDAR_API Result<bool> RecordingReader::next(RecordedStep<3>&);

}  // namespace sudar

// Recordings of worlds: whatever the bytes, steps come back one by one until an end or an error, and take no more memory
// than the file has bytes.
#include "tests/fuzz/one_file.hpp"
#include <sudar/io/recording_file.hpp>

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

}  // namespace

void fuzz_recording(FuzzBytes bytes) {
  static const OneFile kFile("recording");
  auto reader = sudar::RecordingReader::make(kFile.holding(bytes));
  if (!reader) {
    promise(*reader.error().reason != '\0', "an error says why");
    return;
  }
  promise(reader->text().size() <= bytes.size(), "the text is backed by bytes");
  reader->dim() == 2 ? follow_steps<2>(*reader, bytes.size()) : follow_steps<3>(*reader, bytes.size());
}

}  // namespace sudar_fuzz

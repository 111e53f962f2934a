// Recordings of worlds: whatever the bytes, steps come back one by one until an end or an error, and take no more memory
// than the file has bytes.
#include "tests/fuzz/target.hpp"
#include <sudar/io/recording_file.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace sudar_fuzz {

namespace {

// One file for the process, which goes with it
class OneFile {
 public:
  OneFile() {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/sudar_fuzz_" + std::to_string(getpid());
  }
  ~OneFile() { std::remove(path_.c_str()); }
  OneFile(const OneFile&) = delete;
  OneFile& operator=(const OneFile&) = delete;
  const std::string& holding(FuzzBytes bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    promise(static_cast<bool>(file), "the file is written");
    return path_;
  }

 private:
  std::string path_;
};

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
  static const OneFile kFile;
  auto reader = sudar::RecordingReader::make(kFile.holding(bytes));
  if (!reader) {
    promise(*reader.error().reason != '\0', "an error says why");
    return;
  }
  promise(reader->text().size() <= bytes.size(), "the text is backed by bytes");
  reader->dim() == 2 ? follow_steps<2>(*reader, bytes.size()) : follow_steps<3>(*reader, bytes.size());
}

}  // namespace sudar_fuzz

// What:    Bytes as a file, for readers that take a path: one file for the process, which goes with it.
#pragma once

#include "tests/fuzz/target.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace sudar_fuzz {

// The streams of a standard library that is not instrumented are out of the memory sanitizer's sight
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define SUDAR_FUZZ_BLIND_STREAMS
#endif
#endif
#ifdef SUDAR_FUZZ_BLIND_STREAMS
inline constexpr bool kStreamsAreSeen = false;
#else
inline constexpr bool kStreamsAreSeen = true;
#endif

class OneFile {
 public:
  explicit OneFile(std::string_view name) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/sudar_fuzz_" + std::to_string(getpid()) + '_';
    path_ += name;
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

}  // namespace sudar_fuzz

// What:    Bytes as a file, for readers that take a path: one file for the process, which goes with it.
#pragma once

#include "tests/fuzz/target.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace sudar_fuzz {

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

// What:    Whole files: read into memory, and written so that a reader sees the old file or the new one, never a half.
// Differs: Only regular files are read: a device or a pipe has no size that could bound the memory, and opening a pipe waits
//          for one who writes. The size is that of the file that was opened, never of its name: others rename files too, and
//          a name may be another file's before it is opened. Writing goes to a new name beside the file, which is then
//          renamed; what is there but no regular file (a device) is written straight.
// Fails:   io_failure; out_of_memory for a file that does not fit.
#pragma once

#include <sudar/core/result.hpp>

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace sudar {

// A regular file at its beginning, and how long it was when it was opened
struct OpenedFile {
  std::ifstream stream;
  std::uint64_t size = 0;
};
SUDAR_API Result<OpenedFile> open_file(const std::string& path) noexcept;
SUDAR_API Result<std::string> read_whole_file(const std::string& path) noexcept;
SUDAR_API Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept;
// The parts one after the other
SUDAR_API Result<void> write_whole_file(const std::string& path, std::span<const std::string_view> parts) noexcept;

}  // namespace sudar

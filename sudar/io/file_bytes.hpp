// What:    Whole files: read into memory, and written so that a reader sees the old file or the new one, never a half.
// Differs: Only regular files are read: a device or a pipe has no size that could bound the memory. Writing goes to a new
//          name beside the file, which is then renamed; what is there but no regular file (a device) is written straight.
// Fails:   io_failure; out_of_memory for a file that does not fit.
#pragma once

#include <sudar/core/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace sudar {

SUDAR_API Result<std::string> read_whole_file(const std::string& path) noexcept;
SUDAR_API Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept;
// The parts one after the other
SUDAR_API Result<void> write_whole_file(const std::string& path, std::span<const std::string_view> parts) noexcept;

}  // namespace sudar

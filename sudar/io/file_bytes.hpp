// What:    Whole files: read into memory, and written so that a reader sees the old file or the new one, never a half.
// Differs: Only regular files are read: a device or a pipe has no size that could bound the memory, and opening a pipe waits
//          for one who writes. The size is that of the file that was opened, never of its name: others rename files too, and
//          a name may be another file's before it is opened, or a pipe's, which is then neither waited for nor read (where files
//          can be opened so). Writing: see part_file.hpp.
// Fails:   io_failure; out_of_memory for a file that does not fit.
#pragma once

#include <sudar/io/c_file.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sudar {

// A regular file at its beginning, and how long it was when it was opened
struct SUDAR_API OpenedFile {
  detail::CFile file;
  std::uint64_t size = 0;

  // All of so many bytes, from where it is; never again after a read that failed
  bool read(char* to, std::size_t count) noexcept;
  bool go_to(std::uint32_t place) noexcept;
  // Nothing follows. Takes the next byte.
  bool at_end() noexcept;
};
SUDAR_API Result<OpenedFile> open_file(const std::string& path) noexcept;
SUDAR_API Result<std::string> read_whole_file(const std::string& path) noexcept;
SUDAR_API Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept;
// The parts one after the other
SUDAR_API Result<void> write_whole_file(const std::string& path, std::span<const std::string_view> parts) noexcept;

}  // namespace sudar

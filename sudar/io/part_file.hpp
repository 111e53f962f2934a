// What:    A file that is there when it is finished: what is written goes to a new name beside it, which is renamed at the end.
// Differs: The new name is NAME.partN with the first number that nobody has taken, so that two writers do not meet and nothing
//          that is there is written over. A link stays, and the file that it leads to is replaced; the new file has the
//          permissions of the old one. What is there but no regular file (a device, a pipe) is written straight. Nothing is
//          forced to the disk: names and bytes are those that other processes see.
// Fails:   io_failure; a failure stays, whatever is written after it. out_of_memory.
#pragma once

#include <sudar/io/c_file.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace sudar {

class SUDAR_API PartFile {
 public:
  static Result<PartFile> make(const std::string& path) noexcept;
  Result<void> write(std::string_view bytes) noexcept;
  // Gives the file its name. One that ends without it leaves nothing.
  Result<void> finish() noexcept;

  PartFile(PartFile&& other) noexcept = default;
  PartFile& operator=(PartFile&& other) noexcept;
  ~PartFile() { discard(); }

 private:
  PartFile() = default;
  void discard() noexcept;

  std::string target_, part_;  // part_: the name until it is finished; empty for what is written straight
  detail::CFile file_;
};

// Whether a file could be written there now, as PartFile would: makes one, and leaves nothing. A pipe is not opened, because that
// waits for its reader, and closing it sends that one away.
SUDAR_API Result<void> can_write_file(const std::string& path) noexcept;

}  // namespace sudar

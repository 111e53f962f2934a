#include <sudar/io/file_bytes.hpp>
#include <sudar/io/part_file.hpp>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <climits>
#include <filesystem>
#include <utility>

namespace sudar {

namespace {

namespace fs = std::filesystem;
using detail::CFile;
using detail::file_failure;
using detail::with_files;

constexpr const char* kNoRegularFile = "it is no regular file";
constexpr const char* kNotOpened = "it cannot be opened";
constexpr const char* kNoSize = "its size is not known";

// What had the name when it was looked at may have lost it since: that it is a regular file, and how long it is, is asked of
// what was opened
#if defined(__unix__) || defined(__APPLE__)
Result<OpenedFile> open_regular(const std::string& path) {
  // Without waiting for one who writes, where it has become a pipe
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return file_failure(kNotOpened);
  struct stat facts {};
  const char* refused = fstat(descriptor, &facts) != 0 ? kNoSize : S_ISREG(facts.st_mode) ? nullptr : kNoRegularFile;
  OpenedFile opened{CFile(refused == nullptr ? fdopen(descriptor, "rb") : nullptr), 0};
  if (!opened.file) {
    ::close(descriptor);
    return file_failure(refused == nullptr ? kNotOpened : refused);
  }
  opened.size = static_cast<std::uint64_t>(facts.st_size);
  return opened;
}
#else
Result<OpenedFile> open_regular(const std::string& path) {
  OpenedFile opened{CFile(std::fopen(path.c_str(), "rb")), 0};
  if (!opened.file) return file_failure(kNotOpened);
  const long end = std::fseek(opened.file.get(), 0, SEEK_END) == 0 ? std::ftell(opened.file.get()) : -1;
  // What has become a directory since opens, but has no size that makes sense
  if (end < 0 || end == LONG_MAX || !opened.go_to(0)) return file_failure(kNoSize);
  opened.size = static_cast<std::uint64_t>(end);
  return opened;
}
#endif

}  // namespace

bool OpenedFile::read(char* to, std::size_t count) noexcept {
  if (std::feof(file.get()) != 0 || std::ferror(file.get()) != 0) return false;
  return count == 0 || std::fread(to, 1, count, file.get()) == count;
}

bool OpenedFile::go_to(std::uint32_t place) noexcept {
  return std::fseek(file.get(), static_cast<long>(place), SEEK_SET) == 0;
}

bool OpenedFile::at_end() noexcept { return std::fgetc(file.get()) == EOF && std::ferror(file.get()) == 0; }

Result<OpenedFile> open_file(const std::string& path) noexcept {
  return with_files([&]() -> Result<OpenedFile> {
    // Opening a device may do something to it
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return file_failure("there is no such file, or it cannot be reached");
    if (fs::is_directory(status)) return file_failure("it is a directory");
    if (!fs::is_regular_file(status)) return file_failure(kNoRegularFile);
    return open_regular(path);
  });
}

Result<std::string> read_whole_file(const std::string& path) noexcept {
  return guarded([&]() -> Result<std::string> {
    Result<OpenedFile> opened = open_file(path);
    if (!opened) return opened.error();
    std::string bytes;
    if (opened->size >= bytes.max_size())
      return Error{ErrorCode::too_large, Error::kNoElement, "the file is too large"};
    bytes.resize(static_cast<std::size_t>(opened->size));
    if (!opened->read(bytes.data(), bytes.size())) return file_failure("it cannot be read to its end");
    if (!opened->at_end()) return file_failure("it grew while it was being read");
    return bytes;
  });
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept {
  return write_whole_file(path, std::span(&bytes, 1));
}

Result<void> write_whole_file(const std::string& path, std::span<const std::string_view> parts) noexcept {
  Result<PartFile> file = PartFile::make(path);
  if (!file) return file.error();
  for (const std::string_view bytes : parts)
    if (const Result<void> written = file->write(bytes); !written) return written;
  return file->finish();
}

}  // namespace sudar

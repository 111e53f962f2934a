#include <sudar/io/file_bytes.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

namespace sudar {

namespace {

namespace fs = std::filesystem;

Error file_failure(const char* reason) { return {ErrorCode::io_failure, Error::kNoElement, reason}; }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileToWrite = std::unique_ptr<std::FILE, CloseFile>;

bool write_and_close(FileToWrite file, std::span<const std::string_view> parts) {
  bool written = true;
  // An empty part has no address that may be passed on
  for (const std::string_view bytes : parts)
    written = written && (bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size());
  return std::fclose(file.release()) == 0 && written;
}

// A name that goes when the file was not finished, whatever the reason
struct PartName {
  std::string name;
  bool is_there = false;

  PartName() = default;
  PartName(const PartName&) = delete;
  PartName& operator=(const PartName&) = delete;
  ~PartName() {
    if (is_there) std::remove(name.c_str());
  }
};

// A file that was not there before, beside `path`
FileToWrite open_beside(const std::string& path, PartName& part) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    part.name = path + ".part" + std::to_string(i);
    if (FileToWrite file{std::fopen(part.name.c_str(), "wbx")}) {
      part.is_there = true;
      return file;
    }
  }
  return nullptr;
}

// Paths and strings may throw what `guarded` does not know
template <class F>
auto with_files(F&& body) noexcept {
  return guarded([&]() -> std::invoke_result_t<F> {
    try {
      return body();
    } catch (const fs::filesystem_error&) {
      return file_failure("the name of the file cannot be used");
    } catch (const std::system_error&) {
      return file_failure("the name of the file cannot be used");
    }
  });
}

}  // namespace

Result<OpenedFile> open_file(const std::string& path) noexcept {
  return with_files([&]() -> Result<OpenedFile> {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return file_failure("there is no such file, or it cannot be reached");
    if (fs::is_directory(status)) return file_failure("it is a directory");
    if (!fs::is_regular_file(status)) return file_failure("it is no regular file");
    OpenedFile opened{std::ifstream(path, std::ios::binary | std::ios::ate), 0};
    if (!opened.stream) return file_failure("it cannot be opened");
    const auto end = static_cast<std::streamoff>(opened.stream.tellg());
    // What has become a directory since opens, but has no size that makes sense
    if (end < 0 || end == std::numeric_limits<std::streamoff>::max() || !opened.stream.seekg(0))
      return file_failure("its size is not known");
    opened.size = static_cast<std::uint64_t>(end);
    return opened;
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
    if (!opened->stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      return file_failure("it cannot be read to its end");
    if (opened->stream.get() != std::ifstream::traits_type::eof())
      return file_failure("it grew while it was being read");
    return bytes;
  });
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept {
  return write_whole_file(path, std::span(&bytes, 1));
}

Result<void> write_whole_file(const std::string& path, std::span<const std::string_view> parts) noexcept {
  return with_files([&]() -> Result<void> {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status)) return file_failure("it is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      FileToWrite device{std::fopen(path.c_str(), "wb")};
      if (!device || !write_and_close(std::move(device), parts)) return file_failure("it cannot be written");
      return {};
    }
    // Through a link, so that the link stays
    std::string target = path;
    if (fs::is_symlink(fs::symlink_status(path, failed))) {
      const fs::path there = fs::weakly_canonical(path, failed);
      if (failed) return file_failure("the link leads nowhere");
      target = there.string();
    }
    PartName part;
    FileToWrite file = open_beside(target, part);
    if (!file) return file_failure("no file can be made there");
    if (!write_and_close(std::move(file), parts) || std::rename(part.name.c_str(), target.c_str()) != 0)
      return file_failure("it cannot be written");
    part.is_there = false;
    return {};
  });
}

}  // namespace sudar

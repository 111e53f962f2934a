#include <sudar/io/file_bytes.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
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
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

bool write_and_close(OpenFile file, std::string_view bytes) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  return std::fclose(file.release()) == 0 && written;
}

// A file that was not there before, beside `path`
OpenFile open_beside(const std::string& path, std::string& name) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    name = path + ".part" + std::to_string(i);
    if (OpenFile file{std::fopen(name.c_str(), "wbx")}) return file;
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

Result<std::string> read_whole_file(const std::string& path) noexcept {
  return with_files([&]() -> Result<std::string> {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return file_failure("there is no such file, or it cannot be reached");
    if (fs::is_directory(status)) return file_failure("it is a directory");
    if (!fs::is_regular_file(status)) return file_failure("it is no regular file");
    const std::uintmax_t size = fs::file_size(path, failed);
    if (failed) return file_failure("its size is not known");
    const OpenFile file{std::fopen(path.c_str(), "rb")};
    if (!file) return file_failure("it cannot be opened");
    std::string bytes;
    if (size >= bytes.max_size()) return Error{ErrorCode::too_large, Error::kNoElement, "the file is too large"};
    bytes.resize(static_cast<std::size_t>(size));
    if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
      return file_failure("it cannot be read to its end");
    return bytes;
  });
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes) noexcept {
  return with_files([&]() -> Result<void> {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status)) return file_failure("it is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      OpenFile device{std::fopen(path.c_str(), "wb")};
      if (!device || !write_and_close(std::move(device), bytes)) return file_failure("it cannot be written");
      return {};
    }
    // Through a link, so that the link stays
    std::string target = path;
    if (fs::is_symlink(fs::symlink_status(path, failed))) {
      const fs::path there = fs::weakly_canonical(path, failed);
      if (failed) return file_failure("the link leads nowhere");
      target = there.string();
    }
    std::string part;
    OpenFile file = open_beside(target, part);
    if (!file) return file_failure("no file can be made there");
    const bool written = write_and_close(std::move(file), bytes);
    if (written) fs::rename(part, target, failed);
    if (written && !failed) return {};
    std::error_code ignored;
    fs::remove(part, ignored);
    return file_failure("it cannot be written");
  });
}

}  // namespace sudar

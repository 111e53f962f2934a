#include <sudar/io/part_file.hpp>

#include <filesystem>

namespace sudar {

namespace {

namespace fs = std::filesystem;
using detail::file_failure;

constexpr int kMostTries = 100;            // of names beside the file
constexpr std::size_t kLongestStem = 200;  // bytes: names have an end, and ".partN" follows
constexpr int kMostLinks = 40;             // one after the other, as Linux follows them

// Where the links at the end of a path lead; what is there may be missing. Empty for links in a circle.
std::string followed(const std::string& path) {
  fs::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(at, failed))) return at.string();
    // One that is absolute takes the place of the whole path
    at = at.parent_path() / fs::read_symlink(at);
  }
  return {};
}

}  // namespace

Result<PartFile> PartFile::make(const std::string& path) noexcept {
  return detail::with_files([&]() -> Result<PartFile> {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status)) return file_failure("it is a directory");
    PartFile out;
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      out.file_.reset(std::fopen(path.c_str(), "wb"));
      if (!out.file_) return file_failure("it cannot be written");
      return out;
    }
    out.target_ = followed(path);
    if (out.target_.empty()) return file_failure("the link leads nowhere");
    const fs::path whole = out.target_;
    const std::string stem = (whole.parent_path() / whole.filename().string().substr(0, kLongestStem)).string();
    std::string name;
    for (int i = 0; i < kMostTries && !out.file_; ++i) {
      name = stem + ".part" + std::to_string(i);
      out.file_.reset(std::fopen(name.c_str(), "wbx"));
    }
    if (!out.file_) return file_failure("no file can be made beside it");
    out.part_ = std::move(name);
    // Nobody may read the new file who could not read the old one
    if (fs::exists(status)) fs::permissions(out.part_, status.permissions() & fs::perms::all, failed);
    return out;
  });
}

Result<void> PartFile::write(std::string_view bytes) noexcept {
  if (file_ && std::ferror(file_.get()) == 0 &&
      (bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()))
    return {};
  return file_failure("it cannot be written");
}

Result<void> PartFile::finish() noexcept {
  if (!file_) return file_failure("it cannot be written");
  const bool whole = std::ferror(file_.get()) == 0;
  const bool closed = std::fclose(file_.release()) == 0;
  if (whole && closed && (part_.empty() || std::rename(part_.c_str(), target_.c_str()) == 0)) return {};
  if (!part_.empty()) std::remove(part_.c_str());
  return file_failure("it cannot be written");
}

Result<void> can_write_file(const std::string& path) noexcept {
  return detail::with_files([&]() -> Result<void> {
    std::error_code failed;
    if (fs::is_fifo(fs::status(path, failed))) return {};
    const auto made = PartFile::make(path);
    return made ? Result<void>() : Result<void>(made.error());
  });
}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  target_ = std::move(other.target_), part_ = std::move(other.part_), file_ = std::move(other.file_);
  return *this;
}

void PartFile::discard() noexcept {
  if (!file_) return;
  file_.reset();
  if (!part_.empty()) std::remove(part_.c_str());
}

}  // namespace sudar

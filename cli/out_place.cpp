#include "cli/out_place.hpp"

#include <sudar/io/part_file.hpp>

#include <filesystem>

namespace sudar_cli {

namespace {

namespace fs = std::filesystem;

std::string fault_of_place(const std::string& path) {
  std::error_code failed;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failed)) return "there is no folder " + folder.string();
  const auto possible = sudar::can_write_file(path);
  return possible ? std::string() : possible.error().reason;
}

// Devices and pipes take what comes from several
bool replaces(const std::string& first, const std::string& second) {
  std::error_code failed;
  const fs::file_status status = fs::status(first, failed);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  return fs::weakly_canonical(fs::absolute(first, failed), failed) ==
         fs::weakly_canonical(fs::absolute(second, failed), failed);
}

}  // namespace

std::string fault_of_places(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    if (const std::string fault = fault_of_place(paths[i]); !fault.empty())
      return "cannot write " + paths[i] + ": " + fault;
    for (std::size_t k = 0; k < i; ++k)
      if (!paths[k].empty() && replaces(paths[k], paths[i]))
        return "cannot write " + paths[i] + ": it is the place of two results";
  }
  return {};
}

}  // namespace sudar_cli

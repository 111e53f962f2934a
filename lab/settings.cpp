#include "lab/settings.hpp"

#include <sudar/io/double_text.hpp>
#include <sudar/io/file_bytes.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sudar::lab {

namespace {

namespace fs = std::filesystem;
constexpr const char* kFirstLine = "sudar/lab-1";

bool read_number(std::string_view text, double lo, double hi, double& out) {
  double value = 0;
  const auto [end, status] = read_double(text, value);
  if (status != std::errc() || end != text.data() + text.size() || !(value >= lo && value <= hi)) return false;
  out = value;
  return true;
}

bool read_whole(std::string_view text, int lo, int hi, int& out) {
  double value = 0;
  if (!read_number(text, lo, hi, value) || value != std::floor(value)) return false;
  out = static_cast<int>(value);
  return true;
}

bool read_flag(std::string_view text, bool& out) {
  if (text != "on" && text != "off") return false;
  out = text == "on";
  return true;
}

// Names that are not known are those of a later version, and are passed over
bool read_line(Settings& s, std::string_view name, std::string_view value) {
  if (name == "exhibit") return s.exhibit = std::string(value), true;
  if (name == "scale") return read_number(value, 0, 8, s.scale);
  if (name == "speed") return read_number(value, 0, 1000, s.speed);
  if (name == "width") return read_whole(value, 64, 16384, s.width);
  if (name == "height") return read_whole(value, 64, 16384, s.height);
  if (name == "panels") return read_flag(value, s.panels);
  if (name == "shadows") return read_flag(value, s.shadows);
  if (name == "outlines") return read_flag(value, s.outlines);
  if (name == "grid") return read_flag(value, s.grid);
  if (name == "labels") return read_flag(value, s.labels);
  return true;
}

// path.broken, path.broken-2, …: the first that is free
std::string set_aside(const std::string& path) {
  for (int i = 1; i < 1000; ++i) {
    const std::string name = path + ".broken" + (i == 1 ? "" : "-" + std::to_string(i));
    std::error_code failed;
    if (fs::exists(name, failed) || failed) continue;
    fs::rename(path, name, failed);
    return failed ? std::string() : name;
  }
  return {};
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

std::string settings_path() {
  if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0')
    return std::string(folder) + "/sudar/lab.conf";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::string(home) + "/.config/sudar/lab.conf";
  return {};
}

SettingsFile read_settings(const std::string& path, Settings& settings, std::string& told) {
  std::error_code none;
  if (path.empty() || !fs::exists(path, none)) return SettingsFile::missing;
  // A device or a folder is nobody's broken settings: it stays where it is
  if (!fs::is_regular_file(path, none)) {
    told = "the settings in " + path + " cannot be read: it is no regular file";
    return SettingsFile::broken;
  }
  Settings found;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  bool good = static_cast<bool>(std::getline(file, line)) && line == kFirstLine;
  int line_number = 1;
  while (good && std::getline(file, line)) {
    ++line_number;
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    good = equals != std::string::npos &&
           read_line(found, std::string_view(line).substr(0, equals), std::string_view(line).substr(equals + 1));
  }
  if (good && !file.bad()) {
    settings = found;
    return SettingsFile::read;
  }
  const std::string name = set_aside(path);
  told = "the settings in " + path + " cannot be read (line " + std::to_string(line_number) + "); ";
  told += name.empty() ? "they could not be set aside" : "set aside as " + name + ", start again for new ones";
  return SettingsFile::broken;
}

bool write_settings(const std::string& path, const Settings& s, std::string& why_not) {
  if (path.empty()) return true;
  std::error_code failed;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, failed);
  const auto flag = [](bool on) { return on ? "on" : "off"; };
  std::ostringstream text;
  text << kFirstLine << "\nexhibit=" << s.exhibit << "\nscale=" << shortest(s.scale) << "\nspeed=" << shortest(s.speed)
       << "\nwidth=" << s.width << "\nheight=" << s.height << "\npanels=" << flag(s.panels)
       << "\nshadows=" << flag(s.shadows) << "\noutlines=" << flag(s.outlines) << "\ngrid=" << flag(s.grid)
       << "\nlabels=" << flag(s.labels) << '\n';
  if (write_whole_file(path, text.str())) return true;
  why_not = "cannot write " + path;
  return false;
}

}  // namespace sudar::lab

// What:    What the lab remembers from one time to the next, in a small text file: a first line that names the format, then
//          name=value.
// Fails:   a file that cannot be understood is set aside under another name and told; it is never written over. Writing goes
//          beside the file and is moved there, so that a crash leaves the old one.
#pragma once

#include <string>

namespace sudar::lab {

struct Settings {
  std::string exhibit;  // the last one that was open, with its parameters
  double scale = 0;     // of letters and lines; 0 follows the screen
  double speed = 1;
  int width = 1280, height = 720;
  bool panels = true, shadows = true, outlines = true, grid = true, labels = true;

  friend bool operator==(const Settings&, const Settings&) = default;
};

// In the user's folder for settings; empty when there is none
std::string settings_path();

enum class SettingsFile { read, missing, broken };
// When broken, `told` says in one line at which line, and under which name the file lies now
SettingsFile read_settings(const std::string& path, Settings& settings, std::string& told);
bool write_settings(const std::string& path, const Settings& settings, std::string& why_not);

}  // namespace sudar::lab

// What:    The files of `sudar check` as parts: read, scaled to metres, welded, and cut into objects or shells.
// Differs: Vertices at equal places become one, because STL has none in common: without it nothing is closed. A file that
//          cannot be read is told and left out; the others are still checked.
// Frame:   Metres.
// Fails:   throws UnitError for a unit that is none; nothing else.
#pragma once

#include "cli/clash.hpp"
#include <sudar/core/parallel.hpp>

#include <atomic>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

struct UnitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Units in a metre: 1000 for mm. Lengths are divided by it.
double units_in_a_metre(std::string_view unit);
// "1mm", "0.03" (metres), "1 in": metres
double parse_length(std::string_view text);

// As given: "plate.stl@mm" is plate.stl in millimetres, unless there is a file with that very name
struct CheckFile {
  std::string path, units;
  bool assumed = false;  // nobody said the units
};
CheckFile parse_file(const std::string& argument, const std::string& units);

struct CheckInput {
  std::vector<std::string> files;     // paths
  std::vector<std::string> units;     // of each
  std::vector<CheckPart> parts;       // in the order of the files
  std::vector<std::string> failures;  // one line for each file that was left out, and for each part
  std::vector<std::string> warnings;
  double load_ms = 0, build_ms = 0;
};

// per_part: objects of files that have them, shells that do not touch of those that have none. Files that `stop` left
// unread are failures.
CheckInput read_parts(std::span<const CheckFile> files, bool per_part, sudar::Executor& executor,
                      const std::atomic<bool>& stop);

}  // namespace sudar_cli

// What:    The files of `sudar check` as parts: read, scaled to metres, welded, and cut into objects or shells.
// Differs: Vertices at equal places become one, because STL has none in common: without it nothing is closed. A file that
//          cannot be read is told and left out; the others are still checked.
//          Files are read on all threads, and so are parts built, those of one file as well.
// Frame:   Metres.
// Fails:   throws UnitError for a unit that is none; nothing else.
#pragma once

#include "cli/clash.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/geom/mesh.hpp>

#include <atomic>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

// More parts than this are refused: each costs a kilobyte or two, whatever its triangles
inline constexpr std::size_t kMostParts = std::size_t{1} << 17;

struct UnitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Units in a metre: 1000 for mm. Lengths are divided by it.
double units_in_a_metre(std::string_view unit);
// "1mm", "0.03" (metres), "1 in": metres
double parse_length(std::string_view text);

// As given: "plate.stl@mm" is plate.stl in millimetres, unless there is a file with that very name. What follows the last @
// is a unit only if there is one of that name.
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

// Of a welded surface: what hangs together, in the order of the first triangles. A shell that faces inward is the border of
// a hollow: it goes with the smallest shell around it.
std::vector<sudar::Mesh> shells_of(const sudar::Mesh& mesh);

// Reading that may be looked at while it runs, by one who will not wait for its end
class ReadRun {
 public:
  // per_part: objects of files that have them, shells that do not touch of those that have none
  ReadRun(std::vector<CheckFile> files, bool per_part, std::size_t most_triangles, const std::atomic<bool>& stop);
  ~ReadRun();
  void run(sudar::Executor& executor, std::atomic<std::uint64_t>& done);
  // What is there; files that are not are failures. Once only.
  CheckInput take();

 private:
  struct Loaded;
  struct Built;

  std::vector<CheckFile> files_;
  std::vector<std::string> names_;  // of parts that are whole files: as short as tells them apart
  bool per_part_;
  std::size_t most_triangles_;
  const std::atomic<bool>& stop_;
  std::vector<Loaded> loaded_;

  std::mutex mutex_;  // guards what follows
  std::vector<Built> built_;
  std::vector<std::string> failures_;  // of files, by number
  std::vector<std::uint8_t> read_;     // files that were read or failed
  double load_ms_ = 0, build_ms_ = 0;
  bool ended_ = false;
};

}  // namespace sudar_cli

// What:    The search of `sudar check`: parts in, clashes out.
// Source:  the words are those of clash detection in CAD and building models: hard, touch, clearance, contain, duplicate,
//          self. Depth: narrowphase/mesh_depth.hpp, the length of the shortest translation that takes the bodies apart.
// Differs: Which triangles meet is decided exactly. A part wholly inside of another is found, though no triangles meet.
//          Surfaces that meet without crossing, and bodies without a common inside, touch: their depth is zero; so do bodies
//          that cut into each other by no more than the tolerance, whatever the way out (clash_fit.hpp).
//          The depth of a part that is open, or crosses itself, is told as unknown, with the reason.
//          Memory does not grow with the square of anything: there is a limit on the pairs that are kept and on the
//          clashes that are told, and a search that meets it says so.
// Frame:   Metres.
// Threads: pairs are checked on all threads of the executor; the clashes are in the order of the parts whatever their number.
// Fails:   out_of_memory while looking for pairs. A pair for which memory does not suffice, and what `stop` cut short, is
//          counted as not tested.
#pragma once

#include "cli/clash.hpp"
#include <sudar/core/pair_set.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

namespace sudar_cli {

inline constexpr std::size_t kMostPairs = std::size_t{1} << 22, kMostClashes = 50000;

struct ClashLimits {
  double tolerance = 0, clearance = 0;
  ClashTypes types;

  // Farther apart than this, two parts have nothing to do with each other
  double reach() const;
};

struct ClashCounts {
  std::uint64_t objects = 0, pairs = 0, candidate_pairs = 0, tested_pairs = 0, skipped_by_rule = 0, triangle_tests = 0;
  bool complete = true;
};

// Two parts of which it cannot be told whether one holds the other, and why
struct UndecidedPair {
  std::uint32_t a = 0, b = 0;
  std::string why;
};

struct ClashSearch {
  std::vector<Clash> clashes;  // by a, b, type
  ClashCounts counts;
  std::vector<UndecidedPair> undecided;  // by a, b
  std::vector<std::string> limits;       // what was met
  double broad_ms = 0, narrow_ms = 0;
};

// What a caller may watch and do while it runs
struct ClashControl {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0}, total{0};
};

// Is this pair, or with a == b this part by itself, asked for? False counts as skipped by a rule.
using PairWanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

// A search that may be read while it runs, by one who will not wait for its end
class ClashRun {
 public:
  ClashRun(std::span<const CheckPart> parts, const ClashLimits& limits, PairWanted wanted, ClashControl& control);
  // Until all is done, or `stop`, or a limit
  void run(sudar::Executor& executor);
  // As far as it is known. Once only.
  sudar::Result<ClashSearch> take();

 private:
  void find_pairs(sudar::Executor& executor);
  void check_pairs(sudar::Executor& executor);

  std::span<const CheckPart> parts_;
  ClashLimits limits_;
  PairWanted wanted_;
  ClashControl& control_;
  std::vector<sudar::IdPair> near_;  // a part by itself has lo == hi

  std::mutex mutex_;  // guards what follows
  ClashSearch found_;
  std::uint64_t asked_ = 0, answered_ = 0;
  bool ended_ = false;
  std::optional<sudar::Error> failure_;
};

// Where the surfaces of two parts, or of one with itself, meet: for exports and pictures, `most` pairs of triangles
sudar::Result<sudar::MeshIntersection> contact_of(const CheckPart& a, const CheckPart& b, bool self, std::size_t most);

}  // namespace sudar_cli

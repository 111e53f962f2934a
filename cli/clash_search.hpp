// What:    The search of `sudar check`: parts in, clashes out.
// Source:  the words are those of clash detection in CAD and building models: hard, touch, clearance, contain, duplicate,
//          self. Depth: narrowphase/mesh_depth.hpp, the length of the shortest translation that takes the bodies apart.
// Differs: Which triangles meet is decided exactly. A part wholly inside of another is found, though no triangles meet.
//          Surfaces that meet without crossing, and bodies without a common inside, touch: their depth is zero.
//          The depth of a part that is open, or crosses itself, is told as unknown, with the reason.
// Frame:   Metres.
// Threads: pairs are checked on all threads of the executor; the clashes are in the order of the parts whatever their number.
// Fails:   out_of_memory. What `stop` cut short is counted as not tested.
#pragma once

#include "cli/clash.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>

#include <atomic>
#include <functional>
#include <span>

namespace sudar_cli {

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

struct ClashSearch {
  std::vector<Clash> clashes;  // by a, b, type
  ClashCounts counts;
  double broad_ms = 0, narrow_ms = 0;
};

// What a caller may watch and do while it runs
struct ClashControl {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0}, total{0};
};

// Is this pair asked for? False counts as skipped by a rule.
using PairWanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

sudar::Result<ClashSearch> find_clashes(std::span<const CheckPart> parts, const ClashLimits& limits,
                                        const PairWanted& wanted, sudar::Executor& executor, ClashControl& control);

// Where the surfaces of two parts, or of one with itself, meet: for exports and pictures
sudar::Result<sudar::MeshIntersection> contact_of(const CheckPart& a, const CheckPart& b, bool self);

}  // namespace sudar_cli

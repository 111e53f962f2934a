// What:    The inner loop of the trees and of the hashed grid: one box against a run of boxes, for many runs at a time.
// Differs: A kernel takes a list of runs, so that short runs pay for one call together. Compiled for every instruction
//          set through Highway and chosen at run time; the plain twins say the same in scalar code.
// Frame:   Hits come in the order of the tasks, and within a task by rising target, from every instruction set.
#pragma once

#include <sudar/broadphase/box_scan.hpp>

#include <span>

namespace sudar {

// Columns of targets must be readable this far past the end of a run
inline constexpr std::size_t kScanPad = 16;

// Box `query` against the boxes [from, to) of the targets
struct ScanTask {
  std::uint32_t query, from, to;
};

struct ScanHit {
  std::uint32_t query, target;

  friend constexpr bool operator==(const ScanHit&, const ScanHit&) = default;
};

struct ScanProgress {
  std::size_t tasks;  // done
  std::size_t found;  // hits written
};

// Stops before a task that might not fit into `capacity` hits, which must be at least the longest run
template <int D>
ScanProgress scan_tasks(const BoxColumns<D>& queries, const BoxColumns<D>& targets, std::span<const ScanTask> tasks,
                        ScanHit* hits, std::size_t capacity) noexcept;
template <int D>
ScanProgress scan_tasks_plain(const BoxColumns<D>& queries, const BoxColumns<D>& targets,
                              std::span<const ScanTask> tasks, ScanHit* hits, std::size_t capacity) noexcept;

}  // namespace sudar

// What:    Which boxes of a run in a structure of arrays overlap one box: the inner loop of brute force and sweeps.
// Differs: A block is tested as a whole into a small array of flags, without branches, which compilers turn into vector
//          code; flags are looked at one by one only in blocks with a hit.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <array>
#include <cstdint>

namespace sudar {

inline constexpr std::size_t kScanBlock = 32;

template <int D>
using BoxColumns = std::array<const float*, 2 * static_cast<std::size_t>(D)>;  // D columns of lo, then D of hi

// Calls hit(j) for each j of [begin, end) whose box overlaps `box` on the axes First … D - 1, in rising order
template <int D, int First, class F>
inline void scan_boxes(const BoxColumns<D>& columns, std::size_t begin, std::size_t end, const Aabb<D, float>& box,
                       F&& hit) {
  std::size_t j = begin;
  for (; j + kScanBlock <= end; j += kScanBlock) {
    // All lanes of the block: an axis that separates leaves a flag at 1
    std::int32_t apart[kScanBlock] = {};
    for (int axis = First; axis < D; ++axis) {
      const float* lo = columns[static_cast<std::size_t>(axis)] + j;
      const float* hi = columns[static_cast<std::size_t>(D + axis)] + j;
      const float box_lo = box.lo[axis], box_hi = box.hi[axis];
      for (std::size_t k = 0; k < kScanBlock; ++k) apart[k] |= lo[k] > box_hi ? 1 : 0;
      for (std::size_t k = 0; k < kScanBlock; ++k) apart[k] |= hi[k] < box_lo ? 1 : 0;
    }
    std::int32_t all_apart = 1;
    for (std::size_t k = 0; k < kScanBlock; ++k) all_apart &= apart[k];
    if (all_apart != 0) continue;
    for (std::size_t k = 0; k < kScanBlock; ++k)
      if (apart[k] == 0) hit(j + k);
  }
  for (; j < end; ++j) {
    bool all = true;
    for (int axis = First; axis < D; ++axis) {
      all &= columns[static_cast<std::size_t>(axis)][j] <= box.hi[axis];
      all &= box.lo[axis] <= columns[static_cast<std::size_t>(D + axis)][j];
    }
    if (all) hit(j);
  }
}

}  // namespace sudar

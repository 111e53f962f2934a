// What:    Cutting a cell by planes across the axes: one plane, or one on each axis at once.
// Frame:   Child c of a cell is above the cut on axis k when bit k of c is set.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <algorithm>
#include <cstdint>

namespace sudar {

// Bit k of `axes` says that axis k is cut, at `at[k]`; no bit: no cut at all
template <int D>
struct Cut {
  std::uint32_t axes = 0;
  Vec<D, float> at{};

  constexpr bool cuts(int axis) const { return (axes >> axis & 1u) != 0; }
};

template <int D>
constexpr Aabb<D, float> child_cell(const Aabb<D, float>& cell, const Cut<D>& cut, std::uint32_t child) {
  Aabb<D, float> part = cell;
  for (int k = 0; k < D; ++k)
    if (cut.cuts(k)) ((child >> k & 1u) != 0 ? part.lo : part.hi)[k] = cut.at[k];
  return part;
}

// To nearest: the sum of two floats fits in a double, up to a rounding far below that of the answer
template <int D>
constexpr Vec<D, float> middle_of(const Aabb<D, float>& box) {
  Vec<D, float> middle;
  for (int k = 0; k < D; ++k) middle[k] = static_cast<float>((static_cast<double>(box.lo[k]) + box.hi[k]) / 2);
  return middle;
}

// Through the middle of every side that is more than half as long as the longest; no cut where no float is in between
template <int D>
constexpr Cut<D> cut_in_middle(const Aabb<D, float>& cell) {
  double longest = 0;
  for (int k = 0; k < D; ++k) longest = std::max(longest, static_cast<double>(cell.hi[k]) - cell.lo[k]);
  const Vec<D, float> middle = middle_of(cell);
  Cut<D> cut;
  for (int k = 0; k < D; ++k) {
    if (!(static_cast<double>(cell.hi[k]) - cell.lo[k] > longest / 2)) continue;
    cut.at[k] = middle[k];
    if (cell.lo[k] < cut.at[k] && cut.at[k] < cell.hi[k]) cut.axes |= 1u << k;
  }
  return cut;
}

}  // namespace sudar

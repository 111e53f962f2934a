// What:    The inner loops of a tree from the top: where boxes and their centres are, and which border between bins of
//          centres costs least.
// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007.
// Differs: All axes of a box lie in one vector, so that a bin takes a box in with two instructions. Costs are floats: where
//          they overflow no border is found, and the caller takes the median.
// Frame:   Compiled for every instruction set through Highway and chosen at run time; the plain twin is the same code
//          over four floats and gives the same bits but for the sign of a zero.
#pragma once

#include <sudar/broadphase/tree_build.hpp>

namespace sudar {

inline constexpr std::uint32_t kMostBins = 16;

// What boxes span together, and what their centres do
template <int D>
struct ItemBounds {
  Aabb<D, float> box, centres;
};

// Equal bins over the centres, on the axis on which they spread most. A scale of 0: they cannot be told apart.
template <int D>
struct SplitBins {
  int axis = 0;
  float lo = 0, scale = 0;
  std::uint32_t count = kMostBins;

  SplitBins(const Aabb<D, float>& centres, std::uint32_t bins);
  // Monotone in the centre of the item
  std::uint32_t bin_of(const TreeItem<D>& item) const noexcept {
    const float* ends = &item.box.lo[0];  // the lower ones and then the upper ones, without a branch on the axis
    const float centre = ends[axis] * 0.5f + ends[D + axis] * 0.5f;
    const float place = (centre - lo) * scale, top = static_cast<float>(count - 1);
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(place < top ? place : top));
  }
};

template <int D>
ItemBounds<D> measure_items(const TreeItem<D>* items, std::size_t count) noexcept;
template <int D>
ItemBounds<D> measure_items_plain(const TreeItem<D>* items, std::size_t count) noexcept;

// Bins below the border go left; 0 when none is better than the others
template <int D>
std::uint32_t choose_split(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) noexcept;
template <int D>
std::uint32_t choose_split_plain(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) noexcept;

}  // namespace sudar

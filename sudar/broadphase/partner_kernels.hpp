// What:    The inner loop of a tree from the leaves: which neighbour along a curve makes the smallest box with each.
// Source:  Meister and Bittner, "Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018.
// Differs: Each looks to both sides by itself and a vector of neighbours at a time, so that parts of the list can be done
//          by different threads. Costs are floats; what overflows counts as the largest one.
// Frame:   Of equal costs the neighbour wins whose place differs in the lowest bits. Compiled for every instruction set
//          through Highway and chosen at run time; the plain twin gives the same partners.
#pragma once

#include <sudar/broadphase/overlap_kernels.hpp>

namespace sudar {

// partners[i] for the places [begin, end) of `count` boxes; each looks at `reach` others to either side. There must be at
// least two boxes, and columns must be readable kScanPad past their end.
template <int D>
void choose_partners(const BoxColumns<D>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                     std::uint32_t reach, std::uint32_t* partners) noexcept;
template <int D>
void choose_partners_plain(const BoxColumns<D>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                           std::uint32_t reach, std::uint32_t* partners) noexcept;

}  // namespace sudar

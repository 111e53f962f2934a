// What:    Known troubles of broad phases, told from what the scene and the counters show: cells far too small, one giant,
//          all bodies in one point …
// Differs: The signs are measured on a sample of boxes now and then; which hints they give is a function of them alone.
#pragma once

#include <sudar/broadphase/broadphase.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

struct TroubleSigns {
  std::string_view algorithm;                            // the one at work
  double boxes = 0, pairs = 0, fixed = 0, moved = 0;     // counts
  double median_edge = 0, largest_edge = 0, extent = 0;  // metres; the largest side of a box, of the world
  double cell_edge = 0;                                  // of a grid, the smallest finite one; 0: no cells
  double most_in_cell = 0;
  double leaf_capacity = 0;  // of a tree that has one; 0 otherwise
  double threads = 1;
  SearchCounters counters;
};

// Of the boxes as they are; `broadphase` may be null
template <int D>
TroubleSigns signs_of(const Broadphase<D>* broadphase, const BoxStore<D>& store, std::size_t pairs);

// One sentence each, the gravest first
std::vector<std::string> hints_for(const TroubleSigns& signs);

}  // namespace sudar::lab

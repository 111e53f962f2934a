// What:    How `columns` divides space: which axis is swept, how the others are cut into columns, and the fixed-point
//          maps.
// Differs: Everything comes from a random sample of fixed seed, so planning costs the same for any number of boxes. A bad
//          plan costs time, never pairs: the maps are monotone and clamp what the sample did not see. Columns are narrower
//          where boxes crowd; a few boxes far away from all others do not count.
#pragma once

#include <sudar/broadphase/box_scan.hpp>
#include <sudar/broadphase/column_kernels.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace sudar {

struct ColumnPlan {
  int sweep_axis = 0;
  int across_axis[2] = {0, 0};
  int columns[2] = {1, 1};  // along each of them; the second is 1 in 2D
  FixedPoint along;         // the swept axis, to 16 bits
  FixedPoint across[2];     // column number and place in it
  bool single() const { return columns[0] == 1 && columns[1] == 1; }
  int count() const { return columns[0] * columns[1]; }
};

// What is known of a set of boxes, or of two that are searched against each other, before its plan is made
struct PlanRequest {
  std::span<const std::uint32_t> rows;  // empty: all of [0, count)
  std::size_t count;
  std::span<const std::uint32_t> others;  // the rows of the second set; columns are laid where both are
  double width = 7;                       // of a column at most, in typical box edges
  int sweep_axis = -1;                    // -1: the plan chooses
  bool cut = true;                        // false: one column
};

template <int D>
ColumnPlan plan_columns(const BoxColumns<D>& boxes, const PlanRequest& request);

}  // namespace sudar

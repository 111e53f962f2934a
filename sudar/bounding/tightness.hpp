// What:    The bounding volumes of one body side by side: how tight, how dear to fit, to test and to move.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996: the cost of a query is the number of tests times the cost of
//          one, so a tight volume may pay for a dear test. Seeds A12–A15, B4.
// Differs: Fit times are measured here with the steady clock. The cost of a test and of a move is the number of
//          floating-point operations and comparisons when no axis separates early, counted from the code; so it is
//          the same on every machine.
// Fails:   empty_input; non_finite with the index of the point; too_large when a size, a volume or a tightness is past the
//          largest number (in space from coordinates of some 1e102 on); degenerate when the points have no volume.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

struct VolumeRow {
  std::string_view kind;        // a fixed name: "aabb", "sphere (smallest)", "obb (principal)" …
  double volume = 0;            // area in 2D
  double tightness = 0;         // volume over the volume of the convex hull: 1 is the tightest
  double fit_ms = 0;            // measured, the fastest of `repeats`
  std::uint32_t test_cost = 0;  // operations of an overlap test with its own kind
  std::uint32_t move_cost = 0;  // operations to have the volume after the body turned and moved
  std::uint32_t numbers = 0;    // numbers stored
};

// One row for each kind, in a fixed order. `repeats` is at least 1.
template <int D>
SUDAR_API Result<std::vector<VolumeRow>> compare_volumes(std::span<const Vec<D, double>> points,
                                                         int repeats = 1) noexcept;

}  // namespace sudar

// What:    An order of points for incremental algorithms: rounds of growing size, each along a Hilbert curve, so that
//          neighbours in the order are neighbours in space.
// Source:  Amenta, Choi and Rote, "Incremental constructions con BRIO", 2003; Skilling, "Programming the Hilbert
//          curve", 2004.
// Differs: The rounds are drawn by hashing the index, so the order is a function of the input alone. The source sorts
//          by one grid; here a crowded cell is sorted again within its own box, so that outliers and clusters keep
//          their coherence (SpatialOrder.OutliersDoNotSpoilTheOrderOfTheRest).
// Fails:   never for finite points.
#pragma once

#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// A permutation of the indices of `points`. Throws bad_alloc like a vector; the doors that call it are guarded.
template <int D>
SUDAR_API std::vector<std::uint32_t> spatial_order(std::span<const Vec<D, double>> points);

extern template SUDAR_API std::vector<std::uint32_t> spatial_order<2>(std::span<const Vec2d>);
extern template SUDAR_API std::vector<std::uint32_t> spatial_order<3>(std::span<const Vec3d>);

}  // namespace sudar

// What:    Passes over many points that the fits share: box with a check for NaN, and farthest squared distances by
//          block. Internal to the room.
// Differs: The SIMD passes (Highway, chosen at run time) and the scalar ones give the same bits: no fused operation,
//          and a maximum does not depend on its order (PointScan.SimdAndScalarGiveTheSameBits).
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <cstddef>
#include <span>

namespace sudar {

// Points in one block of farthest_by_block
inline constexpr std::size_t kPointScanBlock = 64;

constexpr std::size_t scan_blocks(std::size_t points) { return (points + kPointScanBlock - 1) / kPointScanBlock; }

// Box of finite points, not empty; not valid (see is_valid) when any coordinate is NaN or infinite
template <int D>
SUDAR_API Aabb<D, double> scan_box(std::span<const Vec<D, double>> points) noexcept;
template <int D>
SUDAR_API Aabb<D, double> scan_box_scalar(std::span<const Vec<D, double>> points) noexcept;

// out[b] = largest squared distance from c to the points of block b. Returns the largest of all.
template <int D>
SUDAR_API double farthest_by_block(std::span<const Vec<D, double>> points, const Vec<D, double>& c,
                                   std::span<double> out) noexcept;
template <int D>
SUDAR_API double farthest_by_block_scalar(std::span<const Vec<D, double>> points, const Vec<D, double>& c,
                                          std::span<double> out) noexcept;

}  // namespace sudar

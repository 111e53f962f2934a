// What:    The grid that a distance field is sampled on: where its samples lie, and the bricks that they are kept in.
// Frame:   The field's own, metres. Sample (i, j, k) lies at origin + cell · (i, j, k), rounded axis by axis.
// Differs: Neighbouring bricks share the samples of the face between them. So all corners of a cell are in one brick, for
//          1.5 times the memory in space, and a look at the field reads one piece of memory.
// Fails:   check_grid: non_finite, degenerate (no cell, or one that vanishes beside the coordinates), too_large.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/result.hpp>

#include <array>
#include <cstdint>

namespace sudar {

// A brick is a cube of 7 cells a side, and so of 8 samples
inline constexpr std::uint32_t kBrickCells = 7, kBrickSide = kBrickCells + 1;
template <int D>
inline constexpr std::uint32_t kBrickSamples = D == 2 ? kBrickSide* kBrickSide : kBrickSide* kBrickSide* kBrickSide;

template <int D>
using GridIndex = std::array<std::uint32_t, D>;

template <int D>
struct FieldGrid {
  Vec<D, double> origin{};
  double cell = 0;
  GridIndex<D> samples{};

  double coordinate(int axis, std::uint32_t i) const { return origin[axis] + cell * i; }
  Vec<D, double> position(const GridIndex<D>& index) const {
    Vec<D, double> p;
    for (int k = 0; k < D; ++k) p[k] = coordinate(k, index[static_cast<std::size_t>(k)]);
    return p;
  }
  // Of sample i of a brick, the first axis fastest
  Vec<D, double> brick_position(const GridIndex<D>& brick, std::uint32_t i) const {
    GridIndex<D> at;
    for (std::size_t k = 0; k < D; ++k) at[k] = brick[k] * kBrickCells + i % kBrickSide, i /= kBrickSide;
    return position(at);
  }
  Aabb<D, double> bounds() const {
    GridIndex<D> last;
    for (std::size_t k = 0; k < D; ++k) last[k] = samples[k] - 1;
    return {origin, position(last)};
  }
  GridIndex<D> bricks() const {
    GridIndex<D> out;
    for (std::size_t k = 0; k < D; ++k) out[k] = (samples[k] - 1 + kBrickCells - 1) / kBrickCells;
    return out;
  }
  std::size_t brick_count() const {
    std::size_t count = 1;
    for (const std::uint32_t n : bricks()) count *= n;
    return count;
  }
  GridIndex<D> brick_at(std::size_t number) const {
    GridIndex<D> out;
    const GridIndex<D> n = bricks();
    for (std::size_t k = 0; k < D; ++k) out[k] = static_cast<std::uint32_t>(number % n[k]), number /= n[k];
    return out;
  }
  friend bool operator==(const FieldGrid&, const FieldGrid&) = default;
};
using FieldGrid2 = FieldGrid<2>;
using FieldGrid3 = FieldGrid<3>;

// Bricks of a grid, stored or not, and samples along one axis
inline constexpr std::size_t kMaxFieldBricks = std::size_t{1} << 26;
inline constexpr std::uint32_t kMaxFieldSide = std::uint32_t{1} << 24;

template <int D>
SUDAR_API Result<void> check_grid(const FieldGrid<D>& grid) noexcept;
// `side` samples along the longest side of the box, the same spacing along the others, and at least `margin` cells around
// it. Errors: those of check_grid; invalid_argument for a box that is not valid, or a side below 2 · margin + 3
template <int D>
SUDAR_API Result<FieldGrid<D>> fit_grid(const Aabb<D, double>& box, std::uint32_t side,
                                        std::uint32_t margin = 4) noexcept;

extern template SUDAR_API Result<void> check_grid(const FieldGrid<2>&) noexcept;
extern template SUDAR_API Result<void> check_grid(const FieldGrid<3>&) noexcept;
extern template SUDAR_API Result<FieldGrid<2>> fit_grid(const Aabb<2, double>&, std::uint32_t, std::uint32_t) noexcept;
extern template SUDAR_API Result<FieldGrid<3>> fit_grid(const Aabb<3, double>&, std::uint32_t, std::uint32_t) noexcept;

}  // namespace sudar

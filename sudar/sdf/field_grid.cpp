#include <sudar/sdf/field_grid.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

template <int D>
Result<void> check_grid(const FieldGrid<D>& grid) noexcept {
  if (!is_finite(grid.origin) || !std::isfinite(grid.cell))
    return Error{ErrorCode::non_finite, Error::kNoElement, "the grid's origin or cell is NaN or infinite"};
  if (!(grid.cell > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the grid's cell is zero or negative"};
  double large = max_abs(grid.origin);
  std::size_t count = 1;
  for (int k = 0; k < D; ++k) {
    const std::uint32_t n = grid.samples[static_cast<std::size_t>(k)];
    if (n < 2) return Error{ErrorCode::degenerate, static_cast<std::size_t>(k), "fewer than two samples along an axis"};
    if (n > kMaxFieldSide) return Error{ErrorCode::too_large, static_cast<std::size_t>(k), "too many cells"};
    large = std::max(large, std::fabs(grid.coordinate(k, n)));
    count *= (n - 1 + kBrickCells - 1) / kBrickCells;
    if (count > kMaxFieldBricks) return Error{ErrorCode::too_large, Error::kNoElement, "too many cells"};
  }
  if (large > kMaxShapeSize || grid.cell < kMinShapeSize)
    return Error{ErrorCode::too_large, Error::kNoElement, "the grid is beyond kMaxShapeSize or kMinShapeSize"};
  if (grid.cell <= kGridCell * large)
    return Error{ErrorCode::degenerate, Error::kNoElement, "the grid's cell vanishes beside its coordinates"};
  return {};
}

template <int D>
Result<FieldGrid<D>> fit_grid(const Aabb<D, double>& box, std::uint32_t side, std::uint32_t margin) noexcept {
  if (!is_finite(box.lo) || !is_finite(box.hi))
    return Error{ErrorCode::non_finite, Error::kNoElement, "the box is NaN or infinite"};
  if (!is_valid(box)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the box is empty"};
  if (side > kMaxFieldSide || margin > kMaxFieldSide)
    return Error{ErrorCode::too_large, Error::kNoElement, "too many cells"};
  if (side < 2 * margin + 3)
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "no cells are left between the margins"};
  const Vec<D, double> size = extents(box);
  if (!is_finite(size)) return Error{ErrorCode::too_large, Error::kNoElement, "the box is beyond kMaxShapeSize"};
  FieldGrid<D> grid;
  grid.cell = max_abs(size) / (side - 1 - 2 * margin);
  if (!(grid.cell > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the box is a point"};
  for (int k = 0; k < D; ++k) {
    // What the whole cells have too much is shared by both ends
    const auto cells = std::min(side - 1 - 2 * margin, static_cast<std::uint32_t>(std::ceil(size[k] / grid.cell)));
    grid.samples[static_cast<std::size_t>(k)] = cells + 1 + 2 * margin;
    grid.origin[k] = (box.lo[k] * 0.5 + box.hi[k] * 0.5) - grid.cell * (0.5 * cells + margin);
  }
  if (const auto r = check_grid(grid); !r) return r.error();
  return grid;
}

template SUDAR_API Result<void> check_grid(const FieldGrid<2>&) noexcept;
template SUDAR_API Result<void> check_grid(const FieldGrid<3>&) noexcept;
template SUDAR_API Result<FieldGrid<2>> fit_grid(const Aabb<2, double>&, std::uint32_t, std::uint32_t) noexcept;
template SUDAR_API Result<FieldGrid<3>> fit_grid(const Aabb<3, double>&, std::uint32_t, std::uint32_t) noexcept;

}  // namespace sudar

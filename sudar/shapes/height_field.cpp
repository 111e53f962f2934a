// What:    Heights over a grid, see the header.
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <limits>

namespace sudar {

Result<std::shared_ptr<const HeightField>> HeightField::make(std::span<const double> heights, std::uint32_t columns,
                                                             std::uint32_t rows, const Vec2d& spacing) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const HeightField>> {
    if (heights.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no heights"};
    if (columns < 2 || rows < 2)
      return Error{ErrorCode::degenerate, Error::kNoElement, "fewer than two rows or columns"};
    if (heights.size() / columns != rows || heights.size() % columns != 0)
      return Error{ErrorCode::invalid_argument, heights.size(), "rows times columns is not the number of heights"};
    if (heights.size() > kMaxParts) return Error{ErrorCode::too_large, heights.size(), "too many heights"};
    if (const auto r = check_sizes(spacing); !r) return r.error();
    for (std::size_t i = 0; i < heights.size(); ++i) {
      if (!std::isfinite(heights[i])) return Error{ErrorCode::non_finite, i, "height is NaN or infinite"};
      if (std::fabs(heights[i]) > kMaxShapeSize) return Error{ErrorCode::too_large, i, "height beyond kMaxShapeSize"};
    }
    const Vec2d far{(columns - 1) * spacing.x, (rows - 1) * spacing.y};
    if (max_abs(far) > kMaxShapeSize)
      return Error{ErrorCode::too_large, Error::kNoElement, "field beyond kMaxShapeSize"};

    std::shared_ptr<HeightField> field(new HeightField);
    field->heights_.assign(heights.begin(), heights.end());
    field->columns_ = columns, field->rows_ = rows, field->spacing_ = spacing;

    // Ranges of the blocks: the corners of their cells, which neighbours share
    const std::uint32_t block_rows = (rows - 1 + kBlock - 1) / kBlock;
    Range all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    field->blocks_.assign(std::size_t{block_rows} * field->block_columns(), all);
    for (std::uint32_t bj = 0; bj < block_rows; ++bj)
      for (std::uint32_t bi = 0; bi < field->block_columns(); ++bi) {
        Range& range = field->blocks_[std::size_t{bj} * field->block_columns() + bi];
        for (std::uint32_t j = bj * kBlock; j <= std::min(rows - 1, bj * kBlock + kBlock); ++j)
          for (std::uint32_t i = bi * kBlock; i <= std::min(columns - 1, bi * kBlock + kBlock); ++i) {
            const double h = heights[std::size_t{j} * columns + i];
            range = {std::min(range.lo, h), std::max(range.hi, h)};
          }
        all = {std::min(all.lo, range.lo), std::max(all.hi, range.hi)};
      }
    field->bounds_ = {{0, 0, all.lo}, {far.x, far.y, all.hi}};
    return std::shared_ptr<const HeightField>(std::move(field));
  });
}

bool HeightField::cells_of(const Aabb3d& box, std::uint32_t (&lo)[2], std::uint32_t (&hi)[2]) const {
  const std::uint32_t cells[2] = {columns_ - 1, rows_ - 1};
  for (int axis = 0; axis < 2; ++axis) {
    // A quotient is rounded, and a box that ends on a line of the grid touches the cells of both sides: one cell more
    // on each side covers both
    const double most = cells[axis] - 1;
    const double first = std::floor(box.lo[axis] / spacing_[axis]) - 1,
                 last = std::floor(box.hi[axis] / spacing_[axis]) + 1;
    if (!(first <= most && last >= 0)) return false;
    lo[axis] = static_cast<std::uint32_t>(std::max(first, 0.0));
    hi[axis] = static_cast<std::uint32_t>(std::min(last, most));
    // Narrow it to the cells that really touch
    const auto at = [&](std::uint32_t i) { return i * spacing_[axis]; };
    while (lo[axis] < hi[axis] && at(lo[axis] + 1) < box.lo[axis]) ++lo[axis];
    while (hi[axis] > lo[axis] && at(hi[axis]) > box.hi[axis]) --hi[axis];
  }
  return true;
}

double HeightField::height_at(const Vec2d& p) const {
  if (!(p.x >= 0 && p.x <= bounds_.hi.x && p.y >= 0 && p.y <= bounds_.hi.y))
    return std::numeric_limits<double>::quiet_NaN();
  const double x = p.x / spacing_.x, y = p.y / spacing_.y;
  const std::uint32_t i = std::min(static_cast<std::uint32_t>(x), columns_ - 2);
  const std::uint32_t j = std::min(static_cast<std::uint32_t>(y), rows_ - 2);
  const double u = x - i, v = y - j;
  const double a = vertex(i, j).z, c = vertex(i + 1, j + 1).z;
  if (u >= v) {
    const double b = vertex(i + 1, j).z;
    return a + (b - a) * u + (c - b) * v;
  }
  const double d = vertex(i, j + 1).z;
  return a + (c - d) * u + (d - a) * v;
}

Result<Shape3> make_height_field3(std::span<const double> heights, std::uint32_t columns, std::uint32_t rows,
                                  const Vec2d& spacing) noexcept {
  auto field = HeightField::make(heights, columns, rows, spacing);
  if (!field) return field.error();
  return Shape3(HeightFieldShape3{*std::move(field)});
}

}  // namespace sudar

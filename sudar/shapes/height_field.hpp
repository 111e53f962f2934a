// What:    A terrain: heights over a regular grid, each cell two triangles, found by their place instead of by a tree.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 7.1 (uniform grids); highest and lowest of square blocks of
//          cells stand above them, so that a query high over the ground looks at few cells.
// Frame:   Column i and row j of the grid are the point (i·dx, j·dy, height). Cell (i, j) is cut from corner (i, j) to
//          corner (i + 1, j + 1): triangle 0 lies below that diagonal (towards +x), triangle 1 above (towards +y); both
//          are counterclockwise seen from +z. A surface: it has no inside.
// Fails:   make: empty_input, degenerate (fewer than two rows or columns, spacing that is not positive), non_finite with
//          the index of the height, invalid_argument (count does not match), too_large.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/result.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/shapes/shape3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API HeightField {
 public:
  // heights[j * columns + i]
  static Result<std::shared_ptr<const HeightField>> make(std::span<const double> heights, std::uint32_t columns,
                                                         std::uint32_t rows, const Vec2d& spacing) noexcept;

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  Vec2d spacing() const { return spacing_; }
  Aabb3d bounds() const { return bounds_; }

  Vec3d vertex(std::uint32_t i, std::uint32_t j) const {
    return {i * spacing_.x, j * spacing_.y, heights_[std::size_t{j} * columns_ + i]};
  }
  // Number 2 · (j · (columns - 1) + i) is triangle 0 of cell (i, j), the next its triangle 1
  std::uint32_t triangle_count() const { return 2 * (columns_ - 1) * (rows_ - 1); }
  Triangle<3, double> triangle(std::uint32_t t) const {
    const std::uint32_t cell = t / 2, i = cell % (columns_ - 1), j = cell / (columns_ - 1);
    return t % 2 == 0 ? Triangle<3, double>{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)}
                      : Triangle<3, double>{vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)};
  }
  // The height above (x, y), or NaN outside of the grid
  double height_at(const Vec2d& p) const;

  // visit(t) for every triangle whose box may touch `box`; visit may return false to end the search
  template <class F>
  void for_each_overlap(const Aabb3d& box, F&& visit) const {
    std::uint32_t lo[2], hi[2];
    if (!overlap(box, bounds_) || !cells_of(box, lo, hi)) return;
    for (std::uint32_t bj = lo[1] / kBlock; bj <= hi[1] / kBlock; ++bj)
      for (std::uint32_t bi = lo[0] / kBlock; bi <= hi[0] / kBlock; ++bi) {
        const Range& range = blocks_[std::size_t{bj} * block_columns() + bi];
        if (!(range.lo <= box.hi.z && box.lo.z <= range.hi)) continue;
        const std::uint32_t j_end = std::min(hi[1], bj * kBlock + kBlock - 1);
        const std::uint32_t i_end = std::min(hi[0], bi * kBlock + kBlock - 1);
        for (std::uint32_t j = std::max(lo[1], bj * kBlock); j <= j_end; ++j)
          for (std::uint32_t i = std::max(lo[0], bi * kBlock); i <= i_end; ++i)
            if (!visit_cell(i, j, box, visit)) return;
      }
  }

  // visit(t) for triangles of blocks of cells whose bound(box) is below `best`, the most promising block first; visit
  // lowers `best` as it finds better
  template <class Bound, class F>
  void for_each_nearer(Bound&& bound, double& best, F&& visit) const {
    std::size_t first = 0;
    double least = bound(block_box(0));
    for (std::size_t b = 1; b < blocks_.size(); ++b)
      if (const double value = bound(block_box(b)); value < least) first = b, least = value;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const std::size_t b = k == 0 ? first : k <= first ? k - 1 : k;
      if (!(bound(block_box(b)) < best)) continue;
      const std::uint32_t bi = static_cast<std::uint32_t>(b % block_columns()) * kBlock;
      const std::uint32_t bj = static_cast<std::uint32_t>(b / block_columns()) * kBlock;
      for (std::uint32_t j = bj; j < std::min(bj + kBlock, rows_ - 1); ++j)
        for (std::uint32_t i = bi; i < std::min(bi + kBlock, columns_ - 1); ++i)
          for (std::uint32_t t = 2 * (j * (columns_ - 1) + i), end = t + 2; t < end; ++t)
            if (bound(triangle_box(t)) < best) visit(t);
    }
  }

  HeightField(const HeightField&) = delete;
  HeightField& operator=(const HeightField&) = delete;

 private:
  static constexpr std::uint32_t kBlock = 8;  // cells along the side of a block

  struct Range {
    double lo, hi;
  };

  HeightField() = default;
  std::uint32_t block_columns() const { return (columns_ - 1 + kBlock - 1) / kBlock; }
  Aabb3d block_box(std::size_t b) const {
    const std::uint32_t bi = static_cast<std::uint32_t>(b % block_columns()) * kBlock;
    const std::uint32_t bj = static_cast<std::uint32_t>(b / block_columns()) * kBlock;
    const std::uint32_t i = std::min(bi + kBlock, columns_ - 1), j = std::min(bj + kBlock, rows_ - 1);
    return {{bi * spacing_.x, bj * spacing_.y, blocks_[b].lo}, {i * spacing_.x, j * spacing_.y, blocks_[b].hi}};
  }
  Aabb3d triangle_box(std::uint32_t t) const {
    const Triangle<3, double> x = triangle(t);
    return {min(x.a, min(x.b, x.c)), max(x.a, max(x.b, x.c))};
  }
  // The cells that a box touches, borders included; false when it touches none
  bool cells_of(const Aabb3d& box, std::uint32_t (&lo)[2], std::uint32_t (&hi)[2]) const;

  template <class F>
  bool visit_cell(std::uint32_t i, std::uint32_t j, const Aabb3d& box, F& visit) const {
    const double a = vertex(i, j).z, b = vertex(i + 1, j).z, c = vertex(i + 1, j + 1).z, d = vertex(i, j + 1).z;
    const std::uint32_t t = 2 * (j * (columns_ - 1) + i);
    for (std::uint32_t k = 0; k < 2; ++k) {
      const double side = k == 0 ? b : d;
      if (!(std::min({a, c, side}) <= box.hi.z && box.lo.z <= std::max({a, c, side}))) continue;
      if constexpr (std::is_same_v<decltype(visit(t)), bool>) {
        if (!visit(t + k)) return false;
      } else {
        visit(t + k);
      }
    }
    return true;
  }

  std::vector<double> heights_;
  std::vector<Range> blocks_;
  std::uint32_t columns_ = 0, rows_ = 0;
  Vec2d spacing_{};
  Aabb3d bounds_{};
};

SUDAR_API Result<Shape3> make_height_field3(std::span<const double> heights, std::uint32_t columns, std::uint32_t rows,
                                            const Vec2d& spacing) noexcept;

}  // namespace sudar

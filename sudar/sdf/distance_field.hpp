// What:    A signed distance field: distances to a surface on a grid, negative inside, with the answers that are read from
//          it: value, gradient, closest point, one by one or in batches.
// Source:  Frisken, Perry, Rockwood, Jones, "Adaptively Sampled Distance Fields", 2000; Museth, "VDB: High-Resolution
//          Sparse Volumes with Dynamic Topology", 2013 (narrow band, bricks); seed B12.
// Differs: Dense and sparse fields are one type: a table of bricks, of which a sparse field keeps those that come within
//          the band of the surface. The others are known to lie outside or inside, and no more is claimed of them.
// Frame:   The field's own, metres. Samples are floats: distances to 2^-24 of themselves.
//          At a sample with |value| < band the value is the distance. Other samples are ±band, of the right sign: the
//          distance is at least that. Between samples, values are interpolated along the axes; as distances change no
//          faster than places, an answer that is `in_band` is within interpolation_error() of the truth, at worst.
//          Beyond the band, |distance| - interpolation_error() is a lower bound of the distance, with the right sign. So it
//          is outside of the grid when the field covers its surface: then all of that is outside of the body, and values
//          grow with the way from the grid. When it does not, they shrink to zero with it, where nothing is known any more,
//          and sign and gradient are those of the nearest place of the grid.
//          Where the surface has holes (closed() is false), values jump from one side of the mouth to the other. What lies
//          between two such samples is not in_band.
// Fails:   a place that is NaN or infinite has the distance NaN, and is refused by batches. Every other place has a distance,
//          up to the largest double.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>
#include <sudar/sdf/field_grid.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sudar {

template <int D>
struct FieldSample {
  double distance = 0;        // negative inside
  Vec<D, double> gradient{};  // of the interpolated values: points away from the body, of about unit length in the band
  bool in_band = false;       // all corners of the cell are distances, not bounds
};

// What is known of a field besides its values
struct FieldFacts {
  bool covers = false;  // the surface lies inside of the grid, so that all outside of the grid is outside of the body
  bool exact_outside = true;  // values in the band are distances, not only bounds: positive ones,
  bool exact_inside = true;   // negative ones
  bool closed = true;         // the sign changes at the surface only, not in the mouth of a hole
};

template <int D>
struct ClosestOnField {
  Vec<D, double> point{};  // where the interpolated values are zero, nearly
  double distance = 0;     // of the place that was asked for
  bool found = false;      // false when the way to the surface leaves the band
};

template <int D>
class SUDAR_API DistanceField {
 public:
  // In the table of bricks, the two kinds of brick that are not stored
  static constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max(), kInside = kOutside - 1;

  const FieldGrid<D>& grid() const { return grid_; }
  double band() const { return band_; }
  std::size_t stored_bricks() const { return values_.size() / kBrickSamples<D>; }
  bool dense() const { return stored_bricks() == table_.size(); }
  const FieldFacts& facts() const { return facts_; }
  bool covers_surface() const { return facts_.covers; }
  // Values are distances, not only bounds of them. False after operations that keep bounds only (field_csg.hpp), inside of
  // meshes with parts that overlap, and for surfaces with holes.
  bool exact() const { return facts_.exact_outside && facts_.exact_inside; }
  bool closed() const { return facts_.closed; }
  double interpolation_error() const { return grid_.cell * std::sqrt(static_cast<double>(D)) / 2; }

  // The stored samples of a brick, the first axis fastest; none when it is not stored
  std::span<const float> brick(std::size_t number) const {
    const std::uint32_t at = table_[number];
    if (at >= kInside) return {};
    return {values_.data() + std::size_t{at} * kBrickSamples<D>, kBrickSamples<D>};
  }
  bool brick_inside(std::size_t number) const { return table_[number] == kInside; }
  // At a sample of the grid
  double at(const GridIndex<D>& index) const;

  FieldSample<D> sample(const Vec<D, double>& p) const;
  // The value alone, in less time
  double distance(const Vec<D, double>& p) const;
  // Down or up the gradient until the value vanishes, no farther away than the value and the error allow. Where values have
  // no slope (the middle of a ball), none is found.
  ClosestOnField<D> closest(const Vec<D, double>& p) const;

  // Errors: invalid_argument when the spans have different sizes, non_finite with the place
  Result<void> sample(std::span<const Vec<D, double>> places, std::span<FieldSample<D>> out,
                      Executor& executor = default_executor()) const noexcept;
  Result<void> distances(std::span<const Vec<D, double>> places, std::span<double> out,
                         Executor& executor = default_executor()) const noexcept;

  // Trusts its arguments; those who build fields check. Values of stored bricks lie in the order of the table's numbers.
  DistanceField(const FieldGrid<D>& grid, double band, std::vector<std::uint32_t> table, std::vector<float> values,
                const FieldFacts& facts)
      : grid_(grid),
        inverse_cell_(1 / grid.cell),
        band_(band),
        bricks_(grid.bricks()),
        table_(std::move(table)),
        values_(std::move(values)),
        facts_(facts) {}
  // The same values, of which something else is known
  DistanceField(DistanceField&& other, const FieldFacts& facts) : DistanceField(std::move(other)) { facts_ = facts; }

 private:
  std::size_t number_of(const GridIndex<D>& brick) const {
    std::size_t number = 0;
    for (std::size_t k = D; k-- > 0;) number = number * bricks_[k] + brick[k];
    return number;
  }
  struct Cell;
  Cell cell_at(const Vec<D, double>& p) const;
  FieldSample<D> sample_inside(const Vec<D, double>& p) const;

  FieldGrid<D> grid_;
  double inverse_cell_, band_;
  GridIndex<D> bricks_;
  std::vector<std::uint32_t> table_;
  std::vector<float> values_;
  FieldFacts facts_;
};
using DistanceField2 = DistanceField<2>;
using DistanceField3 = DistanceField<3>;

extern template class SUDAR_API DistanceField<2>;
extern template class SUDAR_API DistanceField<3>;

}  // namespace sudar

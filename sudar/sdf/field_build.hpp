// What:    The loop that every builder of fields shares: all bricks over the threads, and the stored ones put in order.
// Differs: Bricks are cut into blocks by their number alone and joined in that order, so a field is the same, bit for bit,
//          for every number of threads.
// Fails:   too_large when more than kMaxStoredBricks bricks would be kept: at once where the band alone is wide enough for
//          that, and never with more than these in memory. bad_alloc leaves through the door's guard.
#pragma once

#include <sudar/sdf/distance_field.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace sudar {

enum class FieldSign : std::uint8_t {
  winding,  // inside is where the surface winds around more than half: surfaces with holes and overlaps have an inside
  parity,   // inside is where a ray crosses the surface an odd number of times; closed surfaces only
  none,     // distances without sign
};

struct FieldOptions {
  // How far from the surface values are distances, metres. Zero: three cells. At least the diagonal of a cell. Infinite:
  // everywhere, which makes a dense field.
  double band = 0;
  bool dense = false;  // keep all bricks, those beyond the band as well
  FieldSign sign = FieldSign::winding;
  Executor* executor = nullptr;  // default_executor() when null
};

inline constexpr std::size_t kMaxStoredBricks = std::size_t{1} << 22;

// What a builder says of a brick: all of it is farther than the band, or look at the values
enum class BrickKind : std::uint8_t { outside, inside, stored };

// The band in metres. Errors: those of check_grid, non_finite (NaN), invalid_argument (too narrow)
template <int D>
Result<double> checked_band(const FieldGrid<D>& grid, const FieldOptions& options) {
  if (const auto r = check_grid(grid); !r) return r.error();
  if (std::isnan(options.band)) return Error{ErrorCode::non_finite, Error::kNoElement, "the band is NaN"};
  const double band = options.band == 0 ? 3 * grid.cell : options.band;
  if (!(band >= kLeastBand<D> * grid.cell))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the band is narrower than the diagonal of a cell"};
  return band;
}

// Distances change no faster than places: when the first sample of a brick is nearer to the surface than the band, by
// `left`, bricks that begin in a cube around it are stored, too. At least how many are
template <int D>
std::size_t bricks_around(const FieldGrid<D>& grid, const GridIndex<D>& brick, double left) {
  const double half = left / (std::sqrt(static_cast<double>(D)) * grid.cell * kBrickCells) * (1 - kFieldStored);
  if (!(half > 0)) return 0;
  std::size_t count = 1;
  for (std::size_t k = 0; k < D; ++k) {
    const std::uint32_t below = brick[k], above = grid.bricks()[k] - 1 - brick[k];
    const auto part = [&](std::uint32_t n) { return half < n ? static_cast<std::size_t>(half) : n; };
    count *= part(below) + 1 + part(above);
  }
  return count;
}

// fill(brick, values) puts signed distances, or what is beyond ±band, into values and says what kind of brick it is
template <int D, class F>
Result<DistanceField<D>> build_field(const FieldGrid<D>& grid, double band, const FieldOptions& options,
                                     const FieldFacts& facts, F&& fill, std::size_t most = kMaxStoredBricks) {
  constexpr std::size_t kGrain = 16, kSamples = kBrickSamples<D>;
  using Field = DistanceField<D>;
  Executor& executor = options.executor != nullptr ? *options.executor : default_executor();
  const std::size_t count = grid.brick_count();
  const bool dense = options.dense || std::isinf(band);
  if (dense && count > most) return Error{ErrorCode::too_large, Error::kNoElement, "too many cells"};
  const Error too_wide{ErrorCode::too_large, Error::kNoElement, "too many cells in the band"};
  if (count > most) {
    GridIndex<D> middle = grid.bricks();
    for (std::uint32_t& i : middle) i /= 2;
    double values[kSamples];
    if (fill(middle, values) == BrickKind::stored && bricks_around<D>(grid, middle, band - std::fabs(values[0])) > most)
      return too_wide;
  }

  // Each block keeps its own stored bricks
  std::vector<std::uint32_t> table(count, Field::kOutside);
  std::vector<std::vector<float>> blocks((count + kGrain - 1) / kGrain);
  const float limit = static_cast<float>(band);
  std::atomic<std::size_t> stored{0};
  parallel_for(executor, count, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<float>& kept = blocks[begin / kGrain];
    double values[kSamples];
    for (std::size_t b = begin; b < end; ++b) {
      if (stored.load(std::memory_order_relaxed) > most) return;
      const BrickKind kind = fill(grid.brick_at(b), values);
      if (kind != BrickKind::stored && !dense) {
        table[b] = kind == BrickKind::inside ? Field::kInside : Field::kOutside;
        continue;
      }
      if (stored.fetch_add(1, std::memory_order_relaxed) >= most) return;
      const std::size_t at = kept.size();
      table[b] = static_cast<std::uint32_t>(at / kSamples);
      kept.resize(at + kSamples);
      for (std::size_t i = 0; i < kSamples; ++i)
        kept[at + i] = kind == BrickKind::stored   ? std::clamp(static_cast<float>(values[i]), -limit, limit)
                       : kind == BrickKind::inside ? -limit
                                                   : limit;
    }
  });
  if (stored.load(std::memory_order_relaxed) > most) return too_wide;

  // In order
  std::size_t total = 0;
  std::vector<std::uint32_t> first(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    first[i] = static_cast<std::uint32_t>(total);
    total += blocks[i].size() / kSamples;
  }
  std::vector<float> values(total * kSamples);
  parallel_for(executor, blocks.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::copy(blocks[i].begin(), blocks[i].end(), values.begin() + static_cast<std::ptrdiff_t>(first[i] * kSamples));
      for (std::size_t b = i * kGrain; b < std::min(count, (i + 1) * kGrain); ++b)
        if (table[b] < Field::kInside) table[b] += first[i];
    }
  });
  return Field(grid, static_cast<double>(limit), std::move(table), std::move(values), facts);
}

}  // namespace sudar

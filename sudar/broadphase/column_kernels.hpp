// What:    The inner loops of `columns`: coordinates to fixed point, and the test of one entry against a run of others.
// Differs: An entry's extent across the columns is four 16-bit numbers in one 64-bit word, so that one saturating
//          subtraction and one comparison with zero decide a lane. Kernels are compiled for every instruction set
//          through Highway and chosen at run time; the plain twins say the same in scalar code.
// Frame:   lanes(e) = lo0, lo1, ~hi0, ~hi1 (16 bits each, from the lowest). With q = wanted(e) two entries overlap
// across
//          the columns exactly when every lane of one is at most the same lane of the other's q.
#pragma once

#include <sudar/core/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sudar::inline SUDAR_ABI {

// A monotone map of coordinates to whole numbers: clamp((x / 2 - half_base) * scale, 0, top). The halving keeps the
// difference of any two floats finite.
struct FixedPoint {
  float half_base = 0, scale = 0, top = 0;
};

// The lanes that an entry must not exceed to overlap `e`
constexpr std::uint64_t wanted_lanes(std::uint64_t e) { return ~std::rotl(e, 32); }

// Arrays of lanes must be readable this far past their end; arrays of hits writable
inline constexpr std::size_t kSweepPad = 16;

struct SweepProgress {
  std::size_t next;   // first query not yet done
  std::size_t found;  // hits written
};

// One run of queries against runs of targets: query i against [from[i], to[i]), or (i, to[i]) of its own array when
// `from` is null. Stops before a query that might not fit into `capacity`, which must be at least the longest run.
struct SweepRun {
  const std::uint64_t* queries;
  const std::uint32_t* from;
  const std::uint32_t* to;
  std::size_t begin, end;
  const std::uint64_t* targets;
  std::uint32_t* hit_query;
  std::uint32_t* hit_target;
  std::size_t capacity;
};

void quantise(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) noexcept;
void quantise_plain(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) noexcept;
SweepProgress sweep_lanes(const SweepRun& run) noexcept;
SweepProgress sweep_lanes_plain(const SweepRun& run) noexcept;

}  // namespace sudar::inline SUDAR_ABI

// What:    The two sorts of the broad phases: rows by a float, and pairs by (lo, hi).
// Source:  Herf, "Radix tricks", 2001 (the order of floats as integers).
// Differs: Pairs are dealt into one bucket per smaller id, and each bucket is sorted by comparison: buckets are short in
//          every scene that a broad phase helps with. With several threads they are dealt into slices of ids first, and
//          each slice is sorted by itself.
#pragma once

#include <sudar/core/pair_set.hpp>
#include <sudar/core/parallel.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// What one pass of a radix sort looks at
inline constexpr int kDigitBits = 11;
inline constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// Integers in the order of the floats (-0 just before +0); no NaN
constexpr std::uint32_t ordered_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

struct KeyedRow {
  std::uint32_t key, row;
};

// Stable; `scratch` is grown and kept
SUDAR_API void sort_rows(std::vector<KeyedRow>& rows, std::vector<KeyedRow>& scratch);

struct PairSortScratch {
  std::vector<IdPair> pairs;
  std::vector<std::uint32_t> starts;

  std::size_t bytes() const noexcept {
    return pairs.capacity() * sizeof(IdPair) + starts.capacity() * sizeof(std::uint32_t);
  }
};

// All ids are below id_limit
SUDAR_API void sort_pairs(std::span<IdPair> pairs, std::size_t id_limit, PairSortScratch& scratch,
                          Executor& executor = serial_executor());

}  // namespace sudar

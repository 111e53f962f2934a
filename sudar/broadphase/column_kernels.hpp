// What:    The inner loops of `columns`: boxes to entries in fixed point, and runs of entries against each other.
// Differs: All comparisons of an entry are between 16-bit numbers packed into words, so that a saturating subtraction
//          and a comparison with zero decide several at once. Kernels are compiled for every instruction set through
//          Highway and chosen at run time; the plain twins say the same in scalar code, and give the same bits.
// Frame:   A word holds lower ends and then complements of upper ends, each in 16 bits from the lowest on: lo, ~hi along
//          the sweep; lo0, lo1, ~hi0, ~hi1 across. With q = wanted(e) two entries overlap exactly when every number of
//          one is at most the same number of the other's q; where all are less, the boxes themselves overlap too, and
//          where some are equal (a tie) the boxes must be asked. No place is 0xffff or its complement.
#pragma once

#include <sudar/core/config.hpp>
#include <sudar/core/pair_set.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sudar {

// A monotone map of coordinates to whole numbers: clamp((x / 2 - half_base) * scale, 0, top). The halving keeps the
// difference of any two floats finite.
struct FixedPoint {
  float half_base = 0, scale = 0, top = 0;
};

// Places inside of a column: 0 means that the box began before it
inline constexpr int kColumnBits = 15;
inline constexpr std::uint32_t kColumnMask = (1u << kColumnBits) - 1;
inline constexpr std::uint32_t kBegan = 1;                 // the first place of a column, and along the sweep
inline constexpr std::uint32_t kGoesOn = kColumnMask + 2;  // of an end behind the column
inline constexpr float kAlongTop = 65533;                  // of the map along the sweep; places are one higher

// 16 bytes: a box in one column
struct ColumnEntry {
  std::uint32_t id;
  std::uint32_t along;   // lo | ~hi << 16
  std::uint32_t begins;  // lo0 | lo1 << 16
  std::uint32_t ends;    // ~hi0 | ~hi1 << 16

  constexpr std::uint64_t across() const { return begins | std::uint64_t{ends} << 32; }
};

constexpr std::uint32_t pack16(std::uint32_t low, std::uint32_t high) { return low | high << 16; }
constexpr std::uint32_t complement16(std::uint32_t place) { return 0xffff - place; }
// What an entry must not exceed to overlap `e`
constexpr std::uint64_t wanted_across(std::uint64_t e) { return ~std::rotl(e, 32); }
constexpr std::uint32_t wanted_along(std::uint32_t e) { return ~std::rotl(e, 16); }

// Of two entries that overlap: is there no tie across, so that only the sweep can be in doubt?
constexpr bool surely_across(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t e = a + 0x0001000100010001u, q = wanted_across(b);
  bool all = true;
  for (unsigned shift = 0; shift < 64; shift += 16) all &= (e >> shift & 0xffff) <= (q >> shift & 0xffff);
  return all;
}

// Boxes to be placed: the ends on the swept axis and on each axis across (the second is null in 2D)
struct PlacedBoxes {
  const float* along[2];
  const float* across[2][2];  // axis; lo, hi
  const std::uint32_t* ids;
  std::size_t count;
};
struct PlaceMaps {
  FixedPoint along, across[2];
  std::uint32_t columns1;     // number of columns along the second axis across
  std::uint32_t most_copies;  // a box that touches more columns is a giant and goes to column `aside`
  std::uint32_t aside;
};
// Where they are written: for each box its entry in the first column that it touches, that column, and its ends across
// in fixed point; then the numbers of those that touch more columns, giants among them. `many` must have room for
// count + 16.
struct PlacedEntries {
  ColumnEntry* entries;
  std::uint32_t* column;
  std::uint32_t* across[2][2];
  std::uint32_t* many;
};
// The number of boxes in `many`
std::size_t place_boxes(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) noexcept;
std::size_t place_boxes_plain(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) noexcept;

// Arrays of a sorted column must be readable this far past their end; lists of hits writable
inline constexpr std::size_t kSweepPad = 16;

struct SweepArrays {
  const std::uint64_t* across;
  const std::uint32_t* along;
  const std::uint32_t* ids;
};
// A run of queries against runs of targets: query i against [from[i], to[i]), or (i, to[i]) of its own array when `from`
// is null. Stops before a query that might not fit into `capacity`, so at `begin` when that one alone is longer. Pairs
// that do not tie are written as they are; ties, or all that were found when `doubt` is set, as numbers of entries.
struct SweepRun {
  SweepArrays queries, targets;
  const std::uint32_t* from;
  const std::uint32_t* to;
  std::size_t begin, end;
  bool doubt;
  IdPair* pairs;
  std::uint32_t* tie_query;
  std::uint32_t* tie_target;
  std::size_t capacity;
};
struct SweepProgress {
  std::size_t next;         // first query not yet done
  std::size_t pairs, ties;  // written
};
SweepProgress sweep_run(const SweepRun& run) noexcept;
SweepProgress sweep_run_plain(const SweepRun& run) noexcept;

}  // namespace sudar

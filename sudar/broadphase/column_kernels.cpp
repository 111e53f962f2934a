#include <sudar/broadphase/column_kernels.hpp>

#include <algorithm>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/column_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#ifndef SUDAR_COLUMN_PACK_TABLE
#define SUDAR_COLUMN_PACK_TABLE
namespace sudar::columns_simd {
// Byte k of row b is the position of the k-th bit of b. A table of our own, because the compress instructions to memory
// are slow on some processors and their emulation on others.
struct PackTable {
  std::uint64_t row[256]{};
  constexpr PackTable() {
    for (unsigned bits = 0; bits < 256; ++bits)
      for (unsigned k = 0, n = 0; k < 8; ++k)
        if ((bits >> k & 1) != 0) row[bits] |= std::uint64_t{k} << 8 * n++;
  }
};
inline constexpr PackTable kPack;
}  // namespace sudar::columns_simd
#endif

HWY_BEFORE_NAMESPACE();
namespace sudar::columns_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t PlaceBoxes(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) {
  return place_boxes_plain(boxes, maps, out);
}
SweepProgress SweepColumns(const SweepRun& run) { return sweep_run_plain(run); }

#else

template <class Tag, class TagF = hn::RebindToFloat<Tag>>
HWY_INLINE hn::Vec<Tag> ToFixed(Tag d, const FixedPoint& map, const float* values) {
  const TagF df;
  const auto x = hn::Mul(hn::Sub(hn::Mul(hn::LoadU(df, values), hn::Set(df, 0.5f)), hn::Set(df, map.half_base)),
                         hn::Set(df, map.scale));
  const auto clamped = hn::Min(hn::Max(x, hn::Zero(df)), hn::Set(df, map.top));
  return hn::BitCast(d, hn::ConvertTo(hn::RebindToSigned<TagF>(), clamped));
}

template <bool kTwo>
std::size_t PlaceSome(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) {
  const hn::CappedTag<std::uint32_t, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto began = hn::Set(d, kBegan), mask = hn::Set(d, kColumnMask), full = hn::Set(d, 0xffffu);
  const auto ends_later = hn::Set(d, complement16(kGoesOn));
  std::size_t many = 0, i = 0;
  for (; i + lanes <= boxes.count; i += lanes) {
    const auto along_lo = hn::Add(ToFixed(d, maps.along, boxes.along[0] + i), began);
    const auto along_hi = hn::Add(ToFixed(d, maps.along, boxes.along[1] + i), began);
    const auto along = hn::Or(along_lo, hn::ShiftLeft<16>(hn::Xor(along_hi, full)));

    const auto lo0 = ToFixed(d, maps.across[0], boxes.across[0][0] + i);
    const auto hi0 = ToFixed(d, maps.across[0], boxes.across[0][1] + i);
    const auto first0 = hn::ShiftRight<kColumnBits>(lo0);
    const auto more0 = hn::Sub(hn::ShiftRight<kColumnBits>(hi0), first0);
    auto begins = hn::Add(hn::And(lo0, mask), began);
    auto ends =
        hn::IfThenElse(hn::Eq(more0, hn::Zero(d)), hn::Xor(hn::Add(hn::And(hi0, mask), began), full), ends_later);
    auto column = first0, more = more0, copies = hn::Add(more0, hn::Set(d, 1u));
    hn::StoreU(lo0, d, out.across[0][0] + i);
    hn::StoreU(hi0, d, out.across[0][1] + i);
    if constexpr (kTwo) {
      const auto lo1 = ToFixed(d, maps.across[1], boxes.across[1][0] + i);
      const auto hi1 = ToFixed(d, maps.across[1], boxes.across[1][1] + i);
      const auto first1 = hn::ShiftRight<kColumnBits>(lo1);
      const auto more1 = hn::Sub(hn::ShiftRight<kColumnBits>(hi1), first1);
      begins = hn::Or(begins, hn::ShiftLeft<16>(hn::Add(hn::And(lo1, mask), began)));
      ends =
          hn::Or(ends, hn::ShiftLeft<16>(hn::IfThenElse(
                           hn::Eq(more1, hn::Zero(d)), hn::Xor(hn::Add(hn::And(hi1, mask), began), full), ends_later)));
      column = hn::Add(hn::Mul(column, hn::Set(d, maps.columns1)), first1);
      more = hn::Or(more, more1);
      copies = hn::Mul(copies, hn::Add(more1, hn::Set(d, 1u)));
      hn::StoreU(lo1, d, out.across[1][0] + i);
      hn::StoreU(hi1, d, out.across[1][1] + i);
    } else {
      begins = hn::Or(begins, hn::Set(d, kBegan << 16));
      ends = hn::Or(ends, hn::ShiftLeft<16>(ends_later));
    }
    const hn::RebindToSigned<decltype(d)> di;
    const auto giant = hn::MaskFromVec(hn::BitCast(
        d, hn::VecFromMask(di,
                           hn::Gt(hn::BitCast(di, copies), hn::Set(di, static_cast<std::int32_t>(maps.most_copies))))));
    hn::StoreU(hn::IfThenElse(giant, hn::Set(d, maps.aside), column), d, out.column + i);
    hn::StoreInterleaved4(hn::LoadU(d, boxes.ids + i), along, begins, ends, d,
                          reinterpret_cast<std::uint32_t*>(out.entries + i));
    const auto touches = hn::Ne(more, hn::Zero(d));
    hn::StoreU(hn::Compress(hn::Iota(d, static_cast<std::uint32_t>(i)), touches), d, out.many + many);
    many += hn::CountTrue(d, touches);
  }
  // The rest through the plain twin
  PlacedBoxes rest = boxes;
  PlacedEntries to = out;
  for (int end = 0; end < 2; ++end) {
    rest.along[end] += i;
    for (int axis = 0; axis < (kTwo ? 2 : 1); ++axis) {
      rest.across[axis][end] += i;
      to.across[axis][end] += i;
    }
  }
  rest.ids += i;
  rest.count -= i;
  to.entries += i;
  to.column += i;
  to.many += many;
  const std::size_t more = place_boxes_plain(rest, maps, to);
  for (std::size_t k = 0; k < more; ++k) to.many[k] += static_cast<std::uint32_t>(i);
  return many + more;
}

std::size_t PlaceBoxes(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) {
  return boxes.across[1][0] != nullptr ? PlaceSome<true>(boxes, maps, out) : PlaceSome<false>(boxes, maps, out);
}

// Candidates of one query that overlap it across the columns, as many as there are lanes: query, bits << 32, and the
// place of the first of them in the run of the query << 40
constexpr std::uint64_t Survivors(std::size_t query, std::uint32_t bits, std::size_t place) {
  return query | std::uint64_t{bits} << 32 | std::uint64_t{place} << 40;
}
constexpr std::size_t kFirstLook = 16;  // candidates that are looked at without asking how many there are
constexpr std::size_t kLongRun = 64;    // more than this are not worth a list
constexpr std::size_t kMostSurvivors = 512;

template <bool kDoubt>
SweepProgress SweepSome(const SweepRun& run) {
  const hn::CappedTag<std::uint64_t, 8> d64;
  const hn::Repartition<std::uint16_t, decltype(d64)> d16;
  const hn::Rebind<std::uint32_t, decltype(d64)> d32;
  const hn::Repartition<std::uint16_t, decltype(d32)> h16;
  const std::size_t lanes = hn::Lanes(d64);
  const std::uint32_t all_lanes = (1u << lanes) - 1;
  // One in the two numbers that say where an entry begins: nothing is left when any of the two begins in the column
  const auto begins = hn::BitCast(d16, hn::Set(d64, std::uint64_t{0x00010001}));
  const auto one = hn::Set(d16, std::uint16_t{1});
  const auto half_one = hn::Set(h16, std::uint16_t{1});
  const auto bytes_up = hn::ShiftLeft<3>(hn::Iota(d64, std::uint64_t{0}));
  std::size_t found = 0, ties = 0, i = run.begin;

  const auto look = [&](hn::Vec<decltype(d16)> q, std::size_t j) HWY_ATTR {
    const auto e = hn::BitCast(d16, hn::LoadU(d64, run.targets.across + j));
    std::uint8_t bytes[8];
    hn::StoreMaskBits(d64, hn::Eq(hn::BitCast(d64, hn::SaturatedSub(e, q)), hn::Zero(d64)), bytes);
    return std::uint32_t{bytes[0]} & all_lanes;
  };
  // The whole test. The pairs that are sure are packed to the front.
  const auto test = [&](std::size_t query, std::size_t j, std::uint32_t bits) HWY_ATTR {
    const std::uint64_t across = run.queries.across[query];
    const auto q = hn::BitCast(d16, hn::Set(d64, wanted_across(across)));
    const auto q_along = hn::BitCast(h16, hn::Set(d32, wanted_along(run.queries.along[query])));
    const auto e = hn::BitCast(d16, hn::LoadU(d64, run.targets.across + j));
    const auto along = hn::BitCast(h16, hn::LoadU(d32, run.targets.along + j));
    const auto foreign = hn::BitCast(d64, hn::SaturatedSub(begins, hn::Or(e, hn::BitCast(d16, hn::Set(d64, across)))));
    const auto apart = hn::BitCast(d32, hn::SaturatedSub(along, q_along));
    std::uint8_t bytes[8], bytes_along[8];
    hn::StoreMaskBits(d64, hn::Eq(foreign, hn::Zero(d64)), bytes);
    hn::StoreMaskBits(d32, hn::Eq(apart, hn::Zero(d32)), bytes_along);
    bits &= bytes[0] & bytes_along[0];
    std::uint32_t sure = 0;
    if constexpr (!kDoubt) {
      const auto near = hn::BitCast(d64, hn::SaturatedSub(hn::Add(e, one), q));
      const auto near_along = hn::BitCast(d32, hn::SaturatedSub(hn::Add(along, half_one), q_along));
      hn::StoreMaskBits(d64, hn::Eq(near, hn::Zero(d64)), bytes);
      hn::StoreMaskBits(d32, hn::Eq(near_along, hn::Zero(d32)), bytes_along);
      sure = bits & bytes[0] & bytes_along[0];
      const auto id = hn::Set(d32, run.queries.ids[query]), other = hn::LoadU(d32, run.targets.ids + j);
      const auto pair =
          hn::Or(hn::PromoteTo(d64, hn::Min(id, other)), hn::ShiftLeft<32>(hn::PromoteTo(d64, hn::Max(id, other))));
      const auto order = hn::And(hn::Shr(hn::Set(d64, kPack.row[sure]), bytes_up), hn::Set(d64, std::uint64_t{7}));
      hn::StoreU(hn::TableLookupLanes(pair, hn::IndicesFromVec(d64, order)), d64,
                 reinterpret_cast<std::uint64_t*>(run.pairs + found));
      found += static_cast<std::size_t>(hwy::PopCount(std::uint64_t{sure}));
    }
    for (std::uint32_t doubtful = bits & ~sure; HWY_UNLIKELY(doubtful != 0); doubtful &= doubtful - 1) {
      run.tie_query[ties] = static_cast<std::uint32_t>(query);
      run.tie_target[ties++] = static_cast<std::uint32_t>(j + hwy::Num0BitsBelowLS1Bit_Nonzero32(doubtful));
    }
  };

  std::uint64_t list[kMostSurvivors + kLongRun];
  while (i < run.end) {
    // A quick look at many queries, without a branch on what is found
    std::size_t listed = 0, pending = 0;
    bool is_long = false;
    for (; i < run.end && listed < kMostSurvivors; ++i) {
      const std::size_t first = run.from != nullptr ? run.from[i] : i + 1;
      const std::size_t last = run.to[i];
      const std::size_t length = last > first ? last - first : 0;
      is_long = length > kLongRun;
      if (HWY_UNLIKELY(is_long || std::max(found, ties) + pending + length > run.capacity)) break;
      pending += length;
      const auto q = hn::BitCast(d16, hn::Set(d64, wanted_across(run.queries.across[i])));
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < kFirstLook; k += lanes) bits |= look(q, first + k) << k;
      bits &= (1u << std::min(length, kFirstLook)) - 1;
      for (std::size_t k = 0; k < kFirstLook; k += lanes) {
        const std::uint32_t some = bits >> k & all_lanes;
        list[listed] = Survivors(i, some, k);
        listed += some != 0 ? 1 : 0;
      }
      for (std::size_t k = kFirstLook; HWY_UNLIKELY(k < length); k += lanes) {
        const std::uint32_t some = look(q, first + k) & ((1u << std::min(length - k, lanes)) - 1);
        list[listed] = Survivors(i, some, k);
        listed += some != 0 ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < listed; ++k) {
      const std::size_t query = list[k] & 0xffffffffu;
      test(query, (run.from != nullptr ? run.from[query] : query + 1) + (list[k] >> 40), list[k] >> 32 & 255u);
    }
    if (i == run.end || listed >= kMostSurvivors) continue;

    // The query that stopped the list: a long one, or one for which there may be no room
    const std::size_t first = run.from != nullptr ? run.from[i] : i + 1;
    const std::size_t last = run.to[i];
    if (std::max(found, ties) + (last > first ? last - first : 0) > run.capacity) break;
    if (!is_long) continue;
    const auto q = hn::BitCast(d16, hn::Set(d64, wanted_across(run.queries.across[i])));
    for (std::size_t j = first; j < last; j += lanes) {
      const std::uint32_t bits = look(q, j) & ((1u << std::min(last - j, lanes)) - 1);
      if (bits != 0) test(i, j, bits);
    }
    ++i;
  }
  return {i, found, ties};
}

SweepProgress SweepColumns(const SweepRun& run) { return run.doubt ? SweepSome<true>(run) : SweepSome<false>(run); }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::columns_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

namespace {

std::uint32_t to_fixed(const FixedPoint& map, float value) {
  const float x = (value * 0.5f - map.half_base) * map.scale;
  return static_cast<std::uint32_t>(std::min(std::max(x, 0.0f), map.top));
}

// Is every 16-bit number of e at most that of q?
template <class Word>
bool within(Word e, Word q) {
  bool all = true;
  for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 16) all &= (e >> shift & 0xffff) <= (q >> shift & 0xffff);
  return all;
}

}  // namespace

std::size_t place_boxes_plain(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) noexcept {
  std::size_t many = 0;
  const bool two = boxes.across[1][0] != nullptr;
  for (std::size_t i = 0; i < boxes.count; ++i) {
    std::uint32_t begin[2] = {kBegan, kBegan}, end[2] = {kGoesOn, kGoesOn}, more[2] = {0, 0}, first[2] = {0, 0};
    for (int axis = 0; axis < (two ? 2 : 1); ++axis) {
      const std::uint32_t lo = out.across[axis][0][i] = to_fixed(maps.across[axis], boxes.across[axis][0][i]);
      const std::uint32_t hi = out.across[axis][1][i] = to_fixed(maps.across[axis], boxes.across[axis][1][i]);
      first[axis] = lo >> kColumnBits;
      more[axis] = (hi >> kColumnBits) - first[axis];
      begin[axis] = (lo & kColumnMask) + kBegan;
      if (more[axis] == 0) end[axis] = (hi & kColumnMask) + kBegan;
    }
    const std::uint32_t along_lo = to_fixed(maps.along, boxes.along[0][i]) + kBegan;
    const std::uint32_t along_hi = to_fixed(maps.along, boxes.along[1][i]) + kBegan;
    out.entries[i] = {boxes.ids[i], pack16(along_lo, complement16(along_hi)), pack16(begin[0], begin[1]),
                      pack16(complement16(end[0]), complement16(end[1]))};
    out.column[i] =
        (more[0] + 1) * (more[1] + 1) > maps.most_copies ? maps.aside : first[0] * (two ? maps.columns1 : 1) + first[1];
    out.many[many] = static_cast<std::uint32_t>(i);
    many += (more[0] | more[1]) != 0 ? 1 : 0;
  }
  return many;
}

SweepProgress sweep_run_plain(const SweepRun& run) noexcept {
  std::size_t found = 0, ties = 0, i = run.begin;
  for (; i < run.end; ++i) {
    const std::size_t first = run.from != nullptr ? run.from[i] : i + 1;
    const std::size_t last = run.to[i];
    if (last > first && std::max(found, ties) + (last - first) > run.capacity) break;
    const std::uint64_t mine = run.queries.across[i], q = wanted_across(mine);
    const std::uint32_t q_along = wanted_along(run.queries.along[i]);
    for (std::size_t j = first; j < last; ++j) {
      const std::uint64_t e = run.targets.across[j];
      const std::uint32_t along = run.targets.along[j];
      // At least one of the two begins in this column on each axis
      const bool own = ((e | mine) & 0xffff) != 0 && ((e | mine) & 0xffff0000u) != 0;
      if (!own || !within(e, q) || !within(along, q_along)) continue;
      if (!run.doubt && within(e + 0x0001000100010001u, q) && within(along + 0x00010001u, q_along)) {
        run.pairs[found++] = make_pair_of(run.queries.ids[i], run.targets.ids[j]);
      } else {
        run.tie_query[ties] = static_cast<std::uint32_t>(i);
        run.tie_target[ties++] = static_cast<std::uint32_t>(j);
      }
    }
  }
  return {i, found, ties};
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace columns_simd {
HWY_EXPORT(PlaceBoxes);
HWY_EXPORT(SweepColumns);
}  // namespace columns_simd

std::size_t place_boxes(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) noexcept {
  using namespace columns_simd;
  return HWY_DYNAMIC_DISPATCH(PlaceBoxes)(boxes, maps, out);
}

SweepProgress sweep_run(const SweepRun& run) noexcept {
  using namespace columns_simd;
  return HWY_DYNAMIC_DISPATCH(SweepColumns)(run);
}

#else

std::size_t place_boxes(const PlacedBoxes& boxes, const PlaceMaps& maps, const PlacedEntries& out) noexcept {
  return place_boxes_plain(boxes, maps, out);
}

SweepProgress sweep_run(const SweepRun& run) noexcept { return sweep_run_plain(run); }

#endif

}  // namespace sudar

#endif

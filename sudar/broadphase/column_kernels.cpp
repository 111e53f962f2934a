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

#ifndef SUDAR_COLUMN_COMPRESS_TABLE
#define SUDAR_COLUMN_COMPRESS_TABLE
namespace sudar::inline SUDAR_ABI::columns_simd {
// Row b holds the positions of the bits of b. A table of our own, because the compress instructions to memory are slow
// on some processors and their emulation on others.
struct CompressTable {
  std::uint8_t row[256][8]{};
  constexpr CompressTable() {
    for (int bits = 0; bits < 256; ++bits) {
      int n = 0;
      for (int k = 0; k < 8; ++k)
        if ((bits >> k & 1) != 0) row[bits][n++] = static_cast<std::uint8_t>(k);
    }
  }
};
inline constexpr CompressTable kCompress;
}  // namespace sudar::inline SUDAR_ABI::columns_simd
#endif

HWY_BEFORE_NAMESPACE();
namespace sudar::inline SUDAR_ABI::columns_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Quantise(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto half = hn::Set(d, 0.5f), base = hn::Set(d, map.half_base), scale = hn::Set(d, map.scale);
  const auto top = hn::Set(d, map.top), zero = hn::Zero(d);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::Mul(hn::Sub(hn::Mul(hn::LoadU(d, values + i), half), base), scale);
    hn::StoreU(hn::ConvertTo(di, hn::Min(hn::Max(x, zero), top)), di, out + i);
  }
  quantise_plain(values + i, count - i, map, out + i);
}

#if HWY_TARGET == HWY_SCALAR

SweepProgress SweepLanes(const SweepRun& run) { return sweep_lanes_plain(run); }

#else

SweepProgress SweepLanes(const SweepRun& run) {
  const hn::CappedTag<std::uint64_t, 8> d64;
  const hn::Repartition<std::uint16_t, decltype(d64)> d16;
  const hn::CappedTag<std::uint32_t, 8> d32;
  const hn::Rebind<std::uint8_t, decltype(d32)> d8;
  const std::size_t lanes64 = hn::Lanes(d64), lanes32 = hn::Lanes(d32);
  const auto zero = hn::Zero(d64);
  std::size_t found = 0, i = run.begin;
  for (; i < run.end; ++i) {
    const std::size_t first = run.from != nullptr ? run.from[i] : i + 1;
    const std::size_t last = run.to[i];
    if (last > first && found + (last - first) > run.capacity) break;
    const auto q = hn::BitCast(d16, hn::Set(d64, wanted_lanes(run.queries[i])));
    const auto query = hn::Set(d32, static_cast<std::uint32_t>(i));

    // Eight candidates: their bits, then their numbers packed to the front
    const auto test8 = [&](std::size_t j) HWY_ATTR {
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < 8; k += lanes64) {
        const auto e = hn::BitCast(d16, hn::LoadU(d64, run.targets + j + k));
        std::uint8_t mask[8];
        hn::StoreMaskBits(d64, hn::Eq(hn::BitCast(d64, hn::SaturatedSub(e, q)), zero), mask);
        bits |= static_cast<std::uint32_t>(mask[0]) << k;
      }
      const std::size_t left = last > j ? last - j : 0;
      bits &= left >= 8 ? 255u : (1u << left) - 1;
      const auto base = hn::Set(d32, static_cast<std::uint32_t>(j));
      for (std::size_t k = 0; k < 8; k += lanes32) {
        const auto offset = hn::PromoteTo(d32, hn::LoadU(d8, kCompress.row[bits] + k));
        hn::StoreU(hn::Add(offset, base), d32, run.hit_target + found + k);
        hn::StoreU(query, d32, run.hit_query + found + k);
      }
      found += static_cast<std::size_t>(hwy::PopCount(bits));
    };
    // Runs are short as a rule: the first sixteen are done without asking how many there are
    test8(first);
    test8(first + 8);
    for (std::size_t j = first + 16; HWY_UNLIKELY(j < last); j += 8) test8(j);
  }
  return {i, found};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::inline SUDAR_ABI::columns_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar::inline SUDAR_ABI {

void quantise_plain(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = (values[i] * 0.5f - map.half_base) * map.scale;
    out[i] = static_cast<std::int32_t>(std::min(std::max(x, 0.0f), map.top));
  }
}

SweepProgress sweep_lanes_plain(const SweepRun& run) noexcept {
  std::size_t found = 0, i = run.begin;
  for (; i < run.end; ++i) {
    const std::size_t first = run.from != nullptr ? run.from[i] : i + 1;
    const std::size_t last = run.to[i];
    if (last > first && found + (last - first) > run.capacity) break;
    const std::uint64_t q = wanted_lanes(run.queries[i]);
    for (std::size_t j = first; j < last; ++j) {
      const std::uint64_t e = run.targets[j];
      bool within = true;
      for (int lane = 0; lane < 64; lane += 16) within &= (e >> lane & 0xffff) <= (q >> lane & 0xffff);
      run.hit_query[found] = static_cast<std::uint32_t>(i);
      run.hit_target[found] = static_cast<std::uint32_t>(j);
      found += within ? 1 : 0;
    }
  }
  return {i, found};
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace columns_simd {
HWY_EXPORT(Quantise);
HWY_EXPORT(SweepLanes);
}  // namespace columns_simd

void quantise(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) noexcept {
  using namespace columns_simd;
  HWY_DYNAMIC_DISPATCH(Quantise)(values, count, map, out);
}

SweepProgress sweep_lanes(const SweepRun& run) noexcept {
  using namespace columns_simd;
  return HWY_DYNAMIC_DISPATCH(SweepLanes)(run);
}

#else

void quantise(const float* values, std::size_t count, const FixedPoint& map, std::int32_t* out) noexcept {
  quantise_plain(values, count, map, out);
}

SweepProgress sweep_lanes(const SweepRun& run) noexcept { return sweep_lanes_plain(run); }

#endif

}  // namespace sudar::inline SUDAR_ABI

#endif

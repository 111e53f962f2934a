#include <sudar/broadphase/cast_kernels.hpp>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/cast_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::cast_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || !HWY_HAVE_FLOAT64

std::uint32_t CastAtBlock(const CastLanes& cast, double limit, const float* block, int width, double* keys) {
  return cast_at_block_plain(cast, limit, block, width, keys);
}

#else

template <int D, std::size_t W>
std::uint32_t CastAt(const CastLanes& cast, double limit, const float* block, double* keys) {
  const hn::CappedTag<double, W> d;
  const hn::Rebind<float, decltype(d)> half;
  const std::size_t lanes = hn::Lanes(d);
  const auto none = hn::Set(d, kNoHit), zero = hn::Zero(d);
  std::uint32_t bits = 0;
  for (std::size_t first = 0; first < W; first += lanes) {
    auto enter = zero, leave = hn::Set(d, limit);
    auto apart = hn::Lt(zero, zero);
    for (std::size_t k = 0; k < D; ++k) {
      const float* at = block + 2 * W * k + first;
      const auto lo = hn::Sub(hn::PromoteTo(d, hn::LoadU(half, at)), hn::Set(d, cast.hi[k]));
      const auto hi = hn::Sub(hn::PromoteTo(d, hn::LoadU(half, at + W)), hn::Set(d, cast.lo[k]));
      if (cast.direction[k] == 0) {
        apart = hn::Or(apart, hn::Or(hn::Gt(lo, zero), hn::Lt(hi, zero)));
        continue;
      }
      const auto direction = hn::Set(d, cast.direction[k]);
      const auto near = hn::Div(cast.direction[k] > 0 ? lo : hi, direction);
      const auto far = hn::Div(cast.direction[k] > 0 ? hi : lo, direction);
      enter = hn::IfThenElse(hn::Gt(near, enter), near, enter);
      leave = hn::IfThenElse(hn::Lt(far, leave), far, leave);
    }
    const auto hit = hn::AndNot(apart, hn::Le(enter, leave));
    hn::StoreU(hn::IfThenElse(hit, enter, none), d, keys + first);
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hit, mask);
    bits |= static_cast<std::uint32_t>(mask[0]) << first;
  }
  return bits;
}

std::uint32_t CastAtBlock(const CastLanes& cast, double limit, const float* block, int width, double* keys) {
  if (cast.dim == 2) {
    if (width == 2) return CastAt<2, 2>(cast, limit, block, keys);
    if (width == 4) return CastAt<2, 4>(cast, limit, block, keys);
    return CastAt<2, 8>(cast, limit, block, keys);
  }
  if (width == 2) return CastAt<3, 2>(cast, limit, block, keys);
  if (width == 4) return CastAt<3, 4>(cast, limit, block, keys);
  return CastAt<3, 8>(cast, limit, block, keys);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::cast_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

std::uint32_t cast_at_block_plain(const CastLanes& cast, double limit, const float* block, int width,
                                  double* keys) noexcept {
  std::uint32_t bits = 0;
  for (int lane = 0; lane < width; ++lane) {
    double enter = 0, leave = limit;
    bool apart = false;
    for (int k = 0; k < cast.dim; ++k) {
      const float* at = block + 2 * width * k + lane;
      const double lo = at[0] - cast.hi[k], hi = at[width] - cast.lo[k];
      if (cast.direction[k] == 0) {
        apart |= (lo > 0) | (hi < 0);
        continue;
      }
      const double near = (cast.direction[k] > 0 ? lo : hi) / cast.direction[k];
      const double far = (cast.direction[k] > 0 ? hi : lo) / cast.direction[k];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    const bool hit = !apart && enter <= leave;
    keys[lane] = hit ? enter : kNoHit;
    bits |= static_cast<std::uint32_t>(hit) << lane;
  }
  return bits;
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace cast_simd {
HWY_EXPORT(CastAtBlock);
}  // namespace cast_simd

std::uint32_t cast_at_block(const CastLanes& cast, double limit, const float* block, int width, double* keys) noexcept {
  using namespace cast_simd;
  return HWY_DYNAMIC_DISPATCH(CastAtBlock)(cast, limit, block, width, keys);
}

#else

std::uint32_t cast_at_block(const CastLanes& cast, double limit, const float* block, int width, double* keys) noexcept {
  return cast_at_block_plain(cast, limit, block, width, keys);
}

#endif

}  // namespace sudar

#endif

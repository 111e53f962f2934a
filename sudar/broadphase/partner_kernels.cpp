#include <sudar/broadphase/partner_kernels.hpp>
#include <sudar/broadphase/tree_build.hpp>

#include <algorithm>
#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/partner_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::partner_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int D>
void ChoosePartners(const BoxColumns<D>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                    std::uint32_t reach, std::uint32_t* partners) {
  const hn::CappedTag<float, 8> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const auto numbers = hn::Iota(du, 0);
  const auto largest = hn::Set(d, std::numeric_limits<float>::max()), none = hn::Inf(d);
  const auto no_key = hn::Set(du, std::numeric_limits<std::uint32_t>::max());
  const auto thin = hn::Set(d, static_cast<float>(kThinShare));
  for (std::uint32_t i = begin; i < end; ++i) {
    const auto lo0 = hn::Set(d, boxes[0][i]), hi0 = hn::Set(d, boxes[D][i]);
    const auto lo1 = hn::Set(d, boxes[1][i]), hi1 = hn::Set(d, boxes[D + 1][i]);
    const auto lo2 = hn::Set(d, boxes[D - 1][i]), hi2 = hn::Set(d, boxes[2 * D - 1][i]);
    const auto place = hn::Set(du, i);
    auto best = none;
    auto best_key = no_key;
    // Keys are the bits in which the places differ, which also say which partner it was
    const auto look = [&](std::uint32_t from, std::uint32_t to) HWY_ATTR {
      for (std::uint32_t j = from; j < to; j += lanes) {
        const auto x = hn::Sub(hn::Max(hn::LoadU(d, boxes[D] + j), hi0), hn::Min(hn::LoadU(d, boxes[0] + j), lo0));
        const auto y = hn::Sub(hn::Max(hn::LoadU(d, boxes[D + 1] + j), hi1), hn::Min(hn::LoadU(d, boxes[1] + j), lo1));
        auto cost = hn::Add(x, y);
        if constexpr (D == 3) {
          const auto z = hn::Sub(hn::Max(hn::LoadU(d, boxes[5] + j), hi2), hn::Min(hn::LoadU(d, boxes[2] + j), lo2));
          const auto sum = hn::Add(cost, z);
          cost = hn::Add(hn::Add(hn::Mul(x, y), hn::Mul(z, cost)), hn::Mul(thin, hn::Mul(sum, sum)));
        }
        cost = hn::IfThenElse(hn::Lt(cost, largest), cost, largest);
        const auto other = hn::Add(hn::Set(du, j), numbers);
        cost = hn::IfThenElse(hn::RebindMask(d, hn::Lt(other, hn::Set(du, to))), cost, none);
        const auto key = hn::Xor(other, place);
        const auto closer = hn::And(hn::Eq(cost, best), hn::RebindMask(d, hn::Lt(key, best_key)));
        const auto better = hn::Or(hn::Lt(cost, best), closer);
        best = hn::IfThenElse(better, cost, best);
        best_key = hn::IfThenElse(hn::RebindMask(du, better), key, best_key);
      }
    };
    look(i - std::min(i, reach), i);
    look(i + 1, std::min(count, i + reach + 1));
    const auto least = hn::MinOfLanes(d, best);
    const auto keys = hn::IfThenElse(hn::RebindMask(du, hn::Eq(best, least)), best_key, no_key);
    partners[i] = i ^ hn::GetLane(hn::MinOfLanes(du, keys));
  }
}

// A table of functions cannot hold templates
void ChoosePartners2(const BoxColumns<2>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                     std::uint32_t reach, std::uint32_t* partners) {
  ChoosePartners<2>(boxes, begin, end, count, reach, partners);
}
void ChoosePartners3(const BoxColumns<3>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                     std::uint32_t reach, std::uint32_t* partners) {
  ChoosePartners<3>(boxes, begin, end, count, reach, partners);
}

}  // namespace HWY_NAMESPACE
}  // namespace sudar::partner_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

template <int D>
void choose_partners_plain(const BoxColumns<D>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                           std::uint32_t reach, std::uint32_t* partners) noexcept {
  for (std::uint32_t i = begin; i < end; ++i) {
    float best = std::numeric_limits<float>::infinity();
    std::uint32_t best_key = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t j = i - std::min(i, reach); j < std::min(count, i + reach + 1); ++j) {
      if (j == i) continue;
      float extent[3] = {};
      for (std::size_t k = 0; k < D; ++k)
        extent[k] = std::max(boxes[D + k][j], boxes[D + k][i]) - std::min(boxes[k][j], boxes[k][i]);
      float cost = extent[0] + extent[1];
      if constexpr (D == 3) {
        const float sum = cost + extent[2];
        cost = extent[0] * extent[1] + extent[2] * cost + static_cast<float>(kThinShare) * (sum * sum);
      }
      if (!(cost < std::numeric_limits<float>::max())) cost = std::numeric_limits<float>::max();
      if (!(cost < best || (cost == best && (i ^ j) < best_key))) continue;
      best = cost;
      best_key = i ^ j;
    }
    partners[i] = i ^ best_key;
  }
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace partner_simd {
HWY_EXPORT(ChoosePartners2);
HWY_EXPORT(ChoosePartners3);
}  // namespace partner_simd

template <>
void choose_partners<2>(const BoxColumns<2>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                        std::uint32_t reach, std::uint32_t* partners) noexcept {
  using namespace partner_simd;
  HWY_DYNAMIC_DISPATCH(ChoosePartners2)(boxes, begin, end, count, reach, partners);
}
template <>
void choose_partners<3>(const BoxColumns<3>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                        std::uint32_t reach, std::uint32_t* partners) noexcept {
  using namespace partner_simd;
  HWY_DYNAMIC_DISPATCH(ChoosePartners3)(boxes, begin, end, count, reach, partners);
}

#else

template <int D>
void choose_partners(const BoxColumns<D>& boxes, std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                     std::uint32_t reach, std::uint32_t* partners) noexcept {
  choose_partners_plain<D>(boxes, begin, end, count, reach, partners);
}
template void choose_partners<2>(const BoxColumns<2>&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                 std::uint32_t*) noexcept;
template void choose_partners<3>(const BoxColumns<3>&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                 std::uint32_t*) noexcept;

#endif

template void choose_partners_plain<2>(const BoxColumns<2>&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                       std::uint32_t*) noexcept;
template void choose_partners_plain<3>(const BoxColumns<3>&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                       std::uint32_t*) noexcept;

}  // namespace sudar

#endif

#include <sudar/broadphase/split_kernels.hpp>

#include <cstring>
#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/split_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::split_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <int D>
ItemBounds<D> MeasureItems(const TreeItem<D>* items, std::size_t count) {
  return measure_items_plain<D>(items, count);
}
template <int D>
std::uint32_t ChooseSplit(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) {
  return choose_split_plain<D>(items, count, bins);
}

#else

struct VectorFour {
  using Tag = hn::FixedTag<float, 4>;
  using V = hn::Vec<Tag>;
  static HWY_INLINE V set(float x) { return hn::Set(Tag(), x); }
  static HWY_INLINE V load(const float* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE void store(V v, float* to) { hn::StoreU(v, Tag(), to); }
  static HWY_INLINE V swap_halves(V v) { return hn::Shuffle1032(v); }
  static HWY_INLINE V min(V a, V b) { return hn::Min(a, b); }
  static HWY_INLINE V max(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
};

#include <sudar/broadphase/split_kernels-inl.hpp>

template <int D>
ItemBounds<D> MeasureItems(const TreeItem<D>* items, std::size_t count) {
  return Measure<D, VectorFour>(items, count);
}
template <int D>
std::uint32_t ChooseSplit(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) {
  return Choose<D, VectorFour>(items, count, bins);
}

#endif

// A table of functions cannot hold templates
ItemBounds<2> MeasureItems2(const TreeItem<2>* items, std::size_t count) { return MeasureItems<2>(items, count); }
ItemBounds<3> MeasureItems3(const TreeItem<3>* items, std::size_t count) { return MeasureItems<3>(items, count); }
std::uint32_t ChooseSplit2(const TreeItem<2>* items, std::size_t count, const SplitBins<2>& bins) {
  return ChooseSplit<2>(items, count, bins);
}
std::uint32_t ChooseSplit3(const TreeItem<3>* items, std::size_t count, const SplitBins<3>& bins) {
  return ChooseSplit<3>(items, count, bins);
}

}  // namespace HWY_NAMESPACE
}  // namespace sudar::split_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

namespace split_plain {

struct PlainFour {
  struct V {
    float at[4];
  };
  template <class F>
  static V each(F&& f) {
    return {{f(0), f(1), f(2), f(3)}};
  }
  static V set(float x) { return {{x, x, x, x}}; }
  // The lanes past an item's last axis are read from the item itself, so only bytes of it are looked at
  static V load(const float* from) {
    V v;
    std::memcpy(v.at, from, sizeof v.at);
    return v;
  }
  static void store(V v, float* to) { std::memcpy(to, v.at, sizeof v.at); }
  static V swap_halves(V v) { return {{v.at[2], v.at[3], v.at[0], v.at[1]}}; }
  static V min(V a, V b) {
    return each([&](int i) { return a.at[i] < b.at[i] ? a.at[i] : b.at[i]; });
  }
  static V max(V a, V b) {
    return each([&](int i) { return a.at[i] > b.at[i] ? a.at[i] : b.at[i]; });
  }
  static V add(V a, V b) {
    return each([&](int i) { return a.at[i] + b.at[i]; });
  }
  static V sub(V a, V b) {
    return each([&](int i) { return a.at[i] - b.at[i]; });
  }
  static V mul(V a, V b) {
    return each([&](int i) { return a.at[i] * b.at[i]; });
  }
};

#include <sudar/broadphase/split_kernels-inl.hpp>

}  // namespace split_plain

template <int D>
SplitBins<D>::SplitBins(const Aabb<D, float>& centres, std::uint32_t bins) : count(bins) {
  // Halved, so that nothing overflows
  float widest = -1;
  for (int k = 0; k < D; ++k) {
    const float extent = centres.hi[k] * 0.5f - centres.lo[k] * 0.5f;
    if (!(extent > widest)) continue;
    widest = extent;
    axis = k;
  }
  // What is too narrow for a finite scale has no bins
  const float per_length = widest > 0 ? 0.5f * static_cast<float>(bins) / widest : 0;
  lo = centres.lo[axis];
  scale = per_length <= std::numeric_limits<float>::max() ? per_length : 0;
}

template <int D>
ItemBounds<D> measure_items_plain(const TreeItem<D>* items, std::size_t count) noexcept {
  return split_plain::Measure<D, split_plain::PlainFour>(items, count);
}
template <int D>
std::uint32_t choose_split_plain(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) noexcept {
  return split_plain::Choose<D, split_plain::PlainFour>(items, count, bins);
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace split_simd {
HWY_EXPORT(MeasureItems2);
HWY_EXPORT(MeasureItems3);
HWY_EXPORT(ChooseSplit2);
HWY_EXPORT(ChooseSplit3);
}  // namespace split_simd

template <>
ItemBounds<2> measure_items<2>(const TreeItem<2>* items, std::size_t count) noexcept {
  using namespace split_simd;
  return HWY_DYNAMIC_DISPATCH(MeasureItems2)(items, count);
}
template <>
ItemBounds<3> measure_items<3>(const TreeItem<3>* items, std::size_t count) noexcept {
  using namespace split_simd;
  return HWY_DYNAMIC_DISPATCH(MeasureItems3)(items, count);
}
template <>
std::uint32_t choose_split<2>(const TreeItem<2>* items, std::size_t count, const SplitBins<2>& bins) noexcept {
  using namespace split_simd;
  return HWY_DYNAMIC_DISPATCH(ChooseSplit2)(items, count, bins);
}
template <>
std::uint32_t choose_split<3>(const TreeItem<3>* items, std::size_t count, const SplitBins<3>& bins) noexcept {
  using namespace split_simd;
  return HWY_DYNAMIC_DISPATCH(ChooseSplit3)(items, count, bins);
}

#else

template <int D>
ItemBounds<D> measure_items(const TreeItem<D>* items, std::size_t count) noexcept {
  return measure_items_plain(items, count);
}
template <int D>
std::uint32_t choose_split(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) noexcept {
  return choose_split_plain(items, count, bins);
}
template ItemBounds<2> measure_items<2>(const TreeItem<2>*, std::size_t) noexcept;
template ItemBounds<3> measure_items<3>(const TreeItem<3>*, std::size_t) noexcept;
template std::uint32_t choose_split<2>(const TreeItem<2>*, std::size_t, const SplitBins<2>&) noexcept;
template std::uint32_t choose_split<3>(const TreeItem<3>*, std::size_t, const SplitBins<3>&) noexcept;

#endif

template struct SplitBins<2>;
template struct SplitBins<3>;
template ItemBounds<2> measure_items_plain<2>(const TreeItem<2>*, std::size_t) noexcept;
template ItemBounds<3> measure_items_plain<3>(const TreeItem<3>*, std::size_t) noexcept;
template std::uint32_t choose_split_plain<2>(const TreeItem<2>*, std::size_t, const SplitBins<2>&) noexcept;
template std::uint32_t choose_split_plain<3>(const TreeItem<3>*, std::size_t, const SplitBins<3>&) noexcept;

}  // namespace sudar

#endif

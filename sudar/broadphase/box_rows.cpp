#include <sudar/broadphase/box_rows.hpp>

#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/box_rows.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::rows_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <int D>
bool RowsAreBoxes(const float* rows, std::size_t count) {
  return rows_are_boxes_plain<D>(rows, count);
}
template <int D>
void DealRows(const float* rows, std::size_t count, const WritableColumns<D>& columns) {
  deal_rows_plain<D>(rows, count, columns);
}

#else

// As many rows as there are lanes, as 2 D vectors of one number each
template <int D, class Tag, class F>
HWY_INLINE void Transpose(Tag d, const float* rows, F&& use) {
  hn::Vec<Tag> a0, a1, a2;
  if constexpr (D == 2) {
    hn::Vec<Tag> a3;
    hn::LoadInterleaved4(d, rows, a0, a1, a2, a3);
    use(0, a0, a2);
    use(1, a1, a3);
  } else {
    // A row is two triples, so that lo and hi take turns in what a load by threes gives
    hn::Vec<Tag> b0, b1, b2;
    hn::LoadInterleaved3(d, rows, a0, a1, a2);
    hn::LoadInterleaved3(d, rows + 3 * hn::Lanes(d), b0, b1, b2);
    use(0, hn::ConcatEven(d, b0, a0), hn::ConcatOdd(d, b0, a0));
    use(1, hn::ConcatEven(d, b1, a1), hn::ConcatOdd(d, b1, a1));
    use(2, hn::ConcatEven(d, b2, a2), hn::ConcatOdd(d, b2, a2));
  }
}

template <int D>
bool RowsAreBoxes(const float* rows, std::size_t count) {
  const hn::CappedTag<float, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto most = hn::Set(d, std::numeric_limits<float>::max());
  const auto least = hn::Neg(most);
  auto good = hn::Eq(most, most);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    Transpose<D>(d, rows + i * 2 * D, [&](int, auto lo, auto hi) HWY_ATTR {
      good = hn::And(good, hn::And(hn::Le(lo, hi), hn::And(hn::Le(least, lo), hn::Le(hi, most))));
    });
  return hn::AllTrue(d, good) && rows_are_boxes_plain<D>(rows + i * 2 * D, count - i);
}

template <int D>
void DealRows(const float* rows, std::size_t count, const WritableColumns<D>& columns) {
  const hn::CappedTag<float, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    Transpose<D>(d, rows + i * 2 * D, [&](int axis, auto lo, auto hi) HWY_ATTR {
      hn::StoreU(lo, d, columns[static_cast<std::size_t>(axis)] + i);
      hn::StoreU(hi, d, columns[static_cast<std::size_t>(D + axis)] + i);
    });
  WritableColumns<D> rest = columns;
  for (float*& column : rest) column += i;
  deal_rows_plain<D>(rows + i * 2 * D, count - i, rest);
}

#endif

bool RowsAreBoxes2(const float* rows, std::size_t count) { return RowsAreBoxes<2>(rows, count); }
bool RowsAreBoxes3(const float* rows, std::size_t count) { return RowsAreBoxes<3>(rows, count); }
void DealRows2(const float* rows, std::size_t count, const WritableColumns<2>& to) { DealRows<2>(rows, count, to); }
void DealRows3(const float* rows, std::size_t count, const WritableColumns<3>& to) { DealRows<3>(rows, count, to); }

}  // namespace HWY_NAMESPACE
}  // namespace sudar::rows_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

template <int D>
bool rows_are_boxes_plain(const float* rows, std::size_t count) noexcept {
  constexpr float kMost = std::numeric_limits<float>::max();
  bool good = true;
  for (std::size_t i = 0; i < count; ++i, rows += 2 * D)
    for (int k = 0; k < D; ++k) good &= (rows[k] <= rows[D + k]) & (-kMost <= rows[k]) & (rows[D + k] <= kMost);
  return good;
}

template <int D>
void deal_rows_plain(const float* rows, std::size_t count, const WritableColumns<D>& columns) noexcept {
  for (std::size_t i = 0; i < count; ++i, rows += 2 * D)
    for (std::size_t k = 0; k < 2 * D; ++k) columns[k][i] = rows[k];
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace rows_simd {
HWY_EXPORT(RowsAreBoxes2);
HWY_EXPORT(RowsAreBoxes3);
HWY_EXPORT(DealRows2);
HWY_EXPORT(DealRows3);
}  // namespace rows_simd

template <int D>
bool rows_are_boxes(const float* rows, std::size_t count) noexcept {
  using namespace rows_simd;
  return D == 2 ? HWY_DYNAMIC_DISPATCH(RowsAreBoxes2)(rows, count) : HWY_DYNAMIC_DISPATCH(RowsAreBoxes3)(rows, count);
}

template <int D>
void deal_rows(const float* rows, std::size_t count, const WritableColumns<D>& columns) noexcept {
  using namespace rows_simd;
  if constexpr (D == 2)
    HWY_DYNAMIC_DISPATCH(DealRows2)(rows, count, columns);
  else
    HWY_DYNAMIC_DISPATCH(DealRows3)(rows, count, columns);
}

#else

template <int D>
bool rows_are_boxes(const float* rows, std::size_t count) noexcept {
  return rows_are_boxes_plain<D>(rows, count);
}
template <int D>
void deal_rows(const float* rows, std::size_t count, const WritableColumns<D>& columns) noexcept {
  deal_rows_plain<D>(rows, count, columns);
}

#endif

template bool rows_are_boxes_plain<2>(const float*, std::size_t) noexcept;
template bool rows_are_boxes_plain<3>(const float*, std::size_t) noexcept;
template void deal_rows_plain<2>(const float*, std::size_t, const WritableColumns<2>&) noexcept;
template void deal_rows_plain<3>(const float*, std::size_t, const WritableColumns<3>&) noexcept;
template bool rows_are_boxes<2>(const float*, std::size_t) noexcept;
template bool rows_are_boxes<3>(const float*, std::size_t) noexcept;
template void deal_rows<2>(const float*, std::size_t, const WritableColumns<2>&) noexcept;
template void deal_rows<3>(const float*, std::size_t, const WritableColumns<3>&) noexcept;

}  // namespace sudar

#endif

#include "lab/pair_check.hpp"

#include <algorithm>
#include <chrono>

namespace sudar::lab {

namespace {

using CheckClock = std::chrono::steady_clock;
double ms_since(CheckClock::time_point start) {
  return std::chrono::duration<double, std::milli>(CheckClock::now() - start).count();
}

constexpr std::uint64_t kPairsABox = 16;  // pairs that are looked at for each box that is
constexpr double kMostBudget = 10;        // ms that are saved up
constexpr std::uint64_t kMostBoxes = 64;  // of a step that is only sampled

template <int D>
bool rows_overlap(const BoxStore<D>& store, std::uint32_t a, std::uint32_t b) {
  for (int k = 0; k < D; ++k)
    if (!(store.lo(k)[a] <= store.hi(k)[b] && store.lo(k)[b] <= store.hi(k)[a])) return false;
  return true;
}

}  // namespace

// Partners of a row among all others, or among those behind it, that are not among the pairs
template <int D>
std::uint64_t PairCheck<D>::missing_of(const BoxStore<D>& store, std::span<const IdPair> pairs, std::uint32_t row,
                                       bool later_only, std::uint64_t& found) const {
  constexpr std::uint32_t kBlock = 256;
  const Aabb<D, float> box = store.box(row);
  const auto count = static_cast<std::uint32_t>(store.size());
  std::uint64_t missing = 0;
  std::array<std::uint8_t, kBlock> hit;
  for (std::uint32_t begin = later_only ? row + 1 : 0; begin < count; begin += kBlock) {
    const std::uint32_t n = std::min(kBlock, count - begin);
    // One axis after the other without a branch, which the compiler turns into SIMD
    for (int k = 0; k < D; ++k) {
      const float* lo = store.lo(k).data() + begin;
      const float* hi = store.hi(k).data() + begin;
      const float my_lo = box.lo[k], my_hi = box.hi[k];
      if (k == 0)
        for (std::uint32_t i = 0; i < n; ++i) hit[i] = static_cast<std::uint8_t>((lo[i] <= my_hi) & (my_lo <= hi[i]));
      else
        for (std::uint32_t i = 0; i < n; ++i) hit[i] &= static_cast<std::uint8_t>((lo[i] <= my_hi) & (my_lo <= hi[i]));
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t other = begin + i;
      if (hit[i] == 0 || other == row || !store.rows_may_pair(row, other)) continue;
      ++found;
      const IdPair pair = make_pair_of(store.ids()[row], store.ids()[other]);
      missing += std::binary_search(pairs.begin(), pairs.end(), pair) ? 0 : 1;
    }
  }
  return missing;
}

template <int D>
void PairCheck<D>::look(const BoxStore<D>& store, std::span<const IdPair> pairs, std::uint64_t step, double step_ms,
                        double share) {
  const bool whole = store.size() <= kSmall;
  budget_ms_ = std::min(budget_ms_ + share * step_ms, kMostBudget);
  if (!whole && budget_ms_ < 0) return;
  const auto start = CheckClock::now();
  const bool was_good = verdict_.good();
  verdict_.whole = whole;
  verdict_.last_boxes = 0;
  std::uint64_t found = 0;
  if (verdict_.whole) {
    for (std::uint32_t row = 0; row < store.size(); ++row)
      verdict_.missing += missing_of(store, pairs, row, true, found);
    verdict_.last_boxes = store.size();
    verdict_.pairs_checked += pairs.size();
    // Each once and none too many: then the two counts agree
    std::uint64_t extra = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::uint32_t a = store.row_of(pairs[i].lo), b = store.row_of(pairs[i].hi);
      const bool there = a < store.size() && b < store.size();
      if (!there || !rows_overlap(store, a, b) || !store.rows_may_pair(a, b) || (i > 0 && !(pairs[i - 1] < pairs[i])))
        ++extra;
    }
    verdict_.extra += extra;
  } else {
    do {
      const auto row = static_cast<std::uint32_t>(random_.below(store.size()));
      verdict_.missing += missing_of(store, pairs, row, false, found);
      ++verdict_.last_boxes;
      for (std::uint64_t n = 0; n < kPairsABox && !pairs.empty(); ++n) {
        const std::size_t i = random_.below(pairs.size());
        const std::uint32_t a = store.row_of(pairs[i].lo), b = store.row_of(pairs[i].hi);
        const bool there = a < store.size() && b < store.size();
        if (!there || !rows_overlap(store, a, b) || !store.rows_may_pair(a, b) || (i > 0 && !(pairs[i - 1] < pairs[i])))
          ++verdict_.extra;
        ++verdict_.pairs_checked;
      }
    } while (verdict_.last_boxes < kMostBoxes && ms_since(start) < budget_ms_);
  }
  verdict_.boxes_checked += verdict_.last_boxes;
  if (was_good && !verdict_.good()) verdict_.first_wrong = step;
  verdict_.ms = ms_since(start);
  budget_ms_ -= verdict_.ms;
}

template <int D>
Badge PairCheck<D>::badge() const {
  if (verdict_.boxes_checked == 0) return {"pairs not checked", Ink::ghost};
  std::string text = std::to_string(verdict_.missing) + " missing, " + std::to_string(verdict_.extra) + " extra";
  if (!verdict_.good()) text += ", first at step " + std::to_string(verdict_.first_wrong);
  text += verdict_.whole ? " (against brute force, every step)"
                         : " (sampled: " + std::to_string(verdict_.last_boxes) + " boxes a look, " +
                               std::to_string(verdict_.boxes_checked) + " so far)";
  return {std::move(text), verdict_.good() ? Ink::good : Ink::bad};
}

template class PairCheck<2>;
template class PairCheck<3>;

}  // namespace sudar::lab

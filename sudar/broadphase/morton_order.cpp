#include <sudar/broadphase/morton_order.hpp>
#include <sudar/math/morton.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace sudar {

namespace {
constexpr std::size_t kMortonGrain = 16384;
constexpr std::size_t kShortCodeRun = 4;  // a run of equal codes up to this long is left as it is
// A level is (kDepths - depth) * kLevelsPerDepth + bits of the difference; below one kLevelsPerDepth, codes are equal
constexpr int kDepths = 64;
constexpr int kLevelsPerDepth = 65;

template <int D, class BoxAt>
Aabb<D, float> bounds_of_centres(std::size_t count, BoxAt&& box_at) {
  Aabb<D, float> all = Aabb<D, float>::empty();
  for (std::size_t i = 0; i < count; ++i) all = merge(all, center(box_at(i)));
  return all;
}
}  // namespace

template <int D>
MortonOrder<D>::Cells::Cells(const Aabb<D, float>& centres, int bits) {
  const double cells = static_cast<double>(std::uint64_t{1} << bits);
  top = cells - 1;
  for (int k = 0; k < D; ++k) {
    const double extent = static_cast<double>(centres.hi[k]) - centres.lo[k];
    lo[k] = centres.lo[k];
    scale[k] = extent > 0 ? cells / extent : 0;
  }
}

// Every step is monotone, so that the cells of an axis are in its order
template <int D>
template <class Code>
Code MortonOrder<D>::Cells::code(const Aabb<D, float>& box) const {
  const Vec<D, float> c = center(box);
  std::array<std::uint32_t, D> cell;
  for (int k = 0; k < D; ++k)
    cell[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(std::min((c[k] - lo[k]) * scale[k], top));
  return morton_encode<D, Code>(cell);
}

template <int D>
void MortonOrder<D>::sort(const BoxRun<D>& boxes, bool long_codes, Executor& executor) {
  const std::size_t count = boxes.size();
  keys_.resize(count);
  levels_.resize(count);
  runs_.clear();
  if (count == 0) return;
  const Cells cells(bounds_of_centres<D>(count, [&](std::size_t i) { return boxes[i]; }),
                    long_codes ? kMortonBits<D, std::uint64_t> : kMortonBits<D, std::uint32_t>);
  if (long_codes) {
    long_keys_.resize(count);
    parallel_for(executor, count, kMortonGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        long_keys_[i] = {cells.template code<std::uint64_t>(boxes[i]), static_cast<std::uint32_t>(i)};
    });
    sort_long_keys();
    for (std::size_t i = 0; i < count; ++i) keys_[i].row = long_keys_[i].row;
    set_levels(0, count, 0, [&](std::size_t i) { return long_keys_[i].code; });
  } else {
    parallel_for(executor, count, kMortonGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        keys_[i] = {cells.template code<std::uint32_t>(boxes[i]), static_cast<std::uint32_t>(i)};
    });
    sort_rows(keys_, key_scratch_);
    set_levels(0, count, 0, [&](std::size_t i) { return keys_[i].key; });
  }
  refine(boxes);
}

template <int D>
void MortonOrder<D>::sort(std::vector<TreeItem<D>>& items, bool long_codes, Executor& executor) {
  sort(BoxRun<D>(items), long_codes, executor);
  scratch_.resize(items.size());
  parallel_for(executor, items.size(), kMortonGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scratch_[i] = items[keys_[i].row];
  });
  items.swap(scratch_);
}

// By 11 bits at a time, as sort_rows does
template <int D>
void MortonOrder<D>::sort_long_keys() {
  const auto by_code = [](const LongKey& a, const LongKey& b) {
    return a.code != b.code ? a.code < b.code : a.row < b.row;
  };
  if (long_keys_.size() < kDigits) return std::sort(long_keys_.begin(), long_keys_.end(), by_code);
  constexpr std::size_t kPasses = 6;
  std::vector<std::array<std::uint32_t, kDigits>> counts(kPasses);
  for (auto& count : counts) count.fill(0);
  for (const LongKey& key : long_keys_)
    for (std::size_t pass = 0; pass < kPasses; ++pass) ++counts[pass][(key.code >> (pass * kDigitBits)) % kDigits];
  long_scratch_.resize(long_keys_.size());
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    auto& count = counts[pass];
    const std::size_t shift = pass * kDigitBits;
    if (count[(long_keys_[0].code >> shift) % kDigits] == long_keys_.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& c : count) sum += std::exchange(c, sum);
    for (const LongKey& key : long_keys_) long_scratch_[count[(key.code >> shift) % kDigits]++] = key;
    long_keys_.swap(long_scratch_);
  }
}

// Levels inside of [begin, end), whose codes are sorted; longer runs of equal codes are left for refine()
template <int D>
template <class CodeAt>
void MortonOrder<D>::set_levels(std::size_t begin, std::size_t end, int depth, CodeAt&& code_at) {
  const int base = (kDepths - depth) * kLevelsPerDepth;
  std::size_t run = begin;
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const auto difference = code_at(i) ^ code_at(i + 1);
    if (difference == 0) {
      // Of equal codes, the numbers of the places make a tree that is balanced
      levels_[i] = static_cast<std::uint16_t>(std::bit_width(i ^ (i + 1)));
      continue;
    }
    levels_[i] = static_cast<std::uint16_t>(base + std::bit_width(difference));
    if (i + 1 - run > kShortCodeRun && depth + 1 < kDepths) runs_.push_back({run, i + 1, depth + 1});
    run = i + 1;
  }
  if (end - run > kShortCodeRun && depth + 1 < kDepths) runs_.push_back({run, end, depth + 1});
}

template <int D>
void MortonOrder<D>::refine(const BoxRun<D>& boxes) {
  while (!runs_.empty()) {
    const Run run = runs_.back();
    runs_.pop_back();
    const std::span<KeyedRow> part(keys_.data() + run.begin, run.end - run.begin);
    const Aabb<D, float> centres = bounds_of_centres<D>(part.size(), [&](std::size_t i) { return boxes[part[i].row]; });
    if (centres.lo == centres.hi) continue;
    const Cells cells(centres, kMortonBits<D, std::uint64_t>);
    long_keys_.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i)
      long_keys_[i] = {cells.template code<std::uint64_t>(boxes[part[i].row]), part[i].row};
    sort_long_keys();
    for (std::size_t i = 0; i < part.size(); ++i) part[i].row = long_keys_[i].row;
    set_levels(run.begin, run.end, run.depth, [&](std::size_t i) { return long_keys_[i - run.begin].code; });
  }
}

template <int D>
std::size_t MortonOrder<D>::bytes() const noexcept {
  return (keys_.capacity() + key_scratch_.capacity()) * sizeof(KeyedRow) +
         (long_keys_.capacity() + long_scratch_.capacity()) * sizeof(LongKey) +
         scratch_.capacity() * sizeof(TreeItem<D>) + levels_.capacity() * sizeof(std::uint16_t) +
         runs_.capacity() * sizeof(Run);
}

template class MortonOrder<2>;
template class MortonOrder<3>;

}  // namespace sudar

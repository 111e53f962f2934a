#include <sudar/broadphase/radix_sort.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace sudar {

namespace {
// Below these, comparison sorts are faster than clearing the histograms
constexpr std::size_t kSmallRows = 512;
constexpr std::size_t kShortBucket = 24;

constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// A crowded answer: buckets as long as this on average are not sorted one by one
constexpr std::size_t kCrowdedBucket = 8;

// Stable, from one place to another, by the id that key() picks
template <class Key>
void deal(std::span<const IdPair> from, IdPair* to, std::size_t id_limit, std::vector<std::uint32_t>& starts, Key key) {
  starts.assign(id_limit + 1, 0);
  for (const IdPair& pair : from) ++starts[key(pair) + 1];
  for (std::size_t i = 1; i <= id_limit; ++i) starts[i] += starts[i - 1];
  for (const IdPair& pair : from) to[starts[key(pair)]++] = pair;
}

void insertion_sort(IdPair* first, IdPair* last) {
  for (IdPair* i = first + 1; i < last; ++i) {
    const IdPair value = *i;
    IdPair* hole = i;
    for (; hole > first && value.hi < hole[-1].hi; --hole) *hole = hole[-1];
    *hole = value;
  }
}
}  // namespace

void sort_rows(std::vector<KeyedRow>& rows, std::vector<KeyedRow>& scratch) {
  if (rows.size() < kSmallRows) {
    std::sort(rows.begin(), rows.end(),
              [](const KeyedRow& a, const KeyedRow& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
    return;
  }
  // Count all three digits in one pass over the keys
  std::array<std::array<std::uint32_t, kDigits>, 3> counts{};
  for (const KeyedRow& r : rows)
    for (int pass = 0; pass < 3; ++pass)
      ++counts[static_cast<std::size_t>(pass)][(r.key >> (pass * kDigitBits)) % kDigits];

  scratch.resize(rows.size());
  for (int pass = 0; pass < 3; ++pass) {
    auto& count = counts[static_cast<std::size_t>(pass)];
    const int shift = pass * kDigitBits;
    // A digit that all keys share changes nothing
    if (count[(rows[0].key >> shift) % kDigits] == rows.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& c : count) sum += std::exchange(c, sum);
    for (const KeyedRow& r : rows) scratch[count[(r.key >> shift) % kDigits]++] = r;
    rows.swap(scratch);
  }
}

void sort_pairs(std::span<IdPair> pairs, std::size_t id_limit, PairSortScratch& scratch) {
  // With few pairs in a large world the buckets would cost more than they save
  if (pairs.size() < id_limit / 16 || pairs.size() < 64 || pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::vector<std::uint32_t>& starts = scratch.starts;
  scratch.pairs.resize(std::max(scratch.pairs.size(), pairs.size()));
  const std::span<IdPair> dealt(scratch.pairs.data(), pairs.size());
  if (pairs.size() / kCrowdedBucket > id_limit) {
    // Least significant first: by the larger id, then by the smaller one
    deal(pairs, dealt.data(), id_limit, starts, [](const IdPair& pair) { return pair.hi; });
    deal(dealt, pairs.data(), id_limit, starts, [](const IdPair& pair) { return pair.lo; });
    return;
  }
  deal(pairs, dealt.data(), id_limit, starts, [](const IdPair& pair) { return pair.lo; });

  // starts[i] is now the end of bucket i
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < id_limit; ++i) {
    IdPair* first = dealt.data() + begin;
    IdPair* last = dealt.data() + starts[i];
    if (last - first > static_cast<std::ptrdiff_t>(kShortBucket))
      std::sort(first, last, [](const IdPair& a, const IdPair& b) { return a.hi < b.hi; });
    else if (last - first > 1)
      insertion_sort(first, last);
    begin = starts[i];
  }
  std::copy(dealt.begin(), dealt.end(), pairs.begin());
}

}  // namespace sudar

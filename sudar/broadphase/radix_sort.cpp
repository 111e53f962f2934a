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

// A crowded answer: buckets as long as this on average are not sorted one by one
constexpr std::size_t kCrowdedBucket = 8;

// On threads
constexpr std::size_t kManyPairs = 1 << 16;  // fewer are sorted by one
constexpr std::size_t kDealBlock = 1 << 14;  // pairs that are dealt together
constexpr std::size_t kSlices = 128, kCrowdedSlices = 16;

// Stable, from one place to another, by the number below id_limit that key() picks; starts[i] becomes the end of i
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

// Buckets that end at `ends`, each by the larger id
void sort_buckets(IdPair* pairs, std::span<const std::uint32_t> ends) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end - begin > kShortBucket)
      std::sort(pairs + begin, pairs + end, [](const IdPair& a, const IdPair& b) { return a.hi < b.hi; });
    else if (end - begin > 1)
      insertion_sort(pairs + begin, pairs + end);
    begin = end;
  }
}

// Slices of smaller ids, in order, each sorted by itself
void sort_slices(std::span<IdPair> pairs, std::size_t id_limit, bool crowded, PairSortScratch& scratch,
                 Executor& executor) {
  // A slice has 2^shift ids, so that finding it is no division
  const auto shift = std::bit_width((id_limit - 1) / (crowded ? kCrowdedSlices : kSlices));
  const std::size_t width = std::size_t{1} << shift, slices = ((id_limit - 1) >> shift) + 1;
  const std::size_t blocks = (pairs.size() + kDealBlock - 1) / kDealBlock;
  // How many of each slice are in each block, then where they go
  std::vector<std::uint32_t>& places = scratch.starts;
  places.assign(slices * blocks, 0);
  parallel_for(executor, pairs.size(), kDealBlock, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const mine = places.data() + begin / kDealBlock * slices;
    for (std::size_t i = begin; i < end; ++i) ++mine[pairs[i].lo >> shift];
  });
  std::vector<std::uint32_t> first(slices + 1);
  std::uint32_t sum = 0;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    first[slice] = sum;
    for (std::size_t block = 0; block < blocks; ++block) sum += std::exchange(places[block * slices + slice], sum);
  }
  first[slices] = sum;
  IdPair* const dealt = scratch.pairs.data();
  parallel_for(executor, pairs.size(), kDealBlock, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const mine = places.data() + begin / kDealBlock * slices;
    for (std::size_t i = begin; i < end; ++i) dealt[mine[pairs[i].lo >> shift]++] = pairs[i];
  });
  parallel_for(executor, slices, 1, [&](std::size_t slice, std::size_t) {
    const std::span<IdPair> from(dealt + first[slice], first[slice + 1] - first[slice]);
    IdPair* const to = pairs.data() + first[slice];
    std::vector<std::uint32_t> ends;
    const auto lo = [&](const IdPair& pair) { return pair.lo - slice * width; };
    if (crowded) {
      deal(from, to, id_limit, ends, [](const IdPair& pair) { return pair.hi; });
      deal({to, from.size()}, from.data(), width, ends, lo);
      std::copy(from.begin(), from.end(), to);
    } else {
      deal(from, to, width, ends, lo);
      sort_buckets(to, {ends.data(), width});
    }
  });
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

void sort_pairs(std::span<IdPair> pairs, std::size_t id_limit, PairSortScratch& scratch, Executor& executor) {
  // With few pairs in a large world the buckets would cost more than they save
  if (pairs.size() < id_limit / 16 || pairs.size() < 64 || pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::vector<std::uint32_t>& starts = scratch.starts;
  scratch.pairs.resize(std::max(scratch.pairs.size(), pairs.size()));
  const std::span<IdPair> dealt(scratch.pairs.data(), pairs.size());
  const bool crowded = pairs.size() / kCrowdedBucket > id_limit;
  if (executor.concurrency() > 1 && pairs.size() >= kManyPairs)
    return sort_slices(pairs, id_limit, crowded, scratch, executor);
  if (crowded) {
    // Least significant first: by the larger id, then by the smaller one
    deal(pairs, dealt.data(), id_limit, starts, [](const IdPair& pair) { return pair.hi; });
    deal(dealt, pairs.data(), id_limit, starts, [](const IdPair& pair) { return pair.lo; });
    return;
  }
  deal(pairs, dealt.data(), id_limit, starts, [](const IdPair& pair) { return pair.lo; });
  sort_buckets(dealt.data(), {starts.data(), id_limit});
  std::copy(dealt.begin(), dealt.end(), pairs.begin());
}

}  // namespace sudar

#include <sudar/broadphase/column_search.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace sudar::inline SUDAR_ABI {

namespace {

constexpr std::size_t kBlock = 1024;         // boxes whose coordinates are mapped at a time
constexpr std::size_t kMostCopies = 64;      // a box that touches more columns is a giant
constexpr std::size_t kFewGiants = 8;        // so many are tested against everything without further ado
constexpr int kDeepest = 6;                  // of planning again
constexpr std::size_t kCrowd = 256;          // entries from which a column may be planned again …
constexpr std::uint64_t kCrowdedTests = 40;  // … when each would be tested against more than this
constexpr std::size_t kHits = 8192;          // kept between test and check: they stay in the cache
constexpr std::size_t kColumnsPerTask = 8;
constexpr std::size_t kMostLanes = 16;  // of a parallel scatter
constexpr std::uint32_t kBegan = 1;     // place of the first coordinate inside of a column; 0 means: began before
constexpr std::uint32_t kGoesOn = kColumnMask + 2;  // place of an end behind the column

std::uint64_t make_lanes(std::uint32_t lo0, std::uint32_t hi0, std::uint32_t lo1, std::uint32_t hi1) {
  return std::uint64_t{lo0} | std::uint64_t{lo1} << 16 | std::uint64_t{0xffff - hi0} << 32 |
         std::uint64_t{0xffff - hi1} << 48;
}

// Is any 16-bit lane zero?
bool any_lane_zero(std::uint64_t x) { return ((x - 0x0001000100010001u) & ~x & 0x8000800080008000u) != 0; }

void grow(std::vector<std::uint32_t>& v, std::size_t size) {
  if (v.size() < size) v.resize(size + size / 2);
}

}  // namespace

void ColumnBins::reset(std::size_t columns) {
  arena_.reset();
  slab_ = {};
  writers_.assign(columns, Writer{nullptr, nullptr});
  first_.assign(columns, nullptr);
  last_.assign(columns, nullptr);
}

void ColumnBins::add_chunk(std::size_t column) {
  if (slab_.empty()) slab_ = arena_.allocate<Chunk>(std::clamp<std::size_t>(writers_.size(), 4, 64));
  Chunk* chunk = slab_.data();
  slab_ = slab_.subspan(1);
  chunk->next = nullptr;
  if (last_[column] != nullptr)
    last_[column]->next = chunk;
  else
    first_[column] = chunk;
  last_[column] = chunk;
  writers_[column] = {chunk->entries, chunk->entries + kChunkEntries};
}

std::size_t ColumnBins::count(std::size_t column) const noexcept {
  std::size_t total = 0;
  for (const Chunk* chunk = first_[column]; chunk != nullptr; chunk = chunk->next)
    total += chunk->next != nullptr ? kChunkEntries : static_cast<std::size_t>(writers_[column].next - chunk->entries);
  return total;
}

std::size_t ColumnBins::bytes() const noexcept {
  return arena_.capacity() + writers_.capacity() * (sizeof(Writer) + 2 * sizeof(Chunk*));
}

std::size_t SortedColumn::bytes() const noexcept {
  return lanes.capacity() * sizeof(std::uint64_t) +
         (along.capacity() + rows.capacity() + bucket_end.capacity()) * sizeof(std::uint32_t);
}

template <int D>
std::size_t ColumnSearch<D>::Scratch::bytes() const noexcept {
  std::size_t total = sizeof(*this) + (from.capacity() + to.capacity() + hit_query.capacity() + hit_target.capacity() +
                                       rows.capacity()) *
                                          sizeof(std::uint32_t);
  for (int i = 0; i < 2; ++i) total += bins[i].bytes() + sorted[i].bytes();
  return total + before.capacity() + (child != nullptr ? child->bytes() : 0);
}

template <int D>
std::size_t ColumnSearch<D>::bytes() const noexcept {
  std::size_t total = (moving_.capacity() + fixed_.capacity()) * sizeof(std::uint32_t);
  for (const auto& lanes : lanes_)
    for (const ColumnBins& bins : lanes) total += bins.bytes();
  for (const Giants& giants : lane_giants_) total += giants.rows.capacity() * 4 + giants.before.capacity();
  for (const auto& scratch : scratches_) total += scratch->bytes();
  return total;
}

template <int D>
void ColumnSearch<D>::search(const BoxStore<D>& store, double width, Executor& executor,
                             std::vector<SearchOutput>& parts, SearchOutput& out) {
  store_ = &store;
  width_ = width;
  for (int axis = 0; axis < D; ++axis) {
    boxes_[static_cast<std::size_t>(axis)] = store.lo(axis).data();
    boxes_[static_cast<std::size_t>(D + axis)] = store.hi(axis).data();
  }
  replanned_ = giants_ = 0;
  // Nothing is left lent out when an earlier search ended by an exception
  idle_.clear();
  for (const auto& scratch : scratches_) {
    scratch->replanned = scratch->giants = 0;
    idle_.push_back(scratch.get());
  }

  if (store.fixed_count() == 0) {
    const auto known = static_cast<std::uint32_t>(moving_are_all_ ? moving_.size() : 0);
    moving_.resize(store.size());
    std::iota(moving_.begin() + std::min<std::ptrdiff_t>(known, std::ssize(moving_)), moving_.end(), known);
    moving_are_all_ = true;
    search_self({moving_, {}, true}, executor, parts, out);
  } else {
    moving_are_all_ = false;
    moving_.clear();
    fixed_.clear();
    for (std::uint32_t row = 0; row < store.size(); ++row) (store.is_fixed(row) ? fixed_ : moving_).push_back(row);
    search_self({moving_, {}, true}, executor, parts, out);
    search_cross({moving_, {}, true}, {fixed_, {}, true}, executor, parts, out);
  }
  for (const auto& scratch : scratches_) {
    replanned_ += scratch->replanned;
    giants_ += scratch->giants;
  }
}

template <int D>
typename ColumnSearch<D>::Scratch* ColumnSearch<D>::borrow() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    scratches_.push_back(std::make_unique<Scratch>());
    idle_.reserve(scratches_.size());
    return scratches_.back().get();
  }
  Scratch* scratch = idle_.back();
  idle_.pop_back();
  return scratch;
}

template <int D>
void ColumnSearch<D>::give_back(Scratch* scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(scratch);
}

// body(column, scratch, output) for every column, several at a time on several threads
template <int D>
template <class F>
void ColumnSearch<D>::for_each_column(std::size_t columns, Executor& executor, std::vector<SearchOutput>& parts,
                                      SearchOutput& out, F&& body) {
  search_blocks(executor, columns, kColumnsPerTask, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  Scratch* scratch = borrow();
                  for (std::size_t column = begin; column < end; ++column) body(column, *scratch, part);
                  give_back(scratch);
                });
}

template <int D>
PlanRequest ColumnSearch<D>::request_for(const ColumnRows& set, int sweep_axis, int depth) const {
  PlanRequest request;
  request.rows = set.rows;
  request.count = set.rows.size();
  request.width = width_;
  request.sweep_axis = sweep_axis;
  request.cut = depth < kDeepest;
  return request;
}

// Copy each box into the columns that it touches. The first column is written without a branch; what touches more is
// put on a list and done after its block.
template <int D>
void ColumnSearch<D>::scatter(const ColumnPlan& plan, const ColumnRows& set, std::size_t begin, std::size_t end,
                              ColumnBins& bins, Giants& giants) const {
  constexpr int kAcross = D - 1;
  std::int32_t along[2][kBlock], across[2 * kAcross][kBlock];
  float gathered[kBlock];
  std::uint32_t more[kBlock];
  const auto columns1 = static_cast<std::uint32_t>(plan.columns[1]);

  for (std::size_t block = begin; block < end; block += kBlock) {
    const std::size_t count = std::min(kBlock, end - block);
    const std::uint32_t* rows = set.rows.data() + block;
    const bool contiguous = set.rising && rows[count - 1] - rows[0] == count - 1;
    const auto map = [&](int axis, bool upper, const FixedPoint& to_fixed, std::int32_t* to) {
      const float* from = boxes_[static_cast<std::size_t>(upper ? D + axis : axis)];
      if (contiguous) {
        quantise(from + rows[0], count, to_fixed, to);
        return;
      }
      for (std::size_t k = 0; k < count; ++k) gathered[k] = from[rows[k]];
      quantise(gathered, count, to_fixed, to);
    };
    for (int upper = 0; upper < 2; ++upper) {
      map(plan.sweep_axis, upper != 0, plan.along, along[upper]);
      for (int k = 0; k < kAcross; ++k) map(plan.across_axis[k], upper != 0, plan.across[k], across[2 * k + upper]);
    }

    std::size_t more_count = 0;
    const auto part = [&](int index, std::size_t k) { return static_cast<std::uint32_t>(across[index][k]); };
    const auto entry_at = [&](std::size_t k, std::uint64_t lanes) {
      return ColumnEntry{rows[k], static_cast<std::uint16_t>(along[0][k]), static_cast<std::uint16_t>(along[1][k]),
                         lanes};
    };
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t lo0 = part(0, k), hi0 = part(1, k), first0 = lo0 >> kColumnBits, last0 = hi0 >> kColumnBits;
      std::uint32_t lo1 = 0, hi1 = 0;
      if constexpr (D == 3) lo1 = part(2, k), hi1 = part(3, k);
      const std::uint32_t first1 = lo1 >> kColumnBits, last1 = hi1 >> kColumnBits;
      more[more_count] = static_cast<std::uint32_t>(k);
      const bool one = first0 == last0 && first1 == last1 && set.before.empty();
      more_count += one ? 0 : 1;
      if (!one) continue;
      bins.push(first0 * columns1 + first1,
                entry_at(k, make_lanes((lo0 & kColumnMask) + kBegan, (hi0 & kColumnMask) + kBegan,
                                       (lo1 & kColumnMask) + kBegan, D == 3 ? (hi1 & kColumnMask) + kBegan : kGoesOn)));
    }
    for (std::size_t m = 0; m < more_count; ++m) {
      const std::size_t k = more[m];
      const std::uint32_t lo0 = part(0, k), hi0 = part(1, k), first0 = lo0 >> kColumnBits, last0 = hi0 >> kColumnBits;
      std::uint32_t lo1 = 0, hi1 = 0;
      if constexpr (D == 3) lo1 = part(2, k), hi1 = part(3, k);
      const std::uint32_t first1 = lo1 >> kColumnBits, last1 = hi1 >> kColumnBits;
      const std::uint8_t before = set.before_at(block + k);
      if (std::uint64_t{last0 - first0 + 1} * (last1 - first1 + 1) > kMostCopies) {
        giants.rows.push_back(rows[k]);
        giants.before.push_back(before);
        continue;
      }
      for (std::uint32_t c0 = first0; c0 <= last0; ++c0) {
        const std::uint32_t place_lo0 = c0 == first0 && (before & 1) == 0 ? (lo0 & kColumnMask) + kBegan : 0;
        const std::uint32_t place_hi0 = c0 == last0 ? (hi0 & kColumnMask) + kBegan : kGoesOn;
        for (std::uint32_t c1 = first1; c1 <= last1; ++c1) {
          const std::uint32_t place_lo1 = c1 == first1 && (before & 2) == 0 ? (lo1 & kColumnMask) + kBegan : 0;
          const std::uint32_t place_hi1 = D == 3 && c1 == last1 ? (hi1 & kColumnMask) + kBegan : kGoesOn;
          bins.push(c0 * columns1 + c1, entry_at(k, make_lanes(place_lo0, place_hi0, place_lo1, place_hi1)));
        }
      }
    }
  }
}

// Deal the entries of a column into buckets along the swept axis
template <int D>
void ColumnSearch<D>::sort_column(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count,
                                  std::size_t expected, SortedColumn& sorted) const {
  sorted.count = count;
  if (sorted.lanes.size() < count + kSweepPad) sorted.lanes.resize(count + count / 2 + kSweepPad);
  grow(sorted.along, count);
  grow(sorted.rows, count);
  const int bits = std::clamp(static_cast<int>(std::bit_width(2 * expected)), 6, 16);
  sorted.shift = 16 - bits;
  sorted.bucket_end.assign(std::size_t{1} << bits, 0);

  std::uint32_t* ends = sorted.bucket_end.data();
  for (const ColumnBins& bins : lanes)
    bins.for_each(column, [&](const ColumnEntry& e) { ++ends[e.along_lo >> sorted.shift]; });
  std::uint32_t sum = 0;
  for (std::uint32_t& end : sorted.bucket_end) {
    const std::uint32_t in_bucket = end;
    end = sum;
    sum += in_bucket;
  }
  std::uint64_t* to_lanes = sorted.lanes.data();
  std::uint32_t *to_along = sorted.along.data(), *to_rows = sorted.rows.data();
  for (const ColumnBins& bins : lanes)
    bins.for_each(column, [&](const ColumnEntry& e) {
      const std::uint32_t place = ends[e.along_lo >> sorted.shift]++;
      to_lanes[place] = e.lanes;
      to_along[place] = e.along_lo | std::uint32_t{e.along_hi} << 16;
      to_rows[place] = e.row;
    });
}

// Candidates in fixed point, then the check of each
template <int D>
void ColumnSearch<D>::sweep(const SortedColumn& queries, const SortedColumn& targets, bool self, std::size_t longest,
                            Scratch& scratch, SearchOutput& out) const {
  const std::size_t capacity = std::max(kHits, longest);
  grow(scratch.hit_query, capacity + kSweepPad);
  grow(scratch.hit_target, capacity + kSweepPad);
  SweepRun run{queries.lanes.data(),
               self ? nullptr : scratch.from.data(),
               scratch.to.data(),
               0,
               queries.count,
               targets.lanes.data(),
               scratch.hit_query.data(),
               scratch.hit_target.data(),
               capacity};
  while (run.begin < run.end) {
    const SweepProgress progress = sweep_lanes(run);
    emit(queries, targets, scratch, progress.found, out);
    run.begin = progress.next;
  }
}

template <int D>
void ColumnSearch<D>::emit(const SortedColumn& queries, const SortedColumn& targets, const Scratch& scratch,
                           std::size_t found, SearchOutput& out) const {
  IdPair* to = out.pairs.room(found);
  std::size_t kept = 0;
  const bool filtered = store_->has_filters();
  const std::uint32_t* ids = store_->ids().data();
  for (std::size_t k = 0; k < found; ++k) {
    const std::uint32_t i = scratch.hit_query[k], j = scratch.hit_target[k];
    const std::uint64_t a = queries.lanes[i], b = targets.lanes[j];
    const std::uint32_t along_a = queries.along[i], along_b = targets.along[j];
    const std::uint32_t lo_a = along_a & 0xffff, hi_a = along_a >> 16, lo_b = along_b & 0xffff, hi_b = along_b >> 16;
    // At least one of the two begins in this column on each axis
    const std::uint64_t begins = a | b;
    bool keep = ((begins & 0xffff) != 0) & ((begins & 0xffff0000u) != 0) & (lo_b <= hi_a) & (lo_a <= hi_b);
    const bool tie = any_lane_zero(b ^ wanted_lanes(a)) | (lo_b == hi_a) | (lo_a == hi_b);
    const std::uint32_t row_a = queries.rows[i], row_b = targets.rows[j];
    if (keep & tie) [[unlikely]]
      keep = overlap(store_->box(row_a), store_->box(row_b));
    if (filtered) keep = keep && store_->rows_may_pair(row_a, row_b);
    to[kept] = make_pair_of(ids[row_a], ids[row_b]);
    kept += keep ? 1 : 0;
  }
  out.pairs.commit(kept);
}

// A sorted column against itself, or planned again when it is crowded
template <int D>
void ColumnSearch<D>::sweep_self(const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const {
  const SortedColumn& column = scratch.sorted[0];
  if (column.count < 2) return;
  grow(scratch.to, column.count);
  std::uint64_t tests = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < column.count; ++i) {
    const std::uint32_t to = column.bucket_end[column.along[i] >> 16 >> column.shift];
    scratch.to[i] = to;
    tests += to - i - 1;
    longest = std::max<std::size_t>(longest, to - i);
  }
  if (column.count > kCrowd && tests > kCrowdedTests * column.count && depth < kDeepest) {
    scratch.rows.assign(column.rows.begin(), column.rows.begin() + static_cast<std::ptrdiff_t>(column.count));
    scratch.before.resize(column.count);
    for (std::size_t i = 0; i < column.count; ++i)
      scratch.before[i] = static_cast<std::uint8_t>(((column.lanes[i] & 0xffff) == 0 ? 1 : 0) |
                                                    ((column.lanes[i] & 0xffff0000u) == 0 ? 2 : 0));
    ++scratch.replanned;
    self_job({scratch.rows, scratch.before, false}, plan.sweep_axis, depth + 1, scratch.below(), out);
    return;
  }
  out.box_tests += tests;
  ++out.nodes_visited;
  sweep(column, column, true, longest, scratch, out);
}

// Two sorted columns against each other: what begins with the first, then what begins later with the second
template <int D>
void ColumnSearch<D>::sweep_cross(Scratch& scratch, SearchOutput& out) const {
  for (int turn = 0; turn < 2; ++turn) {
    const SortedColumn& queries = scratch.sorted[turn];
    const SortedColumn& targets = scratch.sorted[1 - turn];
    if (queries.count == 0 || targets.count == 0) return;
    grow(scratch.from, queries.count);
    grow(scratch.to, queries.count);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < queries.count; ++i) {
      // Both columns have the same buckets; two that begin in one bucket meet in the first turn
      const std::uint32_t lo = (queries.along[i] & 0xffff) >> targets.shift;
      const std::uint32_t hi = queries.along[i] >> 16 >> targets.shift;
      scratch.from[i] = turn == 0 ? targets.begin_of(lo) : targets.bucket_end[lo];
      scratch.to[i] = targets.bucket_end[hi];
      longest = std::max<std::size_t>(longest, scratch.to[i] - scratch.from[i]);
      out.box_tests += scratch.to[i] - scratch.from[i];
    }
    sweep(queries, targets, false, longest, scratch, out);
  }
}

// Boxes that touch too many columns: among themselves, and against the rest of their set
template <int D>
void ColumnSearch<D>::giants_job(const ColumnRows& set, const Giants& giants, int sweep_axis, int depth,
                                 Scratch& scratch, SearchOutput& out) const {
  if (giants.rows.empty()) return;
  scratch.giants += giants.rows.size();
  const ColumnRows large{giants.rows, giants.before, false};
  self_job(large, sweep_axis, depth + 1, scratch, out);

  const Giants rest = without(set, giants);
  cross_job(large, {rest.rows, rest.before, false}, sweep_axis, depth + 1, scratch, out);
}

// The rows of a set that are not among its giants, in the order of the set
template <int D>
typename ColumnSearch<D>::Giants ColumnSearch<D>::without(const ColumnRows& set, const Giants& giants) {
  std::vector<std::uint32_t> sorted = giants.rows;
  std::sort(sorted.begin(), sorted.end());
  Giants rest;
  rest.rows.reserve(set.rows.size() - sorted.size());
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    if (std::binary_search(sorted.begin(), sorted.end(), set.rows[i])) continue;
    rest.rows.push_back(set.rows[i]);
    if (!set.before.empty()) rest.before.push_back(set.before[i]);
  }
  return rest;
}

// A few boxes against many, box by box
template <int D>
void ColumnSearch<D>::scan_few(const ColumnRows& few, const ColumnRows& many, SearchOutput& out) const {
  const std::uint32_t* ids = store_->ids().data();
  for (std::size_t i = 0; i < few.rows.size(); ++i) {
    const std::uint32_t row_a = few.rows[i];
    const Aabb<D, float> box = store_->box(row_a);
    for (std::size_t j = 0; j < many.rows.size(); ++j) {
      const std::uint32_t row_b = many.rows[j];
      if ((few.before_at(i) & many.before_at(j)) != 0 || !overlap(box, store_->box(row_b))) continue;
      if (store_->has_filters() && !store_->rows_may_pair(row_a, row_b)) continue;
      out.pairs.push(make_pair_of(ids[row_a], ids[row_b]));
    }
  }
  out.box_tests += few.rows.size() * many.rows.size();
}

template <int D>
void ColumnSearch<D>::self_job(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch,
                               SearchOutput& out) const {
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(set, sweep_axis, depth));
  const auto columns = static_cast<std::size_t>(plan.count());
  Giants giants;
  scratch.bins[0].reset(columns);
  scatter(plan, set, 0, set.rows.size(), scratch.bins[0], giants);
  // Where cutting did not help, sweeping is what is left
  const int next = plan.single() ? kDeepest : depth;
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t count = scratch.bins[0].count(column);
    sort_column({scratch.bins, 1}, column, count, count, scratch.sorted[0]);
    sweep_self(plan, next, scratch, out);
  }
  giants_job(set, giants, plan.sweep_axis, depth, scratch.below(), out);
}

template <int D>
void ColumnSearch<D>::cross_job(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                                SearchOutput& out) const {
  if (a.rows.empty() || b.rows.empty()) return;
  if (a.rows.size() <= kFewGiants) return scan_few(a, b, out);
  if (b.rows.size() <= kFewGiants) return scan_few(b, a, out);
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(a, sweep_axis, depth));
  const auto columns = static_cast<std::size_t>(plan.count());
  Giants giants_a, giants_b;
  scratch.bins[0].reset(columns);
  scratch.bins[1].reset(columns);
  scatter(plan, a, 0, a.rows.size(), scratch.bins[0], giants_a);
  scatter(plan, b, 0, b.rows.size(), scratch.bins[1], giants_b);
  for (std::size_t column = 0; column < columns; ++column)
    cross_column(scratch.bins, scratch.bins + 1, 1, column, scratch, out);
  cross_giants(a, b, giants_a, giants_b, plan.sweep_axis, depth, scratch.below(), out);
}

template <int D>
void ColumnSearch<D>::cross_column(const ColumnBins* a, const ColumnBins* b, std::size_t lanes, std::size_t column,
                                   Scratch& scratch, SearchOutput& out) const {
  std::size_t count_a = 0, count_b = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    count_a += a[lane].count(column);
    count_b += b[lane].count(column);
  }
  if (count_a == 0 || count_b == 0) return;
  const std::size_t expected = std::max(count_a, count_b);
  sort_column({a, lanes}, column, count_a, expected, scratch.sorted[0]);
  sort_column({b, lanes}, column, count_b, expected, scratch.sorted[1]);
  ++out.nodes_visited;
  sweep_cross(scratch, out);
}

// The giants of each side against all of the other; a pair of giants belongs to the first of the two searches
template <int D>
void ColumnSearch<D>::cross_giants(const ColumnRows& a, const ColumnRows& b, const Giants& giants_a,
                                   const Giants& giants_b, int sweep_axis, int depth, Scratch& scratch,
                                   SearchOutput& out) const {
  if (giants_a.rows.empty() && giants_b.rows.empty()) return;
  scratch.giants += giants_a.rows.size() + giants_b.rows.size();
  cross_job({giants_a.rows, giants_a.before, false}, b, sweep_axis, depth + 1, scratch, out);
  if (giants_b.rows.empty()) return;
  const Giants rest = without(a, giants_a);
  cross_job({giants_b.rows, giants_b.before, false}, {rest.rows, rest.before, false}, sweep_axis, depth + 1, scratch,
            out);
}

template <int D>
void ColumnSearch<D>::search_self(const ColumnRows& set, Executor& executor, std::vector<SearchOutput>& parts,
                                  SearchOutput& out) {
  if (set.rows.size() < 2) return;
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(set, -1, 0));
  const auto columns = static_cast<std::size_t>(plan.count());
  const std::size_t lanes = scatter_lanes(plan, set, executor, 0);
  for_each_column(columns, executor, parts, out, [&](std::size_t column, Scratch& scratch, SearchOutput& part) {
    const std::span<const ColumnBins> bins(lanes_[0].data(), lanes);
    std::size_t count = 0;
    for (const ColumnBins& lane : bins) count += lane.count(column);
    sort_column(bins, column, count, count, scratch.sorted[0]);
    sweep_self(plan, plan.single() ? kDeepest : 0, scratch, part);
  });
  const Giants giants = gather_giants(lanes);
  if (giants.rows.empty()) return;
  Scratch* scratch = borrow();
  giants_job(set, giants, -1, 0, *scratch, out);
  give_back(scratch);
}

template <int D>
void ColumnSearch<D>::search_cross(const ColumnRows& a, const ColumnRows& b, Executor& executor,
                                   std::vector<SearchOutput>& parts, SearchOutput& out) {
  if (a.rows.empty() || b.rows.empty()) return;
  if (a.rows.size() <= kFewGiants) return scan_few(a, b, out);
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(b, -1, 0));
  const auto columns = static_cast<std::size_t>(plan.count());
  const std::size_t lanes = scatter_lanes(plan, a, executor, 0);
  const Giants giants_a = gather_giants(lanes);
  scatter_lanes(plan, b, executor, 1);
  const Giants giants_b = gather_giants(lanes);
  for_each_column(columns, executor, parts, out, [&](std::size_t column, Scratch& scratch, SearchOutput& part) {
    cross_column(lanes_[0].data(), lanes_[1].data(), lanes, column, scratch, part);
  });
  Scratch* scratch = borrow();
  cross_giants(a, b, giants_a, giants_b, -1, 0, *scratch, out);
  give_back(scratch);
}

// The rows in as many shares as there are threads, each with bins of its own
template <int D>
std::size_t ColumnSearch<D>::scatter_lanes(const ColumnPlan& plan, const ColumnRows& set, Executor& executor,
                                           int side) {
  const std::size_t lanes = std::clamp<std::size_t>(executor.concurrency(), 1, kMostLanes);
  std::vector<ColumnBins>& bins = lanes_[side];
  while (bins.size() < lanes) bins.emplace_back();
  if (lane_giants_.size() < lanes) lane_giants_.resize(lanes);
  const std::size_t share = (set.rows.size() + lanes - 1) / lanes;
  parallel_for(executor, lanes, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t lane = begin; lane < end; ++lane) {
      lane_giants_[lane].rows.clear();
      lane_giants_[lane].before.clear();
      bins[lane].reset(static_cast<std::size_t>(plan.count()));
      const std::size_t first = std::min(set.rows.size(), lane * share);
      scatter(plan, set, first, std::min(set.rows.size(), first + share), bins[lane], lane_giants_[lane]);
    }
  });
  return lanes;
}

template <int D>
typename ColumnSearch<D>::Giants ColumnSearch<D>::gather_giants(std::size_t lanes) const {
  Giants all;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Giants& some = lane_giants_[lane];
    all.rows.insert(all.rows.end(), some.rows.begin(), some.rows.end());
    all.before.insert(all.before.end(), some.before.begin(), some.before.end());
  }
  return all;
}

template class ColumnSearch<2>;
template class ColumnSearch<3>;

}  // namespace sudar::inline SUDAR_ABI

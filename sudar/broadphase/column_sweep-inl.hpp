// What:    One column of `columns`: sorted, swept against itself or another, and the ties settled.
// Source:  See column_search.hpp.
// Differs: Of two columns that meet, one is sorted. Each box of the other is tested against all that begin from the
//          longest extent before it to its end; only where very long boxes make that dear are both sorted and swept.
#pragma once

#include <sudar/broadphase/column_search.hpp>

#include <algorithm>

namespace sudar {

namespace columns_detail {

inline constexpr int kDeepest = 6;                   // of planning again
inline constexpr std::size_t kCrowd = 256;           // entries from which a column may be planned again …
inline constexpr std::uint64_t kCrowdedTests = 128;  // … when each would be tested against more than this
inline constexpr std::uint64_t kDearTests = 16;  // a box that one-sided runs may take before both columns are sorted
inline constexpr std::size_t kTiesAhead = 8;     // whose boxes are on their way
inline constexpr std::size_t kHits = 8192;       // kept between test and check: they stay in the cache

template <class T>
void grow(std::vector<T>& v, std::size_t size) {
  if (v.size() < size) v.resize(size + size / 2);
}

}  // namespace columns_detail

template <int D>
Aabb<D, float> ColumnSearch<D>::box_of(std::uint32_t id) const {
  const std::uint32_t row = row_of(id);
  Aabb<D, float> box;
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] = boxes_[static_cast<std::size_t>(axis)][row];
    box.hi[axis] = boxes_[static_cast<std::size_t>(D + axis)][row];
  }
  return box;
}

template <int D>
void ColumnSearch<D>::sweep(const SweepTask& task, Scratch& scratch, SearchOutput& out) const {
  const std::size_t capacity = std::max(columns_detail::kHits, task.longest_run);
  columns_detail::grow(scratch.tie_query, capacity + kSweepPad);
  columns_detail::grow(scratch.tie_target, capacity + kSweepPad);
  SweepRun run{
      task.queries.arrays,      task.targets.arrays,       task.from, task.to, task.begin, task.end, filtered_, nullptr,
      scratch.tie_query.data(), scratch.tie_target.data(), capacity};
  scratch.ties = 0;
  scratch.boxes[0].clear();
  scratch.boxes[1].clear();
  while (run.begin < run.end) {
    run.pairs = out.pairs.room(capacity + kSweepPad);
    const SweepProgress progress = sweep_run(run);
    out.pairs.commit(progress.pairs);
    run.begin = progress.next;
    if (progress.ties > 0) settle(task, progress.ties, scratch, out);
  }
}

// Ask the boxes themselves where numbers tie, and the filters
template <int D>
void ColumnSearch<D>::settle(const SweepTask& task, std::size_t ties, Scratch& scratch, SearchOutput& out) const {
  const SweepArrays &queries = task.queries.arrays, &targets = task.targets.arrays;
  // Boxes that are asked for again and again are fetched once
  std::vector<Aabb<D, float>>* near = scratch.boxes;
  scratch.ties += ties;
  if (near[0].empty() && 2 * scratch.ties > task.queries.count + task.targets.count) {
    for (std::size_t i = 0; i < task.queries.count; ++i) near[0].push_back(box_of(queries.ids[i]));
    if (targets.ids != queries.ids)
      for (std::size_t i = 0; i < task.targets.count; ++i) near[1].push_back(box_of(targets.ids[i]));
  }
  const bool fetched = !near[0].empty();
  const Aabb<D, float>* near_query = near[0].data();
  const Aabb<D, float>* near_target = targets.ids != queries.ids ? near[1].data() : near_query;

  IdPair* to = out.pairs.room(ties);
  std::size_t kept = 0;
  const auto prefetch_box = [&](std::uint32_t id) {
    const std::uint32_t row = row_of(id);
    for (const float* column : boxes_) prefetch(column + row);
  };
  for (std::size_t k = 0; !fetched && k < std::min(ties, columns_detail::kTiesAhead); ++k) {
    prefetch_box(queries.ids[scratch.tie_query[k]]);
    prefetch_box(targets.ids[scratch.tie_target[k]]);
  }
  for (std::size_t k = 0; k < ties; ++k) {
    if (const std::size_t ahead = k + columns_detail::kTiesAhead; !fetched && ahead < ties) {
      prefetch_box(queries.ids[scratch.tie_query[ahead]]);
      prefetch_box(targets.ids[scratch.tie_target[ahead]]);
    }
    const std::uint32_t i = scratch.tie_query[k], j = scratch.tie_target[k];
    const std::uint32_t id_a = queries.ids[i], id_b = targets.ids[j];
    const Aabb<D, float> a = fetched ? near_query[i] : box_of(id_a);
    const Aabb<D, float> b = fetched ? near_target[j] : box_of(id_b);
    bool keep = true;
    for (int axis = 0; axis < D; ++axis) keep &= (a.lo[axis] <= b.hi[axis]) & (b.lo[axis] <= a.hi[axis]);
    if (filtered_) keep = keep && store_->rows_may_pair(row_of(id_a), row_of(id_b));
    to[kept] = make_pair_of(id_a, id_b);
    kept += keep ? 1 : 0;
  }
  out.pairs.commit(kept);
}

// The run of each entry of a sorted column against what begins after it; the number of tests
template <int D>
std::uint64_t ColumnSearch<D>::plan_self_runs(const ColumnView& column, Scratch& scratch,
                                              std::size_t& longest_run) const {
  columns_detail::grow(scratch.to, column.count);
  std::uint64_t tests = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < column.count; ++i) {
    const std::uint32_t to = column.end_of(along_hi(column.arrays.along[i]));
    scratch.to[i] = to;
    tests += to - i - 1;
    longest = std::max<std::size_t>(longest, to - i);
  }
  longest_run = longest;
  return tests;
}

// A column against itself, or planned again when it is crowded
template <int D>
void ColumnSearch<D>::self_column(std::span<const ColumnBins> lanes, std::size_t column, const ColumnPlan& plan,
                                  int depth, Scratch& scratch, SearchOutput& out) const {
  std::size_t count = 0;
  for (const ColumnBins& bins : lanes) count += bins.count(column);
  if (count < 2) return;
  scratch.sorted[0].sort(lanes, column, count, count);
  const ColumnView view = scratch.sorted[0].view();
  std::size_t longest_run = 0;
  const std::uint64_t tests = plan_self_runs(view, scratch, longest_run);
  if (count > columns_detail::kCrowd && tests > columns_detail::kCrowdedTests * count &&
      depth < columns_detail::kDeepest) {
    scratch.crowd.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t across = view.arrays.across[i];
      scratch.crowd.rows.push_back(row_of(view.arrays.ids[i]));
      scratch.crowd.before.push_back(
          static_cast<std::uint8_t>(((across & 0xffff) == 0 ? 1 : 0) | ((across & 0xffff0000u) == 0 ? 2 : 0)));
    }
    ++scratch.replanned;
    self_job(scratch.crowd.view(false), plan.sweep_axis, depth + 1, scratch.below(), out);
    return;
  }
  out.box_tests += tests;
  ++out.nodes_visited;
  sweep({view, view, nullptr, scratch.to.data(), 0, count, longest_run}, scratch, out);
}

template <int D>
void ColumnSearch<D>::cross_column(std::span<const ColumnBins> a, std::span<const ColumnBins> b, std::size_t column,
                                   Scratch& scratch, SearchOutput& out) const {
  std::size_t count_a = 0, count_b = 0;
  for (const ColumnBins& bins : a) count_a += bins.count(column);
  for (const ColumnBins& bins : b) count_b += bins.count(column);
  if (count_a == 0 || count_b == 0) return;
  scratch.sorted[1].sort(b, column, count_b, std::max(count_a, count_b));
  scratch.sorted[1].measure();
  cross_sorted(a, column, count_a, scratch.sorted[1].view(), scratch, out);
}

// The entries of one column against another that is sorted
template <int D>
void ColumnSearch<D>::cross_sorted(std::span<const ColumnBins> a, std::size_t column, std::size_t count,
                                   const ColumnView& targets, Scratch& scratch, SearchOutput& out) const {
  ++out.nodes_visited;
  scratch.sorted[0].gather(a, column, count);
  ColumnView queries = scratch.sorted[0].view();
  columns_detail::grow(scratch.from, std::max(count, targets.count));
  columns_detail::grow(scratch.to, std::max(count, targets.count));
  std::uint64_t tests = 0;
  std::size_t longest_run = 0;
  const auto plan_run = [&](std::size_t i, std::uint32_t from, std::uint32_t to) {
    scratch.from[i] = from;
    scratch.to[i] = to;
    longest_run = std::max<std::size_t>(longest_run, to - from);
    tests += to - from;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lo = along_lo(queries.arrays.along[i]), hi = along_hi(queries.arrays.along[i]);
    plan_run(i, targets.begin_of(lo > targets.longest ? lo - targets.longest : 0), targets.end_of(hi));
  }
  if (tests <= columns_detail::kDearTests * (count + targets.count)) {
    out.box_tests += tests;
    sweep({queries, targets, scratch.from.data(), scratch.to.data(), 0, count, longest_run}, scratch, out);
    return;
  }

  // Both sorted into the same buckets: what begins with the first or after it, then what begins later with the second
  scratch.sorted[0].sort(a, column, count, std::size_t{1} << (15 - targets.shift));
  const ColumnView both[2] = {scratch.sorted[0].view(), targets};
  for (int turn = 0; turn < 2; ++turn) {
    const ColumnView &mine = both[turn], &others = both[1 - turn];
    tests = longest_run = 0;
    for (std::size_t i = 0; i < mine.count; ++i) {
      const std::uint32_t lo = along_lo(mine.arrays.along[i]), hi = along_hi(mine.arrays.along[i]);
      plan_run(i, turn == 0 ? others.begin_of(lo) : others.end_of(lo), others.end_of(hi));
    }
    out.box_tests += tests;
    sweep({mine, others, scratch.from.data(), scratch.to.data(), 0, mine.count, longest_run}, scratch, out);
  }
}

}  // namespace sudar

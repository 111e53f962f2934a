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
inline constexpr std::size_t kTiesAhead = 32;    // whose boxes are on their way
inline constexpr std::size_t kHits = 8192;       // kept between test and check: they stay in the cache
inline constexpr int kWorthCutting = 4;          // columns from which on two crowds are planned again

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
  const std::size_t capacity = std::min<std::uint64_t>(columns_detail::kHits, task.tests);
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
    if (progress.ties > 0) settle(task, progress.ties, scratch, out);
    // One that does not even fit alone goes piece by piece
    if (progress.next == run.begin) sweep_long(task, run.begin++, scratch, out);
    run.begin = std::max(run.begin, progress.next);
  }
}

template <int D>
void ColumnSearch<D>::sweep_long(const SweepTask& task, std::size_t query, Scratch& scratch, SearchOutput& out) const {
  constexpr std::size_t capacity = columns_detail::kHits;
  const SweepArrays& all = task.queries.arrays;
  const std::size_t last = task.to[query];
  std::size_t next = task.from != nullptr ? task.from[query] : query + 1;
  while (next < last) {
    const std::size_t end = std::min(last, next + capacity);
    const auto from = static_cast<std::uint32_t>(next), to = static_cast<std::uint32_t>(end);
    IdPair* pairs = out.pairs.room(capacity + kSweepPad);
    const SweepProgress progress = sweep_run({{all.across + query, all.along + query, all.ids + query},
                                              task.targets.arrays,
                                              &from,
                                              &to,
                                              0,
                                              1,
                                              filtered_,
                                              pairs,
                                              scratch.tie_query.data(),
                                              scratch.tie_target.data(),
                                              capacity});
    out.pairs.commit(progress.pairs);
    std::fill_n(scratch.tie_query.begin(), progress.ties, static_cast<std::uint32_t>(query));
    if (progress.ties > 0) settle(task, progress.ties, scratch, out);
    next = end;
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

  // Most ties are along the sweep, and then the other axes need not be looked at
  const auto axes_of = [&](std::uint32_t i, std::uint32_t j) {
    const bool all = !surely_across(queries.across[i], targets.across[j]);
    return std::pair{all ? 0 : task.sweep_axis, all ? D : task.sweep_axis + 1};
  };
  const auto expect = [&](std::size_t k) {
    const std::uint32_t i = scratch.tie_query[k], j = scratch.tie_target[k];
    const auto [first, last] = axes_of(i, j);
    for (const std::uint32_t id : {queries.ids[i], targets.ids[j]})
      for (int axis = first; axis < last; ++axis) {
        prefetch(boxes_[static_cast<std::size_t>(axis)] + row_of(id));
        prefetch(boxes_[static_cast<std::size_t>(D + axis)] + row_of(id));
      }
  };
  IdPair* to = out.pairs.room(ties);
  std::size_t kept = 0;
  for (std::size_t k = 0; !fetched && k < std::min(ties, columns_detail::kTiesAhead); ++k) expect(k);
  for (std::size_t k = 0; k < ties; ++k) {
    if (const std::size_t ahead = k + columns_detail::kTiesAhead; !fetched && ahead < ties) expect(ahead);
    const std::uint32_t i = scratch.tie_query[k], j = scratch.tie_target[k];
    const std::uint32_t id_a = queries.ids[i], id_b = targets.ids[j];
    bool keep = true;
    if (fetched) {
      const Aabb<D, float>&a = near_query[i], &b = near_target[j];
      for (int axis = 0; axis < D; ++axis) keep &= (a.lo[axis] <= b.hi[axis]) & (b.lo[axis] <= a.hi[axis]);
    } else {
      const std::uint32_t row_a = row_of(id_a), row_b = row_of(id_b);
      const auto [first, last] = axes_of(i, j);
      for (int axis = first; axis < last; ++axis) {
        const float *lo = boxes_[static_cast<std::size_t>(axis)], *hi = boxes_[static_cast<std::size_t>(D + axis)];
        keep &= (lo[row_a] <= hi[row_b]) & (lo[row_b] <= hi[row_a]);
      }
    }
    if (filtered_) keep = keep && store_->rows_may_pair(row_of(id_a), row_of(id_b));
    to[kept] = make_pair_of(id_a, id_b);
    kept += keep ? 1 : 0;
  }
  out.pairs.commit(kept);
}

// The run of each entry of a sorted column against what begins after it; the number of tests
template <int D>
std::uint64_t ColumnSearch<D>::plan_self_runs(const ColumnView& column, Scratch& scratch) const {
  columns_detail::grow(scratch.to, column.count);
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < column.count; ++i) {
    const std::uint32_t to = column.end_of(along_hi(column.arrays.along[i]));
    scratch.to[i] = to;
    tests += to - i - 1;
  }
  return tests;
}

// The rows of a column, and on which axes they begin before it
template <int D>
void ColumnSearch<D>::list_crowd(const ColumnView& column, RowList& crowd) const {
  crowd.clear();
  for (std::size_t i = 0; i < column.count; ++i) {
    const std::uint64_t across = column.arrays.across[i];
    crowd.rows.push_back(row_of(column.arrays.ids[i]));
    crowd.before.push_back(
        static_cast<std::uint8_t>(((across & 0xffff) == 0 ? 1 : 0) | ((across & 0xffff0000u) == 0 ? 2 : 0)));
  }
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
  const std::uint64_t tests = plan_self_runs(view, scratch);
  if (count > columns_detail::kCrowd && tests > columns_detail::kCrowdedTests * count &&
      depth < columns_detail::kDeepest && replan_self(view, plan, depth, scratch, out))
    return;
  out.box_tests += tests;
  ++out.nodes_visited;
  sweep({view, view, nullptr, scratch.to.data(), 0, count, tests, plan.sweep_axis}, scratch, out);
}

// A crowded column planned again; false where that would not help
template <int D>
bool ColumnSearch<D>::replan_self(const ColumnView& column, const ColumnPlan& plan, int depth, Scratch& scratch,
                                  SearchOutput& out) const {
  list_crowd(column, scratch.crowd[0]);
  const ColumnRows crowd = scratch.crowd[0].view(false);
  const ColumnPlan finer = plan_columns<D>(boxes_, request_for(crowd, plan.sweep_axis, depth + 1));
  if (finer.single()) return self_kinds(crowd, plan.sweep_axis, depth + 1, scratch.below(), out);
  ++scratch.replanned;
  self_planned(crowd, finer, depth + 1, scratch.below(), out);
  return true;
}

template <int D>
void ColumnSearch<D>::cross_column(std::span<const ColumnBins> a, std::span<const ColumnBins> b, std::size_t column,
                                   const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const {
  std::size_t count_a = 0, count_b = 0;
  for (const ColumnBins& bins : a) count_a += bins.count(column);
  for (const ColumnBins& bins : b) count_b += bins.count(column);
  if (count_a == 0 || count_b == 0) return;
  scratch.sorted[1].sort(b, column, count_b, std::max(count_a, count_b));
  scratch.sorted[1].measure();
  cross_sorted(a, column, scratch.sorted[1].view(), plan, depth, scratch, out);
}

// The run of each query against the targets that begin with it or after it (or, with `after`, in a later bucket), both
// sorted into the same buckets; the number of tests
template <int D>
std::uint64_t ColumnSearch<D>::plan_cross_runs(const ColumnView& queries, const ColumnView& targets, bool after,
                                               Scratch& scratch) const {
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < queries.count; ++i) {
    const std::uint32_t lo = along_lo(queries.arrays.along[i]), hi = along_hi(queries.arrays.along[i]);
    scratch.from[i] = after ? targets.end_of(lo) : targets.begin_of(lo);
    scratch.to[i] = targets.end_of(hi);
    tests += scratch.to[i] - scratch.from[i];
  }
  return tests;
}

// The entries of one column against another that is sorted, or both planned again when they are crowded
template <int D>
void ColumnSearch<D>::cross_sorted(std::span<const ColumnBins> a, std::size_t column, const ColumnView& targets,
                                   const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const {
  std::size_t count = 0;
  for (const ColumnBins& bins : a) count += bins.count(column);
  if (count == 0 || targets.count == 0) return;
  ++out.nodes_visited;
  scratch.sorted[0].gather(a, column, count);
  const ColumnView queries = scratch.sorted[0].view();
  const std::size_t both_count = count + targets.count;
  columns_detail::grow(scratch.from, std::max(count, targets.count));
  columns_detail::grow(scratch.to, std::max(count, targets.count));
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lo = along_lo(queries.arrays.along[i]), hi = along_hi(queries.arrays.along[i]);
    scratch.from[i] = targets.begin_of(lo > targets.longest ? lo - targets.longest : 0);
    scratch.to[i] = targets.end_of(hi);
    tests += scratch.to[i] - scratch.from[i];
  }
  if (tests <= columns_detail::kDearTests * both_count) {
    out.box_tests += tests;
    sweep({queries, targets, scratch.from.data(), scratch.to.data(), 0, count, tests, plan.sweep_axis}, scratch, out);
    return;
  }

  // Both sorted into the same buckets: what begins with the first or after it, then what begins later with the second
  scratch.sorted[0].sort(a, column, count, std::size_t{1} << (15 - targets.shift));
  const ColumnView both[2] = {scratch.sorted[0].view(), targets};
  const bool crowded = both_count > columns_detail::kCrowd && tests > columns_detail::kCrowdedTests * both_count &&
                       depth < columns_detail::kDeepest;
  if (crowded && plan_cross_runs(both[1], both[0], true, scratch) + plan_cross_runs(both[0], both[1], false, scratch) >
                     columns_detail::kCrowdedTests * both_count)
    if (replan_cross(both[0], both[1], plan, depth, scratch, out)) return;
  for (const bool after : {false, true}) {
    const ColumnView &mine = both[after ? 1 : 0], &others = both[after ? 0 : 1];
    tests = plan_cross_runs(mine, others, after, scratch);
    out.box_tests += tests;
    sweep({mine, others, scratch.from.data(), scratch.to.data(), 0, mine.count, tests, plan.sweep_axis}, scratch, out);
  }
}

template <int D>
void ColumnSearch<D>::keep_inside(RowList& list, const Aabb<D, float>& bounds) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    if (!overlap(store_->box(list.rows[i]), bounds)) continue;
    list.rows[kept] = list.rows[i];
    list.before[kept++] = list.before[i];
  }
  list.rows.resize(kept);
  list.before.resize(kept);
}

// Two columns that are crowded where they meet, planned again; false where cutting would not help
template <int D>
bool ColumnSearch<D>::replan_cross(const ColumnView& a, const ColumnView& b, const ColumnPlan& plan, int depth,
                                   Scratch& scratch, SearchOutput& out) const {
  RowList *lists = scratch.crowd, &rows_a = lists[0], &rows_b = lists[1];
  list_crowd(a, rows_a);
  list_crowd(b, rows_b);
  keep_inside(rows_b, bounds_of(rows_a.view(false)));
  if (!rows_b.rows.empty()) keep_inside(rows_a, bounds_of(rows_b.view(false)));
  if (rows_a.rows.empty() || rows_b.rows.empty()) return true;
  const ColumnRows crowd_a = rows_a.view(false), crowd_b = rows_b.view(false);
  const ColumnPlan finer = cross_plan(crowd_a, crowd_b, plan.sweep_axis, depth + 1);
  if (finer.count() < columns_detail::kWorthCutting)
    return cross_kinds(crowd_a, crowd_b, plan.sweep_axis, depth + 1, scratch.below(), out);
  ++scratch.replanned;
  cross_planned(crowd_a, crowd_b, finer, depth + 1, scratch.below(), out);
  return true;
}

}  // namespace sudar

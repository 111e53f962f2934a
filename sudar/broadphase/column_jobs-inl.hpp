// What:    The jobs of `columns` that one thread does: boxes dealt out to columns; a set against itself or another, with
//          its giants; a few boxes against many.
// Source:  See column_search.hpp.
#pragma once

#include <sudar/broadphase/column_search.hpp>
#include <sudar/broadphase/column_sweep-inl.hpp>

#include <algorithm>

namespace sudar {

namespace columns_detail {

inline constexpr std::size_t kBlock = 512;              // boxes that are placed at a time
inline constexpr std::uint32_t kMostCopies = 64;        // a box that touches more columns is a giant
inline constexpr std::uint32_t kMostCopiesAcross = 16;  // in columns made for others: it may be thin where they are not
inline constexpr std::uint32_t kAnyCopies = 1u << 30;   // where there are no giants
inline constexpr std::size_t kFewGiants = 8;            // so many are tested against everything without further ado
inline constexpr std::uint32_t kManyColumns = 1024;
inline constexpr std::size_t kPushesAhead = 16;    // whose place is on its way to the cache
inline constexpr double kGiantWidth = 1.5;         // of columns in which few boxes meet many, in their edges
inline constexpr std::size_t kFewAgainstMany = 8;  // many: this many times the few

// The boxes of up to kBlock rows, in place when the rows are neighbours
template <int D>
struct RowBlock {
  float gathered[2 * D][kBlock];
  BoxColumns<D> columns;

  void fetch(const BoxColumns<D>& boxes, const std::uint32_t* rows, std::size_t count, bool rising) {
    const bool neighbours = rising && rows[count - 1] - rows[0] == count - 1;
    for (std::size_t k = 0; k < 2 * D; ++k) {
      columns[k] = neighbours ? boxes[k] + rows[0] : gathered[k];
      if (neighbours) continue;
      for (std::size_t i = 0; i < count; ++i) gathered[k][i] = boxes[k][rows[i]];
    }
  }
};

}  // namespace columns_detail

template <int D>
PlanRequest ColumnSearch<D>::request_for(const ColumnRows& set, int sweep_axis, int depth) const {
  PlanRequest request;
  request.rows = set.rows;
  request.count = set.rows.size();
  request.width = width_;
  request.sweep_axis = sweep_axis;
  request.cut = depth < columns_detail::kDeepest;
  return request;
}

// Copy each box into the columns that it touches. The first column is written without a branch; what touches more is on
// a list and done after its block.
template <int D>
void ColumnSearch<D>::scatter(const ColumnPlan& plan, const ColumnRows& set, std::size_t begin, std::size_t end,
                              std::uint32_t most_copies, ColumnBins& bins, RowList& giants) const {
  using columns_detail::kBlock;
  columns_detail::RowBlock<D> block;
  ColumnEntry entries[kBlock];
  std::uint32_t columns[kBlock], across[2][2][kBlock], many[kBlock + kSweepPad], ids[kBlock];
  const auto columns1 = static_cast<std::uint32_t>(plan.columns[1]);
  const auto aside = static_cast<std::uint32_t>(plan.count());
  const PlaceMaps maps{plan.along, {plan.across[0], plan.across[1]}, columns1, most_copies, aside};
  const std::uint32_t* store_ids = store_->ids().data();
  const bool many_columns = aside > columns_detail::kManyColumns;

  for (std::size_t first = begin; first < end; first += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    const std::uint32_t* rows = set.rows.data() + first;
    block.fetch(boxes_, rows, count, set.rising);
    const auto lo = [&](int axis) { return block.columns[static_cast<std::size_t>(axis)]; };
    const auto hi = [&](int axis) { return block.columns[static_cast<std::size_t>(D + axis)]; };
    PlacedBoxes boxes{{lo(plan.sweep_axis), hi(plan.sweep_axis)},
                      {{lo(plan.across_axis[0]), hi(plan.across_axis[0])}, {nullptr, nullptr}},
                      rows,
                      count};
    if constexpr (D == 3) {
      boxes.across[1][0] = lo(plan.across_axis[1]);
      boxes.across[1][1] = hi(plan.across_axis[1]);
    }
    if (!ids_are_rows_) {
      for (std::size_t k = 0; k < count; ++k) ids[k] = store_ids[rows[k]];
      boxes.ids = ids;
    }
    const std::size_t many_count = place_boxes(
        boxes, maps, {entries, columns, {{across[0][0], across[0][1]}, {across[1][0], across[1][1]}}, many});
    // What began before the region begins before all of its columns
    if (!set.before.empty())
      for (std::size_t k = 0; k < count; ++k) {
        if ((set.before[first + k] & 1) != 0) entries[k].begins &= 0xffff0000u;
        if ((set.before[first + k] & 2) != 0) entries[k].begins &= 0xffffu;
      }
    // With many columns their ends are not in the nearest cache
    for (std::size_t k = 0; k < count; ++k) {
      if (many_columns) bins.expect(columns[std::min(k + columns_detail::kPushesAhead, count - 1)]);
      bins.push(columns[k], entries[k]);
    }

    for (std::size_t m = 0; m < many_count; ++m) {
      const std::size_t k = many[m];
      if (columns[k] == aside) {
        giants.rows.push_back(rows[k]);
        giants.before.push_back(set.before_at(first + k));
        continue;
      }
      // The columns after the first: where the box began before, and where it ends
      const std::uint32_t first0 = across[0][0][k] >> kColumnBits, last0 = across[0][1][k] >> kColumnBits;
      const std::uint32_t first1 = D == 3 ? across[1][0][k] >> kColumnBits : 0;
      const std::uint32_t last1 = D == 3 ? across[1][1][k] >> kColumnBits : 0;
      const std::uint32_t end0 = complement16((across[0][1][k] & kColumnMask) + kBegan);
      const std::uint32_t end1 = complement16(D == 3 ? (across[1][1][k] & kColumnMask) + kBegan : kGoesOn);
      ColumnEntry entry = entries[k];
      const std::uint32_t begin0 = entry.begins & 0xffff, begin1 = entry.begins >> 16;
      for (std::uint32_t c0 = first0; c0 <= last0; ++c0)
        for (std::uint32_t c1 = first1 + (c0 == first0 ? 1 : 0); c1 <= last1; ++c1) {
          entry.begins = pack16(c0 == first0 ? begin0 : 0, c1 == first1 ? begin1 : 0);
          entry.ends = pack16(c0 == last0 ? end0 : complement16(kGoesOn), c1 == last1 ? end1 : complement16(kGoesOn));
          bins.push(c0 * columns1 + c1, entry);
        }
    }
    bins.drop(aside);
  }
}

template <int D>
void ColumnSearch<D>::self_job(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch,
                               SearchOutput& out) const {
  if (set.rows.size() < 2) return;
  self_planned(set, plan_columns<D>(boxes_, request_for(set, sweep_axis, depth)), depth, scratch, out);
}

template <int D>
void ColumnSearch<D>::self_planned(const ColumnRows& set, const ColumnPlan& plan, int depth, Scratch& scratch,
                                   SearchOutput& out) const {
  const auto columns = static_cast<std::size_t>(plan.count());
  RowList giants;
  scratch.bins[0].reset(columns + 1, set.rows.size());
  scatter(plan, set, 0, set.rows.size(), columns_detail::kMostCopies, scratch.bins[0], giants);
  for (std::size_t column = 0; column < columns; ++column)
    self_column({scratch.bins, 1}, column, plan, depth, scratch, out);
  giants_job(set, giants, plan.sweep_axis, depth, scratch.below(), out);
}

// `a` is the smaller set, or that of the larger boxes
template <int D>
void ColumnSearch<D>::cross_job(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                                SearchOutput& out) const {
  if (a.rows.empty() || b.rows.empty()) return;
  if (a.rows.size() <= columns_detail::kFewGiants) return scan_few(a, b, out);
  if (b.rows.size() <= columns_detail::kFewGiants) return scan_few(b, a, out);
  cross_planned(a, b, cross_plan(a, b, sweep_axis, depth), depth, scratch, out);
}

template <int D>
ColumnPlan ColumnSearch<D>::cross_plan(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth) const {
  PlanRequest request = request_for(a, sweep_axis, depth);
  request.others = b.rows;
  if (a.rows.size() * columns_detail::kFewAgainstMany < b.rows.size())
    request.width = std::min(request.width, columns_detail::kGiantWidth);
  return plan_columns<D>(boxes_, request);
}

template <int D>
void ColumnSearch<D>::cross_planned(const ColumnRows& a, const ColumnRows& b, const ColumnPlan& plan, int depth,
                                    Scratch& scratch, SearchOutput& out) const {
  const auto columns = static_cast<std::size_t>(plan.count());
  RowList giants_a, giants_b;
  scratch.bins[0].reset(columns + 1, a.rows.size());
  scratch.bins[1].reset(columns + 1, b.rows.size());
  scatter(plan, a, 0, a.rows.size(), columns_detail::kMostCopies, scratch.bins[0], giants_a);
  scatter(plan, b, 0, b.rows.size(), columns_detail::kMostCopies, scratch.bins[1], giants_b);
  for (std::size_t column = 0; column < columns; ++column)
    cross_column({scratch.bins, 1}, {scratch.bins + 1, 1}, column, plan, depth, scratch, out);
  cross_giants(a, b, giants_a, giants_b, plan.sweep_axis, depth, scratch.below(), out);
}

// Boxes that touch too many columns: among themselves, and against the rest of their set
template <int D>
void ColumnSearch<D>::giants_job(const ColumnRows& set, const RowList& giants, int sweep_axis, int depth,
                                 Scratch& scratch, SearchOutput& out) const {
  if (giants.rows.empty()) return;
  scratch.giants += giants.rows.size();
  self_job(giants.view(false), sweep_axis, depth + 1, scratch, out);
  const RowList rest = without(set, giants);
  cross_job(giants.view(false), rest.view(set.rising), sweep_axis, depth + 1, scratch, out);
}

// The giants of each side against all of the other; a pair of giants belongs to the first of the two searches
template <int D>
void ColumnSearch<D>::cross_giants(const ColumnRows& a, const ColumnRows& b, const RowList& giants_a,
                                   const RowList& giants_b, int sweep_axis, int depth, Scratch& scratch,
                                   SearchOutput& out) const {
  if (giants_a.rows.empty() && giants_b.rows.empty()) return;
  scratch.giants += giants_a.rows.size() + giants_b.rows.size();
  cross_job(giants_a.view(false), b, sweep_axis, depth + 1, scratch, out);
  if (giants_b.rows.empty()) return;
  const RowList rest = without(a, giants_a);
  cross_job(giants_b.view(false), rest.view(a.rising), sweep_axis, depth + 1, scratch, out);
}

// The rows of a set that are not among its giants, in the order of the set
template <int D>
typename ColumnSearch<D>::RowList ColumnSearch<D>::without(const ColumnRows& set, const RowList& giants) {
  std::vector<std::uint32_t> sorted = giants.rows;
  std::sort(sorted.begin(), sorted.end());
  RowList rest;
  rest.rows.reserve(set.rows.size());
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
  using columns_detail::kBlock;
  columns_detail::RowBlock<D> block;
  const std::uint32_t* ids = store_->ids().data();
  for (std::size_t first = 0; first < many.rows.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, many.rows.size() - first);
    const std::uint32_t* rows = many.rows.data() + first;
    block.fetch(boxes_, rows, count, many.rising);
    for (std::size_t i = 0; i < few.rows.size(); ++i) {
      const std::uint32_t row_a = few.rows[i];
      scan_boxes<D, 0>(block.columns, 0, count, store_->box(row_a), [&](std::size_t j) {
        if ((few.before_at(i) & many.before_at(first + j)) != 0) return;
        if (filtered_ && !store_->rows_may_pair(row_a, rows[j])) return;
        out.pairs.push(make_pair_of(ids[row_a], ids[rows[j]]));
      });
    }
  }
  out.box_tests += few.rows.size() * many.rows.size();
}

}  // namespace sudar

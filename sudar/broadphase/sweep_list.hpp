// What:    Boxes sorted by their lower end on one axis, and the sweeps over one or two such lists.
// Source:  Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", 1995; Baraff's thesis, 1992; seed A18.
// Differs: No active list: for each box the candidates are a run of the sorted list, tested in blocks. The columns are
//          stored with the sweep axis first, so the inner loop is the same for every axis. Boxes are kept by id, so a
//          list outlives the rows that it was made from. Runs of boxes that end before the other list goes on are
//          skipped as a whole: a long list of fixed boxes costs little against a few moving ones.
// Frame:   Invariant: a box meets, in its own list, only boxes after it; in two lists, a pair is met by the box that
//          begins first, on a tie by the one of the first list. So each pair is met once.
#pragma once

#include <sudar/broadphase/box_scan.hpp>
#include <sudar/broadphase/broadphase.hpp>

namespace sudar {

template <int D>
class SweepList {
 public:
  // How much the centres of these rows vary on each axis, and where they do most
  static std::array<double, D> spread(const BoxStore<D>& store, std::span<const std::uint32_t> rows);
  static int widest_axis(const BoxStore<D>& store, std::span<const std::uint32_t> rows);

  // Copy and sort these rows of the store. `tags`, when given, runs parallel to `rows`.
  void assign(const BoxStore<D>& store, std::span<const std::uint32_t> rows, int axis,
              std::span<const std::uint32_t> tags = {});

  std::size_t size() const noexcept { return ids_.size(); }
  std::uint32_t id(std::size_t i) const noexcept { return ids_[i]; }
  std::uint32_t tag(std::size_t i) const noexcept { return tags_.empty() ? 0 : tags_[i]; }
  std::size_t bytes() const noexcept;

  // Calls found(i, j) for each overlapping pair with i in [begin, end) and j after i; returns the number of box tests
  template <class F>
  std::uint64_t sweep(std::size_t begin, std::size_t end, F&& found) const;
  // Calls found(i, j) for each box i in [begin, end) here and each box j of `other` that overlaps it and does not begin
  // before it (or, with `after`, begins after it)
  template <class F>
  std::uint64_t sweep(std::size_t begin, std::size_t end, const SweepList& other, bool after, F&& found) const;

 private:
  static constexpr std::size_t kBlock = 64;
  BoxColumns<D> columns() const noexcept;
  Aabb<D, float> box(std::size_t i) const noexcept;
  std::size_t run_end(std::size_t from, float last) const noexcept;

  // Axis 0 is the sweep axis
  std::array<std::vector<float>, D> lo_, hi_;
  std::vector<float> block_hi_;  // the last end on the sweep axis of each kBlock boxes
  std::vector<std::uint32_t> ids_, tags_;
  std::vector<KeyedRow> keys_, scratch_;
};

template <int D>
BoxColumns<D> SweepList<D>::columns() const noexcept {
  BoxColumns<D> columns;
  for (std::size_t k = 0; k < D; ++k) {
    columns[k] = lo_[k].data();
    columns[D + k] = hi_[k].data();
  }
  return columns;
}

template <int D>
Aabb<D, float> SweepList<D>::box(std::size_t i) const noexcept {
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = lo_[static_cast<std::size_t>(k)][i];
    box.hi[k] = hi_[static_cast<std::size_t>(k)][i];
  }
  return box;
}

// First index from `from` on whose box begins after `last`: by leaps, then by halving
template <int D>
std::size_t SweepList<D>::run_end(std::size_t from, float last) const noexcept {
  const std::vector<float>& lo = lo_[0];
  std::size_t step = 1, low = from;
  while (low + step <= lo.size() && lo[low + step - 1] <= last) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(low + step, lo.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (lo[middle] <= last)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

template <int D>
template <class F>
std::uint64_t SweepList<D>::sweep(std::size_t begin, std::size_t end, F&& found) const {
  const BoxColumns<D> all = columns();
  std::uint64_t tests = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Aabb<D, float> mine = box(i);
    const std::size_t stop = run_end(i + 1, mine.hi[0]);
    tests += stop - i - 1;
    scan_boxes<D, 1>(all, i + 1, stop, mine, [&](std::size_t j) { found(i, j); });
  }
  return tests;
}

template <int D>
template <class F>
std::uint64_t SweepList<D>::sweep(std::size_t begin, std::size_t end, const SweepList& other, bool after,
                                  F&& found) const {
  const BoxColumns<D> all = other.columns();
  const std::vector<float>& other_lo = other.lo_[0];
  std::uint64_t tests = 0;
  if (begin == end) return tests;
  // The candidates of the next box begin no earlier than those of this one
  std::size_t start =
      static_cast<std::size_t>((after ? std::upper_bound(other_lo.begin(), other_lo.end(), lo_[0][begin])
                                      : std::lower_bound(other_lo.begin(), other_lo.end(), lo_[0][begin])) -
                               other_lo.begin());
  for (std::size_t i = begin; i < end; ++i) {
    if (start == other_lo.size()) break;
    if (i % kBlock == 0 && block_hi_[i / kBlock] < other_lo[start]) {
      i += kBlock - 1;
      continue;
    }
    const Aabb<D, float> mine = box(i);
    while (start < other_lo.size() && (other_lo[start] < mine.lo[0] || (after && other_lo[start] == mine.lo[0])))
      ++start;
    const std::size_t stop = other.run_end(start, mine.hi[0]);
    tests += stop - start;
    scan_boxes<D, 1>(all, start, stop, mine, [&](std::size_t j) { found(i, j); });
  }
  return tests;
}

}  // namespace sudar

#include <sudar/broadphase/grid.hpp>
#include <sudar/core/prefetch.hpp>
#include <sudar/core/random.hpp>

namespace sudar {

namespace {

enum : std::size_t { kCellScale, kGiantCells, kCrowd };

constexpr std::size_t kGrain = 8192;    // cells of one task
constexpr std::size_t kSample = 1024;   // boxes looked at to choose the cells
constexpr std::size_t kAhead = 24;      // entries whose boxes are fetched ahead
constexpr std::uint32_t kBlock = 32;    // boxes that are entered together
constexpr std::size_t kFewGiants = 8;   // up to this many are compared with all boxes one by one
constexpr double kCellsPerBox = 2;      // at most
constexpr double kTail = 0.01;          // share of the sample left out at each end: outliers do not set the grid
constexpr double kMarginOfTail = 0.03;  // and what an even spread has beyond it
constexpr double kGrowth = 1.25;        // of the cells, until they are few enough

// Mean of the smaller 9 tenths: a few giants do not set the size of the cells
double trimmed_mean(std::vector<double>& values) {
  const std::size_t keep = (values.size() * 9 + 9) / 10;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(keep - 1), values.end());
  double sum = 0;
  for (std::size_t i = 0; i < keep; ++i) sum += values[i];
  return sum / static_cast<double>(keep);
}

}  // namespace

template <int D>
Grid<D>::Grid()
    : Broadphase<D>({{"cell_scale", "edge of a cell in mean box edges", D == 2 ? 3.0 : 2.5, 0.25, 64, false},
                     {"giant_cells", "a box that touches more cells than this is a giant", 64, 1, 4096, true},
                     {"crowd", "a cell with more boxes than this is swept", 64, 4, 65536, true}}) {}

template <int D>
void Grid<D>::choose_cells(const BoxStore<D>& store) {
  const std::size_t n = store.size();
  std::vector<double> lows(std::min(n, kSample)), edges(lows.size());
  std::array<double, D> width{}, cell{};
  for (int axis = 0; axis < D; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    // A random sample: a regular one may fall in step with the order of the boxes
    Random random(1);
    for (std::size_t i = 0; i < lows.size(); ++i) {
      const std::size_t row = n <= kSample ? i : random.below(n);
      lows[i] = store.lo(axis)[row];
      edges[i] = static_cast<double>(store.hi(axis)[row]) - store.lo(axis)[row];
    }
    // Where nearly all boxes begin
    const auto tail = static_cast<std::ptrdiff_t>(static_cast<double>(lows.size()) * kTail);
    std::nth_element(lows.begin(), lows.begin() + tail, lows.end());
    const double low = lows[static_cast<std::size_t>(tail)];
    std::nth_element(lows.begin(), lows.end() - 1 - tail, lows.end());
    const double high = *(lows.end() - 1 - tail);
    const double margin = tail == 0 ? 0 : (high - low) * kMarginOfTail;
    origin_[k] = low - margin;
    width[k] = high - low + 2 * margin;
    cell[k] = this->parameter(kCellScale) * trimmed_mean(edges);
    if (!(cell[k] > 0)) cell[k] = width[k] / static_cast<double>(n + 1);
  }
  // Enlarge the cells until there are no more than a few for each box
  const double limit = kCellsPerBox * static_cast<double>(n) + 64;
  const auto cells_on = [&](std::size_t k) {
    return width[k] > 0 ? std::max(1.0, std::ceil(std::min(width[k] / cell[k], 1e9))) : 1.0;
  };
  const auto total = [&] {
    double product = 1;
    for (std::size_t k = 0; k < D; ++k) product *= cells_on(k);
    return product;
  };
  while (total() > limit)
    for (double& edge : cell) edge *= kGrowth;
  cell_count_ = 1;
  for (std::size_t k = 0; k < D; ++k) {
    cells_[k] = static_cast<std::int32_t>(cells_on(k));
    per_cell_[k] = cells_[k] > 1 ? cells_[k] / width[k] : 0;
    cell_count_ *= static_cast<std::size_t>(cells_[k]);
  }
}

// Monotone in x: a difference, a product with a positive number, a clamp and a truncation all are
template <int D>
std::int32_t Grid<D>::cell_of(float x, int axis) const noexcept {
  const auto k = static_cast<std::size_t>(axis);
  const double t = (x - origin_[k]) * per_cell_[k];
  return static_cast<std::int32_t>(std::clamp(t, 0.0, static_cast<double>(cells_[k] - 1)));
}

template <int D>
typename Grid<D>::Range Grid<D>::range_of(const BoxStore<D>& store, std::uint32_t row) const noexcept {
  Range range;
  for (int axis = 0; axis < D; ++axis) {
    range.first[static_cast<std::size_t>(axis)] = cell_of(store.lo(axis)[row], axis);
    range.last[static_cast<std::size_t>(axis)] = cell_of(store.hi(axis)[row], axis);
  }
  return range;
}

template <int D>
std::size_t Grid<D>::index_of(const std::array<std::int32_t, D>& cell) const noexcept {
  std::size_t index = 0;
  for (std::size_t k = D; k-- > 0;)
    index = index * static_cast<std::size_t>(cells_[k]) + static_cast<std::size_t>(cell[k]);
  return index;
}

// Calls visit(cell, before) for every cell of the range; bit k of `before` says that the range begins before it on k
template <int D>
template <class F>
void Grid<D>::for_each_cell(const Range& range, F&& visit) const {
  std::array<std::int32_t, D> at = range.first;
  for (;;) {
    std::size_t row_start = 0;
    std::uint32_t before = 0;
    for (std::size_t k = D - 1; k > 0; --k) {
      row_start = (row_start + static_cast<std::size_t>(at[k])) * static_cast<std::size_t>(cells_[k - 1]);
      before |= static_cast<std::uint32_t>(at[k] > range.first[k]) << k;
    }
    for (std::int32_t x = range.first[0]; x <= range.last[0]; ++x)
      visit(row_start + static_cast<std::size_t>(x), before | static_cast<std::uint32_t>(x > range.first[0]));
    // The next row of cells, as a counter with D - 1 digits
    std::size_t k = 1;
    while (k < D && ++at[k] > range.last[k]) {
      at[k] = range.first[k];
      ++k;
    }
    if (k == D) return;
  }
}

template <int D>
void Grid<D>::do_build(const BoxStore<D>& store) {
  ++this->count().rebuilds;
  giants_.clear();
  entries_.clear();
  cell_count_ = 0;
  if (store.empty()) return;
  if (store.size() > kRowMask) throw std::bad_alloc();
  choose_cells(store);

  // Count: moving and fixed boxes of each cell, side by side. A block of boxes at a time, so that what they will touch is
  // fetched while the others are still looked at.
  const double giant_cells = this->parameter(kGiantCells);
  starts_.assign(2 * cell_count_ + 1, 0);
  is_giant_.assign(store.size(), 0);
  boxes_.resize(store.size());
  std::array<Range, kBlock> ranges;
  const auto look_at = [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      ranges[i] = range_of(store, first + i);
      prefetch(starts_.data() + 2 * index_of(ranges[i].first));
    }
  };
  const auto size = static_cast<std::uint32_t>(store.size());
  for (std::uint32_t first = 0; first < size; first += kBlock) {
    const std::uint32_t count = std::min(kBlock, size - first);
    look_at(first, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t row = first + i;
      boxes_[row] = {store.box(row), store.ids()[row]};
      double touched = 1;
      for (std::size_t k = 0; k < D; ++k) touched *= ranges[i].last[k] - ranges[i].first[k] + 1;
      if (touched > giant_cells) {
        is_giant_[row] = 1;
        giants_.push_back(row);
        continue;
      }
      const std::size_t half = store.is_fixed(row) ? 1 : 0;
      for_each_cell(ranges[i], [&](std::size_t cell, std::uint32_t) { ++starts_[2 * cell + half]; });
    }
  }
  // Place: a running sum gives the start of each half, and filling moves it to its end
  std::size_t sum = 0;
  for (std::uint32_t& start : starts_) sum += std::exchange(start, static_cast<std::uint32_t>(sum));
  if (sum > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  entries_.resize(sum);
  for (std::uint32_t first = 0; first < size; first += kBlock) {
    const std::uint32_t count = std::min(kBlock, size - first);
    look_at(first, count);
    for (std::uint32_t i = 0; i < count; ++i) prefetch(entries_.data() + starts_[2 * index_of(ranges[i].first)]);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t row = first + i;
      if (is_giant_[row]) continue;
      const std::size_t half = store.is_fixed(row) ? 1 : 0;
      for_each_cell(ranges[i], [&](std::size_t cell, std::uint32_t before) {
        entries_[starts_[2 * cell + half]++] = before << kRowBits | row;
      });
    }
  }

  // With many giants, sweep them; with few, comparing is cheaper than sorting everything
  if (giants_.size() <= kFewGiants) return;
  others_.clear();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (!is_giant_[row]) others_.push_back(row);
  const int axis = SweepList<D>::widest_axis(store, giants_);
  giant_list_.assign(store, giants_, axis);
  other_list_.assign(store, others_, axis);
}

template <int D>
void Grid<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  search_blocks(this->executor(), cell_count_, kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  CellScratch scratch;
                  for (std::size_t cell = begin; cell < end; ++cell)
                    filtered ? search_cell<true>(store, cell, scratch, part)
                             : search_cell<false>(store, cell, scratch, part);
                });
  search_giants(store, out);
}

template <int D>
template <bool kFiltered>
void Grid<D>::search_cell(const BoxStore<D>& store, std::size_t cell, CellScratch& scratch, SearchOutput& out) const {
  // starts_ holds ends since the boxes were placed
  const std::uint32_t first = cell == 0 ? 0 : starts_[2 * cell - 1];
  const std::uint32_t moving_end = starts_[2 * cell], last = starts_[2 * cell + 1];
  const std::uint32_t moving = moving_end - first;
  if (last - first < 2 || moving == 0) return;
  ++out.nodes_visited;
  const std::span<const Entry> entries(entries_.data() + first, last - first);
  if (static_cast<double>(entries.size()) > this->parameter(kCrowd)) {
    search_crowd(store, entries, moving, scratch, out);
    return;
  }
  // Gather, and fetch what the next cells will gather
  scratch.boxes.resize(std::max(scratch.boxes.size(), entries.size()));
  Local* const boxes = scratch.boxes.data();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    prefetch(boxes_.data() + (entries_[std::min(first + i + kAhead, entries_.size() - 1)] & kRowMask));
    const Box& box = boxes_[entries[i] & kRowMask];
    boxes[i] = {box.box, box.id, entries[i]};
  }
  for (std::size_t i = 0; i < moving; ++i) {
    const Local a = boxes[i];
    // Written blindly, kept when it is a hit: no branch to mispredict
    IdPair* place = out.pairs.room(entries.size());
    std::size_t kept = 0;
    for (std::size_t j = i + 1; j < entries.size(); ++j) {
      const Local& b = boxes[j];
      bool hit = true;
      for (int k = 0; k < D; ++k) hit &= (a.box.lo[k] <= b.box.hi[k]) & (b.box.lo[k] <= a.box.hi[k]);
      const bool here = (a.entry & b.entry & ~kRowMask) == 0;
      out.duplicates += hit & !here;
      hit &= here;
      if constexpr (kFiltered) hit = hit && store.rows_may_pair(a.entry & kRowMask, b.entry & kRowMask);
      place[kept] = make_pair_of(a.id, b.id);
      kept += hit;
    }
    out.box_tests += entries.size() - i - 1;
    out.pairs.commit(kept);
  }
}

template <int D>
void Grid<D>::search_crowd(const BoxStore<D>& store, std::span<const Entry> entries, std::size_t moving,
                           CellScratch& scratch, SearchOutput& out) const {
  scratch.rows.clear();
  scratch.tags.clear();
  for (const Entry entry : entries) {
    scratch.rows.push_back(entry & kRowMask);
    scratch.tags.push_back(entry >> kRowBits);
  }
  const std::span<const std::uint32_t> rows = scratch.rows, tags = scratch.tags;
  const int axis = SweepList<D>::widest_axis(store, rows.first(moving));
  SweepList<D>&m = scratch.moving, &f = scratch.fixed;
  m.assign(store, rows.first(moving), axis, tags.first(moving));
  f.assign(store, rows.subspan(moving), axis, tags.subspan(moving));

  const auto ids = store.ids();
  const auto report = [&](std::uint32_t a, std::uint32_t b, std::uint32_t tag_a, std::uint32_t tag_b) {
    if ((tag_a & tag_b) != 0)
      ++out.duplicates;
    else if (store.rows_may_pair(a, b))
      out.pairs.push(make_pair_of(ids[a], ids[b]));
  };
  const auto within = [&](std::size_t i, std::size_t j) { report(m.row(i), m.row(j), m.tag(i), m.tag(j)); };
  const auto across = [&](std::size_t i, std::size_t j) { report(m.row(i), f.row(j), m.tag(i), f.tag(j)); };
  out.box_tests += m.sweep(0, m.size(), within);
  out.box_tests += m.sweep(0, m.size(), f, false, across);
  out.box_tests += f.sweep(0, f.size(), m, true, [&](std::size_t i, std::size_t j) { across(j, i); });
}

template <int D>
void Grid<D>::search_giants(const BoxStore<D>& store, SearchOutput& out) {
  if (giants_.empty()) return;
  const auto ids = store.ids();
  const auto report = [&](std::uint32_t a, std::uint32_t b, SearchOutput& part) {
    if (store.rows_may_pair(a, b)) part.pairs.push(make_pair_of(ids[a], ids[b]));
  };
  if (giants_.size() <= kFewGiants) {
    BoxColumns<D> columns;
    for (int axis = 0; axis < D; ++axis) {
      columns[static_cast<std::size_t>(axis)] = store.lo(axis).data();
      columns[static_cast<std::size_t>(D + axis)] = store.hi(axis).data();
    }
    for (const std::uint32_t giant : giants_) {
      out.box_tests += store.size();
      scan_boxes<D, 0>(columns, 0, store.size(), store.box(giant), [&](std::size_t j) {
        const auto row = static_cast<std::uint32_t>(j);
        // Two giants meet twice, and a giant meets itself
        if (!is_giant_[row] || row > giant) report(giant, row, out);
      });
    }
    return;
  }
  const SweepList<D>&g = giant_list_, &o = other_list_;
  search_blocks(this->executor(), g.size(), kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests +=
                      g.sweep(begin, end, [&](std::size_t i, std::size_t j) { report(g.row(i), g.row(j), part); });
                  part.box_tests += g.sweep(begin, end, o, false,
                                            [&](std::size_t i, std::size_t j) { report(g.row(i), o.row(j), part); });
                });
  search_blocks(this->executor(), o.size(), kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += o.sweep(begin, end, g, true,
                                            [&](std::size_t i, std::size_t j) { report(o.row(i), g.row(j), part); });
                });
}

template <int D>
std::size_t Grid<D>::do_bytes() const noexcept {
  return boxes_.capacity() * sizeof(Box) + entries_.capacity() * sizeof(Entry) + is_giant_.capacity() +
         giant_list_.bytes() + other_list_.bytes() +
         (starts_.capacity() + giants_.capacity() + others_.capacity()) * sizeof(std::uint32_t);
}

template class SUDAR_API Grid<2>;
template class SUDAR_API Grid<3>;

}  // namespace sudar

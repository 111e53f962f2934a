#include <sudar/broadphase/grid.hpp>
#include <sudar/core/prefetch.hpp>
#include <sudar/core/random.hpp>

namespace sudar {

namespace {

enum : std::size_t { kGridCellScale, kGridGiantCells, kGridCrowd };

constexpr std::size_t kGridGrain = 8192;   // cells of one task
constexpr std::size_t kGridSample = 1024;  // boxes looked at to choose the cells
constexpr std::size_t kGridAhead = 24;     // entries whose boxes are fetched ahead
constexpr std::uint32_t kGridBlock = 32;   // boxes that are entered together
constexpr std::size_t kFewGiants = 8;      // up to this many are compared with all boxes one by one
constexpr double kCellsPerBox = 2;         // at most
constexpr double kGridTail = 0.01;         // share of the sample left out at each end: outliers do not set the grid
constexpr double kMarginOfTail = 0.03;     // and what an even spread has beyond it
constexpr double kGridGrowth = 1.25;       // of the cells, until they are few enough
constexpr std::size_t kFewMoving = 8;      // so few are compared with a crowd of fixed boxes one by one
constexpr double kGridMostGrowth = 1.5;    // of a cell that still fits …
constexpr double kMostShift = 0.1;         // … and of the ends of the grid, in its widths

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
typename Grid<D>::Plan Grid<D>::choose_cells(const BoxStore<D>& store) const {
  const std::size_t n = store.size();
  Plan plan;
  if (n == 0) return plan;
  std::vector<double> lows(std::min(n, kGridSample)), edges(lows.size());
  std::array<double, D> width{}, cell{};
  for (int axis = 0; axis < D; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    // A random sample: a regular one may fall in step with the order of the boxes
    Random random(1);
    for (std::size_t i = 0; i < lows.size(); ++i) {
      const std::size_t row = n <= kGridSample ? i : random.below(n);
      lows[i] = store.lo(axis)[row];
      edges[i] = static_cast<double>(store.hi(axis)[row]) - store.lo(axis)[row];
    }
    // Where nearly all boxes begin
    const auto tail = static_cast<std::ptrdiff_t>(static_cast<double>(lows.size()) * kGridTail);
    std::nth_element(lows.begin(), lows.begin() + tail, lows.end());
    const double low = lows[static_cast<std::size_t>(tail)];
    std::nth_element(lows.begin(), lows.end() - 1 - tail, lows.end());
    const double high = *(lows.end() - 1 - tail);
    const double margin = tail == 0 ? 0 : (high - low) * kMarginOfTail;
    plan.origin[k] = low - margin;
    width[k] = high - low + 2 * margin;
    cell[k] = this->parameter(kGridCellScale) * trimmed_mean(edges);
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
    for (double& edge : cell) edge *= kGridGrowth;
  plan.cell_count = 1;
  for (std::size_t k = 0; k < D; ++k) {
    plan.cells[k] = static_cast<std::int32_t>(cells_on(k));
    plan.per_cell[k] = plan.cells[k] > 1 ? plan.cells[k] / width[k] : 0;
    plan.cell_count *= static_cast<std::size_t>(plan.cells[k]);
  }
  return plan;
}

// Do these cells serve a scene for which the other ones would be chosen?
template <int D>
bool Grid<D>::Plan::is_like(const Plan& other) const noexcept {
  for (std::size_t k = 0; k < D; ++k) {
    if (cells[k] <= 1 && other.cells[k] <= 1) continue;
    if (!(cells[k] > 1 && other.cells[k] > 1)) return false;
    const double width = cells[k] / per_cell[k], other_width = other.cells[k] / other.per_cell[k];
    if (!(per_cell[k] <= kGridMostGrowth * other.per_cell[k] && other.per_cell[k] <= kGridMostGrowth * per_cell[k]))
      return false;
    if (!(std::abs(origin[k] - other.origin[k]) <= kMostShift * width)) return false;
    if (!(std::abs(origin[k] + width - other.origin[k] - other_width) <= kMostShift * width)) return false;
  }
  return true;
}

// Monotone in x: a difference, a product with a positive number, a clamp and a truncation all are
template <int D>
std::int32_t Grid<D>::cell_of(float x, int axis) const noexcept {
  const auto k = static_cast<std::size_t>(axis);
  const double t = (x - plan_.origin[k]) * plan_.per_cell[k];
  return static_cast<std::int32_t>(std::clamp(t, 0.0, static_cast<double>(plan_.cells[k] - 1)));
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
    index = index * static_cast<std::size_t>(plan_.cells[k]) + static_cast<std::size_t>(cell[k]);
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
      row_start = (row_start + static_cast<std::size_t>(at[k])) * static_cast<std::size_t>(plan_.cells[k - 1]);
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
  if (store.size() > kPlaceMask) throw std::bad_alloc();
  start(store, choose_cells(store));
}

template <int D>
void Grid<D>::do_update(const BoxStore<D>& store) {
  if (store.size() > kPlaceMask) throw std::bad_alloc();
  const Plan plan = choose_cells(store);
  if (store.fixed_count() == 0 || store.fixed_revision() != fixed_seen_ || !plan_.is_like(plan))
    return start(store, plan);
  enter(store, false, moving_);
  ++this->count().rebuilds;
  sort_giants(store);
}

template <int D>
void Grid<D>::start(const BoxStore<D>& store, const Plan& plan) {
  plan_ = plan;
  enter(store, true, fixed_);
  fixed_seen_ = store.fixed_revision();
  giants_sorted_ = false;
  enter(store, false, moving_);
  this->count().rebuilds += 2;
  sort_giants(store);
}

template <int D>
void Grid<D>::enter(const BoxStore<D>& store, bool fixed, Layer& layer) {
  layer.giants.clear();
  layer.entries.clear();
  const std::size_t size = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  layer.boxes.resize(size);
  if (size == 0) return;
  const bool all = size == store.size();
  rows_.clear();
  if (!all)
    for (std::uint32_t row = 0; row < store.size(); ++row)
      if (store.is_fixed(row) == fixed) rows_.push_back(row);
  const auto row_at = [&](std::size_t place) { return all ? static_cast<std::uint32_t>(place) : rows_[place]; };

  // Count the boxes of each cell. A block of boxes at a time, so that what they will touch is fetched while the others
  // are still looked at.
  const double giant_cells = this->parameter(kGridGiantCells);
  layer.ends.assign(plan_.cell_count, 0);
  layer.is_giant.assign(size, 0);
  std::array<Range, kGridBlock> ranges;
  const auto look_at = [&](std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      ranges[i] = range_of(store, row_at(first + i));
      prefetch(layer.ends.data() + index_of(ranges[i].first));
    }
  };
  for (std::size_t first = 0; first < size; first += kGridBlock) {
    const std::size_t count = std::min<std::size_t>(kGridBlock, size - first);
    look_at(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = first + i;
      const std::uint32_t row = row_at(place);
      layer.boxes[place] = {store.box(row), store.ids()[row]};
      double touched = 1;
      for (std::size_t k = 0; k < D; ++k) touched *= ranges[i].last[k] - ranges[i].first[k] + 1;
      if (touched > giant_cells) {
        layer.is_giant[place] = 1;
        layer.giants.push_back(static_cast<std::uint32_t>(place));
        continue;
      }
      for_each_cell(ranges[i], [&](std::size_t cell, std::uint32_t) { ++layer.ends[cell]; });
    }
  }
  // Place: a running sum gives the start of each cell, and filling moves it to its end
  std::size_t sum = 0;
  for (std::uint32_t& end : layer.ends) sum += std::exchange(end, static_cast<std::uint32_t>(sum));
  if (sum > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  layer.entries.resize(sum);
  for (std::size_t first = 0; first < size; first += kGridBlock) {
    const std::size_t count = std::min<std::size_t>(kGridBlock, size - first);
    look_at(first, count);
    for (std::size_t i = 0; i < count; ++i) prefetch(layer.entries.data() + layer.ends[index_of(ranges[i].first)]);
    for (std::size_t i = 0; i < count; ++i) {
      if (layer.is_giant[first + i]) continue;
      const auto place = static_cast<Entry>(first + i);
      for_each_cell(ranges[i], [&](std::size_t cell, std::uint32_t before) {
        layer.entries[layer.ends[cell]++] = before << kPlaceBits | place;
      });
    }
  }
}

// With many giants, sweep them; with few, comparing is cheaper than sorting everything
template <int D>
void Grid<D>::sort_giants(const BoxStore<D>& store) {
  if (moving_.giants.size() + fixed_.giants.size() <= kFewGiants) return;
  const auto take = [&](const Layer& layer, bool giants) {
    for (std::size_t place = 0; place < layer.boxes.size(); ++place)
      if ((layer.is_giant[place] != 0) == giants) rows_.push_back(store.row_of(layer.boxes[place].id));
  };
  const auto sort = [&](Layer& layer) {
    rows_.clear();
    take(layer, true);
    layer.giant_list.assign(store, rows_, giant_axis_);
    rows_.clear();
    take(layer, false);
    layer.other_list.assign(store, rows_, giant_axis_);
  };
  if (!giants_sorted_) {
    rows_.clear();
    take(moving_, true);
    take(fixed_, true);
    giant_axis_ = SweepList<D>::widest_axis(store, rows_);
    sort(fixed_);
    giants_sorted_ = true;
  }
  sort(moving_);
}

template <int D>
void Grid<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  search_blocks(this->executor(), plan_.cell_count, kGridGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  CellScratch scratch;
                  for (std::size_t cell = begin; cell < end; ++cell)
                    filtered ? search_cell<true>(store, cell, scratch, part)
                             : search_cell<false>(store, cell, scratch, part);
                });
  if (moving_.giants.size() + fixed_.giants.size() <= kFewGiants)
    scan_giants(store, out);
  else
    sweep_giants(store, out);
}

// The boxes of these entries, while what the next cells will gather is fetched
template <int D>
void Grid<D>::gather(const Layer& layer, std::span<const Entry> entries, Local* to) const {
  if (entries.empty()) return;
  const Entry* const last = layer.entries.data() + layer.entries.size() - 1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry* const here = entries.data() + i;
    prefetch(layer.boxes.data() +
             (*(last - here > static_cast<std::ptrdiff_t>(kGridAhead) ? here + kGridAhead : last) & kPlaceMask));
    const Box& box = layer.boxes[*here & kPlaceMask];
    to[i] = {box.box, box.id, *here};
  }
}

template <int D>
template <bool kFiltered>
void Grid<D>::search_cell(const BoxStore<D>& store, std::size_t cell, CellScratch& scratch, SearchOutput& out) const {
  const std::span<const Entry> moving = moving_.cell(cell);
  if (moving.empty()) return;
  const std::span<const Entry> fixed = fixed_.cell(cell);
  const std::size_t count = moving.size() + fixed.size();
  if (count < 2) return;
  ++out.nodes_visited;
  scratch.boxes.resize(std::max(scratch.boxes.size(), count));
  Local* const boxes = scratch.boxes.data();
  gather(moving_, moving, boxes);
  gather(fixed_, fixed, boxes + moving.size());
  if (static_cast<double>(count) > this->parameter(kGridCrowd) && moving.size() > kFewMoving) {
    search_crowd(store, {boxes, count}, moving.size(), scratch, out);
    return;
  }
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const Local a = boxes[i];
    // Written blindly, kept when it is a hit: no branch to mispredict
    IdPair* place = out.pairs.room(count);
    std::size_t kept = 0;
    for (std::size_t j = i + 1; j < count; ++j) {
      const Local& b = boxes[j];
      bool hit = true;
      for (int k = 0; k < D; ++k) hit &= (a.box.lo[k] <= b.box.hi[k]) & (b.box.lo[k] <= a.box.hi[k]);
      const bool here = (a.entry & b.entry & ~kPlaceMask) == 0;
      out.duplicates += hit & !here;
      hit &= here;
      if constexpr (kFiltered) hit = hit && store.rows_may_pair(store.row_of(a.id), store.row_of(b.id));
      place[kept] = make_pair_of(a.id, b.id);
      kept += hit;
    }
    out.box_tests += count - i - 1;
    out.pairs.commit(kept);
  }
}

template <int D>
void Grid<D>::search_crowd(const BoxStore<D>& store, std::span<const Local> boxes, std::size_t moving,
                           CellScratch& scratch, SearchOutput& out) const {
  scratch.rows.clear();
  scratch.tags.clear();
  for (const Local& box : boxes) {
    scratch.rows.push_back(store.row_of(box.id));
    scratch.tags.push_back(box.entry >> kPlaceBits);
  }
  const std::span<const std::uint32_t> rows = scratch.rows, tags = scratch.tags;
  const int axis = SweepList<D>::widest_axis(store, rows.first(moving));
  SweepList<D>&m = scratch.moving, &f = scratch.fixed;
  m.assign(store, rows.first(moving), axis, tags.first(moving));
  f.assign(store, rows.subspan(moving), axis, tags.subspan(moving));

  const bool filtered = store.has_filters();
  const auto report = [&](std::uint32_t a, std::uint32_t b, std::uint32_t tag_a, std::uint32_t tag_b) {
    if ((tag_a & tag_b) != 0)
      ++out.duplicates;
    else if (!filtered || store.rows_may_pair(store.row_of(a), store.row_of(b)))
      out.pairs.push(make_pair_of(a, b));
  };
  const auto within = [&](std::size_t i, std::size_t j) { report(m.id(i), m.id(j), m.tag(i), m.tag(j)); };
  const auto across = [&](std::size_t i, std::size_t j) { report(m.id(i), f.id(j), m.tag(i), f.tag(j)); };
  out.box_tests += m.sweep(0, m.size(), within);
  out.box_tests += m.sweep(0, m.size(), f, false, across);
  out.box_tests += f.sweep(0, f.size(), m, true, [&](std::size_t i, std::size_t j) { across(j, i); });
}

// Few giants: each against all others
template <int D>
void Grid<D>::scan_giants(const BoxStore<D>& store, SearchOutput& out) const {
  const auto ids = store.ids();
  BoxColumns<D> columns;
  for (int axis = 0; axis < D; ++axis) {
    columns[static_cast<std::size_t>(axis)] = store.lo(axis).data();
    columns[static_cast<std::size_t>(D + axis)] = store.hi(axis).data();
  }
  const auto is_moving_giant = [&](std::uint32_t id) {
    return std::any_of(moving_.giants.begin(), moving_.giants.end(),
                       [&](std::uint32_t place) { return moving_.boxes[place].id == id; });
  };
  for (const std::uint32_t place : moving_.giants) {
    const Box& giant = moving_.boxes[place];
    const std::uint32_t row = store.row_of(giant.id);
    out.box_tests += store.size();
    scan_boxes<D, 0>(columns, 0, store.size(), giant.box, [&](std::size_t j) {
      // Two moving giants meet twice, and a giant meets itself
      if (ids[j] <= giant.id && is_moving_giant(ids[j])) return;
      if (store.rows_may_pair(row, static_cast<std::uint32_t>(j))) out.pairs.push(make_pair_of(giant.id, ids[j]));
    });
  }
  for (const std::uint32_t place : fixed_.giants) {
    const Box& giant = fixed_.boxes[place];
    const std::uint32_t row = store.row_of(giant.id);
    out.box_tests += moving_.boxes.size();
    for (std::size_t i = 0; i < moving_.boxes.size(); ++i) {
      const Box& box = moving_.boxes[i];
      if (!overlap(giant.box, box.box) || moving_.is_giant[i] != 0) continue;
      if (store.rows_may_pair(row, store.row_of(box.id))) out.pairs.push(make_pair_of(giant.id, box.id));
    }
  }
}

template <int D>
void Grid<D>::sweep_giants(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  const auto report = [&](std::uint32_t a, std::uint32_t b, SearchOutput& part) {
    if (!filtered || store.rows_may_pair(store.row_of(a), store.row_of(b))) part.pairs.push(make_pair_of(a, b));
  };
  // What begins with the one list, then with the other
  const auto half = [&](const SweepList<D>& a, const SweepList<D>& b, bool after) {
    search_blocks(this->executor(), a.size(), kGridGrain, this->parts(), out,
                  [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                    part.box_tests += a.sweep(begin, end, b, after,
                                              [&](std::size_t i, std::size_t j) { report(a.id(i), b.id(j), part); });
                  });
  };
  const auto across = [&](const SweepList<D>& a, const SweepList<D>& b) {
    half(a, b, false);
    half(b, a, true);
  };
  const SweepList<D>& giants = moving_.giant_list;
  search_blocks(this->executor(), giants.size(), kGridGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += giants.sweep(
                      begin, end, [&](std::size_t i, std::size_t j) { report(giants.id(i), giants.id(j), part); });
                });
  across(giants, moving_.other_list);
  across(giants, fixed_.giant_list);
  across(giants, fixed_.other_list);
  across(fixed_.giant_list, moving_.other_list);
}

template <int D>
std::size_t Grid<D>::Layer::bytes() const noexcept {
  return boxes.capacity() * sizeof(Box) + entries.capacity() * sizeof(Entry) + is_giant.capacity() +
         giant_list.bytes() + other_list.bytes() + (ends.capacity() + giants.capacity()) * sizeof(std::uint32_t);
}

template <int D>
std::size_t Grid<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + rows_.capacity() * sizeof(std::uint32_t);
}

template class SUDAR_API Grid<2>;
template class SUDAR_API Grid<3>;

}  // namespace sudar

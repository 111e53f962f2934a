#include <sudar/broadphase/hash_grid.hpp>
#include <sudar/core/random.hpp>

#include <cmath>

namespace sudar {

namespace {

enum : std::size_t { kHashCellScale };

constexpr std::size_t kHashGrain = 4096;  // boxes of one task
constexpr int kFloatBits = 23;            // no cell is finer than the floats of the boxes in it
constexpr int kLeastExponent = -200, kMostExponent = 200;
constexpr double kMergeShare = 0.125;  // a level with less than this of the next one's boxes is merged into it
constexpr int kMergeGap = 2;           // but not over more than this in the exponent
constexpr std::size_t kHashSample = 1024;
constexpr std::size_t kEnoughSampled = 64;  // below this a level is measured by its bounds
constexpr double kHashTail = 0.02;          // of the sample left out at each end: outliers do not set the torus
constexpr double kSlotsPerBox = 2;
constexpr double kMostSlotsAxis = 1 << 20, kMostSlots = 1 << 30;

// Cells are numbered below 2^24 on every level that a box is on, so whole numbers hold them
inline double cell_of(double x, double per_cell) {
  const double cells = x * per_cell;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(cells));
  return whole > cells ? whole - 1 : whole;
}

// x modulo m, for whole x and m
inline std::int32_t wrap(double x, std::int32_t m) {
  const std::int32_t r = static_cast<std::int32_t>(x) % m;
  return r < 0 ? r + m : r;
}

bool is_prime(std::int32_t x) {
  for (std::int32_t d = 2; d * d <= x; ++d)
    if (x % d == 0) return false;
  return x > 1;
}

// The exponent of the finest level for a box
template <int D>
int exponent_of(const Aabb<D, float>& box, double scale) {
  double largest = 0, farthest = 0;
  for (int k = 0; k < D; ++k) {
    largest = std::max(largest, static_cast<double>(box.hi[k]) - box.lo[k]);
    farthest = std::max({farthest, std::abs(static_cast<double>(box.lo[k])), std::abs(static_cast<double>(box.hi[k]))});
  }
  // frexp: x < 2^exponent
  int exponent = kLeastExponent, place = kLeastExponent;
  if (largest > 0) std::frexp(largest * scale, &exponent);
  if (farthest > 0) std::frexp(farthest, &place);
  exponent = std::clamp(std::max(exponent, place - kFloatBits), kLeastExponent, kMostExponent);
  // The size was rounded; the cells are not
  double per_cell = std::ldexp(1.0, -exponent);
  for (int k = 0; k < D; ++k)
    for (; cell_of(box.hi[k], per_cell) - cell_of(box.lo[k], per_cell) > 1; ++exponent) per_cell /= 2;
  return exponent;
}

}  // namespace

template <int D>
HashGrid<D>::HashGrid()
    : Broadphase<D>({{"cell_scale", "edge of a cell in edges of the boxes in it, at least", 1, 1, 16, false}}) {}

template <int D>
std::size_t HashGrid<D>::Layer::bytes() const noexcept {
  return boxes.bytes() + levels.capacity() * sizeof(Level) +
         (starts.capacity() + slot_of.capacity() + rows.capacity()) * sizeof(std::uint32_t) +
         exponents.capacity() * sizeof(std::int16_t) + entries.capacity() * sizeof(BoxEntry<D>);
}

template <int D>
void HashGrid<D>::do_build(const BoxStore<D>& store) {
  fill(store, true, fixed_);
  fixed_seen_ = store.fixed_revision();
  fill(store, false, moving_);
  this->count().rebuilds += 2;
}

template <int D>
void HashGrid<D>::do_update(const BoxStore<D>& store) {
  if (store.fixed_revision() != fixed_seen_) return do_build(store);
  fill(store, false, moving_);
  ++this->count().rebuilds;
}

// Which exponents have a level; replaces the exponent of each box by the number of its level
template <int D>
void HashGrid<D>::choose_levels(const BoxStore<D>& store, Layer& layer) const {
  constexpr std::size_t kCount = kMostExponent - kLeastExponent + 2;
  std::array<std::size_t, kCount> boxes{};
  for (const std::uint32_t row : layer.rows) {
    const int exponent = exponent_of(store.box(row), this->parameter(kHashCellScale));
    layer.exponents.push_back(static_cast<std::int16_t>(exponent));
    ++boxes[static_cast<std::size_t>(exponent - kLeastExponent)];
  }
  std::array<std::int16_t, kCount> level_of{};
  for (std::size_t e = 0; e < kCount; ++e) {
    if (boxes[e] == 0) continue;
    std::size_t above = e + 1;
    while (above < kCount && boxes[above] == 0) ++above;
    const bool merged = above < kCount && above - e <= static_cast<std::size_t>(kMergeGap) &&
                        static_cast<double>(boxes[e]) < kMergeShare * static_cast<double>(boxes[above]);
    level_of[e] = static_cast<std::int16_t>(layer.levels.size());
    if (merged) {
      boxes[above] += boxes[e];
      continue;
    }
    layer.levels.emplace_back();
    layer.levels.back().exponent = static_cast<int>(e) + kLeastExponent;
    layer.levels.back().per_cell = std::ldexp(1.0, -layer.levels.back().exponent);
  }
  for (std::int16_t& exponent : layer.exponents)
    exponent = level_of[static_cast<std::size_t>(exponent - kLeastExponent)];
}

// How large the torus of each level is
template <int D>
void HashGrid<D>::choose_slots(const BoxStore<D>& store, Layer& layer) const {
  std::vector<std::vector<std::uint32_t>> picked(layer.levels.size());
  Random random(1);
  for (std::size_t i = 0; i < std::min(kHashSample, layer.rows.size()); ++i) {
    const std::size_t at = layer.rows.size() <= kHashSample ? i : random.below(layer.rows.size());
    picked[static_cast<std::size_t>(layer.exponents[at])].push_back(layer.rows[at]);
  }
  std::size_t slots = 0;
  std::vector<double> cells;
  for (std::size_t l = 0; l < layer.levels.size(); ++l) {
    Level& level = layer.levels[l];
    // Cells that nearly all boxes of the level are in
    std::array<double, D> wanted;
    for (int k = 0; k < D; ++k) {
      double first = cell_of(level.bounds.lo[k], level.per_cell), last = cell_of(level.bounds.hi[k], level.per_cell);
      if (picked[l].size() >= kEnoughSampled) {
        cells.clear();
        for (const std::uint32_t row : picked[l]) cells.push_back(cell_of(store.lo(k)[row], level.per_cell));
        std::sort(cells.begin(), cells.end());
        const auto tail = static_cast<std::size_t>(kHashTail * static_cast<double>(cells.size()));
        first = cells[tail];
        last = cells[cells.size() - 1 - tail];
      }
      wanted[static_cast<std::size_t>(k)] = std::min(last - first + 1, kMostSlotsAxis);
    }
    // Fewer on the longest axes until there is no more than a few for each box
    const double most = std::min(kSlotsPerBox * static_cast<double>(level.end) + 8, kMostSlots);
    const auto product = [&] {
      double p = 1;
      for (const double w : wanted) p *= w;
      return p;
    };
    while (product() > most) *std::max_element(wanted.begin(), wanted.end()) *= 0.75;
    // Primes, each another one, so that neither a lattice nor a diagonal falls on few slots
    std::uint32_t count = 1;
    for (std::size_t k = 0; k < D; ++k) {
      auto size = static_cast<std::int32_t>(std::ceil(wanted[k]));
      if (size > 1)
        while (!is_prime(size) || std::count(level.slots.begin(), level.slots.begin() + static_cast<int>(k), size) > 0)
          ++size;
      level.slots[k] = size;
      count *= static_cast<std::uint32_t>(size);
    }
    level.first_slot = static_cast<std::uint32_t>(slots);
    slots += count;
  }
  layer.starts.assign(slots + 1, 0);
}

template <int D>
void HashGrid<D>::fill(const BoxStore<D>& store, bool fixed, Layer& layer) const {
  layer.levels.clear();
  layer.rows.clear();
  layer.exponents.clear();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (store.is_fixed(row) == fixed) layer.rows.push_back(row);
  const std::size_t count = layer.rows.size();
  layer.boxes.resize(count);
  layer.slot_of.resize(count);
  layer.starts.assign(1, 0);
  if (count == 0) return;
  choose_levels(store, layer);
  for (std::size_t i = 0; i < count; ++i) {
    Level& level = layer.levels[static_cast<std::size_t>(layer.exponents[i])];
    level.bounds = merge(level.bounds, store.box(layer.rows[i]));
    ++level.end;  // only counted as yet
  }
  choose_slots(store, layer);

  // Count, sum, deal
  layer.entries.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Level& level = layer.levels[static_cast<std::size_t>(layer.exponents[i])];
    std::uint32_t slot = 0;
    for (int k = D - 1; k >= 0; --k) {
      const std::int32_t slots = level.slots[static_cast<std::size_t>(k)];
      slot = slot * static_cast<std::uint32_t>(slots) +
             static_cast<std::uint32_t>(wrap(cell_of(store.lo(k)[layer.rows[i]], level.per_cell), slots));
    }
    layer.slot_of[i] = level.first_slot + slot;
    ++layer.starts[layer.slot_of[i]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& start : layer.starts) sum += std::exchange(start, sum);
  for (std::size_t i = 0; i < count; ++i)
    layer.entries[layer.starts[layer.slot_of[i]]++] = {store.box(layer.rows[i]), store.ids()[layer.rows[i]], 0};
  // Dealing has moved each start to its end, which is the next one's start
  for (std::size_t s = layer.starts.size() - 1; s > 0; --s) layer.starts[s] = layer.starts[s - 1];
  layer.starts[0] = 0;
  for (std::size_t i = 0; i < count; ++i) layer.boxes.set(i, layer.entries[i].box, layer.entries[i].id, 0);
  std::uint32_t first = 0;
  for (Level& level : layer.levels) {
    level.begin = std::exchange(first, first + level.end);
    level.end = first;
  }
}

// Calls visit(from, to) for runs of boxes that contain every box of the level that overlaps `box`, each once; returns
// the number of rows of cells looked at
template <int D>
template <class F>
std::size_t HashGrid<D>::for_each_run(const Layer& layer, const Level& level, const Aabb<D, double>& box, F&& visit) {
  // The cells in which such a box can begin; within the bounds of the level the numbers are small
  std::array<double, D> first;
  std::array<std::int32_t, D> count;
  double rows = 1;
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double lo = std::max<double>(box.lo[k], level.bounds.lo[k]),
                 hi = std::min<double>(box.hi[k], level.bounds.hi[k]);
    if (!(lo <= hi)) return 0;
    first[axis] = cell_of(lo, level.per_cell) - 1;
    // Once around is enough
    const double cells = cell_of(hi, level.per_cell) - first[axis] + 1;
    count[axis] = static_cast<std::int32_t>(std::min<double>(cells, level.slots[axis]));
    if (k > 0) rows *= count[axis];
  }
  if (rows > static_cast<double>(level.end - level.begin)) {
    visit(level.begin, level.end);
    return 1;
  }
  std::array<std::int32_t, D> start, at{};
  for (std::size_t k = 0; k < D; ++k) start[k] = wrap(first[k], level.slots[k]);
  for (;;) {
    std::uint32_t row = 0;
    for (std::size_t k = D - 1; k > 0; --k) {
      std::int32_t place = start[k] + at[k];
      place = place >= level.slots[k] ? place - level.slots[k] : place;
      row = (row + static_cast<std::uint32_t>(place)) * static_cast<std::uint32_t>(level.slots[k - 1]);
    }
    // One run, or two where it goes around
    const std::uint32_t* starts = layer.starts.data() + level.first_slot + row;
    const std::int32_t end = start[0] + count[0], straight = std::min(end, level.slots[0]);
    if (starts[start[0]] < starts[straight]) visit(starts[start[0]], starts[straight]);
    if (end > straight && starts[0] < starts[end - straight]) visit(starts[0], starts[end - straight]);
    std::size_t k = 1;
    while (k < D && ++at[k] == count[k]) at[k++] = 0;
    if (k == D) break;
  }
  return static_cast<std::size_t>(rows);
}

template <int D>
void HashGrid<D>::search(std::size_t begin, std::size_t end, PairScan<D>& among, PairScan<D>& with_fixed,
                         SearchOutput& out) const {
  const BoxList<D>& boxes = moving_.boxes;
  std::size_t l = 0;
  for (std::size_t i = begin; i < end; ++i) {
    while (i >= moving_.levels[l].end) ++l;
    const Level& level = moving_.levels[l];
    Aabb<D, double> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = boxes.lo(k, i);
      box.hi[k] = boxes.hi(k, i);
    }
    out.nodes_visited += for_each_run(moving_, level, box, [&](std::uint32_t from, std::uint32_t to) {
      // Each pair once: by the box that comes first
      among.test(boxes, i, boxes, std::max(from, static_cast<std::uint32_t>(i + 1)), to);
    });
    for (std::size_t coarser = l + 1; coarser < moving_.levels.size(); ++coarser)
      out.nodes_visited +=
          for_each_run(moving_, moving_.levels[coarser], box,
                       [&](std::uint32_t from, std::uint32_t to) { among.test(boxes, i, boxes, from, to); });
    for (const Level& other : fixed_.levels)
      out.nodes_visited += for_each_run(fixed_, other, box, [&](std::uint32_t from, std::uint32_t to) {
        with_fixed.test(boxes, i, fixed_.boxes, from, to);
      });
  }
}

template <int D>
void HashGrid<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  search_blocks(this->executor(), moving_.boxes.size(), kHashGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  PairScan<D> among(store, part), with_fixed(store, part);
                  search(begin, end, among, with_fixed, part);
                  among.finish();
                  with_fixed.finish();
                });
}

template <int D>
void HashGrid<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  for (const Layer* layer : {&moving_, &fixed_})
    for (const Level& level : layer->levels)
      sink.nodes_visited += for_each_run(*layer, level, sink.box(), [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) sink.offer(store.row_of(layer->boxes.id(i)));
      });
}

template class SUDAR_API HashGrid<2>;
template class SUDAR_API HashGrid<3>;

}  // namespace sudar

#include <sudar/broadphase/cell_cut.hpp>
#include <sudar/broadphase/cells_portals.hpp>
#include <sudar/core/random.hpp>

#include <cmath>

namespace sudar {

namespace {

enum : std::size_t { kBoxesPerCell };

constexpr std::size_t kPortalGrain = 128;    // cells of one task
constexpr std::size_t kPortalCrowd = 128;    // two cells with more boxes than this each are swept
constexpr std::size_t kPortalSample = 1024;  // boxes looked at to make cells
constexpr double kPortalTail = 0.01;         // of the sample left out at each end: outliers do not set the lattice
constexpr double kTypical = 0.9;             // boxes larger than this share of all may be giants
constexpr double kLeastEdge = 2;             // of a cell, in typical box edges
constexpr double kPortalGrowth = 1.25;       // of the cells, until they are few enough
constexpr double kMostDrift = 2;             // in number or crowding, until other cells are made

// How many boxes a box shares its cell with, on average
double crowding(std::span<const std::uint32_t> starts) {
  double squares = 0;
  for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
    const double n = starts[c + 1] - starts[c];
    squares += n * n;
  }
  return starts.back() > 0 ? squares / starts.back() : 0;
}

}  // namespace

template <int D>
CellsPortals<D>::CellsPortals()
    : Broadphase<D>(
          {{"boxes_per_cell", "of the cells that are made for the boxes; rooms stay as they are", 16, 1, 4096, true}}) {
}

template <int D>
Result<void> CellsPortals<D>::set_cells(std::span<const Aabb<D, double>> cells) {
  const auto set = next_map_.set_rooms(cells);
  if (!set) return set;
  map_changed_ = true;
  this->begin_anew_next();
  return set;
}

template <int D>
std::size_t CellsPortals<D>::outside_count() const noexcept {
  if (!map_.has_rooms() || moving_.starts.size() < 2) return 0;
  return moving_.starts.back() - moving_.starts[moving_.starts.size() - 2];
}

template <int D>
std::size_t CellsPortals<D>::Contents::bytes() const noexcept {
  return boxes.bytes() + giants.bytes() + (starts.capacity() + cell_of.capacity()) * sizeof(std::uint32_t) +
         bounds.capacity() * sizeof(Aabb<D, float>) + entries.capacity() * sizeof(BoxEntry<D>);
}

template <int D>
std::size_t CellsPortals<D>::do_bytes() const noexcept {
  return map_.bytes() + moving_.bytes() + fixed_.bytes() + last_cell_.capacity() * sizeof(std::uint32_t);
}

// A lattice over where nearly all centres are; or, with rooms, only the size from which a box is a giant
template <int D>
void CellsPortals<D>::make_cells(const BoxStore<D>& store) {
  boxes_planned_ = store.size();
  giant_edge_.fill(0);
  std::vector<double> values;
  if (map_.has_rooms()) {
    // Larger than half of the rooms
    for (int k = 0; k < D; ++k) {
      values.clear();
      for (std::uint32_t c = 0; c < map_.size(); ++c)
        values.push_back(static_cast<double>(map_.cell(c).hi[k]) - map_.cell(c).lo[k]);
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      giant_edge_[static_cast<std::size_t>(k)] = *middle;
    }
    return;
  }
  const std::size_t sampled = std::min(store.size(), kPortalSample);
  Aabb<D, float> bounds{};
  std::array<double, D> edges{}, widths{};
  for (int k = 0; k < D && sampled > 0; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    Random random(1);
    std::vector<double> sizes;
    values.clear();
    for (std::size_t i = 0; i < sampled; ++i) {
      const std::size_t row = store.size() <= kPortalSample ? i : random.below(store.size());
      const double lo = store.lo(k)[row], hi = store.hi(k)[row];
      values.push_back((lo + hi) / 2);
      sizes.push_back(hi - lo);
    }
    std::sort(values.begin(), values.end());
    std::sort(sizes.begin(), sizes.end());
    const auto tail = static_cast<std::size_t>(kPortalTail * static_cast<double>(sampled));
    bounds.lo[k] = static_cast<float>(values[tail]);
    bounds.hi[k] = static_cast<float>(values[sampled - 1 - tail]);
    widths[axis] = static_cast<double>(bounds.hi[k]) - bounds.lo[k];
    const auto typical = static_cast<std::size_t>(kTypical * static_cast<double>(sampled - 1));
    edges[axis] = std::max(kLeastEdge * sizes[typical], widths[axis] / static_cast<double>(store.size()));
  }
  // As many cells as the number of boxes asks for, but none smaller than a few boxes
  const double wanted = std::max(1.0, static_cast<double>(store.size()) / this->parameter(kBoxesPerCell));
  const auto count = [&] {
    double product = 1;
    for (std::size_t k = 0; k < D; ++k) product *= edges[k] > 0 ? std::max(1.0, std::floor(widths[k] / edges[k])) : 1;
    return product;
  };
  while (count() > wanted)
    for (double& edge : edges) edge *= kPortalGrowth;
  map_.set_lattice(bounds, edges);
  giant_edge_ = edges;
}

template <int D>
bool CellsPortals<D>::cells_fit(const BoxStore<D>& store) const noexcept {
  const auto now = static_cast<double>(store.size()), then = static_cast<double>(boxes_planned_);
  return now <= kMostDrift * then && then <= kMostDrift * now &&
         (map_.has_rooms() || crowding(moving_.starts) <= kMostDrift * crowding_planned_);
}

template <int D>
void CellsPortals<D>::fill(const BoxStore<D>& store, bool fixed, Contents& contents) {
  const std::uint32_t cells = map_.size() + 1;
  contents.giants.clear();
  contents.cell_of.clear();
  contents.starts.assign(cells + 1, 0);
  contents.bounds.assign(cells, Aabb<D, float>::empty());
  contents.largest = {};
  if (map_.has_rooms() && last_cell_.size() < store.id_limit()) last_cell_.resize(store.id_limit(), cells);

  // Where everybody is
  constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    if (store.is_fixed(row) != fixed) continue;
    const Aabb<D, float> box = store.box(row);
    bool giant = false;
    for (int k = 0; k < D; ++k)
      giant |= static_cast<double>(box.hi[k]) - box.lo[k] > giant_edge_[static_cast<std::size_t>(k)];
    if (giant) {
      contents.giants.push(box, store.ids()[row], 0);
      contents.cell_of.push_back(kNowhere);
      continue;
    }
    const Vec<D, float> center = middle_of(box);
    std::uint32_t hint = cells;
    if (map_.has_rooms()) hint = last_cell_[store.ids()[row]];
    const std::uint32_t cell = map_.locate(center, hint, scratch_);
    if (map_.has_rooms()) last_cell_[store.ids()[row]] = cell;
    contents.cell_of.push_back(cell);
    ++contents.starts[cell];
    contents.bounds[cell] = merge(contents.bounds[cell], box);
    for (int k = 0; k < D; ++k)
      contents.largest[k] = std::max({contents.largest[k], sub_up(box.hi[k], center[k]), sub_up(center[k], box.lo[k])});
  }

  // Deal them out by cell
  std::uint32_t sum = 0;
  for (std::uint32_t& start : contents.starts) sum += std::exchange(start, sum);
  contents.entries.resize(sum);
  std::size_t next = 0;
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    if (store.is_fixed(row) != fixed) continue;
    const std::uint32_t cell = contents.cell_of[next++];
    if (cell != kNowhere) contents.entries[contents.starts[cell]++] = {store.box(row), store.ids()[row], 0};
  }
  for (std::size_t c = cells; c > 0; --c) contents.starts[c] = contents.starts[c - 1];
  contents.starts[0] = 0;
  contents.boxes.clear();
  contents.boxes.append(contents.entries);
}

template <int D>
void CellsPortals<D>::do_build(const BoxStore<D>& store) {
  if (map_changed_) map_ = std::exchange(next_map_, {});
  map_changed_ = false;
  last_cell_.clear();
  make_cells(store);
  fill(store, true, fixed_);
  fixed_seen_ = store.fixed_revision();
  fill(store, false, moving_);
  crowding_planned_ = std::max(crowding(moving_.starts), this->parameter(kBoxesPerCell));
  this->count().rebuilds += 2;
}

template <int D>
void CellsPortals<D>::do_update(const BoxStore<D>& store) {
  if (!cells_fit(store)) return do_build(store);
  if (store.fixed_revision() != fixed_seen_) {
    fill(store, true, fixed_);
    fixed_seen_ = store.fixed_revision();
    ++this->count().rebuilds;
  }
  fill(store, false, moving_);
  ++this->count().rebuilds;
}

// The moving boxes of one cell against the boxes of another
template <int D>
void CellsPortals<D>::search_two(std::uint32_t cell, const Contents& contents, std::uint32_t other,
                                 Search& search) const {
  const std::uint32_t begin = moving_.starts[cell], end = moving_.starts[cell + 1];
  const std::uint32_t other_begin = contents.starts[other], other_end = contents.starts[other + 1];
  const Aabb<D, float>& bounds = contents.bounds[other];
  if (!overlap(moving_.bounds[cell], bounds)) return;
  if (end - begin > kPortalCrowd && other_end - other_begin > kPortalCrowd) {
    search.scan.across(moving_.boxes, begin, end, contents.boxes, other_begin, other_end);
    return;
  }
  // Few boxes of a cell reach into another one
  for (std::uint32_t i = begin; i < end; ++i)
    if (overlap(moving_.boxes.box(i), bounds))
      search.scan.test(moving_.boxes, i, contents.boxes, other_begin, other_end);
}

template <int D>
void CellsPortals<D>::search_cell(std::uint32_t cell, Search& search) const {
  const std::uint32_t begin = moving_.starts[cell], end = moving_.starts[cell + 1];
  if (begin == end) return;
  search.scan.within(moving_.boxes, begin, end);
  // The centres of all boxes that can overlap one of these are in this region
  const Aabb<D, float> region = expand(moving_.bounds[cell], max(moving_.largest, fixed_.largest));
  map_.reach(cell, region, search.scratch, search.reached);
  search.out.nodes_visited += search.reached.size();
  for (const std::uint32_t other : search.reached) {
    // Of two cells with moving boxes the first asks
    if (other > cell) search_two(cell, moving_, other, search);
    search_two(cell, fixed_, other, search);
  }
}

template <int D>
void CellsPortals<D>::search_giants(PairScan<D>& scan) const {
  const BoxList<D>&moving = moving_.giants, &fixed = fixed_.giants;
  scan.within(moving, 0, moving.size());
  scan.across(moving, 0, moving.size(), fixed, 0, fixed.size());
  scan.across(moving, 0, moving.size(), moving_.boxes, 0, moving_.boxes.size());
  scan.across(moving, 0, moving.size(), fixed_.boxes, 0, fixed_.boxes.size());
  scan.across(fixed, 0, fixed.size(), moving_.boxes, 0, moving_.boxes.size());
  scan.finish();
}

template <int D>
void CellsPortals<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  search_blocks(this->executor(), moving_.bounds.size(), kPortalGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  Search search{PairScan<D>(store, part), part};
                  for (std::size_t cell = begin; cell < end; ++cell)
                    search_cell(static_cast<std::uint32_t>(cell), search);
                  search.scan.finish();
                });
  PairScan<D> scan(store, out);
  search_giants(scan);
}

template class SUDAR_API CellsPortals<2>;
template class SUDAR_API CellsPortals<3>;

}  // namespace sudar

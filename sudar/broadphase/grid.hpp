// What:    A uniform grid: each box is entered into the cells it touches, and pairs are looked for in each cell.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 7.1; seeds B5, E7.
// Differs: A pair is reported in the cell of its max-lo corner (the largest of both lower ends on each axis), which both
//          boxes touch: no search among neighbours, no duplicate, no pair set. An entry of a cell is four bytes, so that
//          what is scattered stays in the cache; the boxes are gathered when their cell is searched, and fetched
//          ahead. Boxes that touch very many cells are giants: they are kept apart and swept. Crowded cells are swept
//          instead of tested all against all, so that a crowd in a large world costs no more than a sweep. The grid
//          covers where nearly all boxes are; outliers are clamped into the outermost cells, which keeps the order of
//          coordinates and hence the rule above. The entries of fixed boxes, and the cells with them, are kept until a
//          fixed box changes or the cells do not fit the scene any more.
// Frame:   Invariant: cell_of is monotone, so two boxes that overlap share the cell of their max-lo corner.
// Fails:   Never below 2^29 boxes (2^30 in the plane), out_of_memory from there on; memory is at most two cells and
//          giant_cells entries a box.
#pragma once

#include <sudar/broadphase/sweep_list.hpp>

namespace sudar {

template <int D>
class SUDAR_API Grid final : public Broadphase<D> {
 public:
  Grid();
  std::string_view name() const noexcept override { return "grid"; }
  std::size_t cell_count() const noexcept { return plan_.cell_count; }
  std::size_t giant_count() const noexcept { return moving_.giants.size() + fixed_.giants.size(); }
  // For people who look: visit(cell, boxes entered into it) for every cell that holds any. What lies outside is entered
  // into the outermost cells, so they have no end there.
  template <class F>
  void for_each_used_cell(F&& visit) const;

 private:
  // A box and its id, read from one place: two to a cache line in space
  struct alignas(D == 3 ? 32 : 4) Box {
    Aabb<D, float> box;
    std::uint32_t id;
  };
  // One box in one cell: its place in its layer, and D bits in front of it. Bit k: the box begins before this cell on axis k.
  using Entry = std::uint32_t;
  static constexpr int kPlaceBits = 32 - D;
  static constexpr Entry kPlaceMask = (Entry{1} << kPlaceBits) - 1;
  // Of a cell that is being searched
  struct Local {
    Aabb<D, float> box;
    std::uint32_t id;
    Entry entry;
  };
  struct Plan {
    std::array<double, D> origin{}, per_cell{};  // cell = (x - origin) * per_cell
    std::array<std::int32_t, D> cells{};
    std::size_t cell_count = 0;

    bool is_like(const Plan& other) const noexcept;
  };
  // The moving boxes, or the fixed ones
  struct Layer {
    std::vector<Box> boxes;
    std::vector<Entry> entries;
    std::vector<std::uint32_t> ends;      // of each cell in `entries`
    std::vector<std::uint32_t> giants;    // places in `boxes`
    std::vector<std::uint8_t> is_giant;   // by place
    SweepList<D> giant_list, other_list;  // when there are many giants

    std::span<const Entry> cell(std::size_t index) const noexcept {
      if (entries.empty()) return {};
      const std::uint32_t first = index == 0 ? 0 : ends[index - 1];
      return {entries.data() + first, ends[index] - first};
    }
    std::size_t bytes() const noexcept;
  };
  struct Range {
    std::array<std::int32_t, D> first, last;
  };
  struct CellScratch {
    std::vector<Local> boxes;
    SweepList<D> moving, fixed;  // of a crowd
    std::vector<std::uint32_t> rows, tags;
  };

  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  std::size_t do_bytes() const noexcept override;

  Plan choose_cells(const BoxStore<D>& store) const;
  void start(const BoxStore<D>& store, const Plan& plan);
  void enter(const BoxStore<D>& store, bool fixed, Layer& layer);
  void sort_giants(const BoxStore<D>& store);
  std::int32_t cell_of(float x, int axis) const noexcept;
  Range range_of(const BoxStore<D>& store, std::uint32_t row) const noexcept;
  std::size_t index_of(const std::array<std::int32_t, D>& cell) const noexcept;
  template <class F>
  void for_each_cell(const Range& range, F&& visit) const;
  void gather(const Layer& layer, std::span<const Entry> entries, Local* to) const;
  template <bool kFiltered>
  void search_cell(const BoxStore<D>& store, std::size_t cell, CellScratch& scratch, SearchOutput& out) const;
  void search_crowd(const BoxStore<D>& store, std::span<const Local> boxes, std::size_t moving, CellScratch& scratch,
                    SearchOutput& out) const;
  void scan_giants(const BoxStore<D>& store, SearchOutput& out) const;
  void sweep_giants(const BoxStore<D>& store, SearchOutput& out);

  Plan plan_;
  Layer moving_, fixed_;
  std::uint64_t fixed_seen_ = 0;
  bool giants_sorted_ = false;  // those of the fixed layer, along giant_axis_
  int giant_axis_ = 0;
  std::vector<std::uint32_t> rows_;  // while building
};

template <int D>
template <class F>
void Grid<D>::for_each_used_cell(F&& visit) const {
  constexpr float kEndless = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < plan_.cell_count; ++i) {
    const std::size_t count = moving_.cell(i).size() + fixed_.cell(i).size();
    if (count == 0) continue;
    Aabb<D, float> cell;
    std::size_t rest = i;
    for (int axis = 0; axis < D; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const auto cells = static_cast<std::size_t>(plan_.cells[k]), at = rest % cells;
      rest /= cells;
      const auto plane = [&](std::size_t n) {
        return static_cast<float>(plan_.origin[k] + static_cast<double>(n) / plan_.per_cell[k]);
      };
      cell.lo[axis] = at == 0 ? -kEndless : plane(at);
      cell.hi[axis] = at + 1 == cells ? kEndless : plane(at + 1);
    }
    visit(cell, count);
  }
}

}  // namespace sudar

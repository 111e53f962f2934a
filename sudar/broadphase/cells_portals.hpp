// What:    Cells and portals: a box belongs to the cell of its centre, and other boxes are looked for in the cells that
//          are reached through portals.
// Source:  Luebke and Georges, "Portals and mirrors", 1995; seed E6, which describes it for rooms and does not build it.
// Differs: Seeds test a box only against the cell behind a portal that it crosses itself. Here a cell is searched as far
//          as the largest half extent of any box reaches beyond the boxes in it, so nothing is missed: neither small
//          boxes that a large one behind the portal reaches, nor boxes through walls or outside of all rooms. Boxes
//          larger than a cell are giants, tested apart. Without rooms a lattice of cells is made for the boxes at hand
//          and kept while it fits them.
// Frame:   Invariant: the way from a box's centre into the overlap and on to the other's centre stays within the region
//          that is passed to CellMap::reach.
// Fails:   set_cells: see CellMap.
#pragma once

#include <sudar/broadphase/cell_map.hpp>
#include <sudar/broadphase/pair_scan.hpp>

namespace sudar {

template <int D>
class SUDAR_API CellsPortals final : public Broadphase<D> {
 public:
  CellsPortals();
  std::string_view name() const noexcept override { return "cells_portals"; }

  // The rooms of the world from the next build() or update() on; none: cells are made for the boxes
  Result<void> set_cells(std::span<const Aabb<D, double>> cells);
  const CellMap<D>& map() const noexcept { return map_; }
  // Of the moving boxes
  std::size_t outside_count() const noexcept;
  std::size_t giant_count() const noexcept { return moving_.giants.size(); }
  // Boxes whose centres are in a cell, those of giants left out
  std::size_t count_in(std::uint32_t cell) const noexcept { return moving_.count_in(cell) + fixed_.count_in(cell); }

 private:
  // The moving boxes, or the fixed ones, by cell
  struct Contents {
    BoxList<D> boxes;                    // cell after cell, the outside last
    std::vector<std::uint32_t> starts;   // of each cell in `boxes`, and the end
    std::vector<Aabb<D, float>> bounds;  // of the boxes of each cell
    BoxList<D> giants;
    Vec<D, float> largest{};  // half extents of those that are not giants
    // While building
    std::vector<std::uint32_t> cell_of;
    std::vector<BoxEntry<D>> entries;

    std::size_t bytes() const noexcept;
    std::size_t count_in(std::uint32_t cell) const noexcept {
      return std::size_t{cell} + 1 < starts.size() ? starts[cell + 1] - starts[cell] : 0;
    }
  };
  struct Search {
    PairScan<D> scan;
    SearchOutput& out;
    typename CellMap<D>::Scratch scratch{};
    std::vector<std::uint32_t> reached{};
  };

  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  std::size_t do_bytes() const noexcept override;

  void make_cells(const BoxStore<D>& store);
  bool cells_fit(const BoxStore<D>& store) const noexcept;
  void fill(const BoxStore<D>& store, bool fixed, Contents& contents);
  void search_two(std::uint32_t cell, const Contents& contents, std::uint32_t other, Search& search) const;
  void search_cell(std::uint32_t cell, Search& search) const;
  void search_giants(PairScan<D>& scan) const;

  CellMap<D> map_, next_map_;
  bool map_changed_ = false;
  std::array<double, D> giant_edge_{};
  std::size_t boxes_planned_ = 0;
  double crowding_planned_ = 0;
  Contents moving_, fixed_;
  std::vector<std::uint32_t> last_cell_;  // by id; rooms only
  typename CellMap<D>::Scratch scratch_;
  std::uint64_t fixed_seen_ = 0;
};

}  // namespace sudar

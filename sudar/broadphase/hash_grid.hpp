// What:    Hierarchical hashed grid: levels of cells whose edges are powers of two, without bounds. Each box is in one
//          cell, that of its lower corner, on the level of its size; it is searched for on its own and coarser levels.
// Source:  Mirtich, "Impulse-based dynamic simulation", 1996, 2.4 (hierarchical spatial hashing); Ericson, "Real-Time
//          Collision Detection", 2005, 7.2; Teschner et al., "Optimized spatial hashing…", 2003.
// Differs: The hash of a cell is its place modulo a prime on each axis, another prime on each: the unbounded grid is
//          rolled up on a torus, so that neighbours stay neighbours in memory, three cells in a row are one run, and no
//          two cells of a neighbourhood share a slot. Strange boxes in a slot fail the overlap test; nothing is
//          reported twice. Levels with few boxes are merged into the next coarser one.
// Frame:   Invariant: on its level a box touches at most two cells on each axis. So boxes of one level that overlap
//          begin at most one cell apart.
// Fails:   Never; no size, place or mix of boxes is out of range.
#pragma once

#include <sudar/broadphase/pair_scan.hpp>

namespace sudar {

template <int D>
class SUDAR_API HashGrid final : public Broadphase<D> {
 public:
  struct Level {
    int exponent = 0;                     // edge of a cell: 2^exponent
    double per_cell = 1;                  // its inverse
    std::uint32_t begin = 0, end = 0;     // of its boxes
    std::uint32_t first_slot = 0;         // of its slots
    std::array<std::int32_t, D> slots{};  // on each axis; distinct primes, or 1
    Aabb<D, float> bounds = Aabb<D, float>::empty();
  };

  HashGrid();
  std::string_view name() const noexcept override { return "hash_grid"; }
  // Of the moving boxes, finest first
  std::span<const Level> levels() const noexcept { return moving_.levels; }
  std::span<const Level> fixed_levels() const noexcept { return fixed_.levels; }
  // Each level has a run of these
  const BoxList<D>& boxes() const noexcept { return moving_.boxes; }
  const BoxList<D>& fixed_boxes() const noexcept { return fixed_.boxes; }

 private:
  // The moving boxes, or the fixed ones
  struct Layer {
    std::vector<Level> levels;          // finest first
    std::vector<std::uint32_t> starts;  // of each slot in `boxes`, and the end
    BoxList<D> boxes;                   // slot after slot
    // While building
    std::vector<std::uint32_t> rows, slot_of;
    std::vector<std::int16_t> exponents;
    std::vector<BoxEntry<D>> entries;

    std::size_t bytes() const noexcept;
  };

  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override { return moving_.bytes() + fixed_.bytes(); }

  void fill(const BoxStore<D>& store, bool fixed, Layer& layer) const;
  void choose_levels(const BoxStore<D>& store, Layer& layer) const;
  void choose_slots(const BoxStore<D>& store, Layer& layer) const;
  template <class F>
  static std::size_t for_each_run(const Layer& layer, const Level& level, const Aabb<D, double>& box, F&& visit);
  void search(std::size_t begin, std::size_t end, PairScan<D>& among, PairScan<D>& with_fixed, SearchOutput& out) const;

  Layer moving_, fixed_;
  std::uint64_t fixed_seen_ = 0;
};

}  // namespace sudar

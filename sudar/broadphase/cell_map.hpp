// What:    Cells that divide the world, the portals between them, and which cells can be reached from one through
//          portals that a region touches.
// Source:  Luebke and Georges, "Portals and mirrors", 1995; seed E6.
// Differs: Cells are either rooms given by the user, with a portal wherever two of them touch, or a lattice made for
//          the boxes at hand, whose outermost cells reach to the ends of the world. Rooms need not cover the world, nor
//          be apart: what is in none of them is outside, a cell of its own. A face of a room that neighbours do not
//          cover leads outside, and from there into every room that the region touches.
// Frame:   Closed cells. Invariant of reach(): when a region contains a point of the first cell and a point p, then a
//          cell that contains p is reached, or outside is when none does.
// Fails:   set_rooms: non_finite, invalid_argument (lo > hi), too_large, naming the room; the map stays as it was.
#pragma once

#include <sudar/broadphase/packed_tree.hpp>

#include <span>

namespace sudar {

template <int D>
class CellMap {
 public:
  // What a search needs of its own
  struct Scratch {
    std::vector<std::uint32_t> seen;  // by cell: the round in which it was reached
    std::uint32_t round = 0;
    std::vector<std::uint32_t> touched;
  };

  Result<void> set_rooms(std::span<const Aabb<D, double>> rooms);
  // Cells of these edges over [lo, hi]
  void set_lattice(const Aabb<D, float>& bounds, const std::array<double, D>& edges);

  bool has_rooms() const noexcept { return !rooms_.empty(); }
  // Without the outside, whose number this is
  std::uint32_t size() const noexcept { return size_; }
  // Between two cells; those to the outside are not counted
  std::size_t portal_count() const noexcept;
  // Rooms only
  std::span<const std::uint32_t> neighbors(std::uint32_t cell) const noexcept {
    return {neighbors_.data() + first_neighbor_[cell], first_neighbor_[cell + 1] - first_neighbor_[cell]};
  }
  Aabb<D, float> cell(std::uint32_t cell) const noexcept;
  // A cell with this point, or size(); `hint`: where it may be, or next to that
  std::uint32_t locate(const Vec<D, float>& point, std::uint32_t hint, Scratch& scratch) const;
  // The cells that are reached from one within the region, itself first; size() among them for the outside
  void reach(std::uint32_t from, const Aabb<D, float>& region, Scratch& scratch,
             std::vector<std::uint32_t>& cells) const;
  std::size_t bytes() const noexcept;

 private:
  void find_portals();
  std::uint32_t open_faces(std::uint32_t cell) const;
  bool leads_outside(std::uint32_t cell, const Aabb<D, float>& region) const;
  void find_touched(const Aabb<D, float>& region, std::vector<std::uint32_t>& cells) const;

  std::uint32_t size_ = 0;
  // Rooms: ids are cells
  BoxStore<D> rooms_;
  PackedTree<D> room_tree_;
  std::vector<std::uint32_t> first_neighbor_{0}, neighbors_;
  std::vector<std::uint8_t> open_;  // bit k: the lower face across axis k leads outside, bit D + k: the upper one
  // Lattice: the planes on each axis, the ends of the world included
  std::array<std::vector<float>, D> planes_;
  std::array<double, D> first_{}, per_cell_{};
};

}  // namespace sudar

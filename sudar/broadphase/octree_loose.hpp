// What:    Loose octree (in 2D: quadtree): cells are grown about their middles so that they overlap, and a box is in the
//          one cell that its centre and its size name.
// Source:  Ulrich, "Loose octrees", Game Programming Gems, 2000.
// Differs: A node with few boxes is not divided, so a box may be higher up than its size alone would say. Nodes are
//          bounded by what is in them, which is never more than the grown cell. Fixed boxes have a tree of their own
//          that is built once.
// Frame:   The grown cell is `looseness` times as wide as the cell, about the same middle.
// Fails:   Never.
#pragma once

#include <sudar/broadphase/owner_tree.hpp>

namespace sudar {

template <int D>
class SUDAR_API OctreeLoose final : public OwnerTreeBroadphase<D>, private OwnerRule<D> {
 public:
  OctreeLoose();
  std::string_view name() const noexcept override { return "octree_loose"; }

 private:
  typename OwnerTree<D>::Limits limits() const override;
  OwnerRule<D>& rule() override { return *this; }
  Aabb<D, float> fit(std::span<const BoxEntry<D>> entries) const override;
  bool divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries, typename OwnerRule<D>::Cells& cells) override;
  bool children_overlap() const override { return true; }
};

}  // namespace sudar

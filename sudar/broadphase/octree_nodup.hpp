// What:    Octree (in 2D: quadtree) without duplicates: a box that spans several children stays in the inner node.
// Source:  Seeds E3, E4.
// Differs: See owner_tree.hpp: what straddles the first planes is not compared with everything below. Fixed boxes have a
//          tree of their own that is built once.
// Fails:   Never; when all boxes straddle the middle they stay in the root and are swept.
#pragma once

#include <sudar/broadphase/owner_tree.hpp>

namespace sudar {

template <int D>
class SUDAR_API OctreeNodup final : public OwnerTreeBroadphase<D>, private OwnerRule<D> {
 public:
  OctreeNodup();
  std::string_view name() const noexcept override { return "octree_nodup"; }
  // Boxes that stay in inner nodes
  std::size_t inner_count() const noexcept;

 private:
  typename OwnerTree<D>::Limits limits() const override;
  OwnerRule<D>& rule() override { return *this; }
  Aabb<D, float> fit(std::span<const BoxEntry<D>> entries) const override;
  bool divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries, typename OwnerRule<D>::Cells& cells) override;
  bool children_overlap() const override { return false; }
};

}  // namespace sudar

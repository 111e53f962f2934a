// What:    Octree (in 2D: quadtree) with duplicates: a box is in every leaf that it touches.
// Source:  Meagher, "Geometric modeling using octree encoding", 1982; seeds B5, E2, E4.
// Differs: Pairs are looked for when the tree is complete, not while boxes are inserted, and need no pair set (see
//          cut_tree.hpp). A cell that is not a cube is cut on its long sides only. A leaf keeps more boxes than its
//          capacity when cutting it would not save tests. Fixed boxes have a tree of their own that is built once;
//          moving ones are passed down it.
// Fails:   Never; leaves that cannot be cut are swept.
#pragma once

#include <sudar/broadphase/cut_tree.hpp>

namespace sudar {

template <int D>
class SUDAR_API Octree final : public CutTreeBroadphase<D>, private CutRule<D> {
 public:
  Octree();
  std::string_view name() const noexcept override { return "octree"; }

 private:
  typename CutTree<D>::Limits limits() const override;
  CutRule<D>& rule() override { return *this; }
  Cut<D> choose(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth) override;
};

}  // namespace sudar

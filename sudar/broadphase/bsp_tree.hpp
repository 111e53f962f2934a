// What:    BSP tree: each node cuts space by one plane, which need not be across an axis; boxes that straddle it stay.
// Source:  Fuchs, Kedem, Naylor, "On visible surface generation by a priori tree structures", 1980; Naylor,
//          "Constructing good partitioning trees", 1993; seeds B5, E6.
// Differs: The normals of the planes come from a small set: the axes and the diagonals of the coordinate planes. Of
//          those along which boxes overlap least, the one with the fewest straddlers and the best balance at its median
//          is taken, judged on a sample. Straddling boxes stay in the node instead of being cut, so each is there once.
// Frame:   Along a normal a box is the interval of its projections, in double. Each step of that sum is monotone in the
//          corners, so rounding cannot part two boxes that overlap: not below, stays or above is decided wrongly.
// Fails:   Never; boxes that no plane parts are swept.
#pragma once

#include <sudar/broadphase/owner_tree.hpp>

namespace sudar {

template <int D>
class SUDAR_API BspTree final : public OwnerTreeBroadphase<D>, private OwnerRule<D> {
 public:
  BspTree();
  std::string_view name() const noexcept override { return "bsp_tree"; }
  // Planes of the tree built last that are across an axis, and the others
  std::size_t straight_planes() const noexcept { return straight_; }
  std::size_t slanted_planes() const noexcept { return slanted_; }

 private:
  typename OwnerTree<D>::Limits limits() const override;
  OwnerRule<D>& rule() override { return *this; }
  void start() override { straight_ = slanted_ = 0; }
  Aabb<D, float> fit(std::span<const BoxEntry<D>>) const override { return {}; }
  bool divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries, typename OwnerRule<D>::Cells& cells) override;
  bool children_overlap() const override { return false; }

  std::vector<Aabb<D, float>> sample_;
  std::vector<double> starts_;
  std::size_t straight_ = 0, slanted_ = 0;
};

}  // namespace sudar

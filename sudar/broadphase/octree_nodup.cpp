#include <sudar/broadphase/cell_cut.hpp>
#include <sudar/broadphase/octree_nodup.hpp>

namespace sudar {

namespace {
enum : std::size_t { kNodupLeafCapacity, kNodupDepth };
}

template <int D>
OctreeNodup<D>::OctreeNodup()
    : OwnerTreeBroadphase<D>({{"leaf_capacity", "a node with more boxes than this is divided", 128, 1, 4096, true},
                              {"depth", "of the deepest node, at most", 16, 0, 32, true}}) {}

template <int D>
typename OwnerTree<D>::Limits OctreeNodup<D>::limits() const {
  return {static_cast<std::size_t>(this->parameter(kNodupLeafCapacity)),
          static_cast<int>(this->parameter(kNodupDepth))};
}

template <int D>
std::size_t OctreeNodup<D>::inner_count() const noexcept {
  std::size_t count = 0;
  for (const OwnerTree<D>* tree : {&this->moving_tree(), &this->fixed_tree()})
    for (const auto& node : tree->nodes())
      if (node.child_count != 0) count += node.own_end - node.begin;
  return count;
}

template <int D>
Aabb<D, float> OctreeNodup<D>::fit(std::span<const BoxEntry<D>> entries) const {
  Aabb<D, float> box = Aabb<D, float>::empty();
  for (const BoxEntry<D>& entry : entries) box = merge(box, entry.box);
  return box;
}

template <int D>
bool OctreeNodup<D>::divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries,
                            typename OwnerRule<D>::Cells& cells) {
  const Cut<D> cut = cut_in_middle(cell);
  if (cut.axes == 0) return false;
  for (std::uint32_t c = 0; c < cells.size(); ++c) cells[c] = child_cell(cell, cut, c);
  for (BoxEntry<D>& entry : entries) {
    std::uint32_t child = 0;
    bool straddles = false;
    for (int k = 0; k < D; ++k) {
      const bool is_cut = cut.cuts(k);
      const bool above = is_cut && entry.box.lo[k] >= cut.at[k], below = !is_cut || entry.box.hi[k] < cut.at[k];
      child |= static_cast<std::uint32_t>(above) << k;
      straddles |= !above && !below;
    }
    entry.tag = straddles ? OwnerRule<D>::kStays : child;
  }
  return true;
}

template class SUDAR_API OctreeNodup<2>;
template class SUDAR_API OctreeNodup<3>;

}  // namespace sudar

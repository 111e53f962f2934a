#include <sudar/broadphase/octree.hpp>

namespace sudar {

namespace {
enum : std::size_t { kOctreeLeafCapacity, kOctreeDepth };
}

template <int D>
Octree<D>::Octree()
    : CutTreeBroadphase<D>({{"leaf_capacity", "a leaf with more boxes than this is cut", 128, 1, 4096, true},
                            {"depth", "of the deepest leaf, at most", 16, 0, 32, true}}) {}

template <int D>
typename CutTree<D>::Limits Octree<D>::limits() const {
  return {static_cast<std::size_t>(this->parameter(kOctreeLeafCapacity)),
          static_cast<int>(this->parameter(kOctreeDepth))};
}

template <int D>
Cut<D> Octree<D>::choose(const Aabb<D, float>& cell, std::span<const BoxEntry<D>>, int) {
  return cut_in_middle(cell);
}

template class SUDAR_API Octree<2>;
template class SUDAR_API Octree<3>;

}  // namespace sudar

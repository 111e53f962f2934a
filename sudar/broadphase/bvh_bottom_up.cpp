#include <sudar/broadphase/bvh_bottom_up.hpp>

namespace sudar {

template <int D>
BvhBottomUp<D>::BvhBottomUp()
    : Bvh<D>({{"reach", "neighbours along the curve that a cluster looks at, to either side", 8, 1, 64, true}}, 8) {}

template <int D>
void BvhBottomUp<D>::build_nodes(BinaryTree<D>& tree) {
  builder_.build(tree, this->leaf_size(), static_cast<std::uint32_t>(this->parameter(this->kOwn)), this->executor());
}

template class SUDAR_API BvhBottomUp<2>;
template class SUDAR_API BvhBottomUp<3>;

}  // namespace sudar

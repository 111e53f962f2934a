#include <sudar/broadphase/bvh_top_down.hpp>

namespace sudar {

template <int D>
BvhTopDown<D>::BvhTopDown()
    : Bvh<D>({{"split", "0: at the median, 1: where binned surface costs least", 1, 0, 1, true}}, 8) {}

template <int D>
void BvhTopDown<D>::build_nodes(BinaryTree<D>& tree) {
  const auto split = this->parameter(this->kOwn) != 0 ? TreeSplit::binned_cost : TreeSplit::median;
  builder_.build(tree, this->leaf_size(), split, this->executor());
}

template class SUDAR_API BvhTopDown<2>;
template class SUDAR_API BvhTopDown<3>;

}  // namespace sudar

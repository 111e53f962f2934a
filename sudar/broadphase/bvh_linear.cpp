#include <sudar/broadphase/bvh_linear.hpp>

namespace sudar {

template <int D>
BvhLinear<D>::BvhLinear() : Bvh<D>({{"long_codes", "0: Morton codes of 30 bits, 1: of 63", 0, 0, 1, true}}, 8) {}

template <int D>
void BvhLinear<D>::build_nodes(BinaryTree<D>& tree) {
  builder_.build(tree, this->leaf_size(), this->parameter(this->kOwn) != 0, this->executor());
}

template class SUDAR_API BvhLinear<2>;
template class SUDAR_API BvhLinear<3>;

}  // namespace sudar

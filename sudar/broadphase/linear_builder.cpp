#include <sudar/broadphase/linear_builder.hpp>

#include <limits>

namespace sudar {

template <int D>
std::uint32_t LinearBuilder<D>::node_of(BinaryTree<D>& tree, const Open& run) {
  if (run.node != kNoNode) return run.node;
  tree.nodes.push_back({run.box, 0, 0, run.first, run.count});
  return static_cast<std::uint32_t>(tree.nodes.size() - 1);
}

template <int D>
void LinearBuilder<D>::build(BinaryTree<D>& tree, std::uint32_t leaf_size, bool long_codes, Executor& executor) {
  order_.sort(tree.items, long_codes, executor);
  const std::size_t count = tree.items.size();
  tree.nodes.clear();
  open_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    Open run{tree.items[i].box, i, 1, kNoNode, std::numeric_limits<std::uint16_t>::max()};
    if (i + 1 < count) run.level = order_.level(i);
    // Join what is divided more finely than what comes
    while (!open_.empty() && open_.back().level < run.level) {
      const Open before = open_.back();
      open_.pop_back();
      const Aabb<D, float> box = merge(before.box, run.box);
      const std::uint32_t both = before.count + run.count;
      std::uint32_t node = kNoNode;
      if (both > leaf_size) {
        const std::uint32_t left = node_of(tree, before), right = node_of(tree, run);
        node = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes.push_back({box, left, right, before.first, both});
      }
      run = {box, before.first, both, node, run.level};
    }
    open_.push_back(run);
  }
  if (count > 0) tree.root = node_of(tree, open_.back());
}

template class LinearBuilder<2>;
template class LinearBuilder<3>;

}  // namespace sudar

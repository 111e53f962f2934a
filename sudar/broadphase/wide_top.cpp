#include <sudar/broadphase/wide_top.hpp>

namespace sudar {

namespace {
constexpr std::size_t kLeavesABlock = 3;  // on average, rounded down
}

template <int D>
void WideTop<D>::assign(const InsertionTree<D>& tree) {
  bounds_.clear();
  children_.clear();
  lanes_.clear();
  if (tree.empty()) return;
  const std::size_t blocks = tree.leaf_count() / kLeavesABlock + 2;
  bounds_.reserve(blocks * 2 * D * kWidth);
  children_.reserve(blocks * kWidth);
  lanes_.reserve(blocks);
  const auto add_block = [&] {
    append_empty_block<D>(bounds_, kWidth);
    children_.resize(children_.size() + kWidth);
    lanes_.push_back(0);
    return static_cast<std::uint32_t>(lanes_.size() - 1);
  };
  // A block for the root alone
  add_block();
  lanes_[0] = 1;
  set_lane<D>(bounds_.data(), kWidth, 0, tree.box(0));
  open_.assign(1, {0, 0});
  while (!open_.empty()) {
    const Open at = open_.back();
    open_.pop_back();
    if (tree.is_leaf(at.node)) {
      children_[at.slot] = kLeafBit | tree.leaf(at.node);
      continue;
    }
    const auto children_of = [&](std::uint32_t node) {
      return std::pair(tree.first_child(node), tree.first_child(node) + 1);
    };
    std::array<std::uint32_t, 8> child = {tree.first_child(at.node), tree.first_child(at.node) + 1};
    const std::uint32_t count = open_largest(
        child, 2, kWidth,
        [&](std::uint32_t node) { return tree.is_leaf(node) ? -1.0f : box_cost<float>(tree.box(node)); }, children_of);
    const std::uint32_t block = add_block();
    children_[at.slot] = block;
    lanes_[block] = static_cast<std::uint8_t>(count);
    for (std::uint32_t i = count; i-- > 0;) {
      const std::uint32_t slot = block * kWidth + i;
      set_lane<D>(bounds_.data(), kWidth, slot, tree.box(child[i]));
      open_.push_back({child[i], slot});
    }
  }
}

template class WideTop<2>;
template class WideTop<3>;

}  // namespace sudar

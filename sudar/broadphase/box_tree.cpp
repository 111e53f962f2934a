#include <sudar/broadphase/box_tree.hpp>

#include <array>
#include <limits>

namespace sudar {

template <int D>
void BoxTree<D>::clear() noexcept {
  bounds_.clear();
  leaf_bounds_.clear();
  children_.clear();
  leaf_ids_.clear();
  lanes_.clear();
  leaf_lanes_.clear();
  item_count_ = 0;
}

template <int D>
std::uint32_t BoxTree<D>::add_block() {
  const auto block = static_cast<std::uint32_t>(lanes_.size());
  append_empty_block<D>(bounds_, static_cast<std::size_t>(width_));
  children_.insert(children_.end(), static_cast<std::size_t>(width_), 0);
  lanes_.push_back(0);
  return block;
}

template <int D>
void BoxTree<D>::add_leaf(const BinaryTree<D>& tree, const TreeNode<D>& node, std::size_t slot) {
  const std::size_t leaf = leaf_lanes_.size();
  children_[slot] = kLeafBit | static_cast<std::uint32_t>(leaf);
  append_empty_block<D>(leaf_bounds_, kLeafLanes);
  leaf_ids_.insert(leaf_ids_.end(), kLeafLanes, 0);
  leaf_lanes_.push_back(static_cast<std::uint8_t>(node.count));
  for (std::size_t i = 0; i < node.count; ++i) {
    const TreeItem<D>& item = tree.items[node.first + i];
    leaf_ids_[leaf * kLeafLanes + i] = item.id;
    set_lane(leaf_bounds_.data(), kLeafLanes, leaf * kLeafLanes + i, item.box);
  }
}

template <int D>
void BoxTree<D>::assign(const BinaryTree<D>& tree, int width, std::uint32_t leaf_size) {
  clear();
  width_ = width;
  if (tree.nodes.empty()) return;
  const auto lanes = static_cast<std::uint32_t>(width);
  const auto ends = [&](std::uint32_t node) {
    return tree.nodes[node].is_leaf() || tree.nodes[node].count <= leaf_size;
  };
  // A block for the root alone
  add_block();
  lanes_[0] = 1;
  set_lane(bounds_.data(), lanes, 0, tree.nodes[tree.root].box);
  open_.assign(1, {tree.root, 0});
  while (!open_.empty()) {
    const Open at = open_.back();
    open_.pop_back();
    const TreeNode<D>& node = tree.nodes[at.node];
    if (ends(at.node)) {
      add_leaf(tree, node, at.slot);
      continue;
    }
    // Open the largest child until the lanes are full
    std::array<std::uint32_t, 8> child = {node.left, node.right};
    const std::uint32_t count = open_largest(
        child, 2, lanes, [&](std::uint32_t i) { return ends(i) ? -1.0 : box_cost(tree.nodes[i].box); },
        [&](std::uint32_t i) { return std::pair(tree.nodes[i].left, tree.nodes[i].right); });
    const std::uint32_t block = add_block();
    children_[at.slot] = block;
    lanes_[block] = static_cast<std::uint8_t>(count);
    for (std::uint32_t i = count; i-- > 0;) {
      const std::uint32_t slot = block * lanes + i;
      set_lane(bounds_.data(), lanes, slot, tree.nodes[child[i]].box);
      open_.push_back({child[i], slot});
    }
  }
  item_count_ = tree.items.size();
}

template <int D>
bool BoxTree<D>::refit(const BoxStore<D>& store, bool skip_fixed) {
  for (std::size_t leaf = 0; leaf < leaf_lanes_.size(); ++leaf)
    for (std::size_t lane = 0; lane < leaf_lanes_[leaf]; ++lane) {
      const std::size_t slot = leaf * kLeafLanes + lane;
      const std::uint32_t row = store.row_of(leaf_ids_[slot]);
      if (row == BoxStore<D>::kNoRow || (skip_fixed && store.is_fixed(row))) return false;
      set_lane(leaf_bounds_.data(), kLeafLanes, slot, store.box(row));
    }
  // Children come after their parents, so from the end
  const auto lanes = static_cast<std::size_t>(width_);
  for (std::size_t block = lanes_.size(); block-- > 0;)
    for (std::size_t lane = 0; lane < lanes_[block]; ++lane) {
      const std::uint32_t child = children_[block * lanes + lane];
      set_lane(bounds_.data(), lanes, block * lanes + lane,
               (child & kLeafBit) != 0 ? block_box<D>(leaf_bounds_.data(), kLeafLanes, child & ~kLeafBit)
                                       : block_box<D>(bounds_.data(), lanes, child));
    }
  return true;
}

template <int D>
double BoxTree<D>::cost() const noexcept {
  double sum = 0;
  const auto lanes = static_cast<std::size_t>(width_);
  for (std::size_t block = 0; block < lanes_.size(); ++block)
    for (std::size_t lane = 0; lane < lanes_[block]; ++lane) {
      const auto slot = static_cast<Slot>(block * lanes + lane);
      sum += box_cost(box(slot)) * (is_leaf(slot) ? leaf_lanes_[children_[slot] & ~kLeafBit] : 1);
    }
  return sum;
}

template <int D>
std::size_t BoxTree<D>::depth() const {
  // Parents come first
  std::vector<std::size_t> at(lanes_.size(), 0);
  std::size_t deepest = 0;
  const auto lanes = static_cast<std::size_t>(width_);
  for (std::size_t block = 0; block < lanes_.size(); ++block)
    for (std::size_t lane = 0; lane < lanes_[block]; ++lane) {
      deepest = std::max(deepest, at[block]);
      const std::uint32_t child = children_[block * lanes + lane];
      if ((child & kLeafBit) == 0) at[child] = at[block] + 1;
    }
  return deepest;
}

template <int D>
std::size_t BoxTree<D>::bytes() const noexcept {
  return (bounds_.capacity() + leaf_bounds_.capacity()) * sizeof(float) +
         (children_.capacity() + leaf_ids_.capacity()) * sizeof(std::uint32_t) + lanes_.capacity() +
         leaf_lanes_.capacity() + open_.capacity() * sizeof(Open);
}

template class BoxTree<2>;
template class BoxTree<3>;

}  // namespace sudar

#include <sudar/broadphase/box_tree.hpp>

#include <array>
#include <limits>

namespace sudar::inline SUDAR_ABI {

template <int D>
Aabb<D, float> BoxTree<D>::lane_box(const float* bounds, std::size_t width, std::size_t slot) noexcept {
  const float* at = bounds + slot / width * (2 * D * width) + slot % width;
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k, at += 2 * width) {
    box.lo[k] = at[0];
    box.hi[k] = at[width];
  }
  return box;
}

template <int D>
void BoxTree<D>::set_lane(float* bounds, std::size_t width, std::size_t slot, const Aabb<D, float>& box) noexcept {
  float* at = bounds + slot / width * (2 * D * width) + slot % width;
  for (int k = 0; k < D; ++k, at += 2 * width) {
    at[0] = box.lo[k];
    at[width] = box.hi[k];
  }
}

// Empty lanes are neutral
template <int D>
Aabb<D, float> BoxTree<D>::block_box(const float* bounds, std::size_t width, std::size_t block) noexcept {
  const float* at = bounds + block * (2 * D * width);
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k, at += 2 * width) {
    float lo = at[0], hi = at[width];
    for (std::size_t lane = 1; lane < width; ++lane) {
      lo = at[lane] < lo ? at[lane] : lo;
      hi = at[width + lane] > hi ? at[width + lane] : hi;
    }
    box.lo[k] = lo;
    box.hi[k] = hi;
  }
  return box;
}

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

namespace {
// Blocks of empty boxes
template <int D>
void append_empty(std::vector<float>& bounds, std::size_t width) {
  for (int k = 0; k < D; ++k) {
    bounds.insert(bounds.end(), width, std::numeric_limits<float>::infinity());
    bounds.insert(bounds.end(), width, -std::numeric_limits<float>::infinity());
  }
}
}  // namespace

template <int D>
std::uint32_t BoxTree<D>::add_block() {
  const auto block = static_cast<std::uint32_t>(lanes_.size());
  append_empty<D>(bounds_, static_cast<std::size_t>(width_));
  children_.insert(children_.end(), static_cast<std::size_t>(width_), 0);
  lanes_.push_back(0);
  return block;
}

template <int D>
void BoxTree<D>::add_leaf(const BinaryTree<D>& tree, const TreeNode<D>& node, std::size_t slot) {
  const std::size_t leaf = leaf_lanes_.size();
  children_[slot] = kLeafBit | static_cast<std::uint32_t>(leaf);
  append_empty<D>(leaf_bounds_, kLeafLanes);
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
    std::array<double, 8> size;
    const auto size_of = [&](std::uint32_t i) { return ends(i) ? -1.0 : box_cost(tree.nodes[i].box); };
    std::uint32_t count = 2;
    if (count < lanes)
      for (std::uint32_t i = 0; i < 2; ++i) size[i] = size_of(child[i]);
    while (count < lanes) {
      std::uint32_t largest = 0;
      for (std::uint32_t i = 1; i < count; ++i)
        if (size[i] > size[largest]) largest = i;
      if (size[largest] < 0) break;
      const TreeNode<D>& opened = tree.nodes[child[largest]];
      child[largest] = opened.left;
      child[count] = opened.right;
      size[largest] = size_of(opened.left);
      size[count] = size_of(opened.right);
      ++count;
    }
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
               (child & kLeafBit) != 0 ? block_box(leaf_bounds_.data(), kLeafLanes, child & ~kLeafBit)
                                       : block_box(bounds_.data(), lanes, child));
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

}  // namespace sudar::inline SUDAR_ABI

// What:    A tree laid out for searching: 2, 4 or 8 children to a node, their boxes side by side so that one test looks
//          at all of them, and leaves of up to 8 boxes in the same form.
// Source:  Wald, Benthin, Boulos, "Getting Rid of Packets", 2008 (collapsing a binary tree); Dammertz, Hanika, Keller,
//          "Shallow Bounding Volume Hierarchies", 2008; seed A19.
// Differs: A node is named by its place in its parent (a slot), where its box is; slot 0 is the root. Leaves hold ids, so
//          rows may move in the store while a tree is kept. Empty lanes hold the empty box, which overlaps nothing.
// Frame:   Block b of `width` lanes holds, for each axis, its lanes' lower ends and then their upper ends.
//          Invariant: blocks come before the blocks of their children.
#pragma once

#include <sudar/broadphase/box_query.hpp>
#include <sudar/broadphase/tree_build.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace sudar {

inline constexpr std::size_t kLeafLanes = 8;
inline constexpr std::uint32_t kLeafBit = 0x80000000u;  // of a child: the rest is the number of a leaf

// What a search reads
struct BoxTreeView {
  const float* bounds;            // of the blocks
  const std::uint32_t* children;  // by slot
  const std::uint8_t* lanes;      // in use, by block
  const float* leaf_bounds;
  const std::uint32_t* leaf_ids;
  const std::uint8_t* leaf_lanes;
};

// A tree as one side of a search; no items: nothing to search
template <int D>
struct TreeSide {
  BoxTreeView view;
  Aabb<D, float> box;
  int width;
  std::size_t item_count;
};

// A block of `width` lanes: for each axis the lower ends, and then the upper ones
template <int D>
Aabb<D, float> lane_box(const float* bounds, std::size_t width, std::size_t slot) noexcept {
  const float* at = bounds + slot / width * (2 * D * width) + slot % width;
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k, at += 2 * width) {
    box.lo[k] = at[0];
    box.hi[k] = at[width];
  }
  return box;
}
template <int D>
void set_lane(float* bounds, std::size_t width, std::size_t slot, const Aabb<D, float>& box) noexcept {
  float* at = bounds + slot / width * (2 * D * width) + slot % width;
  for (int k = 0; k < D; ++k, at += 2 * width) {
    at[0] = box.lo[k];
    at[width] = box.hi[k];
  }
}
// Around all lanes; empty ones are neutral
template <int D>
Aabb<D, float> block_box(const float* bounds, std::size_t width, std::size_t block) noexcept {
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

// A block of empty boxes
template <int D>
void append_empty_block(std::vector<float>& bounds, std::size_t width) {
  for (int k = 0; k < D; ++k) {
    bounds.insert(bounds.end(), width, std::numeric_limits<float>::infinity());
    bounds.insert(bounds.end(), width, -std::numeric_limits<float>::infinity());
  }
}

// Opens the largest of `count` nodes, and so on, until there are `lanes` of them or none can be opened; returns how many.
// size_of(node) is negative when it cannot be; children_of(node) is a pair of nodes.
template <class SizeOf, class ChildrenOf>
std::uint32_t open_largest(std::array<std::uint32_t, 8>& node, std::uint32_t count, std::uint32_t lanes,
                           SizeOf&& size_of, ChildrenOf&& children_of) {
  if (count >= lanes) return count;
  std::array<double, 8> size;
  for (std::uint32_t i = 0; i < count; ++i) size[i] = size_of(node[i]);
  while (count < lanes) {
    std::uint32_t largest = 0;
    for (std::uint32_t i = 1; i < count; ++i)
      if (size[i] > size[largest]) largest = i;
    if (size[largest] < 0) break;
    const auto [left, right] = children_of(node[largest]);
    node[largest] = left;
    node[count] = right;
    size[largest] = size_of(left);
    size[count] = size_of(right);
    ++count;
  }
  return count;
}

template <int D>
class BoxTree {
 public:
  using Slot = std::uint32_t;

  void clear() noexcept;
  // `width` 2, 4 or 8; nodes of `tree` with up to leaf_size <= kLeafLanes items become leaves, and its own leaves do
  void assign(const BinaryTree<D>& tree, int width, std::uint32_t leaf_size = 1);
  // New boxes for the same ids, and then for the nodes above them; false when an id is gone or is `skip_fixed` and fixed
  bool refit(const BoxStore<D>& store, bool skip_fixed);

  bool empty() const noexcept { return item_count_ == 0; }
  int width() const noexcept { return width_; }
  std::size_t item_count() const noexcept { return item_count_; }
  std::size_t leaf_count() const noexcept { return leaf_lanes_.size(); }
  std::size_t node_count() const noexcept { return lanes_.size(); }
  // Sum of the costs of all nodes, leaves times their items: a refitted tree is compared with a new one by it
  double cost() const noexcept;
  std::size_t depth() const;
  std::size_t bytes() const noexcept;
  BoxTreeView view() const noexcept {
    return {bounds_.data(), children_.data(), lanes_.data(), leaf_bounds_.data(), leaf_ids_.data(), leaf_lanes_.data()};
  }
  TreeSide<D> side() const noexcept {
    return {view(), empty() ? Aabb<D, float>::empty() : box(0), width_, item_count_};
  }

  // Nodes
  Aabb<D, float> box(Slot slot) const noexcept {
    return lane_box<D>(bounds_.data(), static_cast<std::size_t>(width_), slot);
  }
  bool is_leaf(Slot slot) const noexcept { return (children_[slot] & kLeafBit) != 0; }
  template <class F>
  void for_each_child(Slot slot, F&& visit) const {
    const std::uint32_t block = children_[slot];
    for (std::uint32_t lane = 0; lane < lanes_[block]; ++lane) visit(block * static_cast<std::uint32_t>(width_) + lane);
  }
  template <class F>
  void for_each_item(Slot slot, F&& visit) const {  // visit(id, box)
    if (!is_leaf(slot)) return;
    const std::size_t leaf = children_[slot] & ~kLeafBit;
    for (std::size_t lane = 0; lane < leaf_lanes_[leaf]; ++lane)
      visit(leaf_ids_[leaf * kLeafLanes + lane],
            lane_box<D>(leaf_bounds_.data(), kLeafLanes, leaf * kLeafLanes + lane));
  }

 private:
  std::uint32_t add_block();
  void add_leaf(const BinaryTree<D>& tree, const TreeNode<D>& node, std::size_t slot);

  int width_ = 8;
  std::size_t item_count_ = 0;
  std::vector<float> bounds_, leaf_bounds_;
  std::vector<std::uint32_t> children_, leaf_ids_;
  std::vector<std::uint8_t> lanes_, leaf_lanes_;
  struct Open {
    std::uint32_t node, slot;
  };
  std::vector<Open> open_;
};

// For walk_tree: the rows of the store that the leaves' ids have now
template <int D>
struct BoxTreeWalk {
  using Node = std::uint32_t;
  const BoxTree<D>& tree;
  const BoxStore<D>& store;

  bool empty() const { return tree.empty(); }
  Node root() const { return 0; }
  Aabb<D, float> box(Node node) const { return tree.box(node); }
  bool is_leaf(Node node) const { return tree.is_leaf(node); }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    tree.for_each_child(node, visit);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    tree.for_each_item(node, [&](std::uint32_t id, const Aabb<D, float>&) { visit(store.row_of(id)); });
  }
};

}  // namespace sudar

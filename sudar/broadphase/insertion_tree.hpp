// What:    A binary tree of boxes that leaves are put into and taken out of, one at a time.
// Source:  Goldsmith and Salmon, 1987 (insertion by cost); Bittner, Hapala, Havran, "Incremental BVH Construction for Ray
//          Tracing", 2015; Kopta et al., "Fast, Effective BVH Updates for Animated Scenes", 2012 (rotations); Galperin
//          and Rivest, "Scapegoat Trees", 1993 (the bound of the depth); seed C3.
// Differs: Two children always lie side by side in one cache line, so a parent names both with one number and the sibling
//          of a node is its number with the last bit flipped. Insertion goes down one way, towards the smaller bound
//          of the cost, and stops where no place below can be better. A leaf that comes to lie too deep has the
//          smallest unbalanced subtree around it rebuilt; how deep leaves were pushed by others is looked at after
//          every n / 8 such pushes. So insertion stays cheap for any boxes in any order.
// Frame:   Slot 0 is the root, slot 1 is not used. Invariant: a node's box is exactly that of its two children; every
//          node of a pair has the same parent.
#pragma once

#include <sudar/broadphase/top_down_builder.hpp>

#include <cstdint>
#include <vector>

namespace sudar::inline SUDAR_ABI {

template <int D>
class InsertionTree {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = 0xffffffff;
  static constexpr std::uint32_t kLeaf = 0x80000000u;

  void clear() noexcept;
  // All at once, from a tree whose leaves have one item each
  void assign(const BinaryTree<D>& tree, std::size_t id_limit);
  // An id below 2^31 that is not in the tree
  void insert(std::uint32_t id, const Aabb<D, float>& box, bool rotate);
  // An id that is in the tree
  void erase(std::uint32_t id);

  bool empty() const noexcept { return count_ == 0; }
  std::size_t size() const noexcept { return count_; }
  std::size_t id_limit() const noexcept { return slot_of_.size(); }
  bool contains(std::uint32_t id) const noexcept { return id < slot_of_.size() && slot_of_[id] != kNoSlot; }
  const Aabb<D, float>& box_of(std::uint32_t id) const noexcept { return nodes_[slot_of_[id]].box; }
  // Costs of all inner nodes
  double cost() const noexcept;
  std::size_t depth() const;
  std::uint64_t partial_rebuilds() const noexcept { return partial_rebuilds_; }
  std::size_t bytes() const noexcept;

  // Nodes
  std::size_t slot_limit() const noexcept { return nodes_.size(); }
  const Aabb<D, float>& box(Slot slot) const noexcept { return nodes_[slot].box; }
  bool is_leaf(Slot slot) const noexcept { return (nodes_[slot].child & kLeaf) != 0; }
  bool is_inner(Slot slot) const noexcept { return nodes_[slot].child < kLeaf && nodes_[slot].child != 0; }
  Slot first_child(Slot slot) const noexcept { return nodes_[slot].child; }
  std::uint32_t id(Slot leaf) const noexcept { return nodes_[leaf].child & ~kLeaf; }

 private:
  // `child`: the first of two children, or an id with kLeaf; 0 in a pair that is not in use
  struct Node {
    Aabb<D, float> box;
    std::uint32_t child = 0;
    Slot parent = kNoSlot;
  };

  Slot take_pair();
  void give_pair(Slot pair);
  // Put a node into a slot, below that slot's parent, and tell those who know the node where it is
  void place(Slot slot, const Node& node) noexcept;
  Slot best_sibling(std::uint32_t id, const Aabb<D, float>& box, std::size_t& depth) const noexcept;
  void refit_above(Slot slot, bool rotate) noexcept;
  bool rotate_at(Slot slot) noexcept;
  std::size_t depth_limit() const noexcept;
  std::size_t depth_of(Slot slot) const noexcept;
  Slot deepest_leaf() const;
  void bound_depth();
  void rebuild_around(Slot leaf, bool highest);
  void graft(const BinaryTree<D>& tree, Slot slot);

  std::vector<Node> nodes_;
  std::vector<Slot> free_pairs_;
  std::vector<Slot> slot_of_;  // by id
  std::size_t count_ = 0;
  std::size_t pushed_down_ = 0;  // insertions beside an inner node, since the depth was looked at
  std::uint64_t partial_rebuilds_ = 0;
  struct Open {
    std::uint32_t node;
    Slot slot;
  };
  std::vector<Open> open_;
  std::vector<Slot> below_;
  BinaryTree<D> part_;
  TopDownBuilder<D> builder_;
};

}  // namespace sudar::inline SUDAR_ABI

// What:    A binary tree of boxes that boxes are put into, moved in and taken out of, one at a time; its leaves hold up to
//          eight boxes side by side, so that one test looks at all of them.
// Source:  Goldsmith and Salmon, 1987 (insertion by cost); Bittner, Hapala, Havran, "Incremental BVH Construction for Ray
//          Tracing", 2015; Kopta et al., "Fast, Effective BVH Updates for Animated Scenes", 2012 (rotations); Guttman,
//          "R-Trees", 1984 (leaves that split); Galperin and Rivest, "Scapegoat Trees", 1993 (the bound of the depth);
//          seed C3.
// Differs: Two children always lie side by side in one cache line, so a parent names both with one number and the sibling
//          of a node is its number with the last bit flipped. Insertion goes down one way, towards the smaller growth
//          of the cost, and stops where no place below can be better. A leaf that comes to lie too deep has the
//          smallest unbalanced subtree around it rebuilt; how deep leaves were pushed by others is looked at after
//          every n / 8 such pushes. So insertion stays cheap for any boxes in any order.
// Frame:   Slot 0 is the root, slot 1 is not used. Invariant: a node's box is exactly that of its two children, a leaf's
//          that of its boxes; every node of a pair has the same parent.
#pragma once

#include <sudar/broadphase/box_tree.hpp>
#include <sudar/broadphase/morton_order.hpp>
#include <sudar/broadphase/top_down_builder.hpp>

#include <cstdint>
#include <vector>

namespace sudar {

template <int D>
class InsertionTree {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = 0xffffffff;
  static constexpr std::uint32_t kLeaf = kLeafBit;
  static constexpr std::uint32_t kMostIds = 0x10000000u;

  void clear() noexcept;
  // All at once, in the order of a curve: boxes[ids[order.row(i)]]
  void assign(const MortonOrder<D>& order, std::span<const std::uint32_t> ids, std::span<const Aabb<D, float>> boxes);
  // An id below kMostIds that is not in the tree
  void insert(std::uint32_t id, const Aabb<D, float>& box, bool rotate);
  // Ids that are in the tree. A box that moved a little stays in its leaf.
  void move(std::uint32_t id, const Aabb<D, float>& box, bool rotate);
  void erase(std::uint32_t id);
  // Many at once: set_box() leaves the nodes as they are, until refit() has seen to all of them. Returns the cost.
  void set_box(std::uint32_t id, const Aabb<D, float>& box) noexcept {
    set_lane<D>(leaf_bounds_.data(), kLeafLanes, place_of_[id], box);
  }
  double refit();

  bool empty() const noexcept { return count_ == 0; }
  std::size_t size() const noexcept { return count_; }
  std::size_t id_limit() const noexcept { return place_of_.size(); }
  bool contains(std::uint32_t id) const noexcept { return id < place_of_.size() && place_of_[id] != kNoSlot; }
  Aabb<D, float> box_of(std::uint32_t id) const noexcept {
    return lane_box<D>(leaf_bounds_.data(), kLeafLanes, place_of_[id]);
  }
  // Fetch what box_of will read
  void prefetch(std::uint32_t id) const noexcept;
  // Costs of all nodes
  double cost() const noexcept;
  std::size_t depth() const;
  std::uint64_t partial_rebuilds() const noexcept { return partial_rebuilds_; }
  std::size_t bytes() const noexcept;

  // Nodes
  const Aabb<D, float>& box(Slot slot) const noexcept { return nodes_[slot].box; }
  bool is_leaf(Slot slot) const noexcept { return (nodes_[slot].child & kLeaf) != 0; }
  Slot first_child(Slot slot) const noexcept { return nodes_[slot].child; }
  // Leaves
  std::size_t leaf_count() const noexcept { return leaf_lanes_.size() - free_leaves_.size(); }
  std::uint32_t leaf(Slot slot) const noexcept { return nodes_[slot].child & ~kLeaf; }
  const float* leaf_bounds() const noexcept { return leaf_bounds_.data(); }
  const std::uint32_t* leaf_ids() const noexcept { return leaf_ids_.data(); }
  const std::uint8_t* leaf_lanes() const noexcept { return leaf_lanes_.data(); }

 private:
  // `child`: the first of two children, or a leaf with kLeaf; 0 in a pair that is not in use
  struct Node {
    Aabb<D, float> box;
    std::uint32_t child = 0;
    Slot parent = kNoSlot;
  };
  // A place for a new box: into the leaf in this slot, or beside this node
  struct Spot {
    Slot slot;
    std::size_t depth;
    bool inside;
  };

  Slot take_pair();
  void give_pair(Slot pair);
  std::uint32_t take_leaf();
  void give_leaf(std::uint32_t leaf);
  void put_lane(std::uint32_t leaf, std::size_t lane, std::uint32_t id, const Aabb<D, float>& box) noexcept;
  void add_lane(std::uint32_t leaf, std::uint32_t id, const Aabb<D, float>& box) noexcept;
  void drop_lane(std::uint32_t leaf, std::size_t lane) noexcept;
  Aabb<D, float> box_of_leaf(std::uint32_t leaf) const noexcept {
    return block_box<D>(leaf_bounds_.data(), kLeafLanes, leaf);
  }
  // Put a node into a slot, below that slot's parent, and tell those who know the node where it is
  void place(Slot slot, const Node& node) noexcept;
  Spot best_spot(std::uint32_t id, const Aabb<D, float>& box) const noexcept;
  void insert_beside(Slot slot, std::uint32_t id, const Aabb<D, float>& box);
  void split_leaf(Slot slot, std::uint32_t id, const Aabb<D, float>& box);
  void merge_leaves(Slot parent);
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
  std::vector<float> leaf_bounds_;  // blocks of box_tree.hpp
  std::vector<std::uint32_t> leaf_ids_;
  std::vector<std::uint8_t> leaf_lanes_;  // in use
  std::vector<Slot> leaf_slot_;           // of the node that is this leaf
  std::vector<std::uint32_t> free_leaves_;
  std::vector<std::uint32_t> place_of_;  // leaf and lane, by id
  std::size_t count_ = 0;
  std::size_t pushed_down_ = 0;  // insertions beside an inner node, since the depth was looked at
  bool in_order_ = false;        // pairs lie behind those below them
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

}  // namespace sudar

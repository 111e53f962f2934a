// What:    A tree for queries over boxes that were sorted along a Morton curve and packed, eight to a node.
// Source:  Kamel and Faloutsos, "On Packing R-trees", 1993 (Hilbert there, Morton here).
// Differs: No topology is stored: the children of node i of a level are nodes 8i … 8i + 7 of the level below. Boxes are
//          known by id, so a tree of fixed boxes outlives the rows that it was made from.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/morton_order.hpp>

#include <vector>

namespace sudar {

template <int D>
class PackedTree {
 public:
  static constexpr std::size_t kWidth = 8;
  struct Node {
    std::uint32_t level, index;  // level 0 holds the leaves
  };

  // Of these items, which are put into order on the way
  void build(std::vector<TreeItem<D>>& items, MortonOrder<D>& order, Executor& executor);
  std::size_t bytes() const noexcept;

  bool empty() const { return ids_.empty(); }
  Node root() const { return {static_cast<std::uint32_t>(levels_.size() - 1), 0}; }
  const Aabb<D, float>& box(Node node) const { return levels_[node.level][node.index]; }
  bool is_leaf(Node node) const { return node.level == 0; }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    const std::size_t first = node.index * kWidth, last = std::min(first + kWidth, levels_[node.level - 1].size());
    for (std::size_t i = first; i < last; ++i) visit(Node{node.level - 1, static_cast<std::uint32_t>(i)});
  }
  template <class F>
  void for_each_id(Node node, F&& visit) const {
    if (node.level != 0) return;
    const std::size_t first = node.index * kWidth, last = std::min(first + kWidth, ids_.size());
    for (std::size_t i = first; i < last; ++i) visit(ids_[i]);
  }

 private:
  std::vector<std::uint32_t> ids_;                   // in Morton order
  std::vector<std::vector<Aabb<D, float>>> levels_;  // boxes of the nodes, leaves first
};

// For walk_tree
template <int D>
struct PackedTreeWalk {
  using Node = typename PackedTree<D>::Node;
  const PackedTree<D>& tree;
  const BoxStore<D>& store;

  bool empty() const { return tree.empty(); }
  Node root() const { return tree.root(); }
  const Aabb<D, float>& box(Node node) const { return tree.box(node); }
  bool is_leaf(Node node) const { return tree.is_leaf(node); }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    tree.for_each_child(node, visit);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    tree.for_each_id(node, [&](std::uint32_t id) { visit(store.row_of(id)); });
  }
};

}  // namespace sudar

// What:    A tree for queries over boxes that were sorted along a Morton curve and packed, eight to a node.
// Source:  Kamel and Faloutsos, "On Packing R-trees", 1993 (Hilbert there, Morton here).
// Differs: No topology is stored: the children of node i of a level are nodes 8i … 8i + 7 of the level below. Every broad
//          phase without a tree of its own answers queries through one, built when the first query comes.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/radix_sort.hpp>

#include <vector>

namespace sudar {

template <int D>
class PackedTree {
 public:
  static constexpr std::size_t kWidth = 8;
  struct Node {
    std::uint32_t level, index;  // level 0 holds the leaves
  };

  void build(const BoxStore<D>& store);
  std::size_t bytes() const noexcept;

  // For walk_tree
  bool empty() const { return rows_.empty(); }
  Node root() const { return {static_cast<std::uint32_t>(levels_.size() - 1), 0}; }
  const Aabb<D, float>& box(Node node) const { return levels_[node.level][node.index]; }
  bool is_leaf(Node node) const { return node.level == 0; }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    const std::size_t first = node.index * kWidth, last = std::min(first + kWidth, levels_[node.level - 1].size());
    for (std::size_t i = first; i < last; ++i) visit(Node{node.level - 1, static_cast<std::uint32_t>(i)});
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    if (node.level != 0) return;
    const std::size_t first = node.index * kWidth, last = std::min(first + kWidth, rows_.size());
    for (std::size_t i = first; i < last; ++i) visit(rows_[i].row);
  }

 private:
  std::vector<KeyedRow> rows_, scratch_;             // in Morton order
  std::vector<std::vector<Aabb<D, float>>> levels_;  // boxes of the nodes, leaves first
};

}  // namespace sudar

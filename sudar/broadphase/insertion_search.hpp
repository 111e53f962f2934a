// What:    Searches through a tree that boxes are put into, while it is not laid out for many: one box, and the walk of a
//          query.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 6.3; seed C3.
// Frame:   nodes_visited counts nodes, box_tests tests with a box of a leaf in them.
#pragma once

#include <sudar/broadphase/insertion_tree.hpp>
#include <sudar/broadphase/pair_buffer.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

// Without branches between the axes, which a search could not predict
template <int D>
inline bool meets(const Aabb<D, float>& a, const Aabb<D, float>& b) {
  bool all = true;
  for (int k = 0; k < D; ++k) all &= (a.lo[k] <= b.hi[k]) & (b.lo[k] <= a.hi[k]);
  return all;
}

// Calls found(id) for every box of a leaf that overlaps `box`
template <int D, class F>
void search_box(const InsertionTree<D>& tree, const Aabb<D, float>& box, std::vector<std::uint32_t>& stack,
                SearchOutput& out, F&& found) {
  if (tree.empty() || !meets(tree.box(0), box)) return;
  stack.assign(1, 0);
  while (!stack.empty()) {
    const std::uint32_t slot = stack.back();
    stack.pop_back();
    ++out.nodes_visited;
    if (tree.is_leaf(slot)) {
      const std::size_t first = tree.leaf(slot) * kLeafLanes, lanes = tree.leaf_lanes()[tree.leaf(slot)];
      out.box_tests += lanes;
      for (std::size_t i = first; i < first + lanes; ++i)
        if (meets(lane_box<D>(tree.leaf_bounds(), kLeafLanes, i), box)) found(tree.leaf_ids()[i]);
      continue;
    }
    const std::uint32_t child = tree.first_child(slot);
    for (const std::uint32_t c : {child + 1, child})
      if (meets(tree.box(c), box)) stack.push_back(c);
  }
}

// For walk_tree
template <int D>
struct InsertionTreeWalk {
  using Node = std::uint32_t;
  const InsertionTree<D>& tree;
  const BoxStore<D>& store;

  bool empty() const { return tree.empty(); }
  Node root() const { return 0; }
  const Aabb<D, float>& box(Node node) const { return tree.box(node); }
  bool is_leaf(Node node) const { return tree.is_leaf(node); }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    visit(tree.first_child(node));
    visit(tree.first_child(node) + 1);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    if (!tree.is_leaf(node)) return;
    const std::size_t first = tree.leaf(node) * kLeafLanes, lanes = tree.leaf_lanes()[tree.leaf(node)];
    for (std::size_t i = first; i < first + lanes; ++i) visit(store.row_of(tree.leaf_ids()[i]));
  }
};

}  // namespace sudar

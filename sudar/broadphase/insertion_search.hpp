// What:    Searches through trees that leaves are put into: one box against a tree, a tree against itself, two trees.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 6.3; seed C3.
// Differs: A pair of leaves of one tree meets below exactly one node, on its two sides. So a tree is searched against
//          itself node by node, in any order and by several threads, and no pair comes twice.
// Frame:   nodes_visited counts nodes or pairs of nodes, box_tests tests with the box of a leaf in them.
#pragma once

#include <sudar/broadphase/insertion_tree.hpp>
#include <sudar/broadphase/pair_buffer.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar::inline SUDAR_ABI {

// Without branches between the axes, which a search could not predict
template <int D>
inline bool meets(const Aabb<D, float>& a, const Aabb<D, float>& b) {
  bool all = true;
  for (int k = 0; k < D; ++k) all &= (a.lo[k] <= b.hi[k]) & (b.lo[k] <= a.hi[k]);
  return all;
}

// Calls found(id) for every leaf whose box overlaps `box`
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
      found(tree.id(slot));
      continue;
    }
    const std::uint32_t child = tree.first_child(slot);
    for (const std::uint32_t c : {child + 1, child}) {
      out.box_tests += tree.is_leaf(c) ? 1 : 0;
      if (meets(tree.box(c), box)) stack.push_back(c);
    }
  }
}

// Calls found(id of a, id of b) for leaves below slot_a of `a` and slot_b of `b`, whose boxes overlap already
template <int D, class F>
void search_slots(const InsertionTree<D>& a, std::uint32_t slot_a, const InsertionTree<D>& b, std::uint32_t slot_b,
                  std::vector<std::uint64_t>& stack, SearchOutput& out, F&& found) {
  const auto entry = [](std::uint32_t sa, std::uint32_t sb) { return std::uint64_t{sa} << 32 | sb; };
  const auto size = [](const Aabb<D, float>& box) {
    float sum = 0;
    for (int k = 0; k < D; ++k) sum += box.hi[k] - box.lo[k];
    return sum;
  };
  stack.assign(1, entry(slot_a, slot_b));
  while (!stack.empty()) {
    const auto sa = static_cast<std::uint32_t>(stack.back() >> 32), sb = static_cast<std::uint32_t>(stack.back());
    stack.pop_back();
    ++out.nodes_visited;
    const bool leaf_a = a.is_leaf(sa), leaf_b = b.is_leaf(sb);
    if (leaf_a && leaf_b) {
      found(a.id(sa), b.id(sb));
      continue;
    }
    // Open the larger one
    if (leaf_b || (!leaf_a && size(a.box(sa)) >= size(b.box(sb)))) {
      const std::uint32_t child = a.first_child(sa);
      const Aabb<D, float> box = b.box(sb);
      for (const std::uint32_t c : {child, child + 1}) {
        out.box_tests += leaf_b || a.is_leaf(c) ? 1 : 0;
        if (meets(a.box(c), box)) stack.push_back(entry(c, sb));
      }
    } else {
      const std::uint32_t child = b.first_child(sb);
      const Aabb<D, float> box = a.box(sa);
      for (const std::uint32_t c : {child, child + 1}) {
        out.box_tests += leaf_a || b.is_leaf(c) ? 1 : 0;
        if (meets(b.box(c), box)) stack.push_back(entry(sa, c));
      }
    }
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
    if (tree.is_leaf(node)) visit(store.row_of(tree.id(node)));
  }
};

}  // namespace sudar::inline SUDAR_ABI

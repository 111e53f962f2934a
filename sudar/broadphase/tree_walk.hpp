// What:    The search through any tree of boxes for a sink of box_query.hpp: nearest child first, dead ends skipped.
// Differs: A tree says only who the children of a node are, what is in a leaf and what box encloses each; the same walk
//          serves casts, overlaps and nearest neighbours of every tree in this room.
//
// A Tree has: bool empty(); Node root(); Box box(Node); bool is_leaf(Node);
//             for_each_child(Node, f(Node)); for_each_row(Node, f(row)) (rows kept in the node itself, leaf or not).
#pragma once

#include <sudar/broadphase/box_query.hpp>

#include <cstdint>
#include <vector>

namespace sudar {

template <class Tree, class Sink>
void walk_tree(const Tree& tree, Sink& sink) {
  using Node = typename Tree::Node;
  struct Open {
    Node node;
    double key;
  };
  if (tree.empty()) return;
  std::vector<Open> stack;
  const double first = sink.key(tree.box(tree.root()));
  if (first == kNoHit) return;
  stack.push_back({tree.root(), first});
  while (!stack.empty()) {
    const Open open = stack.back();
    stack.pop_back();
    if (open.key > sink.limit()) continue;
    ++sink.nodes_visited;
    tree.for_each_row(open.node, [&](std::uint32_t row) { sink.offer(row); });
    if (tree.is_leaf(open.node)) continue;
    // The child with the smallest key ends on top
    const std::size_t base = stack.size();
    tree.for_each_child(open.node, [&](Node child) {
      const double key = sink.key(tree.box(child));
      if (key == kNoHit || key > sink.limit()) return;
      stack.push_back({child, key});
      for (std::size_t i = stack.size() - 1; i > base && stack[i - 1].key < stack[i].key; --i)
        std::swap(stack[i - 1], stack[i]);
    });
  }
}

}  // namespace sudar

// What:    Binary trees over boxes as flat arrays, and what every builder of them shares. A builder takes the items in any
//          order, puts them into the order of the leaves and makes the nodes; how the tree is laid out for a search
//          (box_tree.hpp) and how it is searched (tree_search.hpp) are other files' business.
// Source:  Goldsmith and Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing", 1987 (the cost of a node).
// Differs: The cost of a box in space is its surface plus a sliver of its squared perimeter, so that flat and thin sets,
//          whose surface is zero, still have an order. It is a double: no box of floats overflows or underflows it.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <cstdint>
#include <vector>

namespace sudar {

template <int D>
struct TreeItem {
  Aabb<D, float> box;
  std::uint32_t id;
};

template <int D>
struct TreeNode {
  Aabb<D, float> box;
  std::uint32_t left = 0, right = 0;   // nodes; equal in a leaf
  std::uint32_t first = 0, count = 0;  // the items below it

  bool is_leaf() const noexcept { return left == right; }
};

template <int D>
struct BinaryTree {
  std::vector<TreeItem<D>> items;
  std::vector<TreeNode<D>> nodes;
  std::uint32_t root = 0;

  std::size_t bytes() const noexcept {
    return items.capacity() * sizeof(TreeItem<D>) + nodes.capacity() * sizeof(TreeNode<D>);
  }
};

inline constexpr double kThinShare = 1.0 / 64;  // of the squared perimeter in the cost of a box in space

// Half of the surface, in 2D of the perimeter. Never less than that of a box inside of it. In float it may be infinite
// or NaN for huge boxes, which spoils the tree but not the answers.
template <class T = double, int D>
inline T box_cost(const Aabb<D, float>& box) {
  T sum = 0, squares = 0;
  for (int k = 0; k < D; ++k) {
    const T extent = static_cast<T>(box.hi[k]) - box.lo[k];
    sum += extent;
    squares += extent * extent;
  }
  if constexpr (D == 2) return sum;
  return T(0.5) * (sum * sum - squares) + static_cast<T>(kThinShare) * sum * sum;
}

// What a tree costs a search: the cost of its nodes relative to that of the root, leaves times their items
template <int D>
double tree_cost(const BinaryTree<D>& tree) {
  if (tree.nodes.empty()) return 0;
  double sum = 0;
  for (const TreeNode<D>& node : tree.nodes) sum += box_cost(node.box) * (node.is_leaf() ? node.count : 1);
  const double all = box_cost(tree.nodes[tree.root].box);
  return all > 0 ? sum / all : 0;
}

// Edges on the longest way from the root to a leaf
template <int D>
std::size_t tree_depth(const BinaryTree<D>& tree) {
  struct Open {
    std::uint32_t node;
    std::size_t depth;
  };
  std::vector<Open> open;
  if (!tree.nodes.empty()) open.push_back({tree.root, 0});
  std::size_t deepest = 0;
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const TreeNode<D>& node = tree.nodes[at.node];
    deepest = at.depth > deepest ? at.depth : deepest;
    if (node.is_leaf()) continue;
    open.push_back({node.left, at.depth + 1});
    open.push_back({node.right, at.depth + 1});
  }
  return deepest;
}

}  // namespace sudar

// What:    The walk through two meshes' trees: calls a function for every pair of triangles whose boxes meet.
// Source:  seed B5 (tree against tree).
// Differs: Both trees go down together, 64 pairs of boxes a step (mesh_scan.hpp). No recursion, no allocation: full trees
//          of eight children are at most eleven levels deep.
// Frame:   A's. Functions return false to end the walk.
#pragma once

#include <sudar/narrowphase/mesh_scan.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar {

namespace detail {

struct TreePairEntry {
  std::uint32_t a, b;
  std::int8_t level_a, level_b;
};
// Every level of a pair leaves at most 63 entries behind, over at most the levels of both trees
inline constexpr int kTreePairStack = 64 * 2 * MeshTree::kMaxLevels;

}  // namespace detail

// visit(node of a, node of b, rows) for nodes of level 0: bit j of rows[i] says that the boxes of triangles i and j meet
template <class Visit>
void for_each_leaf_pair(const MeshTree& a, const MeshTree& b, const TreePlacement& placement, Visit&& visit) {
  detail::TreePairEntry stack[detail::kTreePairStack];
  int top = 0;
  stack[top++] = {0, 0, static_cast<std::int8_t>(a.levels() - 1), static_cast<std::int8_t>(b.levels() - 1)};
  while (top > 0) {
    const detail::TreePairEntry e = stack[--top];
    std::uint8_t row[8];
    scan_pairs(a.node(e.level_a, e.a), b.node(e.level_b, e.b), b.box_around(e.level_b, e.b), placement, row);
    if (e.level_a == 0 && e.level_b == 0) {
      if (std::bit_cast<std::uint64_t>(row) != 0 && !visit(e.a, e.b, row)) return;
      continue;
    }
    const auto below_a = static_cast<std::int8_t>(e.level_a - 1), below_b = static_cast<std::int8_t>(e.level_b - 1);
    if (e.level_a == 0) {
      // a's triangles stay together
      std::uint32_t any = 0;
      for (const std::uint8_t r : row) any |= r;
      for (std::uint32_t bits = any; bits != 0; bits &= bits - 1)
        stack[top++] = {e.a, b.child(e.level_b, e.b, static_cast<std::uint32_t>(std::countr_zero(bits))), 0, below_b};
    } else if (e.level_b == 0) {
      for (std::uint32_t i = 0; i < 8; ++i)
        if (row[i] != 0) stack[top++] = {a.child(e.level_a, e.a, i), e.b, below_a, 0};
    } else {
      for (std::uint32_t i = 0; i < 8; ++i)
        for (std::uint32_t bits = row[i]; bits != 0; bits &= bits - 1)
          stack[top++] = {a.child(e.level_a, e.a, i),
                          b.child(e.level_b, e.b, static_cast<std::uint32_t>(std::countr_zero(bits))), below_a,
                          below_b};
    }
  }
}

// visit(node of a, node of b, squared) for nodes of level 0 whose boxes may be nearer than reach(), which may shrink;
// `squared` has the squares of lower bounds on the distances of their triangles, in metres
template <class Reach, class Visit>
void for_each_near_leaf_pair(const MeshTree& a, const MeshTree& b, const TreePlacement& placement, Reach&& reach,
                             Visit&& visit) {
  detail::TreePairEntry stack[detail::kTreePairStack];
  int top = 0;
  stack[top++] = {0, 0, static_cast<std::int8_t>(a.levels() - 1), static_cast<std::int8_t>(b.levels() - 1)};
  const double unit = static_cast<double>(placement.unit);
  while (top > 0) {
    const detail::TreePairEntry e = stack[--top];
    const double most = reach() * unit;
    float squared[8][8];
    scan_distances(a.node(e.level_a, e.a), b.node(e.level_b, e.b), placement, squared);
    const int children_a = a.child_count(e.level_a, e.a), children_b = b.child_count(e.level_b, e.b);
    if (e.level_a == 0 && e.level_b == 0) {
      double metres[8][8];
      for (int i = 0; i < children_a; ++i)
        for (int j = 0; j < children_b; ++j) metres[i][j] = static_cast<double>(squared[i][j]) / (unit * unit);
      if (!visit(e.a, e.b, metres)) return;
      continue;
    }
    const auto near = [&](int i, int j) { return static_cast<double>(squared[i][j]) <= most * most; };
    // A tree that is down already stays together
    for (int i = 0; i < (e.level_a == 0 ? 1 : children_a); ++i)
      for (int j = 0; j < (e.level_b == 0 ? 1 : children_b); ++j) {
        bool any = near(i, j);
        for (int k = 1; !any && e.level_a == 0 && k < children_a; ++k) any = near(k, j);
        for (int k = 1; !any && e.level_b == 0 && k < children_b; ++k) any = near(i, k);
        if (!any) continue;
        detail::TreePairEntry next = e;
        if (e.level_a > 0) next.a = a.child(e.level_a, e.a, static_cast<std::uint32_t>(i)), --next.level_a;
        if (e.level_b > 0) next.b = b.child(e.level_b, e.b, static_cast<std::uint32_t>(j)), --next.level_b;
        stack[top++] = next;
      }
  }
}

// Every pair of different triangles of one tree once
template <class Visit>
void for_each_self_pair(const MeshTree& tree, Visit&& visit) {
  const TreePlacement here = make_tree_placement(tree, tree, Placement3{});
  detail::TreePairEntry stack[detail::kTreePairStack];
  int top = 0;
  const auto root = static_cast<std::int8_t>(tree.levels() - 1);
  stack[top++] = {0, 0, root, root};
  while (top > 0) {
    const detail::TreePairEntry e = stack[--top];
    std::uint8_t row[8];
    scan_pairs(tree.node(e.level_a, e.a), tree.node(e.level_a, e.b), tree.box_around(e.level_a, e.b), here, row);
    for (std::uint32_t i = 0; i < 8; ++i) {
      // A node against itself: each pair of children once, and nodes, but not triangles, against themselves
      std::uint32_t bits = row[i];
      if (e.a == e.b) bits &= e.level_a == 0 ? 0xfeu << i : 0xffu << i;
      for (; bits != 0; bits &= bits - 1) {
        const auto j = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (e.level_a == 0) {
          if (!visit(tree.triangle(e.a, i), tree.triangle(e.b, j))) return;
        } else {
          stack[top++] = {tree.child(e.level_a, e.a, i), tree.child(e.level_a, e.b, j),
                          static_cast<std::int8_t>(e.level_a - 1), 0};
        }
      }
    }
  }
}

}  // namespace sudar

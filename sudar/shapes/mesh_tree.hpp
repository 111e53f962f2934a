// What:    The tree of boxes of a triangle mesh: up to eight children a node, the same number for all nodes of a level but
//          the last, in a single array without pointers.
// Source:  Lee and Lee, "OMT: Overlap Minimizing Top-down Bulk Loading Algorithm for R-tree", 2003; seeds A19, B5.
// Differs: Space is halved three times for each level, along the longest axis of the centres, at a count that keeps
//          every node full. Near the root nodes are made narrower, so that the last of them is nearly full, too. There is no search for the best split, any number of equal triangles is as well as any other mesh,
//          and the depth is never more than eleven. Large sets are halved by a histogram, within a bin of the wanted place,
//          small ones exactly. Children lie in columns, so that one instruction compares eight.
// Frame:   Boxes are floats relative to `origin`, the middle of the mesh, rounded outward: a mesh far from its own origin
//          loses nothing.
// Fails:   never, for a mesh that make_mesh accepts with coordinates below kMaxShapeSize.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/geom/mesh.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace sudar {

// Eight boxes in columns. Those past the end are empty (lo > hi) and overlap nothing.
struct alignas(64) MeshTreeNode {
  float lo[3][8], hi[3][8];
};

// A box in a tree's frame, grown to floats
struct TreeBox {
  float lo[3], hi[3];
};

class SUDAR_API MeshTree {
 public:
  static constexpr std::uint32_t kWidth = 8;
  static constexpr int kMaxLevels = 11;  // 8^11 triangles are more than kMaxMeshTriangles

  // Throws bad_alloc; the doors that call it are guarded
  static MeshTree build(const Mesh& mesh);

  // Level 0 holds the triangles; the root is node 0 of the top level
  int levels() const { return levels_; }
  const MeshTreeNode& node(int level, std::uint32_t index) const { return nodes_[start_[level] + index]; }
  std::uint32_t node_count(int level) const { return start_[level + 1] - start_[level]; }
  // The box of a node as its parent has it; the root's is all of space
  TreeBox box_around(int level, std::uint32_t index) const {
    constexpr float kAll = std::numeric_limits<float>::infinity();
    TreeBox box{{-kAll, -kAll, -kAll}, {kAll, kAll, kAll}};
    if (level + 1 == levels_) return box;
    const std::uint32_t width = width_[level + 1], lane = index % width;
    const MeshTreeNode& parent = node(level + 1, index / width);
    for (int k = 0; k < 3; ++k) box.lo[k] = parent.lo[k][lane], box.hi[k] = parent.hi[k][lane];
    return box;
  }
  // Nodes of a level have width(level) children, the last one fewer; those of level 0 have kWidth triangles
  std::uint32_t width(int level) const { return width_[level]; }
  std::uint32_t child(int level, std::uint32_t index, std::uint32_t k) const { return width_[level] * index + k; }
  std::uint32_t triangles_below(int level) const {
    std::uint32_t count = 1;
    for (int l = 0; l <= level; ++l) count *= width_[l];
    return count;
  }
  std::uint32_t triangle(std::uint32_t index, std::uint32_t k) const { return order_[kWidth * index + k]; }
  // The vertices of that triangle
  const MeshTriangle& vertices_of(std::uint32_t index, std::uint32_t k) const { return vertices_[kWidth * index + k]; }
  int child_count(int level, std::uint32_t index) const {
    const std::uint32_t below = level == 0 ? triangle_count() : node_count(level - 1);
    const std::uint32_t first = width_[level] * index;
    return static_cast<int>(below - first < width_[level] ? below - first : width_[level]);
  }
  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(order_.size()); }

  const Vec3d& origin() const { return origin_; }
  // Of all triangles, in the mesh's frame
  const Aabb3d& bounds() const { return bounds_; }

 private:
  std::vector<MeshTreeNode> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<MeshTriangle> vertices_;  // of the triangles in this order, to spare a look elsewhere
  std::array<std::uint32_t, kMaxLevels + 1> start_{};
  std::array<std::uint32_t, kMaxLevels> width_{};
  int levels_ = 0;
  Vec3d origin_{};
  Aabb3d bounds_{};
};

SUDAR_API TreeBox make_tree_box(const MeshTree& tree, const Aabb3d& box) noexcept;

// Bit k: child k meets the box
inline std::uint32_t scan_box(const MeshTreeNode& node, const TreeBox& box) {
  std::uint32_t bits = 0;
  for (int k = 0; k < 8; ++k) {
    bool all = true;
    for (int i = 0; i < 3; ++i) all &= (node.lo[i][k] <= box.hi[i]) & (box.lo[i] <= node.hi[i][k]);
    bits |= static_cast<std::uint32_t>(all) << k;
  }
  return bits;
}

// visit(t) for every triangle whose box meets `box`, until it returns false
template <class F>
void for_each_overlap(const MeshTree& tree, const Aabb3d& box, F&& visit) {
  const TreeBox wanted = make_tree_box(tree, box);
  struct Entry {
    std::uint32_t index;
    int level;
  };
  Entry stack[MeshTree::kMaxLevels * MeshTree::kWidth];
  int top = 0;
  stack[top++] = {0, tree.levels() - 1};
  while (top > 0) {
    const Entry e = stack[--top];
    for (std::uint32_t bits = scan_box(tree.node(e.level, e.index), wanted); bits != 0; bits &= bits - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
      if (e.level > 0) {
        stack[top++] = {tree.child(e.level, e.index, k), e.level - 1};
      } else if (!visit(tree.triangle(e.index, k))) {
        return;
      }
    }
  }
}

// visit(t) for triangles of nodes whose bound(box) is below `best`, nearer ones first; visit lowers `best` as it finds
// better
template <class Bound, class F>
void for_each_nearer(const MeshTree& tree, Bound&& bound, double& best, F&& visit) {
  struct Entry {
    double bound;
    std::uint32_t index;
    int level;
  };
  Entry stack[MeshTree::kMaxLevels * MeshTree::kWidth];
  int top = 0;
  stack[top++] = {-std::numeric_limits<double>::infinity(), 0, tree.levels() - 1};
  while (top > 0) {
    const Entry e = stack[--top];
    if (!(e.bound < best)) continue;
    const MeshTreeNode& node = tree.node(e.level, e.index);
    Entry near[MeshTree::kWidth];
    int count = 0;
    for (std::uint32_t k = 0; k < MeshTree::kWidth; ++k) {
      if (!(node.lo[0][k] <= node.hi[0][k])) continue;
      Aabb3d box;
      for (int i = 0; i < 3; ++i) {
        box.lo[i] = add_down(static_cast<double>(node.lo[i][k]), tree.origin()[i]);
        box.hi[i] = add_up(static_cast<double>(node.hi[i][k]), tree.origin()[i]);
      }
      const double b = bound(box);
      if (!(b < best)) continue;
      // Farther ones first: the stack takes the last
      int at = count++;
      for (; at > 0 && near[at - 1].bound < b; --at) near[at] = near[at - 1];
      near[at] = {b, tree.child(e.level, e.index, k), e.level - 1};
    }
    for (int i = 0; i < count; ++i) {
      if (e.level > 0) {
        stack[top++] = near[i];
      } else if (const Entry& n = near[count - 1 - i]; n.bound < best) {
        visit(tree.triangle(e.index, n.index % MeshTree::kWidth));
      }
    }
  }
}

}  // namespace sudar

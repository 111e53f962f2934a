// What:    A tree from the top: all items are split in two, and each half again.
// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007 (bins); seed A19.
// Differs: Bins on all axes at once. Where no split has a cost below the others', as in a heap of equal boxes, the halves
//          have equal counts, so the depth stays bounded: by the logarithm of the count for medians, and for bins by
//          that of the ratio of the largest to the smallest distance as well.
#pragma once

#include <sudar/broadphase/tree_build.hpp>
#include <sudar/core/parallel.hpp>

#include <span>

namespace sudar::inline SUDAR_ABI {

enum class TreeSplit : std::uint8_t { median, binned_cost };

template <int D>
class TopDownBuilder {
 public:
  // From tree.items, in any order
  void build(BinaryTree<D>& tree, std::uint32_t leaf_size, TreeSplit split, Executor& executor);
  std::size_t bytes() const noexcept;

 private:
  struct Part {
    std::uint32_t node, first, count;
  };
  struct Branch {
    std::vector<TreeNode<D>> nodes;
    std::vector<Part> open;
  };
  // How many of the items go left
  static std::uint32_t split_at_median(std::span<TreeItem<D>> items, const Aabb<D, float>& centres);
  static std::uint32_t split_by_cost(std::span<TreeItem<D>> items, const Aabb<D, float>& centres);
  // Make a node of nodes[part.node] and of the halves of a larger part; true when there are halves
  static bool divide(BinaryTree<D>& tree, std::vector<TreeNode<D>>& nodes, const Part& part, std::uint32_t leaf_size,
                     TreeSplit split);

  std::vector<Part> open_, later_;
  std::vector<Branch> branches_;
};

}  // namespace sudar::inline SUDAR_ABI

// What:    A tree from the top: all items are split in two, and each half again.
// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007 (bins); seed A19.
// Differs: Bins on the axis on which the centres spread most. Where no split has a cost below the others', as in a heap of equal boxes, the halves
//          have equal counts, so the depth stays bounded: by the logarithm of the count for medians, and for bins by
//          that of the ratio of the largest to the smallest distance as well.
#pragma once

#include <sudar/broadphase/split_kernels.hpp>
#include <sudar/core/parallel.hpp>

#include <span>

namespace sudar {

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
  // The box of a part, and how many of its items go left; 0 in a leaf
  struct Cut {
    Aabb<D, float> box;
    std::uint32_t left;
  };
  static Cut cut(std::span<TreeItem<D>> items, std::uint32_t leaf_size, TreeSplit split);
  static std::uint32_t split_at_median(std::span<TreeItem<D>> items, const Aabb<D, float>& centres);
  static std::uint32_t split_by_cost(std::span<TreeItem<D>> items, const Aabb<D, float>& centres);
  // Make a node of nodes[part.node], and of both halves, which `halves` is given
  static void add_nodes(std::vector<TreeNode<D>>& nodes, const Part& part, const Cut& cut, std::vector<Part>& halves);
  static void build_branch(Branch& branch, std::vector<TreeItem<D>>& items, std::uint32_t leaf_size, TreeSplit split);

  std::vector<Part> open_, halves_, later_;
  std::vector<Cut> cuts_;
  std::vector<Branch> branches_;
};

}  // namespace sudar

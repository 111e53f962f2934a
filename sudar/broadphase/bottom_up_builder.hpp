// What:    A tree from the leaves: neighbours that make the smallest box together are joined, again and again.
// Source:  Walter et al., "Fast Agglomerative Clustering for Rendering", 2008; Meister and Bittner, "Parallel
//          Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018; seed A19.
// Differs: Candidates are the nearest along the Morton curve, so a round takes linear time. Ties go to the pair whose
//          places differ in the lowest bits, and a round that joins too few, as along boxes whose gaps shrink steadily,
//          also joins those that lie side by side: there are O(log n) rounds whatever the boxes.
#pragma once

#include <sudar/broadphase/morton_order.hpp>

namespace sudar::inline SUDAR_ABI {

template <int D>
class BottomUpBuilder {
 public:
  // From tree.items, in any order; each cluster looks at `reach` others to either side
  void build(BinaryTree<D>& tree, std::uint32_t leaf_size, std::uint32_t reach, Executor& executor);
  std::size_t rounds() const noexcept { return rounds_; }
  std::size_t bytes() const noexcept;

 private:
  struct Cluster {
    Aabb<D, float> box;
    std::uint32_t node;
  };
  struct Choice {
    double cost;
    std::uint32_t partner;
  };
  void choose_partners(std::uint32_t reach);
  void join(std::uint32_t a, std::uint32_t b);
  void lay_out(BinaryTree<D>& tree, std::uint32_t leaf_size);

  MortonOrder<D> order_;
  std::vector<Cluster> clusters_, next_;
  std::vector<Choice> choices_;
  std::vector<TreeNode<D>> nodes_;  // the first are the items themselves; count is that of the items below
  std::vector<TreeItem<D>> items_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  std::size_t rounds_ = 0;
};

}  // namespace sudar::inline SUDAR_ABI

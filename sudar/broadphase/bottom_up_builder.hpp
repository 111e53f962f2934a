// What:    A tree from the leaves: neighbours that make the smallest box together are joined, again and again.
// Source:  Walter et al., "Fast Agglomerative Clustering for Rendering", 2008; Meister and Bittner, "Parallel
//          Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018; seed A19.
// Differs: Candidates are the nearest along the Morton curve, so a round takes linear time. Ties go to the pair whose
//          places differ in the lowest bits, and a round that joins too few, as along boxes whose gaps shrink steadily,
//          also joins those that lie side by side: there are O(log n) rounds whatever the boxes.
#pragma once

#include <sudar/broadphase/box_list.hpp>
#include <sudar/broadphase/morton_order.hpp>

namespace sudar {

template <int D>
class BottomUpBuilder {
 public:
  // From tree.items, in any order; each cluster looks at `reach` others to either side
  void build(BinaryTree<D>& tree, std::uint32_t leaf_size, std::uint32_t reach, Executor& executor);
  std::size_t rounds() const noexcept { return rounds_; }
  std::size_t bytes() const noexcept;

 private:
  // Numbers below that of the items are items, the others are joints
  struct Joint {
    std::uint32_t left, right, count;
  };
  std::uint32_t size_of(std::uint32_t number) const noexcept {
    return number < item_count_ ? 1 : joints_[number - item_count_].count;
  }
  void join_partners();
  void put(std::size_t place, std::uint32_t a, std::uint32_t b);
  void lay_out(BinaryTree<D>& tree, std::uint32_t leaf_size);

  MortonOrder<D> order_;
  BoxList<D> clusters_;  // in the order of the curve; an id is the number of an item or a joint
  std::vector<std::uint32_t> partners_;
  std::vector<Joint> joints_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  std::uint32_t item_count_ = 0;
  std::size_t rounds_ = 0;
};

}  // namespace sudar

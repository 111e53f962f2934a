// What:    The upper nodes of a tree that boxes are put into, laid out eight to a block for a search of many boxes. The
//          leaves stay where they are.
// Source:  Wald, Benthin, Boulos, "Getting Rid of Packets", 2008 (collapsing a binary tree).
// Differs: Only the nodes are copied, one for every four or five boxes, so it is made anew whenever enough is asked of a tree
//          that has changed.
#pragma once

#include <sudar/broadphase/insertion_tree.hpp>

namespace sudar {

template <int D>
class WideTop {
 public:
  static constexpr int kWidth = 8;

  void assign(const InsertionTree<D>& tree);
  // For the tree as it was then; its leaves are read where they are
  TreeSide<D> side(const InsertionTree<D>& tree) const noexcept {
    return {{bounds_.data(), children_.data(), lanes_.data(), tree.leaf_bounds(), tree.leaf_ids(), tree.leaf_lanes()},
            tree.empty() ? Aabb<D, float>::empty() : tree.box(0),
            kWidth,
            tree.size()};
  }
  std::size_t bytes() const noexcept {
    return bounds_.capacity() * sizeof(float) + children_.capacity() * sizeof(std::uint32_t) + lanes_.capacity() +
           open_.capacity() * sizeof(Open);
  }

 private:
  struct Open {
    std::uint32_t node, slot;
  };
  std::vector<float> bounds_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint8_t> lanes_;
  std::vector<Open> open_;
};

}  // namespace sudar

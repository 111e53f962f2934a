// What:    A tree from the bits of Morton codes, in linear time after the sort.
// Source:  Karras, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees", 2012 (the same tree).
// Differs: One pass with a stack instead of a search per node: a run of items is complete when the curve divides more
//          coarsely behind it than inside of it. Runs that fit into a leaf never become nodes.
#pragma once

#include <sudar/broadphase/morton_order.hpp>

namespace sudar {

template <int D>
class LinearBuilder {
 public:
  // From tree.items, in any order
  void build(BinaryTree<D>& tree, std::uint32_t leaf_size, bool long_codes, Executor& executor);
  std::size_t bytes() const noexcept { return order_.bytes() + open_.capacity() * sizeof(Open); }

 private:
  static constexpr std::uint32_t kNoNode = 0xffffffff;
  // A run of items; a node when it is too long for a leaf
  struct Open {
    Aabb<D, float> box;
    std::uint32_t first, count, node;
    std::uint16_t level;  // behind it
  };
  static std::uint32_t node_of(BinaryTree<D>& tree, const Open& run);

  MortonOrder<D> order_;
  std::vector<Open> open_;
};

}  // namespace sudar

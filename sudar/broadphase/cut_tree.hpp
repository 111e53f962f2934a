// What:    A tree of cells that planes across the axes cut ever smaller; a box is in every leaf that it touches. What
//          octrees and kd-trees have in common: who chooses the planes makes the difference.
// Source:  Bentley, "Multidimensional binary search trees…", 1975; Meagher, "Geometric modeling using octree
//          encoding", 1982; seeds B5, C5, E2, E7.
// Differs: Built from the top by counting and dealing index ranges of one array: no list per node, no insertion. A pair
//          is reported in the leaf of its max-lo corner (the largest of both lower ends on each axis), which both boxes
//          are in: no pair set. A cut that would cost more tests than it saves, or make copies past a limit, is not
//          made. For queries a box is met only in the leaf of its lower corner, and nodes are bounded by those boxes.
// Frame:   A box is below a cut when lo < at, above when hi >= at. Bit k of a tag: the box begins before this cell on
//          axis k. Invariant: two boxes that overlap share exactly one leaf in which their tags have no bit in common.
#pragma once

#include <sudar/broadphase/cell_cut.hpp>
#include <sudar/broadphase/pair_scan.hpp>
#include <sudar/broadphase/two_trees.hpp>

namespace sudar {

// Who chooses the cuts
template <int D>
class CutRule {
 public:
  virtual ~CutRule() = default;
  virtual Cut<D> choose(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth) = 0;
};

template <int D>
class CutTree {
 public:
  using Node = std::uint32_t;
  struct Limits {
    std::size_t leaf_capacity;
    int depth;
  };
  struct Data {
    Cut<D> cut;
    std::uint32_t first_child = 0, child_count = 0;
    std::uint32_t code = 0;            // as a child: bit k says above the cut on axis k
    std::uint32_t begin = 0, end = 0;  // of a leaf, in entries()
    std::uint32_t depth = 0;
    Aabb<D, float> home = Aabb<D, float>::empty();  // around the boxes whose lower corner is in this cell
  };

  void build(const BoxStore<D>& store, bool fixed, const Limits& limits, CutRule<D>& rule);
  std::size_t bytes() const noexcept;
  std::span<const Data> nodes() const noexcept { return nodes_; }
  const BoxList<D>& entries() const noexcept { return entries_; }
  // Distinct boxes
  std::size_t box_count() const noexcept { return box_count_; }

  // Pairs among the boxes of this tree
  void search(const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out) const;
  // Pairs of a box of this tree and one of the other, whose boxes are passed down this tree
  void search(const CutTree& other, const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts,
              SearchOutput& out) const;

 private:
  struct Guests {
    std::vector<BoxEntry<D>> entries;
    BoxList<D> list;
  };
  void divide(Node node, std::size_t begin, std::size_t end, Aabb<D, float> cell, int depth, double copies,
              const Limits& limits, CutRule<D>& rule);
  void make_leaf(Node node, std::size_t begin, std::size_t end);
  void meet(Node node, Guests& guests, std::size_t begin, std::size_t end, PairScan<D>& scan, SearchOutput& out) const;

  std::vector<Data> nodes_;
  std::vector<Node> leaves_;          // those with at least two boxes
  BoxList<D> entries_;                // leaf after leaf
  std::vector<BoxEntry<D>> divided_;  // while building: the boxes of the nodes on the path and of their siblings
  std::size_t box_count_ = 0;
};

// For walk_tree: the tree of the lower corners
template <int D>
struct CutTreeWalk {
  using Node = std::uint32_t;
  const CutTree<D>& tree;
  const BoxStore<D>& store;

  bool empty() const { return tree.box_count() == 0; }
  Node root() const { return 0; }
  const Aabb<D, float>& box(Node node) const { return tree.nodes()[node].home; }
  bool is_leaf(Node node) const { return tree.nodes()[node].child_count == 0; }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    const auto& data = tree.nodes()[node];
    for (std::uint32_t i = 0; i < data.child_count; ++i) visit(data.first_child + i);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    const auto& data = tree.nodes()[node];
    for (std::uint32_t i = data.begin; i < data.end; ++i)
      if (tree.entries().tag(i) == 0) visit(store.row_of(tree.entries().id(i)));
  }
};

template <int D>
using CutTreeBroadphase = TwoTrees<D, CutTree<D>, CutRule<D>, CutTreeWalk<D>>;

}  // namespace sudar

// What:    A tree in which every box has exactly one node; inner nodes keep boxes too. What the octree without
//          duplicates, the loose octree and the BSP tree have in common: who chooses the node makes the difference.
// Source:  Seeds B5, E3; Ulrich, "Loose octrees", 2000; Fuchs, Kedem, Naylor, "On visible surface generation by a
//          priori tree structures", 1980.
// Differs: The pairs of all boxes are looked for together: on the way down each node is told its guests, the boxes met
//          before that reach into it, and tests them against its own. So every pair is met once, in the node of the
//          box that comes later, and a box kept high up is not compared with all that is below it. The many boxes that
//          straddle the first planes are swept. Nodes are bounded by what is in them, not by their cells.
// Frame:   Boxes are stored in the order of a walk: those of a node, then those of its children; a subtree is a run.
#pragma once

#include <sudar/broadphase/pair_scan.hpp>
#include <sudar/broadphase/two_trees.hpp>

namespace sudar {

// Who chooses
template <int D>
class OwnerRule {
 public:
  static constexpr std::uint32_t kMostChildren = 1u << D;
  static constexpr std::uint32_t kStays = kMostChildren;  // in place of a child: the box stays in the node
  using Cells = std::array<Aabb<D, float>, kMostChildren>;

  virtual ~OwnerRule() = default;
  // Before each tree
  virtual void start() {}
  // The cell of boxes that are to be divided from here on
  virtual Aabb<D, float> fit(std::span<const BoxEntry<D>> entries) const = 0;
  // Sets the tag of each entry to its child or to kStays, and the cells of the children; false: leave it a leaf
  virtual bool divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries, Cells& cells) = 0;
  // Whether a box of one child can overlap one of another
  virtual bool children_overlap() const = 0;
};

template <int D>
class OwnerTree {
 public:
  using Node = std::uint32_t;
  struct Limits {
    std::size_t leaf_capacity;
    int depth;
  };
  struct Data {
    std::uint32_t first_child = 0, child_count = 0;
    std::uint32_t begin = 0, own_end = 0, end = 0;  // its own boxes, and those of the whole subtree
    std::uint32_t depth = 0;
    Aabb<D, float> cell;
    Aabb<D, float> bounds = Aabb<D, float>::empty();  // of the subtree
  };

  void build(const BoxStore<D>& store, bool fixed, const Limits& limits, OwnerRule<D>& rule);
  std::size_t bytes() const noexcept;
  std::span<const Data> nodes() const noexcept { return nodes_; }
  const BoxList<D>& entries() const noexcept { return entries_; }

  // Pairs among the boxes of this tree
  void search(const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out) const;
  // Pairs of a box of this tree and one of the other, whose boxes are the guests of this one's root
  void search(const OwnerTree& other, const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts,
              SearchOutput& out) const;

 private:
  // A subtree that is searched on its own, with its guests
  struct Job {
    Node node;
    std::size_t begin, end;  // of its guests
  };
  struct Jobs {
    std::size_t size;  // a subtree of at most so many boxes is a job
    std::vector<Job> list{};
    BoxList<D> guests{};
  };
  struct Visit {
    PairScan<D>& scan;
    SearchOutput& out;
    BoxList<D> guests{};  // a stack: those of the node, of its child …
    bool among_own = true;
    Jobs* jobs = nullptr;  // where to put small subtrees, instead of going into them
  };
  void divide(Node node, std::size_t begin, std::size_t end, Aabb<D, float> cell, int depth, const Limits& limits,
              OwnerRule<D>& rule);
  void welcome(Node parent, std::uint32_t child, std::size_t guests_begin, std::size_t guests_end, Visit& state) const;
  void meet(Node node, std::size_t guests_begin, Visit& state) const;
  void gather(Node node, const Aabb<D, float>& box, Visit& state) const;

  std::vector<Data> nodes_;
  BoxList<D> entries_;
  bool children_overlap_ = false;
  std::vector<BoxEntry<D>> divided_, dealt_;  // while building
};

// For walk_tree
template <int D>
struct OwnerTreeWalk {
  using Node = std::uint32_t;
  const OwnerTree<D>& tree;
  const BoxStore<D>& store;

  bool empty() const { return tree.entries().size() == 0; }
  Node root() const { return 0; }
  const Aabb<D, float>& box(Node node) const { return tree.nodes()[node].bounds; }
  bool is_leaf(Node node) const { return tree.nodes()[node].child_count == 0; }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    const auto& data = tree.nodes()[node];
    for (std::uint32_t i = 0; i < data.child_count; ++i) visit(data.first_child + i);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    const auto& data = tree.nodes()[node];
    for (std::uint32_t i = data.begin; i < data.own_end; ++i) visit(store.row_of(tree.entries().id(i)));
  }
};

template <int D>
using OwnerTreeBroadphase = TwoTrees<D, OwnerTree<D>, OwnerRule<D>, OwnerTreeWalk<D>>;

}  // namespace sudar

// What:    The overlapping pairs of one tree of boxes, or of two: both are descended at once.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 6.3.2; Embree's rtcCollide for the idea of searching a wide tree
//          against itself; seeds A19, C3.
// Differs: A pair of nodes is a pair of slots. The lanes of one node that meet the other's box are found with one test,
//          and each of those then meets the lanes of the other. A node is paired with itself and, below, with the
//          lanes after it only, so every pair comes up once and no duplicates are looked for.
// Frame:   nodes_visited counts pairs of nodes, box_tests pairs of a box of the store and a box.
//          Invariant: the search with SIMD and the plain one visit the same pairs of nodes in the same order.
#pragma once

#include <sudar/broadphase/box_tree.hpp>
#include <sudar/broadphase/pair_buffer.hpp>

namespace sudar {

// The state of a search, so that it can stop when it is short of room and go on later
struct TreeSearch {
  BoxTreeView a, b;
  int dim, width;
  bool self;             // b is a
  std::uint64_t* stack;  // slots of a in the high half, of b in the low one
  std::size_t stack_size, stack_capacity;
  IdPair* pairs;
  std::size_t pair_count, pair_capacity;
  std::uint64_t visits_left;  // stops after so many
  std::uint64_t nodes_visited, box_tests;
};

// What one visit may add
inline constexpr std::size_t kMostOpened = 8 * 8;
inline constexpr std::size_t kMostFound = kLeafLanes * kLeafLanes;

// Goes on until the stack is empty, or there is not room for one more visit, or visits_left is 0
void search_trees(TreeSearch& search) noexcept;
// The scalar twin
void search_trees_plain(TreeSearch& search) noexcept;

// Whose word on a pair is asked, when the store has any filters: that of the masks and groups, or the callback's too
enum class PairFilter : std::uint8_t { masks, all };

// All pairs of ids of `a` and `b` whose boxes overlap and may pair, or those of `a` when `b` is the same
template <int D>
void search_tree_pairs(const TreeSide<D>& a, const TreeSide<D>& b, const BoxStore<D>& store, PairFilter filter,
                       Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out);

// The ids of all leaves' boxes that overlap one box. `stack` and `ids` are grown and kept; ids holds `found` of them.
struct BoxAsked {
  std::uint64_t nodes_visited = 0, box_tests = 0;
  std::size_t found = 0;
};
template <int D>
BoxAsked search_tree_box(const TreeSide<D>& tree, const Aabb<D, float>& box, std::vector<std::uint32_t>& stack,
                         std::vector<std::uint32_t>& ids);

// The state of such a search
struct BoxSearch {
  BoxTreeView tree;
  int dim, width;
  float box[6];          // lower and upper end on each axis
  std::uint32_t* stack;  // blocks
  std::size_t stack_size, stack_capacity;
  std::uint32_t* ids;
  std::size_t id_count, id_capacity;
  std::uint64_t nodes_visited, box_tests;
};
void search_box_in_tree(BoxSearch& search) noexcept;
void search_box_in_tree_plain(BoxSearch& search) noexcept;

}  // namespace sudar

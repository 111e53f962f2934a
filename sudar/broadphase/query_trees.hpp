// What:    Where the questions to a broad phase without a tree of its own go: a packed tree of the moving boxes, made when
//          the first question comes after they changed, and one of the fixed boxes, kept while none of those changes.
// Differs: Nothing is made for a step in which nothing is asked.
#pragma once

#include <sudar/broadphase/packed_tree.hpp>
#include <sudar/broadphase/tree_walk.hpp>

#include <memory>

namespace sudar {

template <int D>
class QueryTrees {
 public:
  // Trees for the store as it is; returns how many had to be made
  std::size_t take_in(const BoxStore<D>& store, Executor& executor);
  template <class Sink>
  void walk(const BoxStore<D>& store, Sink& sink) const {
    walk_tree(PackedTreeWalk<D>{moving_, store}, sink);
    walk_tree(PackedTreeWalk<D>{fixed_, store}, sink);
  }
  std::size_t bytes() const noexcept;

 private:
  void make(const BoxStore<D>& store, bool fixed, Executor& executor);

  PackedTree<D> moving_, fixed_;
  std::shared_ptr<const char> store_;
  bool moving_known_ = false, fixed_known_ = false;  // of store_, at the revisions below
  std::uint64_t moving_revision_ = 0, fixed_revision_ = 0;
  // While building
  std::vector<TreeItem<D>> items_;
  MortonOrder<D> order_;
};

}  // namespace sudar

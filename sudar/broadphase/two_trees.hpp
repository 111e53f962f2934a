// What:    A broad phase made of two trees of one kind: one of the moving boxes, built at every step, and one of the fixed
//          boxes, built when one of those changed.
// Differs: The tree, the rule it is built by and its walk are given as types, so that octrees, k-d trees and planes share
//          this file.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

// A Tree has: Limits; build(store, fixed, limits, rule); search(store, …) among its boxes; search(other, store, …) of the
// boxes of another; bytes(). A Walk is made of a tree and a store, for walk_tree.
template <int D, class Tree, class Rule, class Walk>
class TwoTrees : public Broadphase<D> {
 public:
  const Tree& moving_tree() const noexcept { return moving_; }
  const Tree& fixed_tree() const noexcept { return fixed_; }

 protected:
  using Broadphase<D>::Broadphase;
  virtual typename Tree::Limits limits() const = 0;
  virtual Rule& rule() = 0;

 private:
  void do_build(const BoxStore<D>& store) override {
    fixed_.build(store, true, limits(), rule());
    fixed_seen_ = store.fixed_revision();
    moving_.build(store, false, limits(), rule());
    this->count().rebuilds += 2;
  }
  void do_update(const BoxStore<D>& store) override {
    if (store.fixed_revision() != fixed_seen_) return do_build(store);
    moving_.build(store, false, limits(), rule());
    ++this->count().rebuilds;
  }
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override {
    moving_.search(store, this->executor(), this->parts(), out);
    fixed_.search(moving_, store, this->executor(), this->parts(), out);
  }
  bool keeps_answers() const noexcept override { return true; }
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override { ask(store, sink); }
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override { ask(store, sink); }
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override { ask(store, sink); }
  std::size_t do_bytes() const noexcept override { return moving_.bytes() + fixed_.bytes(); }
  template <class Sink>
  void ask(const BoxStore<D>& store, Sink& sink) const {
    walk_tree(Walk{moving_, store}, sink);
    walk_tree(Walk{fixed_, store}, sink);
  }

  Tree moving_, fixed_;
  std::uint64_t fixed_seen_ = 0;
};

}  // namespace sudar

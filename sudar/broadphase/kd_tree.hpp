// What:    kd-tree: one plane across an axis cuts a cell in two; a box is in every leaf that it touches.
// Source:  Bentley, "Multidimensional binary search trees…", 1975; MacDonald and Booth, "Heuristics for ray tracing
//          using space subdivision", 1990 (cost); Wald and Havran, "On building fast kd-trees…", 2006 (empty space
//          bonus); seeds B5, C5, E7.
// Differs: Both rules look at a sample of a large node. Copies of a box that straddles a plane cost less here than the
//          overlap of nodes would if boxes were dealt by their centres: a leaf is then searched alone.
// Fails:   Never; leaves that cannot be cut are swept.
#pragma once

#include <sudar/broadphase/cut_tree.hpp>

namespace sudar {

template <int D>
class SUDAR_API KdTree final : public CutTreeBroadphase<D>, private CutRule<D> {
 public:
  KdTree();
  std::string_view name() const noexcept override { return "kd_tree"; }

 private:
  typename CutTree<D>::Limits limits() const override;
  CutRule<D>& rule() override { return *this; }
  Cut<D> choose(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth) override;
  Cut<D> median(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth);
  Cut<D> cheapest(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries);
  template <class F>
  std::size_t sample(std::span<const BoxEntry<D>> entries, F&& visit) const;

  std::vector<float> centers_;
};

}  // namespace sudar

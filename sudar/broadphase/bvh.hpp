// What:    What the hierarchies built in one go share: a tree of the moving boxes, a tree of the fixed ones, and when to
//          build, refit or keep them. The builders differ: bvh_linear, bvh_top_down, bvh_bottom_up.
// Source:  van den Bergen, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", 1997 (refit).
// Differs: The tree of the fixed boxes is kept while nothing about fixed boxes changes. A tree of moving boxes is refitted
//          and its cost compared with what it was when it was built; past a limit it is built anew, and refitting is
//          then left alone for some steps, more each time that it fails at once.
// Fails:   Never; boxes that all overlap cost what their pairs cost.
#pragma once

#include <sudar/broadphase/box_tree.hpp>
#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/refit_pause.hpp>

#include <vector>

namespace sudar {

template <int D>
class SUDAR_API Bvh : public Broadphase<D> {
 public:
  const BoxTree<D>& moving_tree() const noexcept { return moving_; }
  const BoxTree<D>& fixed_tree() const noexcept { return fixed_; }
  std::uint64_t refits() const noexcept { return refits_; }
  std::uint64_t fixed_builds() const noexcept { return fixed_builds_; }

 protected:
  // `own` follow the shared parameters, from kOwn on
  explicit Bvh(std::vector<Parameter> own, double leaf_size);
  static constexpr std::size_t kOwn = 3;

  // Nodes for tree.items, which may be put into another order; at most leaf_size() items to a leaf
  virtual void build_nodes(BinaryTree<D>& tree) = 0;
  virtual std::size_t builder_bytes() const noexcept = 0;
  std::uint32_t leaf_size() const noexcept { return static_cast<std::uint32_t>(this->parameter(1)); }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  bool keeps_answers() const noexcept override { return true; }
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override;

  int width() const noexcept;
  void rebuild(const BoxStore<D>& store, bool fixed, BoxTree<D>& tree);
  void rebuild_moving(const BoxStore<D>& store);
  bool refit_moving(const BoxStore<D>& store);

  BoxTree<D> moving_, fixed_;
  BinaryTree<D> binary_;
  std::uint64_t fixed_revision_ = 0, refits_ = 0, fixed_builds_ = 0;
  double built_cost_ = 0;
  RefitPause pause_;
};

}  // namespace sudar

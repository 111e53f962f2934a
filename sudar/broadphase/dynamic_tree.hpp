// What:    `dynamic_tree`: boxes with some air around them in trees that change a leaf at a time, and the pairs of such
//          fat boxes kept from step to step.
// Source:  Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019; Presson's btDbvt in Bullet; seeds A19, C3.
// Differs: Only boxes that left their fat box are put in anew, found through the journal of the store when few changed, and
//          only they are searched for. Pairs are made from the candidates by the boxes as they are, so nothing stale
//          is ever reported. When many left theirs at once, they stay in their leaves and all nodes are fitted again; a
//          tree that this, or moving boxes one by one, has made worse is built in one go. Whether boxes get air then
//          depends on how far they moved. Leaves hold eight boxes, and the nodes above them are laid out eight to a
//          block when enough is asked to pay for it. Fixed boxes have a tree of their own.
// Fails:   Never; ids from 2^28 on: out_of_memory.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/cast_kernels.hpp>
#include <sudar/broadphase/refit_pause.hpp>
#include <sudar/broadphase/wide_top.hpp>

namespace sudar {

template <int D>
class SUDAR_API DynamicTree final : public Broadphase<D> {
 public:
  DynamicTree();
  std::string_view name() const noexcept override { return "dynamic_tree"; }
  const InsertionTree<D>& moving_tree() const noexcept { return moving_.tree; }
  const InsertionTree<D>& fixed_tree() const noexcept { return fixed_.tree; }
  // Boxes put in one at a time by the last build() or update()
  std::size_t reinserted() const noexcept { return reinserted_; }
  // Times that all nodes were fitted again
  std::uint64_t refits() const noexcept { return refits_; }
  std::size_t candidates() const noexcept { return candidates_.size(); }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  bool keeps_answers() const noexcept override { return true; }
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override;

  // A tree, and its nodes laid out for a search of much
  struct Layer {
    InsertionTree<D> tree;
    WideTop<D> top;
    bool laid_out = false;  // the top is that of the tree
    std::size_t asked = 0;  // since it is not

    void spoil() noexcept {
      laid_out = false;
      asked = 0;
    }
    void lay_out();
    std::size_t bytes() const noexcept { return tree.bytes() + top.bytes(); }
  };

  void set_air() noexcept;
  // update(), in its order
  void look_at_changes(const BoxStore<D>& store);
  void look_at(const BoxStore<D>& store, std::uint32_t id);
  void look_at_all(const BoxStore<D>& store);
  bool air_pays(const BoxStore<D>& store) const noexcept;
  void put_in_anew(const BoxStore<D>& store, bool skip_moving, bool skip_fixed);
  void move_one_by_one(const BoxStore<D>& store);
  void move_all(const BoxStore<D>& store);
  bool refit_moving();
  void take_boxes_of_leaves();
  void rebuild(const BoxStore<D>& store, bool fixed);
  void mark_stale(std::uint32_t id);
  Aabb<D, float> fat_box(const Aabb<D, float>& box, const Aabb<D, float>& before) const noexcept;

  // pairs(), in its order
  void refresh_candidates(const BoxStore<D>& store, SearchOutput& out);
  void find_all_candidates(const BoxStore<D>& store);
  void find_stale_candidates(const BoxStore<D>& store);
  void report(const BoxStore<D>& store, SearchOutput& out);
  // Calls found(id) for each box of the tree that overlaps `box`, fat as it may be
  template <class F>
  void search(Layer& layer, const Aabb<D, float>& box, SearchOutput& out, F&& found);
  bool worth_laying_out(Layer& layer, std::size_t questions);

  Layer moving_, fixed_;
  std::vector<std::uint32_t> stack_, found_;
  std::vector<OpenCast> open_casts_;
  std::vector<Aabb<D, float>> boxes_;   // as last seen, by id
  std::vector<std::uint32_t> moved_;    // moving boxes that left their place in the tree
  std::vector<std::uint32_t> changed_;  // ids that came, went or moved while they are fixed
  std::vector<std::uint32_t> stale_;    // ids whose candidates have to be found anew
  std::vector<std::uint8_t> is_stale_;  // by id
  PairBuffer candidates_;               // of fat boxes that overlap and whose filters agree
  bool candidates_known_ = false, candidates_filtered_ = false;
  std::uint64_t seen_revision_ = 0, refits_ = 0;
  double edge_ = 0;  // of a typical box, metres
  float air_ = 0;    // metres
  std::size_t changed_moving_ = 0, changed_fixed_ = 0, reinserted_ = 0, since_check_ = 0;
  double built_cost_ = -1;  // not known yet when negative
  RefitPause pause_;
  std::uint64_t update_tests_ = 0, update_nodes_ = 0;
  std::vector<std::uint32_t> ids_;  // while building
  MortonOrder<D> order_;
  SearchOutput search_;
};

}  // namespace sudar

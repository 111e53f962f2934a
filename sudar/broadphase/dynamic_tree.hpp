// What:    `dynamic_tree`: boxes with some air around them in trees that change a leaf at a time, and the pairs of such
//          fat boxes kept from step to step.
// Source:  Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019; Presson's btDbvt in Bullet; seeds A19, C3.
// Differs: Only boxes that left their fat box are put in anew, found through the journal of the store when few changed, and
//          only they are searched for. Pairs are made from the candidates by the boxes as they are, so nothing stale
//          is ever reported. When most boxes left theirs at once, the tree is built in one go and searched against
//          itself; whether it then gets air depends on how far the boxes moved. Fixed boxes have a tree of their own.
// Fails:   Never; ids from 2^31 on: out_of_memory.
#pragma once

#include <sudar/broadphase/box_tree.hpp>
#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/insertion_tree.hpp>
#include <sudar/broadphase/linear_builder.hpp>

namespace sudar::inline SUDAR_ABI {

template <int D>
class SUDAR_API DynamicTree final : public Broadphase<D> {
 public:
  DynamicTree();
  std::string_view name() const noexcept override { return "dynamic_tree"; }
  const InsertionTree<D>& moving_tree() const noexcept { return moving_; }
  const InsertionTree<D>& fixed_tree() const noexcept { return fixed_; }
  // Leaves put in one at a time, and trees built in one go, by the last build() or update()
  std::size_t reinserted() const noexcept { return reinserted_; }
  std::size_t candidates() const noexcept { return candidates_.size(); }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override;

  void set_air() noexcept;
  // update(), in its order
  void look_at_changes(const BoxStore<D>& store);
  void look_at(const BoxStore<D>& store, std::uint32_t id);
  void look_at_all(const BoxStore<D>& store);
  bool air_pays() const noexcept;
  void put_in_anew(const BoxStore<D>& store, bool skip_moving, bool skip_fixed);
  void batch_build(const BoxStore<D>& store, bool fixed, bool with_air);
  void mark_stale(std::uint32_t id);
  Aabb<D, float> fat_box(std::uint32_t id, const Aabb<D, float>& box) const noexcept;

  // pairs(), in its order
  void refresh_candidates(const BoxStore<D>& store, SearchOutput& out);
  void find_all_candidates(const BoxStore<D>& store, SearchOutput& out);
  void find_stale_candidates(const BoxStore<D>& store, SearchOutput& out);
  void report(const BoxStore<D>& store, SearchOutput& out);

  InsertionTree<D> moving_, fixed_;
  // The same boxes laid out for a search of everything, while the trees are as they were built in one go
  BoxTree<D> moving_layout_, fixed_layout_;
  bool moving_laid_out_ = false, fixed_laid_out_ = false;
  bool pairs_wanted_ = true;  // since the last tree was built in one go
  std::vector<std::uint32_t> stack_;
  std::vector<Aabb<D, float>> boxes_;   // as last seen, by id
  std::vector<Vec<D, float>> motion_;   // in the last step, by id
  std::vector<std::uint32_t> left_;     // ids that left their place in the trees
  std::vector<std::uint32_t> stale_;    // ids whose candidates have to be found anew
  std::vector<std::uint8_t> is_stale_;  // by id
  std::vector<IdPair> candidates_;      // of fat boxes that overlap and whose filters agree
  bool candidates_known_ = false, candidates_filtered_ = false;
  std::uint64_t seen_revision_ = 0;
  double edge_ = 0;  // of a typical box, metres
  float air_ = 0;    // metres
  std::size_t left_moving_ = 0, left_fixed_ = 0, reinserted_ = 0, since_check_ = 0;
  double built_cost_ = -1;  // not known yet when negative
  std::uint64_t update_tests_ = 0, update_nodes_ = 0;
  BinaryTree<D> binary_;
  LinearBuilder<D> builder_;
  SearchOutput search_;
};

}  // namespace sudar::inline SUDAR_ABI

// What:    Incremental sweep and prune: the ends of all boxes stay sorted along every axis from step to step, and what
//          changes places tells which boxes meet.
// Source:  Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992; Cohen, Lin, Manocha, Ponamgi,
//          "I-COLLIDE", 1995; seeds A18, E5.
// Differs: Only the meeting of a lower with an upper end is acted on: pairs that part are found by one look at the list
//          of pairs a step, which costs less than a look into a hash table at every such swap. Two axes may find one
//          new pair, so new pairs go through a hashed set. The first step takes the pairs of the columns instead of
//          sorting from nothing. Boxes that come, go or leap are taken out and merged in as one batch. A new search by
//          columns costs less than bringing all ends up to date from a few hundred boxes on, however slowly they move. So a
//          step goes by swaps when these may cost less for as many boxes as moved, and starts anew when they turn out to
//          cost more; after that it waits longer and longer before it tries swaps again (Sap.GoesTheCheaperWay3).
// Frame:   An end is one integer: the bits of the coordinate in order, then lower before upper, then the id. So closed
//          boxes that touch overlap. Invariant: after each step all lists hold the same ids in order, and pairs_ holds
//          the overlapping pairs whose filters agree. A box whose filter changed is taken out and met again.
// Fails:   Only by memory. With ids past 2^31 there is no room for them in an end: every step starts anew then.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/column_search.hpp>
#include <sudar/core/trace.hpp>

namespace sudar {

template <int D>
class SUDAR_API Sap final : public Broadphase<D> {
 public:
  static constexpr std::size_t kMostIds = std::size_t{1} << 31;

  // `most_ids`: that the lists may hold; fewer than kMostIds only to see what happens then
  explicit Sap(std::size_t most_ids = kMostIds);
  std::string_view name() const noexcept override { return "sap"; }
  // Kept from step to step
  std::size_t kept_pairs() const noexcept { return pairs_.size(); }
  // For people who look: visit(coordinate, is upper, id) for the ends along an axis in their order; none while it waits
  // with sorting by swaps
  template <class F>
  void for_each_end(int axis, F&& visit) const {
    if (!listed_) return;
    for (const End end : ends_[static_cast<std::size_t>(axis)]) {
      const std::size_t upper = end >> 31 & 1;
      const auto id = static_cast<std::uint32_t>(end & 0x7fffffffu);
      visit(boxes_[id].at[upper][axis], upper != 0, id);
    }
  }

  // Hears what the sorting does from the next update on; null: nobody. Steps: "axis" (ids: all ends in their old order, twice
  // the id, plus one for an upper end; numbers: where they are now; value: the axis), "swap" (ids: the end that moves down
  // and the one it passes, written the same way; value: 1 when a lower end passes an upper one), "meet" (ids: two boxes;
  // value: 1 when they overlap on all axes), "part" (ids: two boxes).
  void watch(TraceSink* sink) noexcept { sink_ = sink; }

 private:
  using End = std::uint64_t;
  enum : std::uint8_t { kKnown = 1, kChanged = 2, kOut = 4, kFixed = 8, kJoins = 16 };

  // A box whose lower and upper corner are found by a number, not by a branch
  struct Ends {
    float at[2][D];
  };

  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  std::size_t do_bytes() const noexcept override;

  void start_anew(const BoxStore<D>& store, bool with_lists);
  void give_up(const BoxStore<D>& store, bool promising);
  double most_swaps(const BoxStore<D>& store, std::size_t moved, std::size_t joining) const noexcept;
  void find_all_pairs(const BoxStore<D>& store);
  bool fits(const BoxStore<D>& store) const noexcept { return store.id_limit() <= most_ids_; }
  bool take_changes(const BoxStore<D>& store);
  void take_box(const BoxStore<D>& store, std::uint32_t id, bool leaps);
  void measure_extent();
  int widest_axis() const noexcept;
  void refresh_ends(int axis);
  template <class Trace>
  bool sort_by_swaps(int axis, Trace trace);
  std::size_t meet_crossed(std::size_t count);
  void drop_parted_pairs();
  void merge_batch(int axis);
  void sweep_batch();
  static Ends ends_of(const Aabb<D, float>& box) noexcept;
  bool boxes_overlap(std::uint32_t a, std::uint32_t b) const noexcept;
  End end_on(int axis, std::uint64_t upper, std::uint32_t id) const noexcept;
  void meet(std::uint32_t a, std::uint32_t b);

  std::size_t most_ids_;
  TraceSink* sink_ = nullptr;
  const BoxStore<D>* filters_ = nullptr;  // during an update, when there are filters to ask
  std::array<std::vector<End>, D> ends_;
  std::vector<Ends> boxes_;               // by id
  std::vector<std::uint8_t> state_;       // by id
  std::vector<std::uint32_t> touched_;    // ids whose state has to be cleared after the step
  std::vector<std::uint32_t> batch_;      // ids that come or leap
  std::vector<std::uint32_t> open_, at_;  // sweep of a batch: open boxes, and where in that list an id is
  std::vector<std::uint32_t> open_batch_;
  std::vector<IdPair> pairs_;
  std::vector<IdPair> crossed_;  // ids that began to overlap on the axis being sorted, in no order
  PairSet new_pairs_;
  std::vector<End> merged_;
  std::array<double, D> far_{};  // a box that goes farther than this leaps
  bool all_moved_ = false;       // every box may have changed, and none is out
  bool any_out_ = false;
  bool listed_ = false;       // ends_ are those of the last step
  std::uint32_t wait_ = 0;    // steps before swaps are tried again
  std::uint32_t misses_ = 0;  // times in a row that swaps would have cost, or did cost, too much
  std::uint64_t seen_ = 0, swaps_ = 0, swap_limit_ = 0, box_tests_ = 0;

  ColumnSearch<D> columns_;
  SearchOutput found_;
  std::vector<KeyedRow> keys_, key_scratch_;
};

}  // namespace sudar

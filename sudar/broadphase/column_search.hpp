// What:    Pairs of overlapping boxes by quantised columns: the boxes are copied into every column that they touch, each
//          column is sorted along the swept axis and swept, many candidates at a time.
// Source:  Ours; the parts are known: grids with the pair in the cell of its max-lo corner, radix sort, sweep.
// Differs: Coordinates are 16-bit fixed point local to the column; floats are looked at only when two numbers tie. A
//          pair belongs to the column of its max-lo corner, so there is no neighbour search and no duplicate. A crowded
//          column, or two that meet, is planned again by itself; boxes that would touch very many columns are giants, searched among
//          themselves and against the others with columns of their own size. The columns of fixed boxes are kept.
// Frame:   Invariants: maps are monotone, so overlapping boxes meet in the column of their max-lo corner; there at least
//          one of the two begins on each axis, and an entry that began before has the reserved place 0.
// Fails:   Only by memory (bad_alloc). All in one point costs what writing the pairs costs.
#pragma once

#include <sudar/broadphase/box_scan.hpp>
#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/column_bins.hpp>
#include <sudar/broadphase/column_plan.hpp>
#include <sudar/broadphase/pair_buffer.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace sudar {

// Rows with what is known of them: bit k of `before` says that the box begins before the region that is searched on
// across axis k, so that a pair of two such boxes belongs to another region. No flags at all means none begins before.
struct ColumnRows {
  std::span<const std::uint32_t> rows;
  std::span<const std::uint8_t> before;
  bool rising = false;  // rows are in rising order

  std::uint8_t before_at(std::size_t i) const { return before.empty() ? std::uint8_t{0} : before[i]; }
};

template <int D>
class ColumnSearch {
 public:
  // Appends the pairs of ids of all overlapping boxes whose filters agree. `width`: of a column at most, in typical box
  // edges.
  void search(const BoxStore<D>& store, double width, Executor& executor, std::vector<SearchOutput>& parts,
              SearchOutput& out);
  // Drop what is kept of fixed boxes
  void forget() noexcept { kept_.state = Kept::nothing; }
  std::size_t bytes() const noexcept;
  // Since the last search began: crowded columns planned again, and boxes taken as giants
  std::size_t replanned() const noexcept { return replanned_; }
  std::size_t giants() const noexcept { return giants_; }

 private:
  struct RowList {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint8_t> before;

    void clear() noexcept {
      rows.clear();
      before.clear();
    }
    ColumnRows view(bool rising) const { return {rows, before, rising}; }
    std::size_t bytes() const noexcept { return rows.capacity() * sizeof(std::uint32_t) + before.capacity(); }
  };
  using Kinds = std::array<RowList, std::size_t{1} << D>;
  // Working memory of one thread at one depth
  struct Scratch {
    ColumnBins bins[2];
    SortedColumn sorted[2];
    std::vector<std::uint32_t> from, to, tie_query, tie_target;
    std::vector<Aabb<D, float>> boxes[2];  // of a column with many ties
    std::size_t ties = 0;                  // of the column so far
    RowList crowd[2];
    std::unique_ptr<Scratch> child;
    std::size_t replanned = 0, giants = 0;

    Scratch& below() {
      if (child == nullptr) child = std::make_unique<Scratch>();
      return *child;
    }
    std::size_t bytes() const noexcept;
  };
  // The columns of the fixed boxes: made when a search finds them as the last one left them
  struct Kept {
    enum State { nothing, seen, made };
    State state = nothing;
    std::shared_ptr<const char> store;
    std::uint64_t revision = 0;
    double width = 0;
    ColumnPlan plan;
    KeptColumns columns;
    std::vector<std::uint32_t> giants;  // ids
  };
  // What is swept: the queries [begin, end) of one column against the targets of another, or of the same
  struct SweepTask {
    ColumnView queries, targets;
    const std::uint32_t* from;
    const std::uint32_t* to;
    std::size_t begin, end;
    std::uint64_t tests;  // of this task at most
    int sweep_axis;
  };

  // column_search.cpp
  void search_self(const ColumnRows& set, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out);
  void search_single(const ColumnRows& set, int sweep_axis, std::size_t lanes, Executor& executor,
                     std::vector<SearchOutput>& parts, SearchOutput& out);
  void search_cross(const ColumnRows& a, const ColumnRows& b, Executor& executor, std::vector<SearchOutput>& parts,
                    SearchOutput& out);
  void search_fixed(const ColumnRows& moving, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out);
  void keep_fixed(const ColumnRows& fixed, Executor& executor);
  ColumnRows fixed_rows();
  std::size_t scatter_lanes(const ColumnPlan& plan, const ColumnRows& set, std::uint32_t most_copies,
                            Executor& executor, int side);
  RowList gather_giants(std::size_t lanes) const;
  template <class F>
  void for_each_column(std::size_t columns, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out,
                       F&& body);
  Scratch* borrow();
  void give_back(Scratch* scratch);
  void shrink_scratches();

  // column_jobs-inl.hpp: what is done on one thread
  PlanRequest request_for(const ColumnRows& set, int sweep_axis, int depth) const;
  void self_job(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch, SearchOutput& out) const;
  void self_planned(const ColumnRows& set, const ColumnPlan& plan, int depth, Scratch& scratch,
                    SearchOutput& out) const;
  void cross_job(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                 SearchOutput& out) const;
  ColumnPlan cross_plan(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth) const;
  void cross_planned(const ColumnRows& a, const ColumnRows& b, const ColumnPlan& plan, int depth, Scratch& scratch,
                     SearchOutput& out) const;
  void giants_job(const ColumnRows& set, const RowList& giants, int sweep_axis, int depth, Scratch& scratch,
                  SearchOutput& out) const;
  void cross_giants(const ColumnRows& a, const ColumnRows& b, const RowList& giants_a, const RowList& giants_b,
                    int sweep_axis, int depth, Scratch& scratch, SearchOutput& out) const;
  void scan_few(const ColumnRows& few, const ColumnRows& many, SearchOutput& out) const;
  static RowList without(const ColumnRows& set, const RowList& giants);
  void scatter(const ColumnPlan& plan, const ColumnRows& set, std::size_t begin, std::size_t end,
               std::uint32_t most_copies, ColumnBins& bins, RowList& giants) const;

  // column_kinds-inl.hpp: a crowd that cannot be cut
  Aabb<D, float> bounds_of(const ColumnRows& set) const;
  Kinds kinds_of(const ColumnRows& set, const Aabb<D, float>& bounds) const;
  bool self_kinds(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch, SearchOutput& out) const;
  bool cross_kinds(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                   SearchOutput& out) const;

  // column_sweep-inl.hpp: one column
  void self_column(std::span<const ColumnBins> lanes, std::size_t column, const ColumnPlan& plan, int depth,
                   Scratch& scratch, SearchOutput& out) const;
  void cross_column(std::span<const ColumnBins> a, std::span<const ColumnBins> b, std::size_t column,
                    const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const;
  void cross_sorted(std::span<const ColumnBins> a, std::size_t column, const ColumnView& targets,
                    const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const;
  bool replan_cross(const ColumnView& a, const ColumnView& b, const ColumnPlan& plan, int depth, Scratch& scratch,
                    SearchOutput& out) const;
  bool replan_self(const ColumnView& column, const ColumnPlan& plan, int depth, Scratch& scratch,
                   SearchOutput& out) const;
  void list_crowd(const ColumnView& column, RowList& crowd) const;
  void keep_inside(RowList& list, const Aabb<D, float>& bounds) const;
  std::uint64_t plan_self_runs(const ColumnView& column, Scratch& scratch) const;
  std::uint64_t plan_cross_runs(const ColumnView& queries, const ColumnView& targets, bool after,
                                Scratch& scratch) const;
  void sweep(const SweepTask& task, Scratch& scratch, SearchOutput& out) const;
  void sweep_long(const SweepTask& task, std::size_t query, Scratch& scratch, SearchOutput& out) const;
  void settle(const SweepTask& task, std::size_t ties, Scratch& scratch, SearchOutput& out) const;
  Aabb<D, float> box_of(std::uint32_t id) const;
  std::uint32_t row_of(std::uint32_t id) const { return ids_are_rows_ ? id : store_->row_of(id); }

  const BoxStore<D>* store_ = nullptr;  // during a search
  BoxColumns<D> boxes_{};
  bool ids_are_rows_ = false, filtered_ = false;
  double width_ = 0;
  std::vector<ColumnBins> lanes_[2];
  std::vector<RowList> lane_giants_;
  std::vector<std::uint32_t> moving_, fixed_;
  bool moving_are_all_ = false;  // moving_ counts 0, 1, 2 …
  Kept kept_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> scratches_;
  std::vector<Scratch*> idle_;
  std::size_t replanned_ = 0, giants_ = 0;
};

}  // namespace sudar

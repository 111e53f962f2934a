// What:    Pairs of overlapping boxes by quantised columns: the boxes are copied into every column that they touch,
// each
//          column is sorted along the swept axis and swept, eight candidates at a time.
// Source:  Ours; the parts are known: grids with the pair in the cell of its max-lo corner, radix sort, sweep.
// Differs: Coordinates are 16-bit fixed point local to the column; floats are looked at only when two numbers tie. A
// pair
//          belongs to the column of its max-lo corner, so there is no neighbour search and no duplicate. A crowded
//          column is planned again by itself; boxes that would touch very many columns are giants, searched among
//          themselves and against the others with columns of their own size.
// Frame:   Invariants: maps are monotone, so overlapping boxes meet in the column of their max-lo corner; there at
// least
//          one of the two begins on each axis, and an entry that began before has the reserved place 0.
// Fails:   Only by memory (bad_alloc). All in one point costs what writing the pairs costs.
#pragma once

#include <sudar/broadphase/box_scan.hpp>
#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/column_plan.hpp>
#include <sudar/broadphase/pair_buffer.hpp>
#include <sudar/core/arena.hpp>

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace sudar::inline SUDAR_ABI {

// 16 bytes: a box in one column
struct ColumnEntry {
  std::uint32_t row;
  std::uint16_t along_lo, along_hi;
  std::uint64_t lanes;
};

// The entries of one plan, a chain of chunks for each column
class ColumnBins {
 public:
  void reset(std::size_t columns);
  void push(std::size_t column, const ColumnEntry& entry) {
    Writer& writer = writers_[column];
    if (writer.next == writer.end) [[unlikely]]
      add_chunk(column);
    *writer.next++ = entry;
  }
  std::size_t count(std::size_t column) const noexcept;
  template <class F>
  void for_each(std::size_t column, F&& visit) const {
    for (const Chunk* chunk = first_[column]; chunk != nullptr; chunk = chunk->next) {
      const ColumnEntry* end = chunk->next != nullptr ? chunk->entries + kChunkEntries : writers_[column].next;
      for (const ColumnEntry* e = chunk->entries; e != end; ++e) visit(*e);
    }
  }
  std::size_t bytes() const noexcept;

 private:
  static constexpr std::size_t kChunkEntries = 63;
  struct Chunk {
    Chunk* next;
    std::uint64_t unused;
    ColumnEntry entries[kChunkEntries];
  };
  struct Writer {
    ColumnEntry* next;
    ColumnEntry* end;
  };

  void add_chunk(std::size_t column);

  Arena arena_;
  std::span<Chunk> slab_;  // chunks not given out yet
  std::vector<Writer> writers_;
  std::vector<Chunk*> first_, last_;
};

// One column in the order of the sweep: entries dealt into buckets along the axis
struct SortedColumn {
  std::vector<std::uint64_t> lanes;
  std::vector<std::uint32_t> along, rows;  // along: lo | hi << 16
  std::vector<std::uint32_t> bucket_end;   // first entry past bucket b
  std::size_t count = 0;
  int shift = 0;  // 16-bit place → bucket

  std::uint32_t begin_of(std::uint32_t bucket) const { return bucket == 0 ? 0 : bucket_end[bucket - 1]; }
  std::size_t bytes() const noexcept;
};

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
  // Appends the pairs of ids of all overlapping boxes whose filters agree. `width`: of a column, in typical box edges.
  void search(const BoxStore<D>& store, double width, Executor& executor, std::vector<SearchOutput>& parts,
              SearchOutput& out);
  std::size_t bytes() const noexcept;
  // Since the last search began: crowded columns planned again, and boxes taken as giants
  std::size_t replanned() const noexcept { return replanned_; }
  std::size_t giants() const noexcept { return giants_; }

 private:
  // Working memory of one thread at one depth
  struct Scratch {
    ColumnBins bins[2];
    SortedColumn sorted[2];
    std::vector<std::uint32_t> from, to, hit_query, hit_target;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint8_t> before;
    std::unique_ptr<Scratch> child;
    std::size_t replanned = 0, giants = 0;

    Scratch& below() {
      if (child == nullptr) child = std::make_unique<Scratch>();
      return *child;
    }
    std::size_t bytes() const noexcept;
  };
  struct Giants {  // or any other list of rows with flags
    std::vector<std::uint32_t> rows;
    std::vector<std::uint8_t> before;
  };

  void search_self(const ColumnRows& set, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out);
  void search_cross(const ColumnRows& a, const ColumnRows& b, Executor& executor, std::vector<SearchOutput>& parts,
                    SearchOutput& out);
  void self_job(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch, SearchOutput& out) const;
  void cross_job(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                 SearchOutput& out) const;
  void giants_job(const ColumnRows& set, const Giants& giants, int sweep_axis, int depth, Scratch& scratch,
                  SearchOutput& out) const;
  void cross_giants(const ColumnRows& a, const ColumnRows& b, const Giants& giants_a, const Giants& giants_b,
                    int sweep_axis, int depth, Scratch& scratch, SearchOutput& out) const;
  void cross_column(const ColumnBins* a, const ColumnBins* b, std::size_t lanes, std::size_t column, Scratch& scratch,
                    SearchOutput& out) const;
  void scan_few(const ColumnRows& few, const ColumnRows& many, SearchOutput& out) const;
  static Giants without(const ColumnRows& set, const Giants& giants);
  std::size_t scatter_lanes(const ColumnPlan& plan, const ColumnRows& set, Executor& executor, int side);
  Giants gather_giants(std::size_t lanes) const;
  PlanRequest request_for(const ColumnRows& set, int sweep_axis, int depth) const;
  void scatter(const ColumnPlan& plan, const ColumnRows& set, std::size_t begin, std::size_t end, ColumnBins& bins,
               Giants& giants) const;
  // `expected`: by which the number of buckets is chosen
  void sort_column(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count, std::size_t expected,
                   SortedColumn& sorted) const;
  void sweep_self(const ColumnPlan& plan, int depth, Scratch& scratch, SearchOutput& out) const;
  void sweep_cross(Scratch& scratch, SearchOutput& out) const;
  void sweep(const SortedColumn& queries, const SortedColumn& targets, bool self, std::size_t longest, Scratch& scratch,
             SearchOutput& out) const;
  void emit(const SortedColumn& queries, const SortedColumn& targets, const Scratch& scratch, std::size_t found,
            SearchOutput& out) const;
  template <class F>
  void for_each_column(std::size_t columns, Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out,
                       F&& body);
  Scratch* borrow();
  void give_back(Scratch* scratch);

  const BoxStore<D>* store_ = nullptr;  // during a search
  BoxColumns<D> boxes_{};
  double width_ = 0;
  std::vector<ColumnBins> lanes_[2];
  std::vector<Giants> lane_giants_;
  std::vector<std::uint32_t> moving_, fixed_;
  bool moving_are_all_ = false;  // moving_ counts 0, 1, 2 …
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> scratches_;
  std::vector<Scratch*> idle_;
  std::size_t replanned_ = 0, giants_ = 0;
};

}  // namespace sudar::inline SUDAR_ABI

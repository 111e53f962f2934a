// What:    The contract of every broad phase: boxes of a store in, overlapping pairs out.
// Differs: A broad phase keeps only its acceleration data and never a copy of the truth: the store is passed to each
//          call. So broad phases can be swapped while running or raced on the same store. Whatever the algorithm, the
//          pairs are the same: closed boxes that touch or overlap and whose filters agree, each once, lo < hi, sorted.
// Threads: One call at a time on one object, questions included: the answers are in buffers that it keeps. Several
//          objects may read one store at once, each on its own thread, while nobody changes the store.
// Fails:   pairs() on a store that changed since update(): invalid_argument. Memory: out_of_memory; what was found is
//          gone then and the next update() builds from nothing, but events go on from the last that were told.
#pragma once

#include <sudar/broadphase/box_query.hpp>
#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/pair_buffer.hpp>
#include <sudar/broadphase/pair_tracker.hpp>
#include <sudar/broadphase/query_trees.hpp>
#include <sudar/broadphase/radix_sort.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/core/stats.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

// A number of an algorithm that may be changed while it runs. It changes the speed, never the pairs.
struct Parameter {
  std::string_view name, what;
  double value, lowest, highest;
  bool whole;  // takes whole numbers only
};

// What the questions since the last build() or update() took
struct QueryCounters {
  std::uint64_t questions = 0;
  std::uint64_t nodes_visited = 0;  // nodes or cells
  std::uint64_t box_tests = 0;
  std::uint64_t rebuilds = 0;  // trees made for questions alone

  friend bool operator==(const QueryCounters&, const QueryCounters&) = default;
};

enum class PairOrder : std::uint8_t { sorted, any };

template <int D>
class SUDAR_API Broadphase {
 public:
  virtual ~Broadphase();
  virtual std::string_view name() const noexcept = 0;

  // Acceleration data for the store as it is now: from nothing, or from that of the last call if it was for this store
  Result<void> build(const BoxStore<D>& store);
  Result<void> update(const BoxStore<D>& store);
  // All pairs of the store that build() or update() saw last. The span is valid until the next call.
  Result<std::span<const IdPair>> pairs(const BoxStore<D>& store, PairOrder order = PairOrder::sorted);

  // The pairs that began, stay and ended since the last call of this
  Result<PairChanges> changes(const BoxStore<D>& store);

  // Questions to the store that build() or update() saw last; the same answers from every algorithm. The spans are
  // valid until the next call. Nothing met: an empty span, or no hit.
  Result<std::optional<CastHit>> cast_closest(const BoxStore<D>& store, const BoxCast<D>& cast,
                                              const QueryFilter& filter = {});
  // By t, then id
  Result<std::span<const CastHit>> cast_all(const BoxStore<D>& store, const BoxCast<D>& cast,
                                            const QueryFilter& filter = {});
  // Ids in rising order
  Result<std::span<const std::uint32_t>> overlapping(const BoxStore<D>& store, const Aabb<D, double>& box,
                                                     const QueryFilter& filter = {});
  // By distance, then id
  Result<std::span<const NearHit>> nearest(const BoxStore<D>& store, const Vec<D, double>& point, std::size_t count,
                                           const QueryFilter& filter = {});

  // Of the last build() or update() and the pairs() after it; nothing is searched again while the store stays as it is
  const SearchCounters& counters() const noexcept { return counters_; }
  const QueryCounters& query_counters() const noexcept { return query_counters_; }
  std::span<const Parameter> parameters() const noexcept { return parameters_; }
  // Takes effect at the next build() or update(), which then begins from nothing, be the store as it was or not. Unknown
  // name: unknown_id; out of range: invalid_argument.
  Result<void> set_parameter(std::string_view parameter, double value);
  // The executor must outlive its use here; serial at first
  void set_executor(Executor& executor) noexcept { executor_ = &executor; }

 protected:
  explicit Broadphase(std::vector<Parameter> parameters = {}) : parameters_(std::move(parameters)) {}

  // What an algorithm fills in. These may throw bad_alloc; the public calls turn that into an error.
  virtual void do_build(const BoxStore<D>& store) = 0;
  // For the same store as last time, changed since; what changed is in store.changes_since(the revision seen then)
  virtual void do_update(const BoxStore<D>& store) { do_build(store); }
  virtual void do_pairs(const BoxStore<D>& store, SearchOutput& out) = 0;
  // How this algorithm searches for a sink (see box_query.hpp); without an override, through trees of their own, kept as
  // query_trees.hpp says
  virtual void do_cast(const BoxStore<D>& store, CastSink<D>& sink);
  virtual void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink);
  virtual void do_nearest(const BoxStore<D>& store, NearSink<D>& sink);
  // True when questions are answered from what is kept anyway, so that they cost no tree of their own
  virtual bool keeps_answers() const noexcept { return false; }
  // Of the acceleration data alone
  virtual std::size_t do_bytes() const noexcept = 0;

  // For an algorithm that lets another one do the work: the hooks of that one, without a copy of its pairs
  static void update_of(Broadphase& other, const BoxStore<D>& store, bool from_nothing);
  static void pairs_of(Broadphase& other, const BoxStore<D>& store, SearchOutput& out);
  static bool keeps_answers_of(const Broadphase& other) noexcept { return other.keeps_answers(); }
  template <class Sink>
  static void ask_of(Broadphase& other, const BoxStore<D>& store, Sink& sink) {
    if constexpr (std::is_same_v<Sink, CastSink<D>>)
      other.do_cast(store, sink);
    else if constexpr (std::is_same_v<Sink, OverlapSink<D>>)
      other.do_overlap(store, sink);
    else
      other.do_nearest(store, sink);
  }
  static std::size_t bytes_of(const Broadphase& other) noexcept { return other.all_bytes(); }

  Executor& executor() const noexcept { return *executor_; }
  double parameter(std::size_t index) const noexcept { return parameters_[index].value; }
  // What the acceleration data depend on has changed: the next update() builds from nothing
  void begin_anew_next() noexcept { settings_changed_ = true; }
  SearchCounters& count() noexcept { return counters_; }
  std::vector<SearchOutput>& parts() noexcept { return parts_; }

 private:
  Result<void> refresh(const BoxStore<D>& store, bool from_nothing);
  void take_in(const BoxStore<D>& store, bool from_nothing);
  void search(const BoxStore<D>& store, SearchOutput& out);
  std::size_t all_bytes() const noexcept;
  bool is_current(const BoxStore<D>& store) const noexcept;
  const QueryTrees<D>& query_trees(const BoxStore<D>& store);
  void count_question(const SinkCounters& sink);
  template <class Answer, class Query, class F>
  Result<Answer> ask(const BoxStore<D>& store, const Query& query, F&& body);

  std::vector<Parameter> parameters_;
  Executor* executor_ = &serial_executor();
  SearchCounters counters_;
  SearchOutput out_;
  std::vector<SearchOutput> parts_;
  PairSortScratch scratch_;
  std::shared_ptr<const char> seen_store_;
  std::uint64_t seen_revision_ = 0;
  std::size_t seen_size_ = 0;
  bool built_ = false;
  bool settings_changed_ = false;           // since the last build() or update()
  bool searched_ = false, sorted_ = false;  // out_ holds the pairs of the store as last seen
  PairTracker<D> tracker_;
  QueryTrees<D> query_trees_;
  QueryCounters query_counters_;
  std::vector<CastHit> cast_hits_;
  std::vector<NearHit> near_hits_;
  std::vector<std::uint32_t> overlap_ids_;
};

}  // namespace sudar

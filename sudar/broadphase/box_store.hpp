// What:    The boxes that every broad phase reads: a structure of arrays with filters, owned by the scene.
// Differs: Boxes are float, rounded outward from whatever comes in, so nothing that overlaps is ever missed. Rows are
//          packed: removing moves the last row into the hole, ids stay. Numbers past the range of float are clamped to
//          its ends, which keeps the order of all coordinates, so no overlap is lost there either.
// Fails:   NaN or infinity: non_finite; lo > hi: invalid_argument; an id that is not there: unknown_id; each names the
//          box and leaves the store as it was. A store that was moved from is to be cleared before it is used again.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/broadphase/box_journal.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace sudar {

enum class Motion : std::uint8_t { moving, fixed };

// Who may pair with whom (seed B6): the layer bits of each must meet the mask bits of the other, members of one group
// (other than group 0) never pair, and two fixed boxes never pair
struct Filter {
  std::uint32_t layer = 1;
  std::uint32_t mask = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t group = 0;

  friend constexpr bool operator==(const Filter&, const Filter&) = default;
};

constexpr bool may_pair(const Filter& a, const Filter& b) {
  return (a.layer & b.mask) != 0 && (b.layer & a.mask) != 0 && (a.group == 0 || a.group != b.group);
}

// May be called from several threads at once, and always with a < b. Its answer for two boxes stays the same until it is
// set again, because a search that keeps pairs from step to step asks only when two boxes meet.
struct PairCallback {
  bool (*keep)(void* context, std::uint32_t a, std::uint32_t b) = nullptr;
  void* context = nullptr;
};

// Tells one store from another for as long as anybody remembers it: a copy is another store, a moved store is the same
class StoreIdentity {
 public:
  StoreIdentity() = default;
  StoreIdentity(const StoreIdentity&) : token_(std::make_shared<char>()) {}
  StoreIdentity& operator=(const StoreIdentity& other) {
    if (this != &other) token_ = std::make_shared<char>();
    return *this;
  }
  StoreIdentity(StoreIdentity&&) = default;
  StoreIdentity& operator=(StoreIdentity&&) = default;

  // Before the first change; may throw bad_alloc
  void ensure() {
    if (token_ == nullptr) token_ = std::make_shared<char>();
  }
  const std::shared_ptr<const char>& token() const noexcept { return token_; }

 private:
  std::shared_ptr<const char> token_;
};

template <int D>
class SUDAR_API BoxStore {
 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

  // The ids of removed boxes are given out again, the last removed first
  Result<Id> insert(const Aabb<D, double>& box, const Filter& filter = {}, Motion motion = Motion::moving);
  Result<Id> insert(const Aabb<D, float>& box, const Filter& filter = {}, Motion motion = Motion::moving);
  Result<void> move(Id id, const Aabb<D, double>& box);
  Result<void> move(Id id, const Aabb<D, float>& box);
  // A move that has nothing to do with where the box was, so that searches that count on small steps know
  Result<void> teleport(Id id, const Aabb<D, double>& box);
  Result<void> teleport(Id id, const Aabb<D, float>& box);
  Result<void> remove(Id id);
  Result<void> set_filter(Id id, const Filter& filter);
  Result<void> set_motion(Id id, Motion motion);

  // The whole store at once: box i, given by its D minima and then its D maxima, has id i. Filters and motion stay when
  // the count stays and nothing was ever removed, and are the default otherwise. An error names the first i.
  Result<void> assign(std::span<const float> rows, Executor& executor = serial_executor());
  Result<void> assign(std::span<const double> rows, Executor& executor = serial_executor());
  void clear() noexcept;

  std::size_t size() const noexcept { return ids_.size(); }
  bool empty() const noexcept { return ids_.empty(); }
  // All ids are below this
  std::size_t id_limit() const noexcept { return row_of_.size(); }
  bool contains(Id id) const noexcept { return id < row_of_.size() && row_of_[id] != kNoRow; }
  // kNoRow when there is no such box
  std::uint32_t row_of(Id id) const noexcept { return id < row_of_.size() ? row_of_[id] : kNoRow; }

  // Columns, one value a row
  std::span<const float> lo(int axis) const noexcept { return lo_[static_cast<std::size_t>(axis)]; }
  std::span<const float> hi(int axis) const noexcept { return hi_[static_cast<std::size_t>(axis)]; }
  std::span<const Id> ids() const noexcept { return ids_; }
  // True while ids()[row] == row for all rows: nothing was removed but from the end
  bool ids_are_rows() const noexcept { return ids_are_rows_; }
  std::span<const Filter> filters() const noexcept { return filters_; }
  std::span<const Motion> motions() const noexcept { return motions_; }

  Aabb<D, float> box(std::uint32_t row) const noexcept;
  bool is_fixed(std::uint32_t row) const noexcept { return motions_[row] == Motion::fixed; }
  std::size_t fixed_count() const noexcept { return fixed_count_; }
  // False when every box has the default filter and there is no callback, so that a search may skip the test
  bool has_filters() const noexcept { return filtered_count_ != 0 || pair_callback_.keep != nullptr; }
  bool rows_may_pair(std::uint32_t a, std::uint32_t b) const noexcept {
    return !(is_fixed(a) && is_fixed(b)) && may_pair(filters_[a], filters_[b]) &&
           (pair_callback_.keep == nullptr ||
            pair_callback_.keep(pair_callback_.context, ids_[a] < ids_[b] ? ids_[a] : ids_[b],
                                ids_[a] < ids_[b] ? ids_[b] : ids_[a]));
  }
  // The user's own word on a pair, asked inside of the search after the other filters; null for none
  void set_pair_callback(const PairCallback& callback) noexcept;

  const StoreIdentity& identity() const noexcept { return identity_; }
  // Goes up with every change, never repeats in the life of a store
  std::uint64_t revision() const noexcept { return journal_.revision(); }
  // What happened after `seen`, oldest first; nothing when that is not known any more (look at all boxes then)
  std::optional<std::span<const JournalEntry>> changes_since(std::uint64_t seen) const noexcept {
    return journal_.since(seen);
  }
  // The revision at which the box of this id was inserted: two boxes that had one id one after the other differ in it
  std::uint64_t born(Id id) const noexcept { return born_[id]; }
  // The revision of the last change that touched a fixed box or the fixedness of one
  std::uint64_t fixed_revision() const noexcept { return fixed_revision_; }
  // The revision of the last change of where a moving box is, or of which boxes are moving
  std::uint64_t moving_revision() const noexcept { return moving_revision_; }
  // The revision of the last change of a filter or of the callback; that of a box that is inserted does not count
  std::uint64_t filter_revision() const noexcept { return filter_revision_; }
  std::size_t bytes() const noexcept;

 private:
  template <class T>
  Result<void> assign_rows(std::span<const T> rows, Executor& executor);
  template <class T>
  void set_boxes(std::span<const T> rows, std::size_t begin, std::size_t end) noexcept;
  Result<Id> insert_checked(const Aabb<D, float>& box, const Filter& filter, Motion motion);
  template <class T>
  Result<void> move_to(Id id, const Aabb<D, T>& box, BoxChange change);
  void make_room(std::size_t rows);
  void set_box(std::uint32_t row, const Aabb<D, float>& box) noexcept;
  Result<void> record(Id id, BoxChange change, bool fixed) noexcept;

  std::array<std::vector<float>, D> lo_, hi_;
  std::vector<Id> ids_;
  std::vector<Filter> filters_;
  std::vector<Motion> motions_;
  std::vector<std::uint32_t> row_of_;
  std::vector<Id> free_ids_;
  bool ids_are_rows_ = true;
  std::size_t fixed_count_ = 0, filtered_count_ = 0;
  std::vector<std::uint64_t> born_;  // by id
  BoxJournal journal_;
  StoreIdentity identity_;
  PairCallback pair_callback_;
  std::uint64_t fixed_revision_ = 0, moving_revision_ = 0, filter_revision_ = 0;
};

}  // namespace sudar

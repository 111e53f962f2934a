#include <sudar/broadphase/box_rows.hpp>
#include <sudar/broadphase/box_store.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace sudar {

namespace {

constexpr std::size_t kRowsPerTask = 16384;
constexpr float kMaxFloat = std::numeric_limits<float>::max();

// Both clamp to the finite range and keep the order of numbers
float outward_lo(double x) {
  if (x >= kMaxFloat) return kMaxFloat;
  return x <= -kMaxFloat ? -kMaxFloat : float_down(x);
}
float outward_hi(double x) {
  if (x >= kMaxFloat) return kMaxFloat;
  return x <= -kMaxFloat ? -kMaxFloat : float_up(x);
}
constexpr float outward_lo(float x) { return x; }
constexpr float outward_hi(float x) { return x; }

template <int D, class T>
Aabb<D, float> outward(const Aabb<D, T>& box) {
  Aabb<D, float> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = outward_lo(box.lo[i]);
    out.hi[i] = outward_hi(box.hi[i]);
  }
  return out;
}

template <int D, class T>
Result<void> check(const Aabb<D, T>& box, std::size_t element) {
  for (int i = 0; i < D; ++i)
    if (!std::isfinite(box.lo[i]) || !std::isfinite(box.hi[i]))
      return Error{ErrorCode::non_finite, element, "box has a NaN or an infinity"};
  if (!is_valid(box)) return Error{ErrorCode::invalid_argument, element, "box has lo > hi"};
  return {};
}

template <int D, class T>
Aabb<D, T> box_of_row(std::span<const T> rows, std::size_t i) {
  Aabb<D, T> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = rows[i * 2 * D + static_cast<std::size_t>(k)];
    box.hi[k] = rows[i * 2 * D + static_cast<std::size_t>(D + k)];
  }
  return box;
}

// All of a block at once: in floats without a branch a box
template <int D>
bool all_valid(std::span<const float> rows, std::size_t begin, std::size_t end) {
  return rows_are_boxes<D>(rows.data() + begin * 2 * D, end - begin);
}
template <int D>
bool all_valid(std::span<const double> rows, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (!check(box_of_row<D>(rows, i), i)) return false;
  return true;
}

constexpr Error unknown_box(std::uint32_t id) { return {ErrorCode::unknown_id, id, "no such box"}; }

// Room for `count` elements; grows by doubling, so that a series of inserts stays linear
template <class T>
void reserve_for(std::vector<T>& column, std::size_t count) {
  if (count > column.capacity()) column.reserve(std::max(count, 2 * column.capacity()));
}

}  // namespace

template <int D>
Result<std::uint32_t> BoxStore<D>::insert(const Aabb<D, double>& box, const Filter& filter, Motion motion) {
  if (const auto valid = check(box, size()); !valid) return valid.error();
  return insert_checked(outward(box), filter, motion);
}

template <int D>
Result<std::uint32_t> BoxStore<D>::insert(const Aabb<D, float>& box, const Filter& filter, Motion motion) {
  if (const auto valid = check(box, size()); !valid) return valid.error();
  return insert_checked(box, filter, motion);
}

template <int D>
Result<std::uint32_t> BoxStore<D>::insert_checked(const Aabb<D, float>& box, const Filter& filter, Motion motion) {
  if (free_ids_.empty() && row_of_.size() >= kNoRow) return Error{ErrorCode::too_large, size(), "more boxes than ids"};
  return guarded([&]() -> Result<Id> {
    // Ask for all the memory first: nothing below can fail
    make_room(size() + 1);
    if (free_ids_.empty()) born_.resize(row_of_.size() + 1);
    journal_.make_room(size() + 1);
    const auto row = static_cast<std::uint32_t>(size());
    Id id;
    if (free_ids_.empty()) {
      id = static_cast<Id>(row_of_.size());
      row_of_.push_back(row);
    } else {
      id = free_ids_.back();
      free_ids_.pop_back();
      row_of_[id] = row;
    }
    ids_are_rows_ = ids_are_rows_ && id == row;
    for (auto* columns : {&lo_, &hi_})
      for (auto& column : *columns) column.push_back(0);
    set_box(row, box);
    ids_.push_back(id);
    filters_.push_back(filter);
    motions_.push_back(motion);
    filtered_count_ += filter == Filter{} ? 0 : 1;
    fixed_count_ += motion == Motion::fixed ? 1 : 0;
    journal_.record(id, BoxChange::inserted);
    born_[id] = journal_.revision();
    (motion == Motion::fixed ? fixed_revision_ : moving_revision_) = journal_.revision();
    return id;
  });
}

template <int D>
Result<void> BoxStore<D>::move(Id id, const Aabb<D, double>& box) {
  return move_to(id, box, BoxChange::moved);
}
template <int D>
Result<void> BoxStore<D>::move(Id id, const Aabb<D, float>& box) {
  return move_to(id, box, BoxChange::moved);
}
template <int D>
Result<void> BoxStore<D>::teleport(Id id, const Aabb<D, double>& box) {
  return move_to(id, box, BoxChange::teleported);
}
template <int D>
Result<void> BoxStore<D>::teleport(Id id, const Aabb<D, float>& box) {
  return move_to(id, box, BoxChange::teleported);
}

template <int D>
template <class T>
Result<void> BoxStore<D>::move_to(Id id, const Aabb<D, T>& box, BoxChange change) {
  if (!contains(id)) return unknown_box(id);
  if (const auto valid = check(box, id); !valid) return valid.error();
  if (const auto room = record(id, change, is_fixed(row_of_[id])); !room) return room;
  set_box(row_of_[id], outward(box));
  return {};
}

// Into the journal; the change itself follows and cannot fail
template <int D>
Result<void> BoxStore<D>::record(Id id, BoxChange change, bool fixed) noexcept {
  return guarded([&]() -> Result<void> {
    journal_.make_room(size());
    journal_.record(id, change);
    if (fixed)
      fixed_revision_ = journal_.revision();
    else if (change != BoxChange::refiltered)
      moving_revision_ = journal_.revision();
    return {};
  });
}

template <int D>
void BoxStore<D>::set_pair_callback(const PairCallback& callback) noexcept {
  pair_callback_ = callback;
  journal_.forget();
  filter_revision_ = journal_.revision();
}

template <int D>
Result<void> BoxStore<D>::remove(Id id) {
  if (!contains(id)) return unknown_box(id);
  if (const auto room = record(id, BoxChange::removed, is_fixed(row_of_[id])); !room) return room;
  const std::uint32_t row = row_of_[id], last = static_cast<std::uint32_t>(size() - 1);
  filtered_count_ -= filters_[row] == Filter{} ? 0 : 1;
  fixed_count_ -= is_fixed(row) ? 1 : 0;
  ids_are_rows_ = ids_are_rows_ && row == last;
  // The last row fills the hole
  set_box(row, box(last));
  ids_[row] = ids_[last];
  filters_[row] = filters_[last];
  motions_[row] = motions_[last];
  row_of_[ids_[row]] = row;
  row_of_[id] = kNoRow;
  for (auto* columns : {&lo_, &hi_})
    for (auto& column : *columns) column.pop_back();
  ids_.pop_back();
  filters_.pop_back();
  motions_.pop_back();
  free_ids_.push_back(id);  // make_room has seen to it that there is room
  return {};
}

template <int D>
Result<void> BoxStore<D>::set_filter(Id id, const Filter& filter) {
  if (!contains(id)) return unknown_box(id);
  if (const auto room = record(id, BoxChange::refiltered, is_fixed(row_of_[id])); !room) return room;
  Filter& mine = filters_[row_of_[id]];
  filtered_count_ -= mine == Filter{} ? 0 : 1;
  filtered_count_ += filter == Filter{} ? 0 : 1;
  mine = filter;
  filter_revision_ = journal_.revision();
  return {};
}

template <int D>
Result<void> BoxStore<D>::set_motion(Id id, Motion motion) {
  if (!contains(id)) return unknown_box(id);
  if (const auto room = record(id, BoxChange::refiltered, true); !room) return room;
  Motion& mine = motions_[row_of_[id]];
  fixed_count_ -= mine == Motion::fixed ? 1 : 0;
  fixed_count_ += motion == Motion::fixed ? 1 : 0;
  moving_revision_ = journal_.revision();
  mine = motion;
  return {};
}

template <int D>
Result<void> BoxStore<D>::assign(std::span<const float> rows, Executor& executor) {
  return assign_rows(rows, executor);
}

template <int D>
Result<void> BoxStore<D>::assign(std::span<const double> rows, Executor& executor) {
  return assign_rows(rows, executor);
}

template <int D>
template <class T>
Result<void> BoxStore<D>::assign_rows(std::span<const T> rows, Executor& executor) {
  if (rows.size() % (2 * D) != 0)
    return Error{ErrorCode::invalid_argument, rows.size() / (2 * D), "the last box is not complete"};
  const std::size_t count = rows.size() / (2 * D);
  if (count >= kNoRow) return Error{ErrorCode::too_large, kNoRow, "more boxes than ids"};

  return guarded([&]() -> Result<void> {
    // Everything is looked at before anything is written
    std::atomic<std::size_t> bad_block = count;
    parallel_for(executor, count, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
      if (all_valid<D>(rows, begin, end)) return;
      std::size_t first = bad_block.load();
      while (begin < first && !bad_block.compare_exchange_weak(first, begin)) {}
    });
    for (std::size_t i = bad_block; i < count; ++i)
      if (const auto valid = check(box_of_row<D>(rows, i), i); !valid) return valid.error();

    // Rows are ids and stay so, or everything is anew
    const bool same = count == size() && free_ids_.empty() && ids_are_rows_;
    if (!same) {
      make_room(count);
      clear();
      for (auto* columns : {&lo_, &hi_})
        for (auto& column : *columns) column.resize(count);
      ids_.resize(count);
      row_of_.resize(count);
      for (std::uint32_t i = 0; i < count; ++i) ids_[i] = row_of_[i] = i;
      filters_.resize(count);
      motions_.resize(count, Motion::moving);
    }
    parallel_for(executor, count, kRowsPerTask,
                 [&](std::size_t begin, std::size_t end) { set_boxes(rows, begin, end); });
    journal_.forget();
    if (!same) born_.assign(count, journal_.revision());
    if (!same || fixed_count_ != 0) fixed_revision_ = journal_.revision();
    moving_revision_ = journal_.revision();
    return {};
  });
}

template <int D>
template <class T>
void BoxStore<D>::set_boxes(std::span<const T> rows, std::size_t begin, std::size_t end) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    WritableColumns<D> columns;
    for (std::size_t k = 0; k < D; ++k) {
      columns[k] = lo_[k].data() + begin;
      columns[k + D] = hi_[k].data() + begin;
    }
    deal_rows<D>(rows.data() + begin * 2 * D, end - begin, columns);
  } else {
    for (std::size_t i = begin; i < end; ++i) set_box(static_cast<std::uint32_t>(i), outward(box_of_row<D>(rows, i)));
  }
}

template <int D>
void BoxStore<D>::clear() noexcept {
  for (auto* columns : {&lo_, &hi_})
    for (auto& column : *columns) column.clear();
  ids_.clear();
  filters_.clear();
  motions_.clear();
  row_of_.clear();
  free_ids_.clear();
  ids_are_rows_ = true;
  born_.clear();
  fixed_count_ = filtered_count_ = 0;
  journal_.forget();
  fixed_revision_ = moving_revision_ = journal_.revision();
}

template <int D>
Aabb<D, float> BoxStore<D>::box(std::uint32_t row) const noexcept {
  Aabb<D, float> box;
  for (int i = 0; i < D; ++i) {
    box.lo[i] = lo_[static_cast<std::size_t>(i)][row];
    box.hi[i] = hi_[static_cast<std::size_t>(i)][row];
  }
  return box;
}

template <int D>
void BoxStore<D>::set_box(std::uint32_t row, const Aabb<D, float>& box) noexcept {
  for (int i = 0; i < D; ++i) {
    lo_[static_cast<std::size_t>(i)][row] = box.lo[i];
    hi_[static_cast<std::size_t>(i)][row] = box.hi[i];
  }
}

template <int D>
void BoxStore<D>::make_room(std::size_t rows) {
  identity_.ensure();
  for (auto* columns : {&lo_, &hi_})
    for (auto& column : *columns) reserve_for(column, rows);
  reserve_for(ids_, rows);
  reserve_for(filters_, rows);
  reserve_for(motions_, rows);
  // Every id ever given out may have to go into the free list
  reserve_for(row_of_, std::max(rows, row_of_.size() + 1));
  reserve_for(born_, std::max(rows, row_of_.size() + 1));
  reserve_for(free_ids_, std::max(rows, row_of_.size() + 1));
}

template <int D>
std::size_t BoxStore<D>::bytes() const noexcept {
  std::size_t total = 0;
  for (const auto* columns : {&lo_, &hi_})
    for (const auto& column : *columns) total += column.capacity() * sizeof(float);
  return total + ids_.capacity() * sizeof(Id) + filters_.capacity() * sizeof(Filter) +
         motions_.capacity() * sizeof(Motion) + row_of_.capacity() * sizeof(std::uint32_t) +
         free_ids_.capacity() * sizeof(Id) + born_.capacity() * sizeof(std::uint64_t) + journal_.bytes();
}

template class SUDAR_API BoxStore<2>;
template class SUDAR_API BoxStore<3>;

}  // namespace sudar

#include <sudar/broadphase/sap.hpp>
#include <sudar/core/prefetch.hpp>

#include <cmath>

namespace sudar {

namespace {

constexpr std::uint64_t kUpper = 0x80000000u;
constexpr double kColumnWidth[] = {24, 7};  // of the first search, in 2D and 3D
constexpr double kLeap = 1.0 / 16;          // of the extent of all boxes on an axis
constexpr std::size_t kCrossings = 4096;    // looked at together
constexpr std::size_t kSapAhead = 16;       // ends or pairs whose boxes are fetched ahead
constexpr std::uint32_t kLongestWait = 5;   // doublings of one step
constexpr std::size_t kEndsSampled = 1024;  // of an axis, for the one that is swept

// What a step costs: nanoseconds on a machine with vectors of 512 bits; only their ratios matter. Going by swaps looks at every
// end as soon as anything moved. Of pairs, the second number is for boxes that all overlap each other, where no test is a
// surprise to the processor.
struct StepCost {
  double box, moved, swap, joining, pair[2];        // by swaps; joining: a box that comes or leaps
  double anew, anew_box, anew_fixed, anew_pair[2];  // by columns: once, a box, a fixed box, a pair
};
constexpr StepCost kStepCosts[] = {{14, 12, 6, 1500, {8, 5}, 6000, 8, 2, {8, 3}},
                                   {20, 14, 6, 1500, {8, 5}, 6000, 13, 3, {10, 3}}};

std::uint32_t id_of(std::uint64_t end) { return static_cast<std::uint32_t>(end & 0x7fffffffu); }
// For a trace
std::uint32_t end_name(std::uint64_t end) { return 2 * id_of(end) + ((end & kUpper) != 0 ? 1 : 0); }

}  // namespace

template <int D>
Sap<D>::Sap(std::size_t most_ids)
    : Broadphase<D>(
          {{"swaps", "swaps a box in one step from which on it starts anew; 0: those that cost less than that", 0, 0,
            100000, true},
           {"batch", "share of boxes that come or leap from which on it starts anew", 0.03, 0, 1, false}}),
      most_ids_(std::min(most_ids, kMostIds)) {}

template <int D>
typename Sap<D>::Ends Sap<D>::ends_of(const Aabb<D, float>& box) noexcept {
  Ends ends;
  for (int k = 0; k < D; ++k) {
    // Zero has one sign here, since -0 and +0 touch
    ends.at[0][k] = box.lo[k] + 0.0f;
    ends.at[1][k] = box.hi[k] + 0.0f;
  }
  return ends;
}

template <int D>
bool Sap<D>::boxes_overlap(std::uint32_t a, std::uint32_t b) const noexcept {
  const Ends &x = boxes_[a], &y = boxes_[b];
  for (int k = 0; k < D; ++k)
    if (!(x.at[0][k] <= y.at[1][k] && y.at[0][k] <= x.at[1][k])) return false;
  return true;
}

template <int D>
std::uint64_t Sap<D>::end_on(int axis, std::uint64_t upper, std::uint32_t id) const noexcept {
  return End{ordered_bits(boxes_[id].at[upper >> 31][axis])} << 32 | upper | id;
}

template <int D>
void Sap<D>::meet(std::uint32_t a, std::uint32_t b) {
  ++box_tests_;
  if (sink_ != nullptr) {
    const std::uint32_t ids[] = {a, b};
    sink_->on_event({.step = "meet", .ids = ids, .value = boxes_overlap(a, b) ? 1.0 : 0.0});
  }
  if (!boxes_overlap(a, b) || (state_[a] & state_[b] & kFixed) != 0) return;
  if (filters_ != nullptr && !filters_->rows_may_pair(filters_->row_of(a), filters_->row_of(b))) return;
  const IdPair pair = make_pair_of(a, b);
  if (new_pairs_.insert(pair)) pairs_.push_back(pair);
}

template <int D>
void Sap<D>::find_all_pairs(const BoxStore<D>& store) {
  found_.clear();
  columns_.search(store, kColumnWidth[D - 2], this->executor(), this->parts(), found_);
  pairs_.assign(found_.pairs.pairs().begin(), found_.pairs.pairs().end());
  box_tests_ += found_.box_tests;
}

template <int D>
void Sap<D>::start_anew(const BoxStore<D>& store, bool with_lists) {
  ++this->count().rebuilds;
  find_all_pairs(store);
  listed_ = with_lists && fits(store);
  if (!listed_) return;

  boxes_.resize(store.id_limit());
  state_.assign(store.id_limit(), 0);
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    const std::uint32_t id = store.ids()[row];
    boxes_[id] = ends_of(store.box(row));
    state_[id] = static_cast<std::uint8_t>(kKnown | (store.is_fixed(row) ? kFixed : 0));
  }
  for (int axis = 0; axis < D; ++axis) {
    // Stable: lower ends first, ids in rising order
    keys_.clear();
    for (const std::uint64_t upper : {std::uint64_t{0}, kUpper})
      for (std::uint32_t id = 0; id < state_.size(); ++id) {
        if (state_[id] == 0) continue;
        const End end = end_on(axis, upper, id);
        keys_.push_back({static_cast<std::uint32_t>(end >> 32), static_cast<std::uint32_t>(end)});
      }
    sort_rows(keys_, key_scratch_);
    auto& ends = ends_[static_cast<std::size_t>(axis)];
    ends.resize(keys_.size());
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = End{keys_[i].key} << 32 | keys_[i].row;
  }
  measure_extent();
}

// A leap is measured against what lies between the ends of the lists
template <int D>
void Sap<D>::measure_extent() {
  for (int axis = 0; axis < D; ++axis) {
    const auto& ends = ends_[static_cast<std::size_t>(axis)];
    double& leap = far_[static_cast<std::size_t>(axis)];
    leap = 0;
    if (ends.empty()) continue;
    leap =
        kLeap * (static_cast<double>(boxes_[id_of(ends.back())].at[1][axis]) - boxes_[id_of(ends.front())].at[0][axis]);
  }
}

template <int D>
void Sap<D>::do_build(const BoxStore<D>& store) {
  swaps_ = box_tests_ = 0;
  wait_ = misses_ = 0;
  start_anew(store, true);
  seen_ = store.revision();
}

// Along which the ends of the boxes in the lists vary most
template <int D>
int Sap<D>::widest_axis() const noexcept {
  int widest = 0;
  double most = -1;
  for (int axis = 0; axis < D; ++axis) {
    const auto& ends = ends_[static_cast<std::size_t>(axis)];
    const std::size_t step = ends.size() / kEndsSampled + 1;
    double mean = 0, squares = 0, count = 0;
    for (std::size_t i = 0; i < ends.size(); i += step) {
      const double x = boxes_[id_of(ends[i])].at[(ends[i] & kUpper) >> 31][axis];
      ++count;
      const double off = x - mean;
      mean += off / count;
      squares += off * (x - mean);
    }
    if (squares <= most) continue;
    most = squares;
    widest = axis;
  }
  return widest;
}

// What became of the box of this id since the last step
template <int D>
void Sap<D>::take_box(const BoxStore<D>& store, std::uint32_t id, bool leaps) {
  std::uint8_t& state = state_[id];
  if ((state & (kChanged | kOut | kJoins)) == 0) touched_.push_back(id);
  const bool known = (state & kKnown) != 0;
  const std::uint32_t row = store.row_of(id);
  if (row == BoxStore<D>::kNoRow) {
    if (known) {
      state |= kOut;
      any_out_ = true;
    }
    return;
  }
  const Ends box = ends_of(store.box(row));
  const bool fixed = store.is_fixed(row);
  if (known) {
    leaps = leaps || fixed != ((state & kFixed) != 0);
    for (int k = 0; k < D; ++k)
      leaps = leaps ||
              std::fabs(static_cast<double>(box.at[0][k]) - boxes_[id].at[0][k]) > far_[static_cast<std::size_t>(k)];
  }
  boxes_[id] = box;
  state = static_cast<std::uint8_t>(fixed ? state | kFixed : state & ~kFixed);
  if (known && !leaps) {
    state |= kChanged;
    return;
  }
  if ((state & kJoins) == 0) batch_.push_back(id);
  state |= kJoins;
  if (known) {
    state |= kOut;
    any_out_ = true;
  }
}

// False when filters may have changed and nobody knows which
template <int D>
bool Sap<D>::take_changes(const BoxStore<D>& store) {
  touched_.clear();
  batch_.clear();
  all_moved_ = any_out_ = false;
  if (state_.size() < store.id_limit()) {
    boxes_.resize(store.id_limit());
    state_.resize(store.id_limit(), 0);  // last: it says how much room there is
  }
  const auto changes = store.changes_since(seen_);
  if (changes.has_value() && changes->size() <= store.size()) {
    for (const JournalEntry& entry : *changes) take_box(store, entry.id, entry.change != BoxChange::moved);
    return true;
  }
  if (store.filter_revision() > seen_) return false;
  for (std::uint32_t id = 0; id < state_.size(); ++id)
    if ((state_[id] & kKnown) != 0 || store.contains(id))
      take_box(store, id, store.contains(id) && store.born(id) > seen_);
  all_moved_ = !any_out_;
  return true;
}

// Bring the ends on one axis up to date; those of boxes that are out go
template <int D>
void Sap<D>::refresh_ends(int axis) {
  auto& ends = ends_[static_cast<std::size_t>(axis)];
  if (all_moved_) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      prefetch(&boxes_[id_of(ends[std::min(i + kSapAhead, ends.size() - 1)])]);
      ends[i] = end_on(axis, ends[i] & kUpper, id_of(ends[i]));
    }
    return;
  }
  std::size_t kept = 0;
  for (const End end : ends) {
    const std::uint32_t id = id_of(end);
    const std::uint8_t state = state_[id];
    if ((state & kOut) != 0) continue;
    ends[kept++] = (state & kChanged) != 0 ? end_on(axis, end & kUpper, id) : end;
  }
  ends.resize(kept);
}

// Insertion sort. Gives up when it takes too many swaps.
template <int D>
template <class Trace>
bool Sap<D>::sort_by_swaps(int axis, [[maybe_unused]] Trace trace) {
  auto& ends = ends_[static_cast<std::size_t>(axis)];
  if constexpr (Trace::kEnabled) {
    std::vector<std::uint32_t> ids;
    std::vector<double> numbers;
    for (const End end : ends) {
      ids.push_back(end_name(end));
      numbers.push_back(boxes_[id_of(end)].at[(end & kUpper) >> 31][axis]);
    }
    trace({.step = "axis", .ids = ids, .numbers = numbers, .value = static_cast<double>(axis)});
  }
  crossed_.resize(kCrossings);
  std::size_t crossed = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End end = ends[i];
    std::size_t place = i;
    for (; place > 0 && ends[place - 1] > end; --place) {
      const End other = ends[place - 1];
      ends[place] = other;
      // When a lower end passes an upper one, the two boxes begin to overlap on this axis. Written down without a branch,
      // which would be a coin toss, and looked at later.
      crossed_[crossed] = {id_of(end), id_of(other)};
      crossed += (~end & other & kUpper) != 0 ? 1 : 0;
      if constexpr (Trace::kEnabled) {
        const std::uint32_t ids[] = {end_name(end), end_name(other)};
        trace({.step = "swap", .ids = ids, .value = (~end & other & kUpper) != 0 ? 1.0 : 0.0});
        // At once, so that the two are told together
        crossed = meet_crossed(crossed);
      }
      if (crossed == kCrossings) crossed = meet_crossed(crossed);
    }
    ends[place] = end;
    swaps_ += i - place;
    if (swaps_ > swap_limit_) return false;
  }
  meet_crossed(crossed);
  return true;
}

template <int D>
std::size_t Sap<D>::meet_crossed(std::size_t count) {
  // The first one of a crossing comes several times in a row
  for (std::size_t i = 0; i < count; ++i) {
    prefetch(&boxes_[crossed_[std::min(i + kSapAhead, count - 1)].hi]);
    meet(crossed_[i].lo, crossed_[i].hi);
  }
  return 0;
}

template <int D>
void Sap<D>::drop_parted_pairs() {
  std::size_t kept = 0;
  box_tests_ += pairs_.size();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const IdPair pair = pairs_[i], ahead = pairs_[std::min(i + kSapAhead, pairs_.size() - 1)];
    prefetch(&boxes_[ahead.lo]);
    prefetch(&boxes_[ahead.hi]);
    if (((state_[pair.lo] | state_[pair.hi]) & kOut) != 0 || !boxes_overlap(pair.lo, pair.hi)) {
      if (sink_ != nullptr) {
        const std::uint32_t ids[] = {pair.lo, pair.hi};
        sink_->on_event({.step = "part", .ids = ids});
      }
      continue;
    }
    pairs_[kept++] = pair;
  }
  pairs_.resize(kept);
}

template <int D>
void Sap<D>::merge_batch(int axis) {
  auto& ends = ends_[static_cast<std::size_t>(axis)];
  const std::size_t before = ends.size();
  for (const std::uint32_t id : batch_)
    for (const std::uint64_t upper : {std::uint64_t{0}, kUpper}) ends.push_back(end_on(axis, upper, id));
  const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(middle, ends.end());
  merged_.resize(ends.size());
  std::merge(ends.begin(), middle, middle, ends.end(), merged_.begin());
  ends.swap(merged_);
}

// One sweep over the widest axis that looks only at pairs with a box of the batch
template <int D>
void Sap<D>::sweep_batch() {
  open_.clear();
  open_batch_.clear();
  at_.resize(state_.size());
  const auto close = [&](std::vector<std::uint32_t>& open, std::uint32_t id) {
    const std::uint32_t last = open.back();
    open[at_[id]] = last;
    at_[last] = at_[id];
    open.pop_back();
  };
  for (const End end : ends_[static_cast<std::size_t>(widest_axis())]) {
    const std::uint32_t id = id_of(end);
    const bool joins = (state_[id] & kJoins) != 0;
    auto& mine = joins ? open_batch_ : open_;
    if ((end & kUpper) != 0) {
      close(mine, id);
      continue;
    }
    for (const std::uint32_t other : open_batch_) meet(id, other);
    if (joins)
      for (const std::uint32_t other : open_) meet(id, other);
    at_[id] = static_cast<std::uint32_t>(mine.size());
    mine.push_back(id);
  }
}

// That this step may take; below zero when it should not go by swaps at all
template <int D>
double Sap<D>::most_swaps(const BoxStore<D>& store, std::size_t moved, std::size_t joining) const noexcept {
  const auto boxes = static_cast<double>(store.size());
  if (this->parameter(0) > 0) return this->parameter(0) * (boxes + 1);
  const StepCost& cost = kStepCosts[D - 2];
  const auto fixed = static_cast<double>(store.fixed_count()), pairs = static_cast<double>(pairs_.size());
  const double dense = boxes > 1 ? std::min(1.0, 2 * pairs / (boxes * boxes)) : 0;
  const auto of_pairs = [&](const double(&ns)[2]) { return pairs * ((1 - dense) * ns[0] + dense * ns[1]); };
  const double anew = cost.anew + cost.anew_box * (boxes - fixed) + cost.anew_fixed * fixed + of_pairs(cost.anew_pair);
  const double swapless = cost.box * boxes + cost.moved * static_cast<double>(moved) +
                          cost.joining * static_cast<double>(joining) + of_pairs(cost.pair);
  return (anew - swapless) / cost.swap;
}

// Too much for swaps, and probably at the next step as well
template <int D>
void Sap<D>::give_up(const BoxStore<D>& store, bool promising) {
  wait_ = misses_ == 0 ? 0 : 1u << std::min(misses_, kLongestWait);
  ++misses_;
  start_anew(store, promising && wait_ == 0);
}

template <int D>
void Sap<D>::do_update(const BoxStore<D>& store) {
  swaps_ = box_tests_ = 0;
  filters_ = store.has_filters() ? &store : nullptr;
  const auto finish = [&] {
    this->count().swaps = swaps_;
    seen_ = store.revision();
    filters_ = nullptr;
  };
  if (!listed_) {
    wait_ -= wait_ > 0 ? 1 : 0;
    // Sorted lists are made when the next step may go by swaps
    const auto changes = store.changes_since(seen_);
    const std::size_t moved = changes.has_value() ? std::min(changes->size(), store.size()) : store.size();
    start_anew(store, wait_ == 0 && most_swaps(store, moved, 0) > 0);
    return finish();
  }
  if (!fits(store) || !take_changes(store)) {
    start_anew(store, true);
    return finish();
  }
  const double most = most_swaps(store, touched_.size(), batch_.size());
  const bool too_many = static_cast<double>(batch_.size()) > this->parameter(1) * static_cast<double>(store.size());
  if (too_many || most < 0) {
    give_up(store, most >= 0);
    return finish();
  }

  new_pairs_.clear();
  drop_parted_pairs();
  swap_limit_ = static_cast<std::uint64_t>(most);
  bool sorted = true;
  if (!touched_.empty())
    for (int axis = 0; axis < D && sorted; ++axis) {
      refresh_ends(axis);
      sorted = sink_ == nullptr ? sort_by_swaps(axis, NoTrace{}) : sort_by_swaps(axis, TraceTo{sink_});
    }
  if (!sorted) {
    give_up(store, true);
    return finish();
  }
  misses_ = 0;
  if (!batch_.empty()) {
    for (int axis = 0; axis < D; ++axis) merge_batch(axis);
    sweep_batch();
  }
  for (const std::uint32_t id : touched_)
    state_[id] = static_cast<std::uint8_t>(store.contains(id) ? kKnown | (state_[id] & kFixed) : 0);
  measure_extent();
  finish();
}

template <int D>
void Sap<D>::do_pairs(const BoxStore<D>&, SearchOutput& out) {
  out.box_tests += box_tests_;
  std::copy(pairs_.begin(), pairs_.end(), out.pairs.room(pairs_.size()));
  out.pairs.commit(pairs_.size());
}

template <int D>
std::size_t Sap<D>::do_bytes() const noexcept {
  std::size_t total =
      boxes_.capacity() * sizeof(boxes_[0]) + state_.capacity() +
      (pairs_.capacity() + crossed_.capacity()) * sizeof(IdPair) +
      (touched_.capacity() + batch_.capacity() + open_.capacity() + at_.capacity() + open_batch_.capacity()) *
          sizeof(std::uint32_t) +
      merged_.capacity() * sizeof(End) + new_pairs_.bytes() + columns_.bytes() + found_.pairs.bytes() +
      (keys_.capacity() + key_scratch_.capacity()) * sizeof(KeyedRow);
  for (const auto& ends : ends_) total += ends.capacity() * sizeof(End);
  return total;
}

template class SUDAR_API Sap<2>;
template class SUDAR_API Sap<3>;

}  // namespace sudar

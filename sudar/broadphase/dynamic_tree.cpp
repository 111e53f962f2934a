#include <sudar/broadphase/dynamic_tree.hpp>
#include <sudar/broadphase/insertion_search.hpp>
#include <sudar/broadphase/tree_search.hpp>

#include <algorithm>
#include <limits>
#include <new>

namespace sudar::inline SUDAR_ABI {

namespace {
enum : std::size_t { kAir, kPredict, kRotate, kBatch, kQuality };

constexpr std::size_t kSample = 512;   // boxes looked at for the typical edge
constexpr std::size_t kGrain = 16384;  // slots or candidates of one task
constexpr double kFarthest = 4;        // predicted motion, in multiples of the air
constexpr double kMostSteps = 16;      // that one box counts for
constexpr double kStepsWorthAir = 3;   // air that does not last so many steps does not pay
constexpr float kLargest = std::numeric_limits<float>::max();
}  // namespace

template <int D>
DynamicTree<D>::DynamicTree()
    : Broadphase<D>(
          {{"air", "around a box that moved, in typical box edges", 0.1, 0, 4, false},
           {"predict", "steps of the last motion that its box is stretched by", 4, 0, 16, false},
           {"rotate", "0: leaves are only inserted, 1: nodes above them are rotated when that is cheaper", 1, 0, 1,
            true},
           {"batch", "share of boxes that left their place above which the tree is built in one go", 0.1, 0, 1, false},
           {"quality", "a tree that costs this many times what it did when built is built anew", 1.5, 1, 100, false}}) {
}

template <int D>
void DynamicTree<D>::do_build(const BoxStore<D>& store) {
  if (store.id_limit() >= InsertionTree<D>::kLeaf) throw std::bad_alloc();
  // The typical edge: the median over all axes of some boxes, which giants do not move
  std::vector<float> edges;
  const std::size_t step = std::max<std::size_t>(1, store.size() / kSample);
  for (std::size_t row = 0; row < store.size(); row += step)
    for (int k = 0; k < D; ++k) edges.push_back(std::min(store.hi(k)[row] - store.lo(k)[row], kLargest));
  edge_ = 0;
  if (!edges.empty()) {
    const auto middle = edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2);
    std::nth_element(edges.begin(), middle, edges.end());
    edge_ = *middle;
  }
  set_air();
  boxes_.resize(store.id_limit());
  motion_.assign(store.id_limit(), Vec<D, float>{});
  for (std::uint32_t row = 0; row < store.size(); ++row) boxes_[store.ids()[row]] = store.box(row);
  is_stale_.assign(store.id_limit(), 0);
  stale_.clear();
  reinserted_ = 0;
  batch_build(store, true, false);
  batch_build(store, false, false);
  seen_revision_ = store.revision();
}

template <int D>
void DynamicTree<D>::set_air() noexcept {
  air_ = static_cast<float>(std::min(edge_ * this->parameter(kAir), static_cast<double>(kLargest)));
}

// No air when a box has not moved yet
template <int D>
void DynamicTree<D>::batch_build(const BoxStore<D>& store, bool fixed, bool with_air) {
  binary_.items.clear();
  const auto ids = store.ids();
  const std::size_t wanted = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  binary_.items.reserve(wanted);
  if (wanted > 0)
    for (std::uint32_t row = 0; row < store.size(); ++row) {
      if (store.is_fixed(row) != fixed) continue;
      const Aabb<D, float> box = store.box(row);
      const bool moved = with_air && motion_[ids[row]] != Vec<D, float>{};
      binary_.items.push_back({moved ? fat_box(ids[row], box) : box, ids[row]});
    }
  builder_.build(binary_, 1, false, this->executor());
  (fixed ? fixed_ : moving_).assign(binary_, store.id_limit());
  // Lay it out for a search when pairs were asked for last time
  bool& laid_out = fixed ? fixed_laid_out_ : moving_laid_out_;
  laid_out = pairs_wanted_;
  if (laid_out) (fixed ? fixed_layout_ : moving_layout_).assign(binary_, 8, kLeafLanes);
  if (!fixed) {
    built_cost_ = -1;
    since_check_ = 0;
    pairs_wanted_ = false;
  }
  candidates_known_ = false;
  ++this->count().rebuilds;
}

template <int D>
Aabb<D, float> DynamicTree<D>::fat_box(std::uint32_t id, const Aabb<D, float>& box) const noexcept {
  const auto farthest = static_cast<float>(kFarthest) * air_;
  const auto steps = static_cast<float>(this->parameter(kPredict));
  Aabb<D, float> fat;
  for (int k = 0; k < D; ++k) {
    const float ahead = std::clamp(motion_[id][k] * steps, -farthest, farthest);
    // The plain box is inside whatever rounding does to the sums
    fat.lo[k] = std::min(box.lo[k], std::max(box.lo[k] - air_ + std::min(ahead, 0.0f), -kLargest));
    fat.hi[k] = std::max(box.hi[k], std::min(box.hi[k] + air_ + std::max(ahead, 0.0f), kLargest));
  }
  return fat;
}

template <int D>
void DynamicTree<D>::mark_stale(std::uint32_t id) {
  if (id >= is_stale_.size()) is_stale_.resize(id + std::size_t{1}, 0);
  if (is_stale_[id] != 0) return;
  is_stale_[id] = 1;
  stale_.push_back(id);
}

// Compare what the trees hold with the box as it is now
template <int D>
void DynamicTree<D>::look_at(const BoxStore<D>& store, std::uint32_t id) {
  const std::uint32_t row = store.row_of(id);
  const bool in_moving = moving_.contains(id), in_fixed = fixed_.contains(id);
  if (row == BoxStore<D>::kNoRow) {
    if (!in_moving && !in_fixed) return;
    ++(in_moving ? left_moving_ : left_fixed_);
    left_.push_back(id);
    return;
  }
  const bool fixed = store.is_fixed(row);
  const Aabb<D, float> box = store.box(row);
  if (in_moving || in_fixed) {
    const Vec<D, float> step = box.lo - boxes_[id].lo;
    motion_[id] = is_finite(step) ? step : Vec<D, float>{};
  } else {
    motion_[id] = {};
  }
  boxes_[id] = box;
  const bool stays = fixed ? in_fixed && fixed_.box_of(id) == box : in_moving && contains(moving_.box_of(id), box);
  if (stays && in_moving != in_fixed) return;
  left_.push_back(id);
  if (in_moving || !fixed) ++left_moving_;
  if (in_fixed || fixed) ++left_fixed_;
}

template <int D>
void DynamicTree<D>::look_at_all(const BoxStore<D>& store) {
  const auto ids = store.ids();
  std::size_t known = 0;
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    known += moving_.contains(ids[row]) || fixed_.contains(ids[row]) ? 1 : 0;
    look_at(store, ids[row]);
  }
  if (known == moving_.size() + fixed_.size()) return;
  // Somebody is gone
  for (std::uint32_t id = 0; id < boxes_.size(); ++id)
    if (!store.contains(id)) look_at(store, id);
}

template <int D>
void DynamicTree<D>::look_at_changes(const BoxStore<D>& store) {
  const std::size_t limit = std::max(boxes_.size(), store.id_limit());
  boxes_.resize(limit);
  motion_.resize(limit);
  is_stale_.resize(limit, 0);
  left_.clear();
  left_moving_ = left_fixed_ = 0;
  const auto changes = store.changes_since(seen_revision_);
  if (!changes) {
    // Filters may have changed as well
    if (store.has_filters() || candidates_filtered_) candidates_known_ = false;
    return look_at_all(store);
  }
  for (const JournalEntry& entry : *changes)
    if (entry.change != BoxChange::moved && entry.change != BoxChange::teleported) mark_stale(entry.id);
  if (2 * changes->size() > store.size()) return look_at_all(store);
  // Each id once: what was looked at is as the trees have it, or is in the list already
  std::vector<std::uint32_t> ids;
  ids.reserve(changes->size());
  for (const JournalEntry& entry : *changes) ids.push_back(entry.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const std::uint32_t id : ids) look_at(store, id);
}

// Do the boxes that left move slowly enough for air to last?
template <int D>
bool DynamicTree<D>::air_pays() const noexcept {
  double steps = 0;
  std::size_t count = 0;
  const std::size_t stride = std::max<std::size_t>(1, left_.size() / kSample);
  for (std::size_t i = 0; i < left_.size(); i += stride, ++count) {
    double farthest = 0;
    for (int k = 0; k < D; ++k) {
      const double d = motion_[left_[i]][k];
      farthest = std::max(farthest, d < 0 ? -d : d);
    }
    // Air on all sides, and the stretch ahead
    const double of_air = farthest > 0 ? static_cast<double>(air_) / farthest : kMostSteps;
    steps += std::min(of_air + std::min(this->parameter(kPredict), kFarthest * of_air), kMostSteps);
  }
  return steps >= kStepsWorthAir * static_cast<double>(count);
}

template <int D>
void DynamicTree<D>::do_update(const BoxStore<D>& store) {
  if (store.id_limit() >= InsertionTree<D>::kLeaf) throw std::bad_alloc();
  reinserted_ = 0;
  update_tests_ = update_nodes_ = 0;
  set_air();
  look_at_changes(store);
  seen_revision_ = store.revision();
  const double share = this->parameter(kBatch);
  const auto moving = static_cast<double>(store.size() - store.fixed_count());
  const bool batch_moving = static_cast<double>(left_moving_) > share * moving;
  const bool batch_fixed = static_cast<double>(left_fixed_) > share * static_cast<double>(store.fixed_count());
  put_in_anew(store, batch_moving, batch_fixed);
  if (batch_fixed) batch_build(store, true, false);
  if (batch_moving) batch_build(store, false, air_pays());

  // Look at the quality of the tree from time to time
  since_check_ += reinserted_;
  if (since_check_ > moving_.size()) {
    since_check_ = 0;
    if (built_cost_ >= 0 && moving_.cost() > this->parameter(kQuality) * built_cost_) batch_build(store, false, true);
  }
}

template <int D>
void DynamicTree<D>::put_in_anew(const BoxStore<D>& store, bool skip_moving, bool skip_fixed) {
  const bool rotate = this->parameter(kRotate) != 0;
  if (!left_.empty() && !skip_moving && built_cost_ < 0) built_cost_ = moving_.cost();
  for (const std::uint32_t id : left_) {
    mark_stale(id);
    if (!skip_moving && moving_.contains(id)) {
      moving_.erase(id);
      moving_laid_out_ = false;
    }
    if (!skip_fixed && fixed_.contains(id)) {
      fixed_.erase(id);
      fixed_laid_out_ = false;
    }
    const std::uint32_t row = store.row_of(id);
    if (row == BoxStore<D>::kNoRow) continue;
    if (store.is_fixed(row)) {
      if (skip_fixed) continue;
      fixed_.insert(id, store.box(row), rotate);
      fixed_laid_out_ = false;
    } else {
      if (skip_moving) continue;
      moving_.insert(id, fat_box(id, store.box(row)), rotate);
      moving_laid_out_ = false;
    }
    ++reinserted_;
  }
}

template <int D>
void DynamicTree<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  pairs_wanted_ = true;
  refresh_candidates(store, out);
  report(store, out);
}

template <int D>
void DynamicTree<D>::refresh_candidates(const BoxStore<D>& store, SearchOutput& out) {
  // Two calls without an update between them count the same work
  if (candidates_known_ && stale_.empty()) {
    out.box_tests += update_tests_;
    out.nodes_visited += update_nodes_;
    return;
  }
  const bool all = !candidates_known_;
  candidates_known_ = false;
  search_.clear();
  if (all)
    find_all_candidates(store, search_);
  else
    find_stale_candidates(store, search_);
  for (const std::uint32_t id : stale_) is_stale_[id] = 0;
  stale_.clear();
  candidates_known_ = true;
  candidates_filtered_ = store.has_filters();
  update_tests_ = search_.box_tests;
  update_nodes_ = search_.nodes_visited;
  out.box_tests += update_tests_;
  out.nodes_visited += update_nodes_;
}

template <int D>
void DynamicTree<D>::find_all_candidates(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  const auto filters = store.filters();
  const auto allowed = [&](std::uint32_t a, std::uint32_t b) {
    return !filtered || may_pair(filters[store.row_of(a)], filters[store.row_of(b)]);
  };
  if (moving_laid_out_) {
    search_tree_pairs(moving_layout_, moving_layout_, store, PairFilter::masks, this->executor(), this->parts(), out);
  } else {
    // The two sides of each node
    search_blocks(this->executor(), moving_.slot_limit(), kGrain, this->parts(), out,
                  [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                    std::vector<std::uint64_t> stack;
                    for (auto slot = static_cast<std::uint32_t>(begin); slot < end; ++slot) {
                      if (!moving_.is_inner(slot)) continue;
                      const std::uint32_t child = moving_.first_child(slot);
                      part.box_tests += moving_.is_leaf(child) || moving_.is_leaf(child + 1) ? 1 : 0;
                      if (!meets(moving_.box(child), moving_.box(child + 1))) continue;
                      search_slots(moving_, child, moving_, child + 1, stack, part,
                                   [&](std::uint32_t a, std::uint32_t b) {
                                     if (allowed(a, b)) part.pairs.push(make_pair_of(a, b));
                                   });
                    }
                  });
  }
  if (moving_laid_out_ && fixed_laid_out_) {
    search_tree_pairs(moving_layout_, fixed_layout_, store, PairFilter::masks, this->executor(), this->parts(), out);
  } else if (!moving_.empty() && !fixed_.empty() && meets(moving_.box(0), fixed_.box(0))) {
    std::vector<std::uint64_t> stack;
    search_slots(moving_, 0, fixed_, 0, stack, out, [&](std::uint32_t a, std::uint32_t b) {
      if (allowed(a, b)) out.pairs.push(make_pair_of(a, b));
    });
  }
  candidates_.assign(out.pairs.pairs().begin(), out.pairs.pairs().end());
}

template <int D>
void DynamicTree<D>::find_stale_candidates(const BoxStore<D>& store, SearchOutput& out) {
  std::erase_if(candidates_, [&](const IdPair& pair) { return (is_stale_[pair.lo] | is_stale_[pair.hi]) != 0; });
  const bool filtered = store.has_filters();
  const auto filters = store.filters();
  std::vector<std::uint32_t> stack;
  for (const std::uint32_t id : stale_) {
    const bool in_moving = moving_.contains(id);
    if (!in_moving && !fixed_.contains(id)) continue;
    const Aabb<D, float> box = in_moving ? moving_.box_of(id) : fixed_.box_of(id);
    const auto add = [&](std::uint32_t other) {
      if (!filtered || may_pair(filters[store.row_of(id)], filters[store.row_of(other)]))
        candidates_.push_back(make_pair_of(id, other));
    };
    // Of two that are both searched for, one finds the other
    search_box(moving_, box, stack, out, [&](std::uint32_t other) {
      if (is_stale_[other] == 0 || (in_moving && other > id)) add(other);
    });
    if (in_moving) search_box(fixed_, box, stack, out, add);
  }
}

template <int D>
void DynamicTree<D>::report(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  search_blocks(this->executor(), candidates_.size(), kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  IdPair* place = part.pairs.room(end - begin);
                  std::size_t kept = 0;
                  for (std::size_t i = begin; i < end; ++i) {
                    const IdPair pair = candidates_[i];
                    bool hit = meets(boxes_[pair.lo], boxes_[pair.hi]);
                    if (filtered) hit = hit && store.rows_may_pair(store.row_of(pair.lo), store.row_of(pair.hi));
                    place[kept] = pair;
                    kept += hit ? 1 : 0;
                  }
                  part.pairs.commit(kept);
                  part.box_tests += end - begin;
                });
}

template <int D>
void DynamicTree<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  walk_tree(InsertionTreeWalk<D>{moving_, store}, sink);
  walk_tree(InsertionTreeWalk<D>{fixed_, store}, sink);
}
template <int D>
void DynamicTree<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  // A float is at most x when it is at most the largest float that is: so the box rounded inward asks the same
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = float_up(sink.box().lo[k]);
    box.hi[k] = float_down(sink.box().hi[k]);
  }
  SearchOutput counted;
  const auto offer = [&](std::uint32_t id) { sink.offer(store.row_of(id)); };
  search_box(moving_, box, stack_, counted, offer);
  search_box(fixed_, box, stack_, counted, offer);
}
template <int D>
void DynamicTree<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  walk_tree(InsertionTreeWalk<D>{moving_, store}, sink);
  walk_tree(InsertionTreeWalk<D>{fixed_, store}, sink);
}

template <int D>
std::size_t DynamicTree<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + moving_layout_.bytes() + fixed_layout_.bytes() +
         boxes_.capacity() * sizeof(boxes_[0]) + motion_.capacity() * sizeof(motion_[0]) +
         (left_.capacity() + stale_.capacity()) * sizeof(std::uint32_t) + is_stale_.capacity() +
         candidates_.capacity() * sizeof(IdPair) + binary_.bytes() + builder_.bytes() + search_.pairs.bytes();
}

template class SUDAR_API DynamicTree<2>;
template class SUDAR_API DynamicTree<3>;

}  // namespace sudar::inline SUDAR_ABI

#include <sudar/broadphase/dynamic_tree.hpp>
#include <sudar/broadphase/insertion_search.hpp>
#include <sudar/broadphase/tree_search.hpp>

#include <algorithm>
#include <limits>
#include <new>

namespace sudar {

namespace {
enum : std::size_t { kAir, kPredict, kRotate, kBatch, kQuality };

constexpr std::size_t kDynamicSample = 512;   // boxes looked at for the typical edge
constexpr std::size_t kDynamicGrain = 16384;  // candidates of one task
constexpr std::size_t kDynamicAhead = 8;      // boxes that are fetched ahead
constexpr std::size_t kLeavesAsked = 64;      // laying out as many leaves costs about what one question saves
constexpr double kFarthest = 4;               // predicted motion, in multiples of the air
constexpr double kMostSteps = 16;             // that one box counts for
constexpr double kStepsWorthAir = 3;          // air that does not last so many steps does not pay
constexpr float kLargest = std::numeric_limits<float>::max();
}  // namespace

template <int D>
DynamicTree<D>::DynamicTree()
    : Broadphase<D>(
          {{"air", "around a box that moved, in typical box edges", 0.1, 0, 4, false},
           {"predict", "steps of the last motion that its box is stretched by", 4, 0, 16, false},
           {"rotate", "0: boxes are only inserted, 1: nodes above them are rotated when that is cheaper", 1, 0, 1,
            true},
           {"batch", "share of boxes that left their place above which all nodes are fitted again", 0.1, 0, 1, false},
           {"quality", "a tree that costs this many times what it did when built is built anew", 1.5, 1, 100, false}}) {
}

template <int D>
void DynamicTree<D>::Layer::lay_out() {
  if (!laid_out) top.assign(tree);
  laid_out = true;
  asked = 0;
}

template <int D>
void DynamicTree<D>::do_build(const BoxStore<D>& store) {
  if (store.id_limit() >= InsertionTree<D>::kMostIds) throw std::bad_alloc();
  // The typical edge: the median over all axes of some boxes, which giants do not move
  std::vector<float> edges;
  const std::size_t step = std::max<std::size_t>(1, store.size() / kDynamicSample);
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
  for (std::uint32_t row = 0; row < store.size(); ++row) boxes_[store.ids()[row]] = store.box(row);
  is_stale_.assign(store.id_limit(), 0);
  stale_.clear();
  reinserted_ = 0;
  pause_.reset();
  rebuild(store, true);
  rebuild(store, false);
  seen_revision_ = store.revision();
}

template <int D>
void DynamicTree<D>::set_air() noexcept {
  air_ = static_cast<float>(std::min(edge_ * this->parameter(kAir), static_cast<double>(kLargest)));
}

// From boxes_, which are as they are in the store or fatter
template <int D>
void DynamicTree<D>::rebuild(const BoxStore<D>& store, bool fixed) {
  std::span<const std::uint32_t> ids = store.ids();
  if (store.fixed_count() == (fixed ? 0 : store.size())) {
    ids = {};
  } else if (store.fixed_count() != (fixed ? store.size() : 0)) {
    ids_.clear();
    for (std::uint32_t row = 0; row < store.size(); ++row)
      if (store.is_fixed(row) == fixed) ids_.push_back(store.ids()[row]);
    ids = ids_;
  }
  order_.sort(BoxRun<D>(boxes_, ids), false, this->executor());
  Layer& layer = fixed ? fixed_ : moving_;
  layer.tree.assign(order_, ids, boxes_);
  layer.spoil();
  if (!fixed) {
    built_cost_ = -1;
    since_check_ = 0;
    pause_.tree_was_built();
  }
  candidates_known_ = false;
  ++this->count().rebuilds;
}

template <int D>
Aabb<D, float> DynamicTree<D>::fat_box(const Aabb<D, float>& box, const Aabb<D, float>& before) const noexcept {
  const auto farthest = static_cast<float>(kFarthest) * air_;
  const auto steps = static_cast<float>(this->parameter(kPredict));
  Aabb<D, float> fat;
  for (int k = 0; k < D; ++k) {
    // Where a difference overflows there is no telling
    const float motion = box.lo[k] - before.lo[k];
    const float ahead = motion * steps >= -kLargest ? std::clamp(motion * steps, -farthest, farthest) : 0;
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

// Compare what the trees hold with the box as it is now. boxes_ keeps the last place of those that moved away.
template <int D>
void DynamicTree<D>::look_at(const BoxStore<D>& store, std::uint32_t id) {
  const std::uint32_t row = store.row_of(id);
  const bool in_moving = moving_.tree.contains(id), in_fixed = fixed_.tree.contains(id);
  const bool gone = row == BoxStore<D>::kNoRow, fixed = !gone && store.is_fixed(row);
  if (in_moving && !gone && !fixed) {
    const Aabb<D, float> box = store.box(row);
    if (contains(moving_.tree.box_of(id), box))
      boxes_[id] = box;
    else
      moved_.push_back(id);
    return;
  }
  if (!in_moving && in_fixed && fixed && fixed_.tree.box_of(id) == store.box(row)) return;
  if (gone && !in_moving && !in_fixed) return;
  if (!gone) boxes_[id] = store.box(row);
  changed_.push_back(id);
  if (in_moving || (!gone && !fixed)) ++changed_moving_;
  if (in_fixed || fixed) ++changed_fixed_;
}

template <int D>
void DynamicTree<D>::look_at_all(const BoxStore<D>& store) {
  const auto ids = store.ids();
  std::size_t known = 0;
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    if (row + kDynamicAhead < store.size() && moving_.tree.contains(ids[row + kDynamicAhead]))
      moving_.tree.prefetch(ids[row + kDynamicAhead]);
    known += moving_.tree.contains(ids[row]) || fixed_.tree.contains(ids[row]) ? 1 : 0;
    look_at(store, ids[row]);
  }
  if (known == moving_.tree.size() + fixed_.tree.size()) return;
  // Somebody is gone
  for (std::uint32_t id = 0; id < boxes_.size(); ++id)
    if (!store.contains(id)) look_at(store, id);
}

template <int D>
void DynamicTree<D>::look_at_changes(const BoxStore<D>& store) {
  const std::size_t limit = std::max(boxes_.size(), store.id_limit());
  boxes_.resize(limit);
  is_stale_.resize(limit, 0);
  moved_.clear();
  changed_.clear();
  changed_moving_ = changed_fixed_ = 0;
  const auto changes = store.changes_since(seen_revision_);
  if (!changes) {
    // Filters may have changed as well
    if (store.has_filters() || candidates_filtered_) candidates_known_ = false;
    return look_at_all(store);
  }
  for (const JournalEntry& entry : *changes)
    if (entry.change != BoxChange::moved && entry.change != BoxChange::teleported) mark_stale(entry.id);
  if (2 * changes->size() > store.size()) return look_at_all(store);
  // Each id once: what was looked at is as the trees have it, or is in a list already
  std::vector<std::uint32_t> ids;
  ids.reserve(changes->size());
  for (const JournalEntry& entry : *changes) ids.push_back(entry.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const std::uint32_t id : ids) look_at(store, id);
}

// Do the boxes that left move slowly enough for air to last?
template <int D>
bool DynamicTree<D>::air_pays(const BoxStore<D>& store) const noexcept {
  double steps = 0;
  std::size_t count = 0;
  const std::size_t stride = std::max<std::size_t>(1, moved_.size() / kDynamicSample);
  for (std::size_t i = 0; i < moved_.size(); i += stride, ++count) {
    const Aabb<D, float> box = store.box(store.row_of(moved_[i]));
    double farthest = 0;
    for (int k = 0; k < D; ++k) {
      const double d = static_cast<double>(box.lo[k]) - boxes_[moved_[i]].lo[k];
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
  if (store.id_limit() >= InsertionTree<D>::kMostIds) throw std::bad_alloc();
  reinserted_ = 0;
  update_tests_ = update_nodes_ = 0;
  set_air();
  look_at_changes(store);
  seen_revision_ = store.revision();
  const double share = this->parameter(kBatch);
  const double moving = share * static_cast<double>(store.size() - store.fixed_count());
  const bool batch_changed = static_cast<double>(changed_moving_) > moving;
  const bool batch_fixed = static_cast<double>(changed_fixed_) > share * static_cast<double>(store.fixed_count());
  if (built_cost_ < 0 && (!moved_.empty() || changed_moving_ > 0)) built_cost_ = moving_.tree.cost();
  put_in_anew(store, batch_changed, batch_fixed);
  if (batch_fixed) rebuild(store, true);
  if (batch_changed) {
    for (const std::uint32_t id : moved_) boxes_[id] = store.box(store.row_of(id));
    rebuild(store, false);
  } else if (static_cast<double>(moved_.size()) > moving) {
    move_all(store);
  } else {
    move_one_by_one(store);
  }

  // Look at the quality of the tree from time to time
  since_check_ += reinserted_;
  if (since_check_ > moving_.tree.size()) {
    since_check_ = 0;
    if (built_cost_ >= 0 && moving_.tree.cost() > this->parameter(kQuality) * built_cost_) {
      take_boxes_of_leaves();
      rebuild(store, false);
      for (std::uint32_t row = 0; row < store.size(); ++row) boxes_[store.ids()[row]] = store.box(row);
    }
  }
}

template <int D>
void DynamicTree<D>::put_in_anew(const BoxStore<D>& store, bool skip_moving, bool skip_fixed) {
  const bool rotate = this->parameter(kRotate) != 0;
  const auto change = [&](Layer& layer, std::uint32_t id, bool inside) {
    if (layer.tree.contains(id)) layer.tree.erase(id);
    if (inside) layer.tree.insert(id, boxes_[id], rotate);
    layer.spoil();
  };
  for (const std::uint32_t id : changed_) {
    mark_stale(id);
    const std::uint32_t row = store.row_of(id);
    const bool gone = row == BoxStore<D>::kNoRow, fixed = !gone && store.is_fixed(row);
    const bool goes_moving = !gone && !fixed, goes_fixed = !gone && fixed;
    if (!skip_moving && (goes_moving || moving_.tree.contains(id))) change(moving_, id, goes_moving);
    if (!skip_fixed && (goes_fixed || fixed_.tree.contains(id))) change(fixed_, id, goes_fixed);
    reinserted_ += gone || (fixed ? skip_fixed : skip_moving) ? 0 : 1;
  }
}

template <int D>
void DynamicTree<D>::move_one_by_one(const BoxStore<D>& store) {
  const bool rotate = this->parameter(kRotate) != 0;
  for (const std::uint32_t id : moved_) {
    mark_stale(id);
    const Aabb<D, float> box = store.box(store.row_of(id));
    moving_.tree.move(id, fat_box(box, boxes_[id]), rotate);
    boxes_[id] = box;
  }
  if (!moved_.empty()) moving_.spoil();
  reinserted_ += moved_.size();
}

// They stay in their leaves, unless that makes the tree worse
template <int D>
void DynamicTree<D>::move_all(const BoxStore<D>& store) {
  const bool air = air_pays(store), skip = pause_.lasts();
  if (skip) pause_.take_step();
  for (const std::uint32_t id : moved_) {
    const Aabb<D, float> box = store.box(store.row_of(id));
    if (air || !skip) moving_.tree.set_box(id, air ? fat_box(box, boxes_[id]) : box);
    boxes_[id] = box;
  }
  if (!skip && refit_moving()) {
    for (const std::uint32_t id : moved_) mark_stale(id);
    return;
  }
  if (air) take_boxes_of_leaves();
  rebuild(store, false);
  if (air)
    for (std::uint32_t row = 0; row < store.size(); ++row) boxes_[store.ids()[row]] = store.box(row);
}

template <int D>
bool DynamicTree<D>::refit_moving() {
  moving_.spoil();
  if (!(moving_.tree.refit() <= this->parameter(kQuality) * built_cost_)) {
    pause_.refit_failed();
    return false;
  }
  ++refits_;
  pause_.refit_held();
  return true;
}

// Fat as they are there, for a new tree
template <int D>
void DynamicTree<D>::take_boxes_of_leaves() {
  const InsertionTree<D>& tree = moving_.tree;
  for (std::uint32_t id = 0; id < boxes_.size(); ++id) {
    if (id + kDynamicAhead < boxes_.size() && tree.contains(static_cast<std::uint32_t>(id + kDynamicAhead)))
      tree.prefetch(static_cast<std::uint32_t>(id + kDynamicAhead));
    if (tree.contains(id)) boxes_[id] = tree.box_of(id);
  }
}

template <int D>
void DynamicTree<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  refresh_candidates(store, out);
  report(store, out);
}

template <int D>
void DynamicTree<D>::refresh_candidates(const BoxStore<D>& store, SearchOutput& out) {
  // Two calls without an update between them count the same work
  if (!candidates_known_ || !stale_.empty()) {
    const bool all = !candidates_known_ || 2 * stale_.size() > store.size();
    candidates_known_ = false;
    search_.clear();
    if (all)
      find_all_candidates(store);
    else
      find_stale_candidates(store);
    for (const std::uint32_t id : stale_) is_stale_[id] = 0;
    stale_.clear();
    candidates_known_ = true;
    candidates_filtered_ = store.has_filters();
    update_tests_ = search_.box_tests;
    update_nodes_ = search_.nodes_visited;
  }
  out.box_tests += update_tests_;
  out.nodes_visited += update_nodes_;
}

template <int D>
void DynamicTree<D>::find_all_candidates(const BoxStore<D>& store) {
  moving_.lay_out();
  fixed_.lay_out();
  const TreeSide<D> moving = moving_.top.side(moving_.tree), fixed = fixed_.top.side(fixed_.tree);
  search_tree_pairs(moving, moving, store, PairFilter::masks, this->executor(), this->parts(), search_);
  search_tree_pairs(moving, fixed, store, PairFilter::masks, this->executor(), this->parts(), search_);
  std::swap(candidates_, search_.pairs);
}

template <int D>
bool DynamicTree<D>::worth_laying_out(Layer& layer, std::size_t questions) {
  layer.asked += questions;
  if (!layer.laid_out && layer.asked * kLeavesAsked > layer.tree.leaf_count()) layer.lay_out();
  return layer.laid_out;
}

template <int D>
template <class F>
void DynamicTree<D>::search(Layer& layer, const Aabb<D, float>& box, SearchOutput& out, F&& found) {
  if (!layer.laid_out) return search_box(layer.tree, box, stack_, out, found);
  const BoxAsked asked = search_tree_box(layer.top.side(layer.tree), box, stack_, found_);
  out.nodes_visited += asked.nodes_visited;
  out.box_tests += asked.box_tests;
  for (std::size_t i = 0; i < asked.found; ++i) found(found_[i]);
}

template <int D>
void DynamicTree<D>::find_stale_candidates(const BoxStore<D>& store) {
  const std::span<IdPair> known = candidates_.pairs();
  std::size_t kept = 0;
  for (const IdPair pair : known) {
    known[kept] = pair;
    kept += (is_stale_[pair.lo] | is_stale_[pair.hi]) == 0 ? 1 : 0;
  }
  candidates_.truncate(kept);
  const bool filtered = store.has_filters();
  const auto filters = store.filters();
  worth_laying_out(moving_, stale_.size());
  worth_laying_out(fixed_, stale_.size());
  for (const std::uint32_t id : stale_) {
    const bool in_moving = moving_.tree.contains(id);
    if (!in_moving && !fixed_.tree.contains(id)) continue;
    const Aabb<D, float> box = in_moving ? moving_.tree.box_of(id) : fixed_.tree.box_of(id);
    const auto add = [&](std::uint32_t other) {
      if (!filtered || may_pair(filters[store.row_of(id)], filters[store.row_of(other)]))
        candidates_.push(make_pair_of(id, other));
    };
    // Of two that are both searched for, one finds the other
    search(moving_, box, search_, [&](std::uint32_t other) {
      if (is_stale_[other] == 0 || (in_moving && other > id)) add(other);
    });
    if (in_moving) search(fixed_, box, search_, add);
  }
}

template <int D>
void DynamicTree<D>::report(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  const std::span<const IdPair> candidates = candidates_.pairs();
  search_blocks(this->executor(), candidates.size(), kDynamicGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  IdPair* place = part.pairs.room(end - begin);
                  std::size_t kept = 0;
                  for (std::size_t i = begin; i < end; ++i) {
                    const IdPair pair = candidates[i];
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
  for (Layer* layer : {&moving_, &fixed_})
    if (worth_laying_out(*layer, 1))
      walk_cast(layer->top.side(layer->tree), store, sink, open_casts_);
    else
      walk_tree(InsertionTreeWalk<D>{layer->tree, store}, sink);
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
  for (Layer* layer : {&moving_, &fixed_}) {
    worth_laying_out(*layer, 1);
    search(*layer, box, counted, offer);
  }
  sink.nodes_visited += counted.nodes_visited;
  sink.box_tests += counted.box_tests;
}
template <int D>
void DynamicTree<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  walk_tree(InsertionTreeWalk<D>{moving_.tree, store}, sink);
  walk_tree(InsertionTreeWalk<D>{fixed_.tree, store}, sink);
}

template <int D>
std::size_t DynamicTree<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + boxes_.capacity() * sizeof(boxes_[0]) + is_stale_.capacity() +
         (stack_.capacity() + found_.capacity() + moved_.capacity() + changed_.capacity() + stale_.capacity() +
          ids_.capacity()) *
             sizeof(std::uint32_t) +
         open_casts_.capacity() * sizeof(OpenCast) + candidates_.bytes() + order_.bytes() + search_.pairs.bytes();
}

template class SUDAR_API DynamicTree<2>;
template class SUDAR_API DynamicTree<3>;

}  // namespace sudar

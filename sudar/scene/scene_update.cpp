// What:    The update of a scene: boxes, pairs, what began and ended, contacts, and which points were there before.
// Differs: What is going on is kept apart from what was told, and the two are swapped at the end by a step that cannot fail.
//          So an update that runs out of memory half-way loses no event: the next one compares with the same pairs.
#include <sudar/core/prefetch.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/scene/point_matching.hpp>
#include <sudar/scene/scene.hpp>
#include <sudar/scene/scene_tolerance.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// Grains of the parallel loops. Results do not depend on them.
constexpr std::size_t kBoxesPerTask = 1024;
constexpr std::size_t kPairsPerTask = 256;

constexpr Error out_of_order() {
  return {ErrorCode::invalid_argument, Error::kNoElement, "a stage before this one has not run"};
}
constexpr Error objects_changed() {
  return {ErrorCode::invalid_argument, Error::kNoElement, "objects came or went since the pairs were found"};
}

// Pairs whose query goes through GJK gain from what it remembers; of two round ones there is nothing to remember
bool is_round(const Shape2& s) { return s.kind() == ShapeKind2::circle || s.kind() == ShapeKind2::point; }
bool is_round(const Shape3& s) { return s.kind() == ShapeKind3::sphere || s.kind() == ShapeKind3::point; }
template <class S>
bool wants_cache(const S& a, const S& b) {
  return a.is_convex() && b.is_convex() && a.is_bounded() && b.is_bounded() && !(is_round(a) && is_round(b));
}

// float_down and float_up of finite numbers within the range of float, without a branch that nobody could foretell
float plain_float_down(double x) {
  const auto f = static_cast<float>(x);
  const auto bits = std::bit_cast<std::int32_t>(f);
  const std::int32_t above = static_cast<double>(f) > x ? 1 : 0;
  return std::bit_cast<float>(bits + (bits < 0 ? above : -above));
}
float plain_float_up(double x) { return -plain_float_down(-x); }

// All of its cache lines
template <class Object>
void prefetch_object(const Object& x) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < sizeof(Object); at += kLine) prefetch(reinterpret_cast<const char*>(&x) + at);
}

// Whether the shapes touch: what intersects() says, which is asked where the points leave a doubt
template <int D>
bool pieces_touch(const ShapeOf<D>& a, const ShapeOf<D>& b, const Placement<D>& a_from_b, double margin,
                  std::span<const PieceManifold<D>> pieces) {
  // Two half-spaces meet nowhere in particular
  if (pieces.empty()) return !a.is_bounded() && !b.is_bounded() && intersects(a, b, a_from_b);
  if (margin == 0) return true;
  // Depths of parts are those along the normal of each patch
  if (!a.is_convex() || !b.is_convex()) return intersects(a, b, a_from_b);
  double least = std::numeric_limits<double>::infinity(), size = max_abs(a_from_b.translation);
  for (const PieceManifold<D>& piece : pieces)
    for (int k = 0; k < piece.manifold.count; ++k) {
      least = std::min(least, piece.manifold.points[static_cast<std::size_t>(k)].separation);
      size = std::max(size, max_abs(piece.manifold.points[static_cast<std::size_t>(k)].position));
    }
  return std::fabs(least) > kTouchDoubt * size ? least < 0 : intersects(a, b, a_from_b);
}

}  // namespace

template <int D>
Result<void> Scene<D>::update(RestListener* listener) {
  const auto stages = [&]() -> Result<void> {
    if (const auto r = begin_update(listener, true); !r) return r;
    if (const auto r = find_pairs(); !r) return r;
    if (const auto r = compare_pairs(); !r) return r;
    if (const auto r = find_contacts(); !r) return r;
    return match_points();
  };
  const auto done = stages();
  if (!done) {
    // What it found so far is not shown: the next update begins from what was told
    if (progress_ == 4) put_caches_back();
    forget_changes();
    progress_ = 0;
  }
  return done;
}

template <int D>
Result<void> Scene<D>::update_boxes() {
  stir_all();
  return begin_update(nullptr, false);
}

template <int D>
Result<void> Scene<D>::begin_update(RestListener* listener, bool park) {
  if (progress_ == 4) put_caches_back();
  progress_ = 0;
  stats_ = {};
  const StageTimer timer(stats_, Stage::boxes);
  if (const auto r = arrange(listener, park); !r) return r;
  if (const auto r = move_boxes(); !r) return r;
  next_seen_ = changes_;
  progress_ = 1;
  return {};
}

template <int D>
Result<void> Scene<D>::move_boxes() {
  if (queue_.empty()) return {};
  return guarded([&]() -> Result<void> {
    // When nearly all moved, all rows at once are sooner done than one after another; but fixed ones are not to seem moved
    const std::size_t count = store_.size();
    const bool all = store_.ids_are_rows() && store_.id_limit() == count && store_.fixed_count() == 0 &&
                     8 * queue_.size() >= 7 * count;
    const std::size_t boxes = all ? count : queue_.size();
    rows_.resize(boxes * 2 * D);
    parallel_for(*executor_, boxes, kBoxesPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t index = all ? static_cast<std::uint32_t>(i) : queue_[i];
        if (!objects_[index].used) continue;
        const Aabb<D, double> box = box_of(index);
        float* row = rows_.data() + i * 2 * D;
        for (int k = 0; k < D; ++k) {
          row[k] = plain_float_down(box.lo[k]);
          row[D + k] = plain_float_up(box.hi[k]);
        }
      }
    });
    if (all) {
      if (const auto r = store_.assign(std::span<const float>(rows_), *executor_); !r) return r;
    } else {
      for (std::size_t i = 0; i < boxes; ++i) {
        const std::uint32_t index = queue_[i];
        if (!objects_[index].used) continue;
        const float* row = rows_.data() + i * 2 * D;
        Aabb<D, float> box;
        for (int k = 0; k < D; ++k) {
          box.lo[k] = row[k];
          box.hi[k] = row[D + k];
        }
        const auto r = objects_[index].jumps ? store_.teleport(index, box) : store_.move(index, box);
        if (!r) return r;
      }
    }
    for (const std::uint32_t index : queue_) objects_[index].queued = objects_[index].jumps = false;
    queue_.clear();
    return {};
  });
}

template <int D>
void Scene<D>::forget_changes() noexcept {
  pair_begin_.clear();
  pair_stay_.clear();
  pair_end_.clear();
  touch_begin_.clear();
  touch_stay_.clear();
  touch_end_.clear();
  removed_points_.clear();
  pairs_compared_ = touching_known_ = whole_.made = false;
}

template <int D>
Result<void> Scene<D>::find_pairs() {
  if (progress_ != 1) return out_of_order();
  const StageTimer timer(stats_, Stage::pairs);
  if (const auto r = broadphase_->update(store_); !r) return r;
  const auto found = broadphase_->pairs(store_);
  if (!found) return found.error();
  return guarded([&]() -> Result<void> {
    next_.clear();
    if (unparked_fixed_ == 0) {
      next_.pairs.assign(found->begin(), found->end());
    } else {
      // What is fixed but not parked meets what is fixed
      next_.pairs.reserve(found->size());
      for (const IdPair pair : *found)
        if (!(objects_[pair.lo].fixed && objects_[pair.hi].fixed)) next_.pairs.push_back(pair);
    }
    if (next_.membership != membership_ || next_.generations.size() != alive_.size())
      next_.generations.assign(alive_.begin(), alive_.end());
    next_.membership = membership_;
    next_.seen = next_seen_;
    forget_changes();
    stats_.pairs = next_.pairs.size() + rest_.size();
    stats_.search = broadphase_->counters();
    progress_ = 2;
    return {};
  });
}

template <int D>
Result<void> Scene<D>::compare_pairs() {
  if (progress_ != 2) return out_of_order();
  if (next_.membership != membership_) return objects_changed();
  const StageTimer timer(stats_, Stage::events);
  const auto result = guarded([&]() -> Result<void> {
    pair_begin_.clear();
    pair_stay_.clear();
    pair_end_.clear();
    const std::vector<IdPair>&old_pairs = told_.pairs, &new_pairs = next_.pairs;
    before_.resize(new_pairs.size());
    after_.resize(old_pairs.size());
    next_.cache.resize(new_pairs.size());
    pair_stay_.reserve(std::min(old_pairs.size(), new_pairs.size()));
    // Slots that an update took and did not come to its end are free again
    caches_.resize(caches_told_);
    free_caches_left_ = free_caches_.size();

    const bool same_objects = told_.membership == next_.membership;
    const auto same = [&](std::uint32_t index) { return told_.generations[index] == next_.generations[index]; };
    const auto event = [](const Frame& frame, IdPair pair) {
      return SceneEvent<D>{{pair.lo, frame.generations[pair.lo]}, {pair.hi, frame.generations[pair.hi]}};
    };
    const auto begins = [&](std::size_t j) {
      before_[j] = kNoIndex;
      pair_begin_.push_back(event(next_, new_pairs[j]));
      next_.cache[j] = kNoIndex;
      if (!wants_cache(objects_[new_pairs[j].lo].shape, objects_[new_pairs[j].hi].shape)) return;
      if (free_caches_left_ > 0) {
        next_.cache[j] = free_caches_[--free_caches_left_];
        caches_[next_.cache[j]] = {};
      } else {
        next_.cache[j] = static_cast<std::uint32_t>(caches_.size());
        caches_.emplace_back();
      }
    };
    const auto ends = [&](std::size_t i) {
      after_[i] = kNoIndex;
      pair_end_.push_back(event(told_, old_pairs[i]));
    };
    std::size_t i = 0, j = 0;
    while (i < old_pairs.size() && j < new_pairs.size()) {
      if (old_pairs[i] < new_pairs[j]) {
        ends(i++);
      } else if (new_pairs[j] < old_pairs[i]) {
        begins(j++);
      } else {
        if (same_objects || (same(new_pairs[j].lo) && same(new_pairs[j].hi))) {
          before_[j] = static_cast<std::uint32_t>(i);
          after_[i] = static_cast<std::uint32_t>(j);
          next_.cache[j] = told_.cache[i];
          pair_stay_.push_back(new_pairs[j]);
        } else {
          ends(i);
          begins(j);
        }
        ++i, ++j;
      }
    }
    while (i < old_pairs.size()) ends(i++);
    while (j < new_pairs.size()) begins(j++);
    // So that slots can be given back without asking for memory
    free_caches_.reserve(caches_.capacity());
    return {};
  });
  if (!result) {
    forget_changes();
    return result;
  }
  pairs_compared_ = true;
  progress_ = 3;
  return {};
}

template <int D>
Result<void> Scene<D>::find_contacts() {
  if (progress_ != 3) return out_of_order();
  if (next_.membership != membership_) return objects_changed();
  const StageTimer timer(stats_, Stage::manifolds);
  const auto result = guarded([&]() -> Result<void> {
    const std::size_t count = next_.pairs.size();
    // Those of the update before mean nothing any more, also when there is no memory for new ones
    kept_.clear();
    kept_.assign(count, 0);
    kept_caches_.resize(count);
    same_.assign(count, 0);
    next_.changes = changes_;
    next_.touching.resize(count);
    next_.first_contact.resize(count + 1);
    next_.first_contact[0] = 0;
    // With one thread there is one block, which need not be copied
    const std::size_t grain = executor_->concurrency() == 1 ? std::max<std::size_t>(count, 1) : kPairsPerTask;
    const std::size_t blocks = (count + grain - 1) / grain;
    if (blocks_.size() < blocks) blocks_.resize(blocks);
    parallel_for(*executor_, count, grain,
                 [&](std::size_t begin, std::size_t end) { contacts_of_pairs(begin, end, blocks_[begin / grain]); });
    std::size_t contacts = 0, points = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      contacts += blocks_[i].contacts.size();
      points += blocks_[i].points.size();
    }
    if (contacts + rest_.contacts() >= kNoIndex || points + rest_.points() >= kNoIndex)
      return Error{ErrorCode::too_large, Error::kNoElement, "more contacts than indices"};
    take_in_contacts(blocks);
    stats_.contacts = contacts + rest_.contacts();
    progress_ = 4;
    return {};
  });
  if (!result) put_caches_back();
  return result;
}

// What the narrow phase remembered before the update that was given up
template <int D>
void Scene<D>::put_caches_back() noexcept {
  for (std::size_t i = 0; i < kept_.size(); ++i)
    if (kept_[i] != 0) caches_[next_.cache[i]] = kept_caches_[i];
  kept_.clear();
}

// Contacts of a range of pairs; where first_contact will say where they begin, it has their number for now
template <int D>
void Scene<D>::contacts_of_pairs(std::size_t begin, std::size_t end, ContactBlock<D>& out) {
  out.contacts.clear();
  out.points.clear();
  constexpr std::size_t kAhead = 8;  // pairs; the second objects of pairs lie anywhere
  for (std::size_t i = begin; i < end; ++i) {
    if (i + 2 * kAhead < end) prefetch(&objects_[next_.pairs[i + 2 * kAhead].hi]);
    if (i + kAhead < end) {
      const IdPair ahead = next_.pairs[i + kAhead];
      if (objects_[ahead.lo].moved > told_.changes || objects_[ahead.hi].moved > told_.changes)
        prefetch_object(objects_[ahead.hi]);
    }
    const IdPair pair = next_.pairs[i];
    const SceneObject<D>&a = objects_[pair.lo], &b = objects_[pair.hi];
    const bool sensor = a.sensor || b.sensor;
    const std::size_t first = out.contacts.size();
    bool touches = false;

    const std::uint32_t before = before_[i];
    if (before != kNoIndex && a.moved <= told_.changes && b.moved <= told_.changes) {
      // Nothing moved: the same contacts again, and each point is the one that it was
      touches = told_.touching[before] != 0;
      same_[i] = 1;
      if (const auto contacts = told_.contacts_of(before); !contacts.empty()) {
        const std::uint32_t old = contacts.front().first;
        const auto at = static_cast<std::uint32_t>(out.points.size());
        for (const SceneContact<D>& contact : contacts) {
          out.contacts.push_back(contact);
          out.contacts.back().first = contact.first - old + at;
          out.contacts.back().sensor = sensor;
        }
        const auto points = told_.points_of(before);
        out.points.insert(out.points.end(), points.begin(), points.end());
        for (std::uint32_t k = 0; k < points.size(); ++k) out.points[at + k].previous = old + k;
      }
    } else {
      PairCache<D>* cache = next_.cache[i] == kNoIndex ? nullptr : &caches_[next_.cache[i]];
      if (cache != nullptr && before != kNoIndex) {
        kept_caches_[i] = *cache;
        kept_[i] = 1;
      }
      if (cache != nullptr && (is_fresh(pair.lo) || is_fresh(pair.hi))) *cache = {};
      out.pieces.clear();
      const Placement<D> a_from_b = make_placement(a.pose, b.pose);
      append_manifolds(a.shape, b.shape, a_from_b, margin_, cache, out.pieces);
      for (const PieceManifold<D>& piece : out.pieces) {
        const auto from = static_cast<std::uint32_t>(out.points.size());
        const auto count = static_cast<std::uint32_t>(piece.manifold.count);
        out.contacts.push_back(
            {pair.lo, pair.hi, piece.patch, from, count, sensor, rotate(a.pose.rotation, piece.manifold.normal)});
        for (std::uint32_t k = 0; k < count; ++k) {
          const ContactPoint<D>& p = piece.manifold.points[k];
          out.points.push_back({transform(a.pose, p.position), p.separation, p.id(), kNoIndex});
        }
      }
      touches = pieces_touch<D>(a.shape, b.shape, a_from_b, margin_, out.pieces);
    }
    next_.touching[i] = touches ? 1 : 0;
    next_.first_contact[i + 1] = static_cast<std::uint32_t>(out.contacts.size() - first);
  }
}

// The blocks in their order, as one
template <int D>
void Scene<D>::take_in_contacts(std::size_t blocks) {
  for (std::size_t i = 0; i < next_.pairs.size(); ++i) next_.first_contact[i + 1] += next_.first_contact[i];
  if (blocks <= 1) {
    next_.contacts.clear();
    next_.points.clear();
    if (blocks == 0) return;
    next_.contacts.swap(blocks_[0].contacts);
    next_.points.swap(blocks_[0].points);
    return;
  }
  std::vector<std::size_t> first_contact(blocks + 1, 0), first_point(blocks + 1, 0);
  for (std::size_t i = 0; i < blocks; ++i) {
    first_contact[i + 1] = first_contact[i] + blocks_[i].contacts.size();
    first_point[i + 1] = first_point[i] + blocks_[i].points.size();
  }
  next_.contacts.resize(first_contact.back());
  next_.points.resize(first_point.back());
  constexpr std::size_t kBlocksPerTask = 16;
  parallel_for(*executor_, blocks, kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto shift = static_cast<std::uint32_t>(first_point[i]);
      SceneContact<D>* to = next_.contacts.data() + first_contact[i];
      for (const SceneContact<D>& contact : blocks_[i].contacts) {
        *to = contact;
        to++->first += shift;
      }
      std::copy(blocks_[i].points.begin(), blocks_[i].points.end(), next_.points.data() + first_point[i]);
    }
  });
}

template <int D>
Result<void> Scene<D>::match_points() {
  if (progress_ != 4) return out_of_order();
  const StageTimer timer(stats_, Stage::matching);
  const auto result = guarded([&]() -> Result<void> {
    touch_begin_.clear();
    touch_stay_.clear();
    touch_end_.clear();
    removed_points_.clear();
    point_stays_.assign(told_.points.size(), 0);
    // Every old point belongs to one pair, so no two tasks write the same place
    parallel_for(*executor_, next_.pairs.size(), 4 * kPairsPerTask, [&](std::size_t begin, std::size_t end) {
      MatchScratch scratch;
      std::vector<std::uint32_t> previous;
      for (std::size_t i = begin; i < end; ++i)
        if (same_[i] == 0) match_pair(i, scratch, previous);
    });
    computed_pairs_ = static_cast<std::size_t>(std::count(same_.begin(), same_.end(), std::uint8_t{0}));

    const auto event = [](const Frame& frame, IdPair pair) {
      return SceneEvent<D>{{pair.lo, frame.generations[pair.lo]}, {pair.hi, frame.generations[pair.hi]}};
    };
    for (std::size_t i = 0; i < next_.pairs.size(); ++i) {
      if (next_.touching[i] == 0) continue;
      if (before_[i] != kNoIndex && told_.touching[before_[i]] != 0)
        touch_stay_.push_back(next_.pairs[i]);
      else
        touch_begin_.push_back(event(next_, next_.pairs[i]));
    }
    for (std::size_t i = 0; i < told_.pairs.size(); ++i)
      if (told_.touching[i] != 0 && (after_[i] == kNoIndex || next_.touching[after_[i]] == 0))
        touch_end_.push_back(event(told_, told_.pairs[i]));
    for (std::size_t i = 0; i < told_.pairs.size(); ++i) {
      if (after_[i] != kNoIndex && same_[after_[i]] != 0) continue;
      for (const SceneContact<D>& contact : told_.contacts_of(i))
        for (std::uint32_t k = contact.first; k < contact.first + contact.count; ++k)
          if (point_stays_[k] == 0) {
            const SceneEvent<D> of = event(told_, {contact.a, contact.b});
            const bool goes_on = after_[i] != kNoIndex && !is_fresh(contact.a) && !is_fresh(contact.b);
            removed_points_.push_back({of.a, of.b, contact.patch, k, goes_on, contact.normal, told_.points[k]});
          }
    }
    if (!rest_.empty()) {
      layout_.reserve(told_.pairs.size());
      make_room_for_whole(next_);
    }
    return {};
  });
  if (!result) {
    forget_changes();
    put_caches_back();
    progress_ = 0;
    return result;
  }
  finish_update();
  return {};
}

// The history of the points of one pair
template <int D>
void Scene<D>::match_pair(std::size_t pair, MatchScratch& scratch, std::vector<std::uint32_t>& previous) {
  const auto contacts = next_.contacts_of(pair);
  if (contacts.empty()) return;
  const std::uint32_t from = contacts.front().first, to = contacts.back().first + contacts.back().count;
  for (std::uint32_t k = from; k < to; ++k) next_.points[k].previous = kNoIndex;
  const std::uint32_t before = before_[pair];
  if (before == kNoIndex) return;
  const auto old_contacts = told_.contacts_of(before);
  if (old_contacts.empty()) return;
  const IdPair objects = next_.pairs[pair];
  if (last_fresh_ > told_.changes && (is_fresh(objects.lo) || is_fresh(objects.hi))) return;

  // Most pairs have the same points in the same order
  const std::uint32_t old_from = old_contacts.front().first;
  const std::uint32_t old_count = old_contacts.back().first + old_contacts.back().count - old_from;
  bool equal = contacts.size() == old_contacts.size() && old_count == to - from;
  for (std::size_t i = 0; equal && i < contacts.size(); ++i)
    equal = contacts[i].patch == old_contacts[i].patch && contacts[i].count == old_contacts[i].count;
  for (std::uint32_t k = 0; equal && k < old_count; ++k)
    equal = next_.points[from + k].feature == told_.points[old_from + k].feature;
  if (equal) {
    for (std::uint32_t k = 0; k < old_count; ++k) {
      next_.points[from + k].previous = old_from + k;
      point_stays_[old_from + k] = 1;
    }
    return;
  }

  const auto list = [](std::span<const SceneContact<D>> of, const std::vector<ScenePoint<D>>& points,
                       std::vector<FeatureInPatch>& out) {
    out.clear();
    for (const SceneContact<D>& contact : of)
      for (std::uint32_t k = contact.first; k < contact.first + contact.count; ++k)
        out.push_back({points[k].feature, contact.patch, k - of.front().first});
  };
  list(old_contacts, told_.points, scratch.old_points);
  list(contacts, next_.points, scratch.new_points);
  previous.resize(to - from);
  sudar::match_points(scratch, previous);
  for (std::uint32_t k = from; k < to; ++k) {
    if (previous[k - from] == kNoIndex) continue;
    next_.points[k].previous = old_from + previous[k - from];
    point_stays_[old_from + previous[k - from]] = 1;
  }
}

// What was found becomes what was told
template <int D>
void Scene<D>::finish_update() noexcept {
  free_caches_.resize(free_caches_left_);
  for (std::size_t i = 0; i < after_.size(); ++i)
    if (after_[i] == kNoIndex && told_.cache[i] != kNoIndex) free_caches_.push_back(told_.cache[i]);
  caches_told_ = caches_.size();
  layout_.clear();
  if (!rest_.empty())
    for (std::size_t i = 0; i < told_.pairs.size(); ++i)
      layout_.push_back({told_.pairs[i], static_cast<std::uint32_t>(told_.points_of(i).size())});
  for (const std::uint32_t slot : young_) rest_[slot].young = false;
  for (const std::uint32_t slot : fresh_) rest_[slot].fresh = false, rest_[slot].young = true;
  young_.swap(fresh_);
  fresh_.clear();
  std::swap(told_, next_);
  if (parked_movers_ == 0 && rest_.empty())
    std::erase_if(to_stir_, [&](std::uint32_t index) {
      SceneObject<D>& x = objects_[index];
      x.stirred = x.used && std::max(x.moved, x.refiltered) > told_.seen;
      return !x.stirred;
    });
  touching_known_ = true;
  whole_.made = false;
  progress_ = 0;
}

template <int D>
SceneEvents<D> Scene<D>::events() const noexcept {
  if (rest_.empty()) return {{pair_begin_, pair_stay_, pair_end_}, {touch_begin_, touch_stay_, touch_end_}};
  return {{pair_begin_, whole().pair_stay, pair_end_}, {touch_begin_, whole().touch_stay, touch_end_}};
}

// The members that are defined here
template SUDAR_API Result<void> Scene<2>::update(RestListener*);
template SUDAR_API Result<void> Scene<2>::begin_update(RestListener*, bool);
template SUDAR_API Result<void> Scene<2>::update_boxes();
template SUDAR_API Result<void> Scene<2>::move_boxes();
template SUDAR_API void Scene<2>::forget_changes() noexcept;
template SUDAR_API Result<void> Scene<2>::find_pairs();
template SUDAR_API Result<void> Scene<2>::compare_pairs();
template SUDAR_API Result<void> Scene<2>::find_contacts();
template SUDAR_API void Scene<2>::put_caches_back() noexcept;
template SUDAR_API void Scene<2>::contacts_of_pairs(std::size_t, std::size_t, ContactBlock<2>&);
template SUDAR_API void Scene<2>::take_in_contacts(std::size_t);
template SUDAR_API Result<void> Scene<2>::match_points();
template SUDAR_API void Scene<2>::match_pair(std::size_t, MatchScratch&, std::vector<std::uint32_t>&);
template SUDAR_API void Scene<2>::finish_update() noexcept;
template SUDAR_API SceneEvents<2> Scene<2>::events() const noexcept;
template SUDAR_API Result<void> Scene<3>::update(RestListener*);
template SUDAR_API Result<void> Scene<3>::begin_update(RestListener*, bool);
template SUDAR_API Result<void> Scene<3>::update_boxes();
template SUDAR_API Result<void> Scene<3>::move_boxes();
template SUDAR_API void Scene<3>::forget_changes() noexcept;
template SUDAR_API Result<void> Scene<3>::find_pairs();
template SUDAR_API Result<void> Scene<3>::compare_pairs();
template SUDAR_API Result<void> Scene<3>::find_contacts();
template SUDAR_API void Scene<3>::put_caches_back() noexcept;
template SUDAR_API void Scene<3>::contacts_of_pairs(std::size_t, std::size_t, ContactBlock<3>&);
template SUDAR_API void Scene<3>::take_in_contacts(std::size_t);
template SUDAR_API Result<void> Scene<3>::match_points();
template SUDAR_API void Scene<3>::match_pair(std::size_t, MatchScratch&, std::vector<std::uint32_t>&);
template SUDAR_API void Scene<3>::finish_update() noexcept;
template SUDAR_API SceneEvents<3> Scene<3>::events() const noexcept;

}  // namespace sudar

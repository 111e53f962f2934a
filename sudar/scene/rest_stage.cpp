// What:    Objects that rest: their pairs leave the update and come back. The first thing of an update.
// Source:  the sleeping sets and the static tree of Box2D 3.
// Differs: It is the owner who says what rests; the scene sees to it that nothing is missed. An object that rests, or is
//          fixed, is parked: its box is fixed for the broad phase, which therefore finds no pair of two parked objects, and
//          those that are known are kept in a store that an update does not walk. So every broad phase gains as much as it
//          gains from what is fixed. Only who is as it was when the last pairs were found is parked. A parked object that
//          changes in any way is stirred: for one update it counts as moving, with all its pairs. Results are the same bits
//          (Rest.… in the tests); what is asked for as a whole is made whole when it is asked for (scene_whole.cpp).
// Fails:   memory that runs out leaves everybody where he was, or on the way, to be taken up by the next update.
#include <sudar/scene/scene.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Parking walks along all pairs of the update once. It waits until as large a share of what moves wants to rest, or so many
// updates.
constexpr std::size_t kParkingShare = 8;
constexpr int kParkingPatience = 8;

}  // namespace

template <int D>
void Scene<D>::count_parked(const SceneObject<D>& object, bool more) noexcept {
  if (!object.used || object.fixed == object.parked) return;
  std::size_t& count = object.fixed ? unparked_fixed_ : parked_movers_;
  more ? ++count : --count;
}

template <int D>
void Scene<D>::set_parked(SceneObject<D>& object, bool parked) noexcept {
  count_parked(object, false);
  object.parked = parked;
  count_parked(object, true);
}

// make_room has seen to it that there is room for every object
template <int D>
void Scene<D>::stir(std::uint32_t index) noexcept {
  if (objects_[index].stirred) return;
  objects_[index].stirred = true;
  to_stir_.push_back(index);
}

template <int D>
void Scene<D>::stir_all() noexcept {
  if (parked_movers_ == 0) return;
  for (std::uint32_t i = 0; i < objects_.size(); ++i)
    if (objects_[i].parked && !objects_[i].fixed) stir(i);
}

template <int D>
void Scene<D>::wait_to_rest(std::uint32_t index) noexcept {
  if (objects_[index].waits) return;
  objects_[index].waits = true;
  to_rest_.push_back(index);
}

template <int D>
Result<void> Scene<D>::set_resting(Id id, bool resting) {
  if (!contains(id)) return Error{ErrorCode::unknown_id, id.index, "no such object"};
  SceneObject<D>& x = objects_[id.index];
  if (x.resting == resting) return {};
  x.resting = resting;
  if (x.fixed) return {};
  if (x.parked) stir(id.index);
  if (resting) wait_to_rest(id.index);
  return {};
}

template <int D>
void Scene<D>::set_pair_callback(const PairCallback& callback) noexcept {
  stir_all();
  callback_ = callback;
  callback_changed_ = ++changes_;
  store_.set_pair_callback(callback);
}

// Of those that wait, the ones whose pairs are known, when they are enough
template <int D>
void Scene<D>::choose_parked() {
  parking_.clear();
  patience_ = to_rest_.empty() ? 0 : patience_ + 1;
  if (to_rest_.empty() || callback_changed_ > told_.seen) return;
  const std::size_t moving = store_.size() - store_.fixed_count();
  if (to_rest_.size() * kParkingShare < moving && patience_ < kParkingPatience) return;
  for (const std::uint32_t index : to_rest_) {
    const SceneObject<D>& x = objects_[index];
    if (is_still(x) && !x.parked && !x.stirred && std::max(x.moved, x.refiltered) <= told_.seen)
      parking_.push_back(index);
  }
}

template <int D>
Result<void> Scene<D>::arrange(RestListener* listener, bool park) {
  if (to_stir_.empty() && to_rest_.empty() && !file_due_) return {};
  return guarded([&]() -> Result<void> {
    parking_.clear();
    if (park) choose_parked();
    const bool any = parked_movers_ > 0 || !rest_.empty() || !parking_.empty();
    // Where nothing rests, what is fixed may change as it likes, and is not to be parked anew before an update has seen it
    if (!any) return {};
    for (const std::uint32_t index : to_stir_) {
      if (!objects_[index].used || !objects_[index].parked) continue;
      if (const auto r = store_.set_motion(index, Motion::moving); !r) return r;
      set_parked(objects_[index], false);
    }
    for (const std::uint32_t index : parking_) {
      if (const auto r = store_.set_motion(index, Motion::fixed); !r) return r;
      set_parked(objects_[index], true);
      file_due_ = true;
      patience_ = 0;
    }
    exchange(listener, true);
    for (const std::uint32_t index : to_stir_) {
      objects_[index].stirred = false;
      if (is_still(objects_[index]) && !objects_[index].parked) wait_to_rest(index);
    }
    to_stir_.clear();
    std::erase_if(to_rest_, [&](std::uint32_t index) {
      SceneObject<D>& x = objects_[index];
      x.waits = is_still(x) && !x.parked;
      return !x.waits;
    });
    return {};
  });
}

template <int D>
Result<bool> Scene<D>::pull_stirred(RestListener* listener) {
  if (to_stir_.empty() || rest_.empty()) return false;
  return guarded([&]() -> Result<bool> {
    exchange(listener, false);
    return !pulled_.empty();
  });
}

// Pairs of what is stirred come back into the last results, where they would be had they never left; those of two parked
// objects go to the store
template <int D>
void Scene<D>::exchange(RestListener* listener, bool file) {
  pulled_.clear();
  for (const std::uint32_t index : to_stir_)
    rest_.for_each_of(index, [&](std::uint32_t slot) { pulled_.push_back(slot); });
  std::sort(pulled_.begin(), pulled_.end(), [&](auto a, auto b) { return rest_[a].pair < rest_[b].pair; });
  pulled_.erase(std::unique(pulled_.begin(), pulled_.end()), pulled_.end());
  filed_.clear();
  std::size_t contacts = 0, points = 0;
  if (file && file_due_)
    for (std::size_t i = 0; i < told_.pairs.size(); ++i) {
      if (!objects_[told_.pairs[i].lo].parked || !objects_[told_.pairs[i].hi].parked) continue;
      filed_.push_back(static_cast<std::uint32_t>(i));
      contacts += told_.contacts_of(i).size();
      points += told_.points_of(i).size();
    }
  if (!pulled_.empty() || !filed_.empty()) {
    rest_.make_room(objects_.size(), filed_.size(), contacts, points);
    fresh_.reserve(fresh_.size() + filed_.size());
    filed_slots_.reserve(filed_.size());
    merge_pulled(points);
    make_room_for_whole(next_);
    // Nothing below fails but the listener
    filed_slots_.clear();
    for (const std::uint32_t i : filed_) {
      const std::uint32_t slot = rest_.put(told_, i);
      filed_slots_.push_back(slot);
      if (rest_[slot].points > 0)
        moves_.push_back(
            {told_.contacts_of(i).front().first, rest_[slot].first_point, rest_[slot].points, false, true});
    }
    try {
      if (listener != nullptr) listener->prepare(moves_, next_.points.size(), rest_.point_limit());
    } catch (...) {
      for (const std::uint32_t slot : filed_slots_) rest_.drop(slot);
      throw;
    }
    commit_exchange(listener);
  }
  file_due_ = file_due_ && !file;
}

// The last results without what is filed and with what is pulled, into `next_`
template <int D>
void Scene<D>::merge_pulled(std::size_t filed_points) {
  std::size_t contacts = told_.contacts.size(), points = told_.points.size() - filed_points;
  std::size_t stays = 0;
  for (const std::uint32_t slot : pulled_) {
    contacts += rest_[slot].contacts;
    points += rest_[slot].points;
    stays += rest_[slot].fresh ? 0 : 1;
  }
  const std::size_t pairs = told_.pairs.size() - filed_.size() + pulled_.size();
  next_.clear();
  next_.pairs.reserve(pairs);
  next_.cache.reserve(pairs);
  next_.touching.reserve(pairs);
  next_.first_contact.reserve(pairs + 1);
  next_.contacts.reserve(contacts);
  next_.points.reserve(points);
  layout_.reserve(layout_.size() + stays);
  pair_stay_.reserve(pair_stay_.size() + stays);
  touch_stay_.reserve(touch_stay_.size() + stays);
  moves_.clear();
  next_.first_contact.push_back(0);

  std::uint32_t pulled_points = 0;  // that were there in the update before, too
  const auto add = [&](IdPair pair, std::uint32_t cache, bool touching, std::span<const SceneContact<D>> from,
                       std::span<const ScenePoint<D>> its, bool rests) {
    next_.pairs.push_back(pair);
    next_.cache.push_back(cache);
    next_.touching.push_back(touching ? 1 : 0);
    if (!from.empty()) {
      const std::uint32_t first = from.front().first, at = static_cast<std::uint32_t>(next_.points.size());
      for (const SceneContact<D>& contact : from) {
        next_.contacts.push_back(contact);
        next_.contacts.back().first = contact.first - first + at;
      }
      next_.points.insert(next_.points.end(), its.begin(), its.end());
      const auto count = static_cast<std::uint32_t>(its.size());
      if (!moves_.empty() && moves_.back().from_rest == rests && moves_.back().from + moves_.back().count == first)
        moves_.back().count += count;
      else
        moves_.push_back({first, at, count, rests, false});
    }
    next_.first_contact.push_back(static_cast<std::uint32_t>(next_.contacts.size()));
  };
  const auto move_previous = [&](std::size_t from, std::uint32_t by) {
    for (std::size_t k = from; k < next_.points.size(); ++k)
      if (next_.points[k].previous != kNoIndex) next_.points[k].previous += by;
  };
  std::size_t filed = 0, before = 0;
  std::uint32_t layout_points = 0;
  const auto pull = [&](const RestPair& rest) {
    const std::size_t at = next_.points.size();
    add(rest.pair, rest.cache, rest.touching, rest_.contacts_of(rest), rest_.points_of(rest), true);
    if (rest.fresh) return move_previous(at, pulled_points);
    for (; before < layout_.size() && layout_[before].pair < rest.pair; ++before)
      layout_points += layout_[before].points;
    for (std::size_t k = at; k < next_.points.size(); ++k)
      next_.points[k].previous = layout_points + pulled_points + static_cast<std::uint32_t>(k - at);
    pulled_points += rest.points;
  };
  std::size_t k = 0;
  for (std::size_t i = 0; i < told_.pairs.size(); ++i) {
    for (; k < pulled_.size() && rest_[pulled_[k]].pair < told_.pairs[i]; ++k) pull(rest_[pulled_[k]]);
    if (filed < filed_.size() && filed_[filed] == i) {
      ++filed;
      continue;
    }
    const std::size_t at = next_.points.size();
    add(told_.pairs[i], told_.cache[i], told_.touching[i] != 0, told_.contacts_of(i), told_.points_of(i), false);
    if (pulled_points > 0) move_previous(at, pulled_points);
  }
  for (; k < pulled_.size(); ++k) pull(rest_[pulled_[k]]);
  moves_.reserve(moves_.size() + filed_.size());
}

template <int D>
void Scene<D>::commit_exchange(RestListener* listener) noexcept {
  if (listener != nullptr) listener->commit();
  // Points that were pulled from in front of a pair: of the update before, or of the one before that
  const auto pulled_before = [&](IdPair pair, bool before_that) {
    std::uint32_t points = 0;
    for (const std::uint32_t slot : pulled_) {
      const RestPair& rest = rest_[slot];
      if (!(rest.pair < pair)) break;
      points += rest.fresh || (before_that && rest.young) ? 0 : rest.points;
    }
    return points;
  };
  const auto move_on = [](std::uint32_t& place, std::uint32_t by) {
    if (place != kNoIndex) place += by;
  };
  fresh_.insert(fresh_.end(), filed_slots_.begin(), filed_slots_.end());
  if (!pulled_.empty()) {
    for (auto* slots : {&fresh_, &young_})
      std::erase_if(*slots, [&](std::uint32_t slot) {
        return std::binary_search(pulled_.begin(), pulled_.end(), slot,
                                  [&](auto a, auto b) { return rest_[a].pair < rest_[b].pair; });
      });
    for (const std::uint32_t slot : fresh_)
      for (ScenePoint<D>& point : rest_.points_of(rest_[slot]))
        move_on(point.previous, pulled_before(rest_[slot].pair, false));
    for (RemovedPoint<D>& point : removed_points_) {
      const IdPair pair{point.a.index, point.b.index};
      point.index += pulled_before(pair, false);
      move_on(point.point.previous, pulled_before(pair, true));
    }
    // They stayed, from the update before to the last
    const std::size_t layout = layout_.size(), pairs = pair_stay_.size(), touching = touch_stay_.size();
    for (const std::uint32_t slot : pulled_) {
      if (rest_[slot].fresh) continue;
      layout_.push_back({rest_[slot].pair, rest_[slot].points});
      if (pairs_compared_) pair_stay_.push_back(rest_[slot].pair);
      if (touching_known_ && rest_[slot].touching) touch_stay_.push_back(rest_[slot].pair);
    }
    const auto at = [](auto& list, std::size_t place) { return list.begin() + static_cast<std::ptrdiff_t>(place); };
    std::inplace_merge(layout_.begin(), at(layout_, layout), layout_.end(),
                       [](const auto& a, const auto& b) { return a.pair < b.pair; });
    std::inplace_merge(pair_stay_.begin(), at(pair_stay_, pairs), pair_stay_.end());
    std::inplace_merge(touch_stay_.begin(), at(touch_stay_, touching), touch_stay_.end());
    for (const std::uint32_t slot : pulled_) rest_.drop(slot);
  }
  std::swap(next_.generations, told_.generations);
  std::swap(next_.membership, told_.membership);
  std::swap(next_.changes, told_.changes);
  std::swap(next_.seen, told_.seen);
  std::swap(next_, told_);
  whole_.made = false;
  if (progress_ > 1) progress_ = 0;
}

template SUDAR_API void Scene<2>::count_parked(const SceneObject<2>&, bool) noexcept;
template SUDAR_API void Scene<2>::set_parked(SceneObject<2>&, bool) noexcept;
template SUDAR_API void Scene<2>::stir(std::uint32_t) noexcept;
template SUDAR_API void Scene<2>::stir_all() noexcept;
template SUDAR_API void Scene<2>::wait_to_rest(std::uint32_t) noexcept;
template SUDAR_API Result<void> Scene<2>::set_resting(ObjectId<2>, bool);
template SUDAR_API void Scene<2>::set_pair_callback(const PairCallback&) noexcept;
template SUDAR_API void Scene<2>::choose_parked();
template SUDAR_API Result<void> Scene<2>::arrange(RestListener*, bool);
template SUDAR_API Result<bool> Scene<2>::pull_stirred(RestListener*);
template SUDAR_API void Scene<2>::exchange(RestListener*, bool);
template SUDAR_API void Scene<2>::merge_pulled(std::size_t);
template SUDAR_API void Scene<2>::commit_exchange(RestListener*) noexcept;
template SUDAR_API void Scene<3>::count_parked(const SceneObject<3>&, bool) noexcept;
template SUDAR_API void Scene<3>::set_parked(SceneObject<3>&, bool) noexcept;
template SUDAR_API void Scene<3>::stir(std::uint32_t) noexcept;
template SUDAR_API void Scene<3>::stir_all() noexcept;
template SUDAR_API void Scene<3>::wait_to_rest(std::uint32_t) noexcept;
template SUDAR_API Result<void> Scene<3>::set_resting(ObjectId<3>, bool);
template SUDAR_API void Scene<3>::set_pair_callback(const PairCallback&) noexcept;
template SUDAR_API void Scene<3>::choose_parked();
template SUDAR_API Result<void> Scene<3>::arrange(RestListener*, bool);
template SUDAR_API Result<bool> Scene<3>::pull_stirred(RestListener*);
template SUDAR_API void Scene<3>::exchange(RestListener*, bool);
template SUDAR_API void Scene<3>::merge_pulled(std::size_t);
template SUDAR_API void Scene<3>::commit_exchange(RestListener*) noexcept;

}  // namespace sudar

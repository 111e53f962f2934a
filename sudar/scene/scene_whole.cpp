// What:    The results of the last update as one, what rests among the others: made when somebody asks for them.
// Differs: The room is found when pairs come and go, so that asking cannot fail. Places of points in the update before are
//          those that they have among all points of it.
#include <sudar/scene/scene.hpp>

#include <algorithm>

namespace sudar {

// `live`: what will be the last results but for what rests
template <int D>
void Scene<D>::make_room_for_whole(const Frame& live) {
  const auto reserve = [](auto& list, std::size_t count) {
    if (count <= list.capacity()) return;
    list.clear();
    list.reserve(std::max(count, list.capacity() + list.capacity() / 2));
  };
  whole_.made = false;
  Frame& frame = whole_.frame;
  // Pairs that are filed are in both for now
  const std::size_t pairs = live.pairs.size() + rest_.size() + filed_.size();
  const std::size_t points = live.points.size() + rest_.points() + told_.points.size();
  const std::size_t contacts = live.contacts.size() + rest_.contacts() + told_.contacts.size();
  reserve(frame.pairs, pairs);
  reserve(frame.cache, pairs);
  reserve(frame.touching, pairs);
  reserve(frame.first_contact, pairs + 1);
  reserve(frame.contacts, contacts);
  reserve(frame.points, points);
  reserve(whole_.sources, pairs);
  reserve(whole_.order, pairs);
  reserve(whole_.pair_stay, pair_stay_.size() + pairs);
  reserve(whole_.touch_stay, touch_stay_.size() + pairs);
  reserve(whole_.removed_points, removed_points_.size());
}

template <int D>
const WholeScene<D>& Scene<D>::whole() const noexcept {
  if (!whole_.made) make_whole();
  return whole_;
}

template <int D>
void Scene<D>::make_whole() const noexcept {
  Frame& frame = whole_.frame;
  frame.clear();
  whole_.sources.clear();
  whole_.order.clear();
  for (std::uint32_t slot = 0; slot < rest_.slot_limit(); ++slot)
    if (rest_[slot].used) whole_.order.push_back(slot);
  std::sort(whole_.order.begin(), whole_.order.end(), [&](auto a, auto b) { return rest_[a].pair < rest_[b].pair; });

  // Of the update before: points of pairs before this one that rested and that did not
  std::uint32_t rested = 0, others = 0;
  std::size_t rest_at = 0, layout_at = 0;
  const auto come_to = [&](IdPair pair) {
    for (; rest_at < whole_.order.size() && rest_[whole_.order[rest_at]].pair < pair; ++rest_at)
      rested += rest_[whole_.order[rest_at]].fresh ? 0 : rest_[whole_.order[rest_at]].points;
    for (; layout_at < layout_.size() && layout_[layout_at].pair < pair; ++layout_at)
      others += layout_[layout_at].points;
  };
  frame.first_contact.push_back(0);
  const auto add = [&](IdPair pair, std::uint32_t cache, bool touching, std::span<const SceneContact<D>> contacts,
                       std::span<const ScenePoint<D>> points, bool rests, bool known) {
    come_to(pair);
    frame.pairs.push_back(pair);
    frame.cache.push_back(cache);
    frame.touching.push_back(touching ? 1 : 0);
    const std::uint32_t at = static_cast<std::uint32_t>(frame.points.size());
    const std::uint32_t first = contacts.empty() ? 0 : contacts.front().first;
    for (const SceneContact<D>& contact : contacts) {
      frame.contacts.push_back(contact);
      frame.contacts.back().first = contact.first - first + at;
    }
    std::uint32_t own = rested + others;
    for (ScenePoint<D> point : points) {
      if (known)
        point.previous = own++;
      else if (point.previous != kNoIndex)
        point.previous += rested;
      frame.points.push_back(point);
    }
    frame.first_contact.push_back(static_cast<std::uint32_t>(frame.contacts.size()));
    whole_.sources.push_back({first, static_cast<std::uint32_t>(points.size()), rests});
  };
  const auto add_rest = [&](std::uint32_t slot) {
    const RestPair& rest = rest_[slot];
    add(rest.pair, rest.cache, rest.touching, rest_.contacts_of(rest), rest_.points_of(rest), true, !rest.fresh);
  };
  std::size_t k = 0;
  for (std::size_t i = 0; i < told_.pairs.size(); ++i) {
    for (; k < whole_.order.size() && rest_[whole_.order[k]].pair < told_.pairs[i]; ++k) add_rest(whole_.order[k]);
    add(told_.pairs[i], told_.cache[i], told_.touching[i] != 0, told_.contacts_of(i), told_.points_of(i), false, false);
  }
  for (; k < whole_.order.size(); ++k) add_rest(whole_.order[k]);

  // What rests stays; what came to rest after the last update is among its events already
  const auto merge_stay = [&](const std::vector<IdPair>& live, std::vector<IdPair>& out, bool known, bool touching) {
    out.clear();
    std::size_t i = 0;
    if (known)
      for (const std::uint32_t slot : whole_.order) {
        const RestPair& rest = rest_[slot];
        if (rest.fresh || (touching && !rest.touching)) continue;
        for (; i < live.size() && live[i] < rest.pair; ++i) out.push_back(live[i]);
        out.push_back(rest.pair);
      }
    for (; i < live.size(); ++i) out.push_back(live[i]);
  };
  merge_stay(pair_stay_, whole_.pair_stay, pairs_compared_, false);
  merge_stay(touch_stay_, whole_.touch_stay, touching_known_, true);
  // Points that were removed say which ones they were, in the update before
  whole_.removed_points.clear();
  std::uint32_t before_that = 0;
  rested = 0;
  rest_at = 0;
  for (RemovedPoint<D> point : removed_points_) {
    const IdPair pair{point.a.index, point.b.index};
    for (; rest_at < whole_.order.size() && rest_[whole_.order[rest_at]].pair < pair; ++rest_at) {
      const RestPair& rest = rest_[whole_.order[rest_at]];
      rested += rest.fresh ? 0 : rest.points;
      before_that += rest.fresh || rest.young ? 0 : rest.points;
    }
    point.index += rested;
    if (point.point.previous != kNoIndex) point.point.previous += before_that;
    whole_.removed_points.push_back(point);
  }
  whole_.made = true;
}

template SUDAR_API void Scene<2>::make_room_for_whole(const Frame&);
template SUDAR_API const WholeScene<2>& Scene<2>::whole() const noexcept;
template SUDAR_API void Scene<2>::make_whole() const noexcept;
template SUDAR_API void Scene<3>::make_room_for_whole(const Frame&);
template SUDAR_API const WholeScene<3>& Scene<3>::whole() const noexcept;
template SUDAR_API void Scene<3>::make_whole() const noexcept;

}  // namespace sudar

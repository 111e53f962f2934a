// What:    See rest_store.hpp.
#include <sudar/scene/rest_store.hpp>

#include <algorithm>

namespace sudar {

template <int D>
void RestStore<D>::make_room(std::size_t objects, std::size_t pairs, std::size_t contacts, std::size_t points) {
  const auto reserve = [](auto& list, std::size_t count) {
    if (count > list.capacity()) list.reserve(std::max(count, 2 * list.capacity()));
  };
  reserve(pairs_, pairs_.size() + pairs);
  reserve(heads_, objects);
  contacts_.make_room(contacts);
  points_.make_room(points);
  if (heads_.size() < objects) heads_.resize(objects, kNoIndex);
}

template <int D>
std::uint32_t RestStore<D>::put(const SceneFrame<D>& frame, std::size_t pair) noexcept {
  std::uint32_t slot = free_;
  if (slot != kNoIndex) {
    free_ = pairs_[slot].next[0];
  } else {
    slot = static_cast<std::uint32_t>(pairs_.size());
    pairs_.emplace_back();
  }
  const auto contacts = frame.contacts_of(pair);
  const auto points = frame.points_of(pair);
  RestPair& own = pairs_[slot];
  own = {};
  own.pair = frame.pairs[pair];
  own.cache = frame.cache[pair];
  own.touching = frame.touching[pair] != 0;
  own.fresh = own.used = true;
  own.contacts = static_cast<std::uint32_t>(contacts.size());
  own.points = static_cast<std::uint32_t>(points.size());
  own.first_contact = contacts_.take(own.contacts);
  own.first_point = points_.take(own.points);
  std::copy(points.begin(), points.end(), points_.run(own.first_point, own.points).begin());
  const auto kept = contacts_.run(own.first_contact, own.contacts);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    kept[i] = contacts[i];
    kept[i].first = contacts[i].first - contacts.front().first + own.first_point;
  }
  const std::array<std::uint32_t, 2> objects{own.pair.lo, own.pair.hi};
  for (std::size_t side = 0; side < 2; ++side) {
    std::uint32_t& head = heads_[objects[side]];
    own.next[side] = head;
    if (head != kNoIndex) pairs_[head].previous[side_of(head, objects[side])] = slot;
    head = slot;
  }
  ++count_;
  contact_count_ += own.contacts;
  point_count_ += own.points;
  return slot;
}

template <int D>
void RestStore<D>::drop(std::uint32_t slot) noexcept {
  RestPair& own = pairs_[slot];
  SUDAR_ASSERT(own.used);
  const std::array<std::uint32_t, 2> objects{own.pair.lo, own.pair.hi};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::uint32_t before = own.previous[side], after = own.next[side];
    if (before == kNoIndex)
      heads_[objects[side]] = after;
    else
      pairs_[before].next[side_of(before, objects[side])] = after;
    if (after != kNoIndex) pairs_[after].previous[side_of(after, objects[side])] = before;
  }
  contacts_.give_back(own.first_contact, own.contacts);
  points_.give_back(own.first_point, own.points);
  --count_;
  contact_count_ -= own.contacts;
  point_count_ -= own.points;
  own.used = false;
  own.next[0] = free_;
  free_ = slot;
}

template class RestStore<2>;
template class RestStore<3>;

}  // namespace sudar

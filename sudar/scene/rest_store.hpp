// What:    Pairs of two objects that rest, with their contacts and points, in places that stay the same while they rest. A
//          detail of Scene.
// Differs: An update does not walk it. Who is stirred finds its own pairs along a list of its own, so what comes and goes
//          costs as much as it is. Places of pairs, contacts and points that became free are linked by length and given out
//          again; nothing is moved.
// Fails:   make_room() throws bad_alloc and changes nothing that is kept; the others cannot fail after it.
#pragma once

#include <sudar/scene/scene_frame.hpp>

#include <array>
#include <bit>

namespace sudar {

// Runs of places in a list, given out again by length: up to kExact as they are, longer ones rounded up to powers of two.
// The list itself holds the links of the free ones: `Link` says where in an element.
template <class T, auto Link>
class RunPool {
 public:
  // For so many elements more, however they are cut into runs
  void make_room(std::size_t elements) {
    const std::size_t wanted = items_.size() + 2 * elements;
    if (wanted > items_.capacity()) items_.reserve(wanted < 2 * items_.capacity() ? 2 * items_.capacity() : wanted);
  }
  std::uint32_t take(std::uint32_t count) noexcept {
    if (count == 0) return 0;
    std::uint32_t& head = free_[class_of(count)];
    if (head != kNoIndex) {
      const std::uint32_t first = head;
      head = items_[first].*Link;
      return first;
    }
    const auto first = static_cast<std::uint32_t>(items_.size());
    items_.resize(items_.size() + length_of(count));
    return first;
  }
  void give_back(std::uint32_t first, std::uint32_t count) noexcept {
    if (count == 0) return;
    std::uint32_t& head = free_[class_of(count)];
    items_[first].*Link = head;
    head = first;
  }
  std::span<T> run(std::uint32_t first, std::uint32_t count) noexcept {
    return std::span(items_).subspan(first, count);
  }
  std::span<const T> run(std::uint32_t first, std::uint32_t count) const noexcept {
    return std::span(items_).subspan(first, count);
  }
  // All places are below this
  std::size_t limit() const noexcept { return items_.size(); }
  std::size_t bytes() const noexcept { return items_.capacity() * sizeof(T); }

 private:
  static constexpr std::uint32_t kExact = 16;
  static std::size_t length_of(std::uint32_t count) noexcept {
    return count <= kExact ? count : std::bit_ceil(std::size_t{count});
  }
  static std::size_t class_of(std::uint32_t count) noexcept {
    return count <= kExact ? count : kExact + static_cast<std::size_t>(std::bit_width(count - 1));
  }
  static constexpr std::array<std::uint32_t, kExact + 33> all_empty() {
    std::array<std::uint32_t, kExact + 33> out{};
    out.fill(kNoIndex);
    return out;
  }

  std::vector<T> items_;
  std::array<std::uint32_t, kExact + 33> free_ = all_empty();
};

struct RestPair {
  IdPair pair{};
  std::uint32_t cache = kNoIndex;
  std::uint32_t first_contact = 0, contacts = 0, first_point = 0, points = 0;
  bool touching = false;
  // Put here after the last update: its points still say which ones they were in the update before that, among those of
  // pairs that did not rest then. Of the others, each point is the one that it was.
  bool fresh = false;
  bool young = false;  // put here before the last update, and after the one before that
  bool used = false;
  std::array<std::uint32_t, 2> next{kNoIndex, kNoIndex}, previous{kNoIndex, kNoIndex};  // along the lists of the two
};

template <int D>
class RestStore {
 public:
  bool empty() const noexcept { return count_ == 0; }
  std::size_t size() const noexcept { return count_; }
  std::size_t contacts() const noexcept { return contact_count_; }
  std::size_t points() const noexcept { return point_count_; }
  std::size_t slot_limit() const noexcept { return pairs_.size(); }
  std::size_t point_limit() const noexcept { return points_.limit(); }

  // For objects below `objects`, and so many pairs, contacts and points more
  void make_room(std::size_t objects, std::size_t pairs, std::size_t contacts, std::size_t points);
  // A copy of a pair of the frame; its slot
  std::uint32_t put(const SceneFrame<D>& frame, std::size_t pair) noexcept;
  void drop(std::uint32_t slot) noexcept;

  const RestPair& operator[](std::uint32_t slot) const noexcept { return pairs_[slot]; }
  RestPair& operator[](std::uint32_t slot) noexcept { return pairs_[slot]; }
  // `first` of a contact is a place among the points of the store
  std::span<const SceneContact<D>> contacts_of(const RestPair& pair) const noexcept {
    return contacts_.run(pair.first_contact, pair.contacts);
  }
  std::span<const ScenePoint<D>> points_of(const RestPair& pair) const noexcept {
    return points_.run(pair.first_point, pair.points);
  }
  std::span<ScenePoint<D>> points_of(const RestPair& pair) noexcept {
    return points_.run(pair.first_point, pair.points);
  }
  // Calls f(slot) for every pair of an object; f may not change the store
  template <class F>
  void for_each_of(std::uint32_t object, F&& f) const {
    if (object >= heads_.size()) return;
    for (std::uint32_t slot = heads_[object]; slot != kNoIndex;) {
      const std::uint32_t next = pairs_[slot].next[side_of(slot, object)];
      f(slot);
      slot = next;
    }
  }
  std::size_t bytes() const noexcept {
    return pairs_.capacity() * sizeof(RestPair) + heads_.capacity() * sizeof(std::uint32_t) + contacts_.bytes() +
           points_.bytes();
  }

 private:
  std::size_t side_of(std::uint32_t slot, std::uint32_t object) const noexcept {
    return pairs_[slot].pair.lo == object ? 0 : 1;
  }

  std::vector<RestPair> pairs_;
  std::uint32_t free_ = kNoIndex;     // along next[0]
  std::vector<std::uint32_t> heads_;  // by object
  RunPool<SceneContact<D>, &SceneContact<D>::first> contacts_;
  RunPool<ScenePoint<D>, &ScenePoint<D>::previous> points_;
  std::size_t count_ = 0, contact_count_ = 0, point_count_ = 0;
};

extern template class RestStore<2>;
extern template class RestStore<3>;

}  // namespace sudar

// What:    The results of one update of a scene, and what a block of pairs leaves on its way there. A detail of Scene.
// Differs: Everything that belongs to a pair stands in arrays parallel to the sorted pairs, so that two updates are matched
//          by walking along both lists; no table is looked up.
#pragma once

#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/piece_manifold.hpp>
#include <sudar/scene/scene_types.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace sudar {

// What the narrow phase remembers of two shapes
template <int D>
using PairCache = std::conditional_t<D == 2, QueryCache2, QueryCache3>;

template <int D>
struct SceneFrame {
  std::vector<IdPair> pairs;
  std::vector<std::uint32_t> cache;          // the slot of each pair; kNoIndex: it needs none
  std::vector<std::uint32_t> first_contact;  // of each pair, and where the last one's end
  std::vector<std::uint8_t> touching;        // each pair
  std::vector<SceneContact<D>> contacts;
  std::vector<ScenePoint<D>> points;
  std::vector<std::uint32_t> generations;  // of the objects, by index
  std::uint64_t membership = 0;            // the count of objects that had come and gone
  std::uint64_t changes = 0;               // the count of changes that the contacts know of
  std::uint64_t seen = 0;                  // the count of changes that the boxes know of

  std::span<const SceneContact<D>> contacts_of(std::size_t pair) const noexcept {
    if (first_contact.empty()) return {};
    return std::span(contacts).subspan(first_contact[pair], first_contact[pair + 1] - first_contact[pair]);
  }
  // Of all contacts of the pair: one range
  std::span<const ScenePoint<D>> points_of(std::size_t pair) const noexcept {
    const auto mine = contacts_of(pair);
    if (mine.empty()) return {};
    return std::span(points).subspan(mine.front().first, mine.back().first + mine.back().count - mine.front().first);
  }
  // But for the generations, which are kept while nobody comes or goes
  void clear() noexcept {
    pairs.clear();
    cache.clear();
    first_contact.clear();
    touching.clear();
    contacts.clear();
    points.clear();
  }
  std::size_t pair_bytes() const noexcept {
    return pairs.capacity() * sizeof(IdPair) + touching.capacity() +
           (cache.capacity() + first_contact.capacity() + generations.capacity()) * sizeof(std::uint32_t);
  }
  std::size_t contact_bytes() const noexcept {
    return contacts.capacity() * sizeof(SceneContact<D>) + points.capacity() * sizeof(ScenePoint<D>);
  }
};

// Everything of the last update, what rests too, as one: made when somebody asks for it
template <int D>
struct WholeScene {
  // Where the points of a pair come from, in the order of pairs
  struct Source {
    std::uint32_t first = 0, count = 0;
    bool rests = false;
  };

  bool made = false;
  SceneFrame<D> frame;
  std::vector<IdPair> pair_stay, touch_stay;
  std::vector<RemovedPoint<D>> removed_points;
  std::vector<Source> sources;
  std::vector<std::uint32_t> order;  // pairs that rest, sorted

  std::size_t bytes() const noexcept {
    return frame.pair_bytes() + frame.contact_bytes() +
           (pair_stay.capacity() + touch_stay.capacity()) * sizeof(IdPair) +
           removed_points.capacity() * sizeof(RemovedPoint<D>) + sources.capacity() * sizeof(Source) +
           order.capacity() * sizeof(std::uint32_t);
  }
};

// Points that change their places when pairs come to rest or are stirred: from the points of an update to those that rest
// or back, or among those of the update
struct PointMove {
  std::uint32_t from = 0, to = 0, count = 0;
  bool from_rest = false, to_rest = false;
};

// Whoever keeps something beside every point
class RestListener {
 public:
  // There will be as many points of the update, and those that rest are below the limit. Nothing has changed yet; may throw
  // bad_alloc, then nothing will.
  virtual void prepare(std::span<const PointMove> moves, std::size_t points, std::size_t rest_limit) = 0;
  virtual void commit() noexcept = 0;

 protected:
  ~RestListener() = default;
};

// What one task found; `first` of its contacts counts from the block's own points
template <int D>
struct ContactBlock {
  std::vector<PieceManifold<D>> pieces;  // of one pair at a time
  std::vector<SceneContact<D>> contacts;
  std::vector<ScenePoint<D>> points;
};

}  // namespace sudar

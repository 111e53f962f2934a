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
  void clear() noexcept {
    pairs.clear();
    cache.clear();
    first_contact.clear();
    touching.clear();
    contacts.clear();
    points.clear();
    generations.clear();
  }
  std::size_t pair_bytes() const noexcept {
    return pairs.capacity() * sizeof(IdPair) + touching.capacity() +
           (cache.capacity() + first_contact.capacity() + generations.capacity()) * sizeof(std::uint32_t);
  }
  std::size_t contact_bytes() const noexcept {
    return contacts.capacity() * sizeof(SceneContact<D>) + points.capacity() * sizeof(ScenePoint<D>);
  }
};

// What one task found; `first` of its contacts counts from the block's own points
template <int D>
struct ContactBlock {
  std::vector<PieceManifold<D>> pieces;  // of one pair at a time
  std::vector<SceneContact<D>> contacts;
  std::vector<ScenePoint<D>> points;
};

}  // namespace sudar

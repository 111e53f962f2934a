// What:    What a scene takes in and gives out: objects, contacts with their points, events, memory, snapshots.
// Source:  seed A20 (new, persisting and removed contact points; begin and end of contact as events), B6 (layers).
// Frame:   The world's, metres. A pair is (a, b) with a < b; normals point from a to b; a separation is negative where
//          the two overlap.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/pair_tracker.hpp>
#include <sudar/core/handle.hpp>
#include <sudar/geom/mesh.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/queries/point_query.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

template <int D>
struct SceneObjectTag {};

// `index` is also the id of the object's box in the store, the id that queries answer with, and the number in pairs and
// contacts. It is given out again after a removal; the generation tells the two apart.
template <int D>
using ObjectId = Handle<SceneObjectTag<D>>;

// What an object is when it comes
template <int D>
struct ObjectSpec {
  ShapeOf<D> shape;
  Pose<D, double> pose{};  // the rotation is brought to unit length
  Filter filter{};
  Motion motion = Motion::moving;  // two fixed objects never pair
  bool sensor = false;             // its contacts are marked, for whoever answers contacts with forces
  std::uint64_t user = 0;          // the caller's own, never looked at
};

struct SceneOptions {
  std::string_view broadphase = "adaptive";  // a name of broadphase/registry.hpp
  double margin = 0;                         // contacts are told from this separation on; metres, not negative
  Executor* executor = nullptr;              // serial when null; must outlive the scene's use of it
};

// A point of a contact
template <int D>
struct ScenePoint {
  Vec<D, double> position{};  // halfway between the two surfaces
  double separation = 0;
  std::uint64_t feature = 0;          // ContactPoint::id(): the same two features have the same number in every update
  std::uint32_t previous = kNoIndex;  // this point among the points of the update before; kNoIndex: it is new

  friend bool operator==(const ScenePoint&, const ScenePoint&) = default;
};

// Two objects that come within the margin, in one direction. Two convex ones have one contact, of patch 0; others have
// one for each direction in which their parts meet.
template <int D>
struct SceneContact {
  std::uint32_t a = 0, b = 0;  // indices of the objects, a < b
  std::uint32_t patch = 0;
  std::uint32_t first = 0, count = 0;  // of its points
  bool sensor = false;                 // one of the two is a sensor
  Vec<D, double> normal{};             // unit, from a to b

  friend bool operator==(const SceneContact&, const SceneContact&) = default;
};

// A point of the update before that is not there any more, as it was then
template <int D>
struct RemovedPoint {
  ObjectId<D> a, b;  // as they were then; one may have been removed since
  std::uint32_t patch = 0;
  std::uint32_t index = kNoIndex;  // among the points of the update before
  bool goes_on = false;            // the two still pair, and neither has jumped or has another shape
  Vec<D, double> normal{};         // of its contact, as it was
  ScenePoint<D> point{};

  friend bool operator==(const RemovedPoint&, const RemovedPoint&) = default;
};

template <int D>
struct SceneEvent {
  ObjectId<D> a, b;  // a.index < b.index; after an end, one may have been removed

  friend auto operator<=>(const SceneEvent&, const SceneEvent&) = default;
};

// What began, stays and ended from the update before to this one, each in the order of (a, b). When an index was given
// to another object in between, its pairs end and begin.
template <int D>
struct SceneChanges {
  std::span<const SceneEvent<D>> begin;
  std::span<const IdPair> stay;  // both objects are as they were: indices say who
  std::span<const SceneEvent<D>> end;
};
template <int D>
struct SceneEvents {
  SceneChanges<D> pairs;     // boxes that overlap, grown by half the margin each
  SceneChanges<D> touching;  // shapes that touch or overlap, as intersects() says
};

// Memory in use
struct SceneBytes {
  std::size_t objects = 0, boxes = 0, search = 0, pairs = 0, contacts = 0, caches = 0, scratch = 0;

  std::size_t total() const noexcept { return objects + boxes + search + pairs + contacts + caches + scratch; }
};

// A scene as it was. Small shapes are in the bytes. Large ones (hulls, meshes, compounds …) are immutable and shared: the
// snapshot holds on to them instead of copying them, one for each object, in the objects' order. Whoever takes
// the bytes to another process brings the same shapes in the same order.
template <int D>
struct SceneSnapshot {
  std::vector<std::uint8_t> bytes;  // little-endian, with a version and a hash
  std::vector<ShapeOf<D>> shapes;
};

}  // namespace sudar

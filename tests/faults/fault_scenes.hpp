// What:    Scenes with a past for the tests of memory that runs out, and what they show: looked at several times, with objects
//          that moved, came and went, with pairs that grew more each time, and with some that rest.
#pragma once

#include "tests/narrowphase/one_of_each.hpp"
#include "tests/support/random.hpp"
#include <sudar/scene/scene.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sudar_test {

using namespace sudar;

// A small body of a simple kind
template <int D>
ShapeOf<D> small_shape(Random& random) {
  if constexpr (D == 2) {
    const std::vector<Vec2d> corners = {{0, 0}, {1, 0}, {0.75, 1}, {0.25, 1}};
    switch (random.below(3)) {
      case 0:
        return *make_circle2(0.5);
      case 1:
        return *make_box2({0.5, 0.25});
      default:
        return *make_polygon2(corners);
    }
  } else {
    const std::vector<Vec3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    switch (random.below(4)) {
      case 0:
        return *make_sphere3(0.5);
      case 1:
        return *make_box3({0.5, 0.25, 0.5});
      case 2:
        return *make_capsule3({0, 0, 0}, {0, 1, 0}, 0.25);
      default:
        return *make_hull_shape3(corners);
    }
  }
}
template <int D>
ObjectSpec<D> small_object(Random& random, double reach = 1.5) {
  return {small_shape<D>(random), {random_point<D>(random, reach), {}}};
}

// Shared by all scenes: large ones are built once
template <int D>
const std::vector<ShapeOf<D>>& every_kind() {
  static const std::vector<ShapeOf<D>> shapes = [] {
    if constexpr (D == 2)
      return one_of_each2();
    else
      return one_of_each3();
  }();
  return shapes;
}

struct SceneStory {
  std::string_view broadphase = "dynamic_tree";
  int updates = 2;  // before the one that is tried
  int objects = 14;
  int each = 0;  // in place of simple bodies, so many of every kind
  double reach = 1.5;
  bool rests = false;
  Executor* executor = nullptr;
};

template <int D>
struct SceneSubject {
  Scene<D> scene;
  std::vector<ObjectId<D>> ids;
  std::uint64_t hash = 0;
};

template <int D>
SceneSubject<D> told_scene(const SceneStory& story) {
  Random random(4);
  SceneSubject<D> out{*Scene<D>::make({story.broadphase, 0.0625, story.executor}), {}, 0};
  std::vector<ObjectSpec<D>> specs;
  const int kinds = static_cast<int>(every_kind<D>().size());
  const int count = story.each > 0 ? story.each * kinds : story.objects;
  // They come nearer each time, so that there are more pairs than there was room for
  double reach = story.reach * (1 + 0.5 * story.updates);
  for (int i = 0; i < count; ++i) {
    if (story.each > 0)
      specs.push_back({every_kind<D>()[static_cast<std::size_t>(i % kinds)], {random_point<D>(random, reach), {}}});
    else
      specs.push_back(small_object<D>(random, reach));
    if (i % 7 == 6) specs.back().sensor = true;
    if (i % 9 == 8) specs.back().motion = Motion::fixed;
  }
  out.ids.reserve(specs.size() + 100);
  EXPECT_TRUE(out.scene.add_many(specs, out.ids).ok());
  for (int k = 0; k < story.updates; ++k) {
    EXPECT_TRUE(out.scene.update().ok());
    reach -= 0.5 * story.reach;
    for (std::size_t i = 0; i < out.ids.size(); ++i) {
      // A third stays as it is, and rests where somebody says so
      if (i % 3 == 2) {
        EXPECT_TRUE(out.scene.set_resting(out.ids[i], story.rests).ok());
        continue;
      }
      EXPECT_TRUE(out.scene.set_pose(out.ids[i], {random_point<D>(random, reach), {}}).ok());
    }
    const std::size_t gone = 3 + static_cast<std::size_t>(k);
    EXPECT_TRUE(out.scene.remove(out.ids[gone]).ok());
    out.ids[gone] = *out.scene.add(small_object<D>(random, reach));
    EXPECT_TRUE(out.scene.teleport(out.ids[0], {random_point<D>(random, reach), {}}).ok());
  }
  // Who rests is disturbed by some
  for (std::size_t i = 2; story.rests && i < out.ids.size(); i += 12)
    EXPECT_TRUE(out.scene.set_pose(out.ids[i], {random_point<D>(random, reach), {}}).ok());
  out.hash = out.scene.hash();
  return out;
}

// Everything that a scene shows of its last update, but for what happened in it
template <int D>
struct Shown {
  std::vector<IdPair> pairs;
  std::vector<SceneContact<D>> contacts;
  std::vector<ScenePoint<D>> points;

  explicit Shown(const Scene<D>& scene)
      : pairs(scene.pairs().begin(), scene.pairs().end()),
        contacts(scene.contacts().begin(), scene.contacts().end()),
        points(scene.points().begin(), scene.points().end()) {}
  friend bool operator==(const Shown&, const Shown&) = default;
};
// What happened in it
template <int D>
struct ToldEvents {
  std::vector<SceneEvent<D>> begin, end, touch_begin, touch_end;
  std::vector<IdPair> stay, touch_stay;
  std::vector<RemovedPoint<D>> removed;

  ToldEvents() = default;  // nothing
  explicit ToldEvents(const Scene<D>& scene) : ToldEvents(scene.events(), scene.removed_points()) {}
  ToldEvents(const SceneEvents<D>& e, std::span<const RemovedPoint<D>> gone)
      : begin(e.pairs.begin.begin(), e.pairs.begin.end()),
        end(e.pairs.end.begin(), e.pairs.end.end()),
        touch_begin(e.touching.begin.begin(), e.touching.begin.end()),
        touch_end(e.touching.end.begin(), e.touching.end.end()),
        stay(e.pairs.stay.begin(), e.pairs.stay.end()),
        touch_stay(e.touching.stay.begin(), e.touching.stay.end()),
        removed(gone.begin(), gone.end()) {}
  friend bool operator==(const ToldEvents&, const ToldEvents&) = default;
};

}  // namespace sudar_test

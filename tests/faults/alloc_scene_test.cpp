// Memory that runs out at every point of a scene's calls and of every broad phase: a typed error, everything as it was, and
// the next call with memory gives what would have come without the shortage.
#include "tests/faults/failing_new.hpp"
#include "tests/support/random.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/scene/scene.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using namespace sudar_test;

namespace {

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
ObjectSpec<D> small_object(Random& random) {
  return {small_shape<D>(random), {random_point<D>(random, 1.5), {}}};
}

template <int D>
struct Subject {
  Scene<D> scene;
  std::vector<ObjectId<D>> ids;
  std::uint64_t hash;
};

// Objects that touch, looked at once, and then moved
template <int D>
Subject<D> moved_scene(std::string_view broadphase, bool looked_at) {
  Random random(4);
  Subject<D> out{*Scene<D>::make({broadphase, 0.0625}), {}, 0};
  std::vector<ObjectSpec<D>> specs;
  for (int i = 0; i < 14; ++i) specs.push_back(small_object<D>(random));
  EXPECT_TRUE(out.scene.add_many(specs, out.ids).ok());
  if (looked_at) {
    EXPECT_TRUE(out.scene.update().ok());
    for (std::size_t i = 0; i < out.ids.size(); i += 2)
      EXPECT_TRUE(out.scene.set_pose(out.ids[i], {random_point<D>(random, 1.5), {}}).ok());
    EXPECT_TRUE(out.scene.remove(out.ids[3]).ok());
    EXPECT_TRUE(out.scene.add(small_object<D>(random)).ok());
  }
  out.hash = out.scene.hash();
  return out;
}

template <int D>
std::size_t fail_updates(std::string_view broadphase, bool looked_at) {
  Subject<D> rich = moved_scene<D>(broadphase, looked_at);
  EXPECT_TRUE(rich.scene.update().ok());
  const std::uint64_t wanted = rich.scene.hash();
  const auto begins = rich.scene.events().touching.begin;
  return fail_everywhere([&] { return moved_scene<D>(broadphase, looked_at); },
                         [](Subject<D>& s) { return s.scene.update(); },
                         [&](Subject<D>& s) {
                           EXPECT_EQ(s.scene.hash(), s.hash) << "the scene is not as it was";
                           ASSERT_TRUE(s.scene.update().ok());
                           EXPECT_EQ(s.scene.hash(), wanted) << "the next update gives something else";
                           const auto have = s.scene.events().touching.begin;
                           EXPECT_TRUE(std::equal(begins.begin(), begins.end(), have.begin(), have.end()));
                         });
}

template <int D>
void fail_every_update() {
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    EXPECT_GT(fail_updates<D>(entry.name, false), 20u);
    EXPECT_GT(fail_updates<D>(entry.name, true), 4u);
  }
}

// A call that must leave the scene as it was
template <int D, class Call>
void fail_call(const char* name, Call call) {
  SCOPED_TRACE(name);
  const std::size_t points = fail_everywhere([] { return moved_scene<D>("dynamic_tree", true); }, call,
                                             [](Subject<D>& s) {
                                               EXPECT_EQ(s.scene.hash(), s.hash) << "the scene is not as it was";
                                               ASSERT_TRUE(s.scene.update().ok());
                                             });
  EXPECT_GT(points, 0u);
}

template <int D>
void fail_every_call() {
  Random random(9);
  const ObjectSpec<D> spec = small_object<D>(random);
  const ShapeOf<D> shape = small_shape<D>(random);
  SceneSnapshot<D> snapshot;
  ASSERT_TRUE(moved_scene<D>("grid", true).scene.save(snapshot).ok());
  // Vectors with no room to spare
  fail_call<D>("add", [&](Subject<D>& s) -> Result<void> {
    for (int i = 0; i < 20; ++i)
      if (const auto added = s.scene.add(spec); !added) {
        s.hash = s.scene.hash();
        return added.error();
      }
    return {};
  });
  fail_call<D>("save", [](Subject<D>& s) {
    SceneSnapshot<D> out;
    return s.scene.save(out);
  });
  fail_call<D>("restore", [&](Subject<D>& s) { return s.scene.restore(snapshot); });
  fail_call<D>("set_broadphase", [](Subject<D>& s) { return s.scene.set_broadphase("octree"); });
  fail_call<D>("set_reach", [](Subject<D>& s) {
    Vec<D, double> way{};
    way[0] = 3;
    return s.scene.set_reach(s.ids[0], way);
  });
  fail_call<D>("cast_ray_all", [](Subject<D>& s) {
    std::vector<SetRayHit<D>> hits;
    Vec<D, double> from{}, along{};
    from[0] = -4, along[0] = 1;
    return s.scene.cast_ray_all({from, along}, 100, hits);
  });
  fail_call<D>("overlapping", [&](Subject<D>& s) {
    std::vector<std::uint32_t> ids;
    return s.scene.overlapping(shape, {}, ids);
  });
  fail_call<D>("nearest", [](Subject<D>& s) {
    std::vector<SetNear<D>> near;
    return s.scene.nearest({}, 4, near);
  });
}

// Boxes that came, moved and went, seen once before
template <int D>
struct Search {
  BoxStore<D> store;
  std::unique_ptr<Broadphase<D>> algorithm;
};
template <int D>
Search<D> moved_boxes(std::string_view name) {
  Random random(3);
  Search<D> out{{}, *make_broadphase<D>(name)};
  const auto box = [&] {
    const auto lo = random_point<D>(random, 4);
    auto hi = lo;
    for (int k = 0; k < D; ++k) hi[k] += random.uniform(0, 2);
    return Aabb<D, double>{lo, hi};
  };
  for (int i = 0; i < 40; ++i)
    EXPECT_TRUE(out.store.insert(box(), {}, i % 5 == 0 ? Motion::fixed : Motion::moving).ok());
  EXPECT_TRUE(out.algorithm->update(out.store).ok());
  EXPECT_TRUE(out.algorithm->changes(out.store).ok());
  for (std::uint32_t i = 0; i < 40; i += 3) EXPECT_TRUE(out.store.move(i, box()).ok());
  EXPECT_TRUE(out.store.remove(7).ok());
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(out.store.insert(box()).ok());
  return out;
}

template <int D>
void fail_broadphases() {
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    Search<D> rich = moved_boxes<D>(entry.name);
    EXPECT_TRUE(rich.algorithm->update(rich.store).ok());
    const auto wanted = rich.algorithm->changes(rich.store);
    ASSERT_TRUE(wanted.ok());
    const std::size_t points = fail_everywhere(
        [&] { return moved_boxes<D>(entry.name); },
        [](Search<D>& s) -> Result<PairChanges> {
          if (const auto updated = s.algorithm->update(s.store); !updated) return updated.error();
          return s.algorithm->changes(s.store);
        },
        [&](Search<D>& s) {
          ASSERT_TRUE(s.algorithm->update(s.store).ok());
          const auto have = s.algorithm->changes(s.store);
          ASSERT_TRUE(have.ok());
          EXPECT_TRUE(std::equal(wanted->begin.begin(), wanted->begin.end(), have->begin.begin(), have->begin.end()));
          EXPECT_TRUE(std::equal(wanted->end.begin(), wanted->end.end(), have->end.begin(), have->end.end()));
        });
    EXPECT_GT(points, 0u);
  }
}

}  // namespace

TEST(AllocationFailure, EveryPointOfAnUpdateLeavesTheSceneAsItWas2) { fail_every_update<2>(); }
TEST(AllocationFailure, EveryPointOfAnUpdateLeavesTheSceneAsItWas3) { fail_every_update<3>(); }
TEST(AllocationFailure, EveryCallOfASceneIsAllOrNothing2) { fail_every_call<2>(); }
TEST(AllocationFailure, EveryCallOfASceneIsAllOrNothing3) { fail_every_call<3>(); }
TEST(AllocationFailure, BroadPhasesLoseNoEvent2) { fail_broadphases<2>(); }
TEST(AllocationFailure, BroadPhasesLoseNoEvent3) { fail_broadphases<3>(); }

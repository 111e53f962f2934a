// Memory that runs out at every point of a scene's update: a typed error, everything as it was, and the next update with memory
// gives what would have come without the shortage. Every broad phase, every kind of shape, and tasks in other threads.
#include "tests/faults/failing_new.hpp"
#include "tests/faults/fault_scenes.hpp"
#include "tests/faults/other_threads.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using namespace sudar_test;

namespace {

// An update, or the stages from one on, of the scene of a story
template <int D>
std::size_t fail_updates(const SceneStory& story, std::size_t most = kEveryPoint, Whose whose = Whose::everybodys) {
  SceneSubject<D> rich = told_scene<D>(story);
  const Shown<D> before(rich.scene);
  EXPECT_TRUE(rich.scene.update().ok());
  const std::uint64_t wanted = rich.scene.hash();
  const Shown<D> shown(rich.scene);
  const ToldEvents<D> events(rich.scene);
  EXPECT_FALSE(shown.points.empty());
  return fail_everywhere([&] { return told_scene<D>(story); }, [](SceneSubject<D>& s) { return s.scene.update(); },
                         [&](SceneSubject<D>& s) {
                           EXPECT_EQ(s.scene.hash(), s.hash) << "the scene is not as it was";
                           EXPECT_TRUE(Shown<D>(s.scene) == before) << "it shows something else";
                           EXPECT_TRUE(ToldEvents<D>(s.scene) == ToldEvents<D>()) << "events are told twice";
                           ASSERT_TRUE(s.scene.update().ok());
                           EXPECT_EQ(s.scene.hash(), wanted) << "the next update gives something else";
                           EXPECT_TRUE(Shown<D>(s.scene) == shown);
                           EXPECT_TRUE(ToldEvents<D>(s.scene) == events) << "events were lost";
                         },
                         most, whose);
}

template <int D>
void fail_every_update() {
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    EXPECT_GT(fail_updates<D>({.broadphase = entry.name, .updates = 0}), 20u);
    EXPECT_GT(fail_updates<D>({.broadphase = entry.name, .updates = 2}), 4u);
  }
}

// One stage after another, each alone: it can be called again
template <int D>
void fail_every_stage(const SceneStory& story, std::size_t most = kEveryPoint) {
  using Stage = Result<void> (Scene<D>::*)();
  constexpr Stage kStages[] = {&Scene<D>::update_boxes, &Scene<D>::find_pairs, &Scene<D>::compare_pairs,
                               &Scene<D>::find_contacts, &Scene<D>::match_points};
  constexpr std::size_t kCount = std::size(kStages);
  SceneSubject<D> rich = told_scene<D>(story);
  for (const Stage stage : kStages) ASSERT_TRUE((rich.scene.*stage)().ok());
  const std::uint64_t wanted = rich.scene.hash();
  const ToldEvents<D> events(rich.scene);
  for (std::size_t k = 0; k < kCount; ++k) {
    SCOPED_TRACE(k);
    const Stage stage = kStages[k];
    const auto begun = [&] {
      SceneSubject<D> out = told_scene<D>(story);
      for (std::size_t i = 0; i < k; ++i) EXPECT_TRUE((out.scene.*kStages[i])().ok());
      return out;
    };
    const std::size_t points = fail_everywhere(
        begun, [stage](SceneSubject<D>& s) { return (s.scene.*stage)(); },
        [&](SceneSubject<D>& s) {
          // After the last one they begin anew
          EXPECT_TRUE(k + 1 < kCount || s.scene.hash() == s.hash);
          for (std::size_t i = k + 1 < kCount ? k : 0; i < kCount; ++i) ASSERT_TRUE((s.scene.*kStages[i])().ok());
          EXPECT_EQ(s.scene.hash(), wanted);
          EXPECT_TRUE(ToldEvents<D>(s.scene) == events) << "events were lost";
        },
        most);
    // Boxes have their places since the first update
    EXPECT_EQ(points > 0, k > 0);
  }
}

// Enough pairs that contacts are found in tasks of other threads
template <int D>
void fail_in_tasks() {
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    const SceneStory story{
        .broadphase = entry.name, .updates = 1, .objects = 40, .reach = 0.5, .executor = &other_threads()};
    EXPECT_GT(fail_updates<D>(story, 4, Whose::other_threads), 0u);
  }
}

// Boxes that came, moved and went, seen once before
template <int D>
struct Search {
  BoxStore<D> store;
  std::unique_ptr<Broadphase<D>> algorithm;
};
template <int D>
Search<D> moved_boxes(std::string_view name, std::uint32_t count, double reach, Executor& executor) {
  Random random(3);
  Search<D> out{{}, *make_broadphase<D>(name)};
  out.algorithm->set_executor(executor);
  const auto box = [&] {
    const auto lo = random_point<D>(random, reach);
    auto hi = lo;
    for (int k = 0; k < D; ++k) hi[k] += random.uniform(0, 2);
    return Aabb<D, double>{lo, hi};
  };
  for (std::uint32_t i = 0; i < count; ++i)
    EXPECT_TRUE(out.store.insert(box(), {}, i % 5 == 0 ? Motion::fixed : Motion::moving).ok());
  EXPECT_TRUE(out.algorithm->update(out.store).ok());
  EXPECT_TRUE(out.algorithm->changes(out.store).ok());
  for (std::uint32_t i = 0; i < count; i += 3) EXPECT_TRUE(out.store.move(i, box()).ok());
  EXPECT_TRUE(out.store.remove(7).ok());
  for (std::uint32_t i = 0; i < 3 * count / 4; ++i) EXPECT_TRUE(out.store.insert(box()).ok());
  return out;
}

template <int D>
void fail_broadphases(std::uint32_t count, double reach, Executor& executor, std::size_t most = kEveryPoint,
                      Whose whose = Whose::everybodys) {
  std::size_t all = 0;
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    Search<D> rich = moved_boxes<D>(entry.name, count, reach, executor);
    EXPECT_TRUE(rich.algorithm->update(rich.store).ok());
    const auto wanted = rich.algorithm->changes(rich.store);
    ASSERT_TRUE(wanted.ok());
    const std::size_t points = fail_everywhere(
        [&] { return moved_boxes<D>(entry.name, count, reach, executor); },
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
        },
        most, whose);
    all += points;
    // Not every one has tasks that ask for memory
    EXPECT_TRUE(points > 0 || whose == Whose::other_threads);
  }
  EXPECT_GT(all, 0u);
}

// Every question to every broad phase: asked again it is answered as one that had its memory
template <int D>
void fail_box_questions() {
  Vec<D, double> from{}, along{};
  from[0] = -6, along[0] = 1;
  Vec<D, double> half{};
  for (int k = 0; k < D; ++k) half[k] = 0.5;
  const BoxCast<D> cast{{from - half, from + half}, along, 20};
  using Asked = Result<std::vector<std::uint32_t>>;
  const auto ids_of = [](const auto& hits) -> Asked {
    if (!hits) return hits.error();
    return guarded([&]() -> Asked {
      std::vector<std::uint32_t> ids;
      for (const auto& hit : *hits) ids.push_back(hit.id);
      return ids;
    });
  };
  const auto ask = [&](Search<D>& s, int question) -> Asked {
    switch (question) {
      case 0:
        return ids_of(s.algorithm->cast_all(s.store, cast));
      case 1: {
        const auto hit = s.algorithm->cast_closest(s.store, cast);
        if (!hit) return hit.error();
        return guarded([&]() -> Asked { return std::vector<std::uint32_t>{hit->has_value() ? (*hit)->id : kNoIndex}; });
      }
      case 2: {
        const auto ids = s.algorithm->overlapping(s.store, {half * -2, half * 2});
        if (!ids) return ids.error();
        return guarded([&]() -> Asked { return std::vector<std::uint32_t>(ids->begin(), ids->end()); });
      }
      default:
        return ids_of(s.algorithm->nearest(s.store, from, 5));
    }
  };
  for (const BroadphaseEntry& entry : broadphases())
    for (int question = 0; question < 4; ++question) {
      SCOPED_TRACE(std::string(entry.name) + ", question " + std::to_string(question));
      const auto built = [&] {
        Search<D> out = moved_boxes<D>(entry.name, 40, 4, serial_executor());
        EXPECT_TRUE(out.algorithm->update(out.store).ok());
        return out;
      };
      Search<D> rich = built();
      const Asked wanted = ask(rich, question);
      ASSERT_TRUE(wanted.ok() && !wanted->empty());
      const std::size_t points = fail_everywhere(
          built, [&](Search<D>& s) { return ask(s, question); },
          [&](Search<D>& s) {
            const Asked have = ask(s, question);
            ASSERT_TRUE(have.ok());
            EXPECT_EQ(*have, *wanted);
          });
      EXPECT_GT(points, 0u);
    }
}

}  // namespace

TEST(AllocationFailure, EveryPointOfAnUpdateLeavesTheSceneAsItWas2) { fail_every_update<2>(); }
TEST(AllocationFailure, EveryPointOfAnUpdateLeavesTheSceneAsItWas3) { fail_every_update<3>(); }
TEST(AllocationFailure, EveryStageCanBeCalledAgain2) { fail_every_stage<2>({}); }
TEST(AllocationFailure, EveryStageCanBeCalledAgain3) { fail_every_stage<3>({}); }
TEST(AllocationFailure, EveryKindOfShapeInAnUpdate2) {
  EXPECT_GT(fail_updates<2>({.updates = 0, .each = 1, .reach = 0.75}, 40), 10u);
  EXPECT_GT(fail_updates<2>({.updates = 2, .each = 1, .reach = 0.75}, 12), 6u);
}
TEST(AllocationFailure, EveryKindOfShapeInAnUpdate3) {
  EXPECT_GT(fail_updates<3>({.updates = 0, .each = 1, .reach = 0.75}, 20), 6u);
  EXPECT_GT(fail_updates<3>({.updates = 1, .each = 1, .reach = 0.75}, 6), 4u);
}
TEST(AllocationFailure, EveryKindOfShapeInTasksOfOtherThreads2) {
  EXPECT_GT(
      fail_updates<2>({.updates = 0, .each = 3, .reach = 0.75, .executor = &other_threads()}, 20, Whose::other_threads),
      10u);
}
TEST(AllocationFailure, EveryKindOfShapeInTasksOfOtherThreads3) {
  EXPECT_GT(
      fail_updates<3>({.updates = 0, .each = 2, .reach = 0.75, .executor = &other_threads()}, 10, Whose::other_threads),
      6u);
}
TEST(AllocationFailure, TasksOfOtherThreadsWithEveryBroadPhase2) { fail_in_tasks<2>(); }
TEST(AllocationFailure, TasksOfOtherThreadsWithEveryBroadPhase3) { fail_in_tasks<3>(); }
// Enough pairs that points are matched in tasks as well
TEST(AllocationFailure, TasksThatMatchPoints3) {
  EXPECT_GT(fail_updates<3>({.updates = 2, .objects = 52, .reach = 0.5, .executor = &other_threads()}, 20,
                            Whose::other_threads),
            6u);
}
TEST(AllocationFailure, TasksOfTheLibrarysOwnExecutor3) {
  const auto executor = make_executor(3);
  EXPECT_GT(fail_updates<3>({.updates = 2, .objects = 52, .reach = 0.5, .executor = executor.get()}, 20), 10u);
}
TEST(AllocationFailure, WhatRestsIsLeftAsItWas2) {
  for (const int updates : {2, 3, 4}) EXPECT_GT(fail_updates<2>({.updates = updates, .rests = true}), 4u);
}
TEST(AllocationFailure, WhatRestsIsLeftAsItWas3) {
  for (const int updates : {2, 3, 4}) EXPECT_GT(fail_updates<3>({.updates = updates, .rests = true}), 4u);
}
TEST(AllocationFailure, BroadPhasesLoseNoEvent2) { fail_broadphases<2>(40, 4, serial_executor()); }
TEST(AllocationFailure, BroadPhasesLoseNoEvent3) { fail_broadphases<3>(40, 4, serial_executor()); }
TEST(AllocationFailure, BroadPhasesInOtherThreadsLoseNoEvent2) {
  fail_broadphases<2>(600, 16, other_threads(), 6, Whose::other_threads);
}
TEST(AllocationFailure, BroadPhasesInOtherThreadsLoseNoEvent3) {
  fail_broadphases<3>(600, 7, other_threads(), 6, Whose::other_threads);
}
TEST(AllocationFailure, QuestionsToBroadPhasesCanBeAskedAgain2) { fail_box_questions<2>(); }
TEST(AllocationFailure, QuestionsToBroadPhasesCanBeAskedAgain3) { fail_box_questions<3>(); }

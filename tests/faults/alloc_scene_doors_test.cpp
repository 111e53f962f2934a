// Memory that runs out at every point of a scene's doors and questions: all or nothing, and asked again they answer as if
// nothing had been.
#include "tests/faults/failing_new.hpp"
#include "tests/faults/fault_scenes.hpp"
#include "tests/faults/other_threads.hpp"

#include <gtest/gtest.h>

#include <optional>

using namespace sudar;
using namespace sudar_test;

namespace {

enum class Needs : std::uint8_t { memory, nothing };

// A call that must leave the scene as it was: with what rests and without. Called again, it leads to the same update.
template <int D, class Call>
void fail_call(const char* name, Needs needs, Call call) {
  SCOPED_TRACE(name);
  for (const bool rests : {false, true}) {
    const SceneStory story{.updates = 3, .rests = rests};
    SceneSubject<D> rich = told_scene<D>(story);
    const Shown<D> before(rich.scene);
    ASSERT_TRUE(call(rich).ok());
    ASSERT_TRUE(rich.scene.update().ok());
    const std::uint64_t wanted = rich.scene.hash();
    const ToldEvents<D> events(rich.scene);
    const std::size_t points = fail_everywhere([&] { return told_scene<D>(story); }, call,
                                               [&](SceneSubject<D>& s) {
                                                 EXPECT_EQ(s.scene.hash(), s.hash) << "the scene is not as it was";
                                                 EXPECT_TRUE(Shown<D>(s.scene) == before) << "it shows something else";
                                                 ASSERT_TRUE(call(s).ok());
                                                 ASSERT_TRUE(s.scene.update().ok());
                                                 EXPECT_EQ(s.scene.hash(), wanted);
                                                 EXPECT_TRUE(ToldEvents<D>(s.scene) == events) << "events were lost";
                                               });
    EXPECT_EQ(points > 0, needs == Needs::memory) << points;
  }
}

template <int D>
Vec<D, double> along_first(double x) {
  Vec<D, double> v{};
  v[0] = x;
  return v;
}

template <int D>
void fail_every_call() {
  Random random(9);
  const ObjectSpec<D> spec = small_object<D>(random);
  const ShapeOf<D> shape = every_kind<D>().back();
  SceneSnapshot<D> snapshot;
  ASSERT_TRUE(told_scene<D>({.broadphase = "grid"}).scene.save(snapshot).ok());

  fail_call<D>("remove", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.remove(s.ids[5]); });
  fail_call<D>("set_pose", Needs::nothing, [](SceneSubject<D>& s) {
    return s.scene.set_pose(s.ids[5], {along_first<D>(0.25), {}});
  });
  fail_call<D>("set_poses", Needs::nothing, [](SceneSubject<D>& s) {
    const std::array poses{Pose<D, double>{along_first<D>(0.25), {}}, Pose<D, double>{along_first<D>(0.5), {}}};
    return s.scene.set_poses(std::span(s.ids).first(2), poses);
  });
  fail_call<D>("teleport", Needs::nothing, [](SceneSubject<D>& s) {
    return s.scene.teleport(s.ids[5], {along_first<D>(0.25), {}});
  });
  fail_call<D>("set_shape", Needs::nothing, [&](SceneSubject<D>& s) { return s.scene.set_shape(s.ids[5], shape); });
  fail_call<D>("set_filter", Needs::nothing,
               [](SceneSubject<D>& s) { return s.scene.set_filter(s.ids[5], {.layer = 2, .mask = 1}); });
  fail_call<D>("set_motion", Needs::nothing, [](SceneSubject<D>& s) -> Result<void> {
    if (const auto r = s.scene.set_motion(s.ids[8], Motion::moving); !r) return r;
    return s.scene.set_motion(s.ids[5], Motion::fixed);
  });
  fail_call<D>("set_sensor", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.set_sensor(s.ids[5], true); });
  fail_call<D>("set_user", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.set_user(s.ids[5], 17); });
  fail_call<D>("set_resting", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.set_resting(s.ids[5], true); });
  fail_call<D>("set_parameter", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.set_parameter("air", 0.125); });
  fail_call<D>("pull_stirred", Needs::nothing, [](SceneSubject<D>& s) { return s.scene.pull_stirred(nullptr); });
  fail_call<D>("save", Needs::memory, [](SceneSubject<D>& s) {
    SceneSnapshot<D> out;
    return s.scene.save(out);
  });
  fail_call<D>("restore", Needs::memory, [&](SceneSubject<D>& s) { return s.scene.restore(snapshot); });
  fail_call<D>("set_broadphase", Needs::memory, [](SceneSubject<D>& s) { return s.scene.set_broadphase("octree"); });
  fail_call<D>("set_reach", Needs::memory,
               [](SceneSubject<D>& s) { return s.scene.set_reach(s.ids[0], along_first<D>(3)); });
  fail_call<D>("set_reach, a box", Needs::memory, [](SceneSubject<D>& s) {
    return s.scene.set_reach(s.ids[0], Aabb<D, double>{along_first<D>(-3), along_first<D>(3)});
  });
  EXPECT_GT(fail_everywhere([] { return Scene<D>::make({"sap", 0.5}); }), 0u);

  // Those before the one that is named are in; with the others the scene is the one that it would have been
  std::vector<ObjectSpec<D>> many(40, spec);
  SceneSubject<D> rich = told_scene<D>({});
  ASSERT_TRUE(rich.scene.add_many(many, rich.ids).ok());
  const std::uint64_t wanted = rich.scene.hash();
  std::optional<std::size_t> named;
  const std::size_t points =
      fail_everywhere([] { return told_scene<D>({}); },
                      [&](SceneSubject<D>& s) {
                        const auto added = s.scene.add_many(many, s.ids);
                        if (!added) named = added.error().element;
                        return added;
                      },
                      [&](SceneSubject<D>& s) {
                        const std::size_t have = s.ids.size() - 14;
                        EXPECT_EQ(s.scene.size(), s.ids.size());
                        EXPECT_TRUE(named == have || (named == Error::kNoElement && have == 0));
                        ASSERT_TRUE(s.scene.update().ok());
                        SceneSubject<D> other = told_scene<D>({});
                        ASSERT_TRUE(other.scene.add_many(std::span(many).first(have), other.ids).ok());
                        EXPECT_EQ(s.ids, other.ids);
                        ASSERT_TRUE(other.scene.add_many(std::span(many).subspan(have), other.ids).ok());
                        EXPECT_EQ(other.scene.hash(), wanted);
                      });
  EXPECT_GT(points, 0u);
  // One by one, until vectors have grown
  EXPECT_GT(fail_everywhere([] { return told_scene<D>({}); },
                            [&](SceneSubject<D>& s) -> Result<void> {
                              for (int i = 0; i < 40; ++i)
                                if (const auto added = s.scene.add(spec); !added) {
                                  s.hash = s.scene.hash();
                                  return added.error();
                                } else {
                                  s.ids.push_back(*added);
                                }
                              return {};
                            },
                            [&](SceneSubject<D>& s) {
                              EXPECT_EQ(s.scene.hash(), s.hash);
                              EXPECT_EQ(s.scene.size(), s.ids.size());
                              while (s.ids.size() < 14 + many.size()) s.ids.push_back(*s.scene.add(spec));
                              EXPECT_EQ(s.scene.hash(), wanted);
                            }),
            0u);
}

// The ids that a question is answered with; nothing where none is met
using Ids = std::vector<std::uint32_t>;

template <int D>
Result<Ids> asked(Scene<D>& scene, int question) {
  const Ray<D, double> ray{along_first<D>(-4), along_first<D>(1)};
  const ShapeOf<D>& shape = every_kind<D>().back();
  const auto ids_of = [](const Result<void>& done, const auto& hits) -> Result<Ids> {
    if (!done) return done.error();
    Ids ids;
    for (const auto& hit : hits) ids.push_back(hit.id);
    return ids;
  };
  return guarded([&]() -> Result<Ids> {
    switch (question) {
      case 0: {
        const auto hit = scene.cast_ray(ray, 100);
        if (!hit) return hit.error();
        return Ids{hit->id};
      }
      case 1: {
        const auto meets = scene.ray_meets(ray, 100);
        if (!meets) return meets.error();
        return Ids{*meets ? 1u : 0u};
      }
      case 2: {
        std::vector<SetRayHit<D>> hits;
        return ids_of(scene.cast_ray_all(ray, 100, hits), hits);
      }
      case 3: {
        const std::vector<Ray<D, double>> rays(200, ray);
        std::vector<SetRayHit<D>> hits(rays.size());
        return ids_of(scene.cast_rays(rays, 100, hits, other_threads()), hits);
      }
      case 4: {
        const auto hit = scene.cast_shape(shape, {along_first<D>(-5), {}}, along_first<D>(10));
        if (!hit) return hit.error();
        return Ids{hit->id};
      }
      case 5: {
        std::vector<SetCastHit<D>> hits;
        return ids_of(scene.cast_shape_all(shape, {along_first<D>(-5), {}}, along_first<D>(10), 1, hits), hits);
      }
      case 6: {
        Ids ids;
        if (const auto done = scene.overlapping(shape, {}, ids); !done) return done.error();
        return ids;
      }
      case 7: {
        Ids ids;
        if (const auto done = scene.containing({}, ids); !done) return done.error();
        return ids;
      }
      default: {
        std::vector<SetNear<D>> near;
        return ids_of(scene.nearest({}, 4, near), near);
      }
    }
  });
}
constexpr int kQuestions = 9;

template <int D>
void fail_every_question() {
  const SceneStory story{.updates = 0, .each = 1, .reach = 0.75};
  for (int question = 0; question < kQuestions; ++question) {
    SCOPED_TRACE(question);
    SceneSubject<D> rich = told_scene<D>(story);
    const auto wanted = asked(rich.scene, question);
    ASSERT_TRUE(wanted.ok() && !wanted->empty());
    const std::size_t points = fail_everywhere([&] { return told_scene<D>(story); },
                                               [&](SceneSubject<D>& s) { return asked(s.scene, question); },
                                               [&](SceneSubject<D>& s) {
                                                 EXPECT_EQ(s.scene.hash(), s.hash);
                                                 const auto again = asked(s.scene, question);
                                                 ASSERT_TRUE(again.ok());
                                                 EXPECT_EQ(*again, *wanted);
                                               });
    EXPECT_GT(points, 0u);
  }
}

}  // namespace

TEST(AllocationFailure, EveryCallOfASceneIsAllOrNothing2) { fail_every_call<2>(); }
TEST(AllocationFailure, EveryCallOfASceneIsAllOrNothing3) { fail_every_call<3>(); }
TEST(AllocationFailure, EveryQuestionToASceneCanBeAskedAgain2) { fail_every_question<2>(); }
TEST(AllocationFailure, EveryQuestionToASceneCanBeAskedAgain3) { fail_every_question<3>(); }

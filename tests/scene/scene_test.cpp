// The doors of a scene. Oracles: closed forms of spheres, boxes and half-spaces.
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/core/random.hpp>
#include <sudar/scene/point_matching.hpp>
#include <sudar/scene/scene.hpp>
#include <sudar/shapes/compound2.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

TEST(Scene, ABallFallsOnTheGroundAndLeavesIt) {
  auto scene = Scene<3>::make();
  ASSERT_TRUE(scene.ok());
  const auto ground = scene->add({*make_halfspace3({0, 0, 1}, 0), {}, {}, Motion::fixed, false, 7});
  const auto ball = scene->add({*make_sphere3(1), {{0, 0, 3}, {}}});
  ASSERT_TRUE(ground.ok() && ball.ok());
  ASSERT_TRUE(scene->update().ok());
  // The box of the ground is everywhere
  ASSERT_EQ(scene->pairs().size(), 1u);
  EXPECT_EQ(scene->events().pairs.begin.size(), 1u);
  EXPECT_TRUE(scene->contacts().empty());
  EXPECT_TRUE(scene->events().touching.begin.empty());

  ASSERT_TRUE(scene->set_pose(*ball, {{0, 0, 0.5}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->contacts().size(), 1u);
  const SceneContact<3>& contact = scene->contacts()[0];
  EXPECT_EQ(contact.a, ground->index);
  EXPECT_EQ(contact.b, ball->index);
  EXPECT_NEAR(contact.normal.z, 1, 1e-15);
  ASSERT_EQ(contact.count, 1u);
  EXPECT_NEAR(scene->points()[0].separation, -0.5, 1e-15);
  EXPECT_NEAR(scene->points()[0].position.z, -0.25, 1e-15);
  EXPECT_EQ(scene->points()[0].previous, kNoIndex);
  ASSERT_EQ(scene->events().touching.begin.size(), 1u);
  EXPECT_EQ(scene->events().touching.begin[0], (SceneEvent<3>{*ground, *ball}));

  ASSERT_TRUE(scene->set_pose(*ball, {{1, 0, 0.75}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->points().size(), 1u);
  EXPECT_EQ(scene->points()[0].previous, 0u);
  EXPECT_EQ(scene->events().touching.stay.size(), 1u);
  EXPECT_TRUE(scene->removed_points().empty());

  ASSERT_TRUE(scene->remove(*ball).ok());
  EXPECT_EQ(scene->remove(*ball).error().code, ErrorCode::unknown_id);
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->events().touching.end.size(), 1u);
  EXPECT_EQ(scene->events().touching.end[0], (SceneEvent<3>{*ground, *ball}));
  ASSERT_EQ(scene->removed_points().size(), 1u);
  EXPECT_NEAR(scene->removed_points()[0].point.separation, -0.25, 1e-15);
  EXPECT_EQ((*scene)[ground->index].user, 7u);
}

// All objects at one point: as many pairs as there are, from every broad phase
TEST(Scene, NoPairIsDroppedWhereEverythingOverlaps) {
  constexpr std::size_t kCount = 300;
  for (const BroadphaseEntry& entry : broadphases()) {
    auto scene = Scene<2>::make({entry.name});
    std::vector<ObjectId<2>> ids;
    const std::vector<ObjectSpec<2>> specs(kCount, {*make_circle2(1)});
    ASSERT_TRUE(scene->add_many(specs, ids).ok());
    ASSERT_TRUE(scene->update().ok());
    EXPECT_EQ(scene->pairs().size(), kCount * (kCount - 1) / 2) << entry.name;
    EXPECT_EQ(scene->contacts().size(), kCount * (kCount - 1) / 2);
    EXPECT_EQ(scene->events().touching.begin.size(), kCount * (kCount - 1) / 2);
    EXPECT_GT(scene->bytes().total(), scene->bytes().contacts);
    EXPECT_EQ(scene->stats().pairs, scene->pairs().size());
    EXPECT_GT(scene->stats()[Stage::manifolds], 0);
  }
}

TEST(Scene, ContactsOfSensorsAreMarkedAndFollowTheFlag) {
  auto scene = Scene<2>::make();
  const auto box = *scene->add({*make_box2({1, 1}), {}, {}, Motion::fixed});
  const auto probe = *scene->add({*make_circle2(0.5), {{1.25, 0}, {}}, {}, Motion::moving, true});
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->contacts().size(), 1u);
  EXPECT_TRUE(scene->contacts()[0].sensor);
  EXPECT_EQ(scene->events().touching.begin.size(), 1u);
  // Nothing moved: the contact is carried over, the flag is not
  ASSERT_TRUE(scene->set_sensor(probe, false).ok());
  ASSERT_TRUE(scene->update().ok());
  EXPECT_FALSE(scene->contacts()[0].sensor);
  EXPECT_EQ(scene->points()[0].previous, 0u);
  // A filter that forbids the pair ends it
  ASSERT_TRUE(scene->set_filter(box, {2, 2, 0}).ok());
  ASSERT_TRUE(scene->update().ok());
  EXPECT_TRUE(scene->contacts().empty());
  EXPECT_EQ(scene->events().touching.end.size(), 1u);
  EXPECT_EQ(scene->removed_points().size(), 1u);
}

// The corners of a box that slides stay, those of one that was put anew do not (seed A20)
TEST(Scene, PointsGoOnWhileABoxSlidesAndAreNewAfterAJump) {
  auto scene = Scene<2>::make({"grid", 0.1});
  ASSERT_TRUE(scene->add({*make_box2({10, 1}), {{0, -1}, {}}, {}, Motion::fixed}).ok());
  const auto box = *scene->add({*make_box2({1, 1}), {{0, 1.01}, {}}});
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->points().size(), 2u);
  EXPECT_EQ(scene->points()[0].previous, kNoIndex);
  // Within the margin, but not touching
  EXPECT_FALSE(scene->touching(0));
  ASSERT_TRUE(scene->set_pose(box, {{0.3, 1}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  EXPECT_TRUE(scene->touching(0));
  EXPECT_EQ(scene->points()[0].previous, 0u);
  EXPECT_EQ(scene->points()[1].previous, 1u);
  ASSERT_TRUE(scene->teleport(box, {{0.4, 1}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  EXPECT_EQ(scene->points()[0].previous, kNoIndex);
  EXPECT_EQ(scene->removed_points().size(), 2u);
  EXPECT_EQ(scene->events().touching.stay.size(), 1u);
}

// The same index, the same place, another object
TEST(Scene, ANewObjectAtAnOldIndexEndsAndBegins) {
  auto scene = Scene<2>::make();
  const auto box = *scene->add({*make_box2({1, 1}), {}, {}, Motion::fixed});
  const auto old_ball = *scene->add({*make_circle2(1)});
  ASSERT_TRUE(scene->update().ok());
  ASSERT_TRUE(scene->remove(old_ball).ok());
  const auto ball = *scene->add({*make_circle2(1)});
  ASSERT_EQ(ball.index, old_ball.index);
  EXPECT_FALSE(scene->contains(old_ball));
  ASSERT_TRUE(scene->update().ok());
  for (const SceneChanges<2>& changes : {scene->events().pairs, scene->events().touching}) {
    ASSERT_EQ(changes.begin.size(), 1u);
    ASSERT_EQ(changes.end.size(), 1u);
    EXPECT_TRUE(changes.stay.empty());
    EXPECT_EQ(changes.begin[0], (SceneEvent<2>{box, ball}));
    EXPECT_EQ(changes.end[0], (SceneEvent<2>{box, old_ball}));
  }
  EXPECT_EQ(scene->points()[0].previous, kNoIndex);
  EXPECT_EQ(scene->removed_points()[0].b, old_ball);
}

TEST(Scene, QuestionsSeeTheSceneAsItIsNow) {
  auto scene = Scene<3>::make();
  const auto ball = *scene->add({*make_sphere3(1), {{0, 0, 10}, {}}});
  const Ray<3, double> up{{0, 0, 0}, {0, 0, 1}};
  EXPECT_EQ(scene->cast_ray(up, kEndless)->answer.t, 9);
  ASSERT_TRUE(scene->set_pose(ball, {{0, 0, 5}, {}}).ok());
  EXPECT_EQ(scene->cast_ray(up, kEndless)->answer.t, 4);
  std::vector<std::uint32_t> ids;
  ASSERT_TRUE(scene->containing({0, 0, 5.5}, ids).ok());
  EXPECT_EQ(ids, std::vector<std::uint32_t>{ball.index});
  ASSERT_TRUE(scene->remove(ball).ok());
  EXPECT_EQ(scene->cast_ray(up, kEndless)->id, kNoIndex);
}

// The box of a fast body covers its way until the next pose
TEST(Scene, ReachMakesPairsAndNoContacts) {
  auto scene = Scene<3>::make();
  const auto wall = *scene->add({*make_box3({0.1, 5, 5}), {{10, 0, 0}, {}}, {}, Motion::fixed});
  const auto bullet = *scene->add({*make_sphere3(0.1)});
  ASSERT_TRUE(scene->set_reach(bullet, Vec3d{20, 0, 0}).ok());
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->pairs().size(), 1u);
  EXPECT_EQ(scene->pairs()[0], (IdPair{wall.index, bullet.index}));
  EXPECT_TRUE(scene->contacts().empty());
  ASSERT_TRUE(scene->set_pose(bullet, {{20, 0, 0}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  EXPECT_TRUE(scene->pairs().empty());
}

TEST(Scene, BadInputIsRefusedAndChangesNothing) {
  EXPECT_EQ(Scene<3>::make({"no such thing"}).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(Scene<3>::make({"grid", -1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(Scene<3>::make({"grid", std::nan("")}).error().code, ErrorCode::non_finite);
  auto scene = Scene<3>::make();
  const ObjectSpec<3> good{*make_sphere3(1)};
  const auto id = *scene->add(good), other = *scene->add(good);
  ASSERT_TRUE(scene->update().ok());
  const std::uint64_t hash = scene->hash();
  const Pose3d nan{{0, std::nan(""), 0}, {}}, endless{{1, 0, 0}, {1 / 0.0, 0, 0, 0}}, zero{{}, {0, 0, 0, 0}};
  const Pose3d far{{1e300, 0, 0}, {}};
  const ObjectId<3> stranger{77, 1}, stale{id.index, id.generation + 1};
  for (const auto& [pose, code] : {std::pair{nan, ErrorCode::non_finite}, std::pair{endless, ErrorCode::non_finite},
                                   std::pair{zero, ErrorCode::degenerate}, std::pair{far, ErrorCode::too_large}}) {
    EXPECT_EQ(scene->set_pose(id, pose).error().code, code);
    EXPECT_EQ(scene->teleport(id, pose).error().code, code);
    ObjectSpec<3> bad = good;
    bad.pose = pose;
    EXPECT_EQ(scene->add(bad).error().code, code);
    std::vector<ObjectId<3>> ids;
    const Error batch = scene->add_many(std::vector<ObjectSpec<3>>{good, good, bad}, ids).error();
    EXPECT_EQ(batch, (Error{code, 2}));
    EXPECT_TRUE(ids.empty());
    const Error poses =
        scene->set_poses(std::vector<ObjectId<3>>{id, other}, std::vector<Pose3d>{{{3, 0, 0}, {}}, pose}).error();
    EXPECT_EQ(poses, (Error{code, 1}));
  }
  for (const ObjectId<3> none : {stranger, stale, ObjectId<3>{}}) {
    EXPECT_EQ(scene->set_pose(none, {}).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->teleport(none, {}).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->remove(none).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_shape(none, good.shape).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_filter(none, {}).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_motion(none, Motion::fixed).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_sensor(none, true).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_user(none, 1).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->set_reach(none, Vec3d{}).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scene->find(none), nullptr);
    const Error poses = scene->set_poses(std::vector<ObjectId<3>>{id, none}, std::vector<Pose3d>(2)).error();
    EXPECT_EQ(poses, (Error{ErrorCode::unknown_id, 1}));
  }
  EXPECT_EQ(scene->set_poses(std::vector<ObjectId<3>>{id}, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scene->set_reach(id, Vec3d{0, 0, std::nan("")}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(scene->set_reach(id, Aabb3d{{1, 0, 0}, {0, 0, 0}}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scene->set_broadphase("none").error().code, ErrorCode::unknown_id);
  // Stages out of their order
  EXPECT_EQ(scene->find_pairs().error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scene->match_points().error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scene->hash(), hash);
  // A rotation of another length is the same rotation
  ASSERT_TRUE(scene->set_pose(id, {{5, 0, 0}, {2, 0, 0, 2}}).ok());
  EXPECT_NEAR(scene->find(id)->pose.rotation.z, std::sqrt(0.5), 1e-15);
  // Objects that go between two stages
  ASSERT_TRUE(scene->update_boxes().ok() && scene->find_pairs().ok());
  ASSERT_TRUE(scene->remove(other).ok());
  EXPECT_EQ(scene->compare_pairs().error().code, ErrorCode::invalid_argument);
  ASSERT_TRUE(scene->update().ok());
  EXPECT_EQ(scene->events().touching.end.size(), 1u);
}

// Runs out of memory at the given call
class PoorExecutor final : public Executor {
 public:
  std::size_t calls_left = 0;

  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, Task task, void* context) override {
    if (calls_left-- == 0) throw std::bad_alloc();
    for (std::size_t i = 0; i < count; ++i) task(context, i);
  }
};

TEST(Scene, AnUpdateThatRunsOutOfMemoryLosesNoEvent) {
  const auto make = [](Executor* executor) {
    auto scene = Scene<2>::make({"grid", 0, executor});
    Random random(campaign_seed(5));
    std::vector<ObjectSpec<2>> specs;
    for (int i = 0; i < 3000; ++i)
      specs.push_back({*make_circle2(1), {{random.uniform(0, 90), random.uniform(0, 90)}, {}}});
    std::vector<ObjectId<2>> ids;
    EXPECT_TRUE(scene->add_many(specs, ids).ok());
    return std::pair(*std::move(scene), ids);
  };
  PoorExecutor poor;
  auto [rich, ids] = make(nullptr);
  auto [scene, same_ids] = make(&poor);
  ASSERT_EQ(ids, same_ids);
  Random random(campaign_seed(6));
  std::size_t failures = 0;
  for (int step = 0; step < 4; ++step) {
    for (std::size_t i = 0; i < ids.size(); i += 2) {
      const Pose2d pose{{random.uniform(0, 90), random.uniform(0, 90)}, {}};
      ASSERT_TRUE(rich.set_pose(ids[i], pose).ok() && scene.set_pose(ids[i], pose).ok());
    }
    ASSERT_TRUE(rich.update().ok());
    for (std::size_t fails_at = 0;; ++fails_at) {
      poor.calls_left = fails_at;
      const auto updated = scene.update();
      if (updated.ok()) break;
      EXPECT_EQ(updated.error().code, ErrorCode::out_of_memory);
      ++failures;
    }
    poor.calls_left = 1u << 30;
    EXPECT_EQ(scene.hash(), rich.hash());
    const auto want = rich.events().touching, have = scene.events().touching;
    EXPECT_TRUE(std::equal(want.begin.begin(), want.begin.end(), have.begin.begin(), have.begin.end()));
    EXPECT_TRUE(std::equal(want.end.begin(), want.end.end(), have.end.begin(), have.end.end()));
    EXPECT_TRUE(std::equal(want.stay.begin(), want.stay.end(), have.stay.begin(), have.stay.end()));
    EXPECT_GT(want.begin.size() + want.end.size(), 100u);
  }
  EXPECT_GT(failures, 8u);
}

TEST(Scene, DamagedSnapshotsAreRefused) {
  auto scene = Scene<2>::make({"sap", 0.1});
  const std::vector<Vec2d> corners = {{0, 0}, {1, 0}, {0, 1}};
  const std::vector<CompoundChild2> children = {{*make_circle2(1), {{1, 0}, {}}}, {*make_box2({1, 2}), {}}};
  const auto first = *scene->add({*make_box2({1, 1})});
  ASSERT_TRUE(scene->add({*make_polygon2(corners), {{0.5, 0}, {}}}).ok());
  ASSERT_TRUE(scene->add({*make_compound2(children), {{0, 1}, {}}}).ok());
  const auto last = *scene->add({*make_capsule2({-1, 0}, {1, 0}, 0.5)});
  ASSERT_TRUE(scene->remove(last).ok());
  ASSERT_TRUE(scene->remove(first).ok());
  ASSERT_TRUE(scene->update().ok());
  SceneSnapshot<2> snapshot;
  ASSERT_TRUE(scene->save(snapshot).ok());
  ASSERT_EQ(snapshot.shapes.size(), 2u);
  const std::uint64_t hash = scene->hash();

  auto other = Scene<2>::make();
  ASSERT_TRUE(other->restore(snapshot).ok());
  EXPECT_EQ(other->hash(), hash);
  EXPECT_EQ(other->margin(), 0.1);
  // Indices that are free are given out in the same order
  SceneSnapshot<2> again;
  ASSERT_TRUE(other->save(again).ok());
  EXPECT_EQ(again.bytes, snapshot.bytes);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*other->add({*make_circle2(1)}), *scene->add({*make_circle2(1)}));
  EXPECT_EQ(other->hash(), scene->hash());
  ASSERT_TRUE(scene->restore(snapshot).ok());

  for (std::size_t i = 0; i < snapshot.bytes.size(); ++i) {
    SceneSnapshot<2> bad = snapshot;
    bad.bytes[i] ^= 0x10;
    EXPECT_EQ(scene->restore(bad).error().code, ErrorCode::bad_format) << i;
    // With a hash that fits, whatever is read is read within bounds
    Hash64 fits;
    for (std::size_t k = 0; k + 8 < bad.bytes.size(); ++k) fits.add_byte(bad.bytes[k]);
    for (std::size_t k = 0; k < 8; ++k)
      bad.bytes[bad.bytes.size() - 8 + k] = static_cast<std::uint8_t>(fits.value() >> (8 * k));
    auto strange = Scene<2>::make();
    EXPECT_TRUE(!strange->restore(bad).ok() || (strange->update().ok() && strange->update().ok()));
    bad = snapshot;
    bad.bytes.resize(i);
    EXPECT_EQ(scene->restore(bad).error().code, ErrorCode::bad_format);
  }
  SceneSnapshot<2> bare = snapshot;
  bare.shapes.clear();
  EXPECT_FALSE(scene->restore(bare).ok());
  EXPECT_EQ(Scene<3>::make()->restore({snapshot.bytes, {}}).error().code, ErrorCode::bad_format);
  EXPECT_EQ(scene->hash(), hash);
}

TEST(PointMatching, SortedIsThePlainOne) {
  Random random(campaign_seed(9));
  std::size_t matched = 0;
  for (int round = 0; round < 300; ++round) {
    MatchScratch scratch;
    for (auto* list : {&scratch.old_points, &scratch.new_points})
      for (std::uint32_t i = 0, count = static_cast<std::uint32_t>(random.below(40)); i < count; ++i)
        list->push_back({random.below(20), static_cast<std::uint32_t>(random.below(3)), i});
    std::vector<std::uint32_t> plain(scratch.new_points.size()), sorted(plain);
    match_plain(scratch, plain);
    match_sorted(scratch, sorted);
    ASSERT_EQ(plain, sorted);
    matched += static_cast<std::size_t>(plain.size()) -
               static_cast<std::size_t>(std::count(plain.begin(), plain.end(), kNoIndex));
  }
  EXPECT_GT(matched, 1000u);
}

// Two tetrahedra have as many features as each other, and are not each other
TEST(Scene, SnapshotsKnowTheirLargeShapes) {
  const Vec3d one[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
              other[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
  auto a = *Scene<3>::make(), b = *Scene<3>::make();
  ASSERT_TRUE(a.add({*make_hull_shape3(one)}).ok() && b.add({*make_hull_shape3(other)}).ok());
  EXPECT_NE(a.hash(), b.hash());
  SceneSnapshot<3> of_a, of_b;
  ASSERT_TRUE(a.save(of_a).ok() && b.save(of_b).ok());
  of_a.shapes = of_b.shapes;
  EXPECT_EQ(b.restore(of_a).error().code, ErrorCode::bad_format);
  ASSERT_TRUE(a.restore(of_b).ok());
  EXPECT_EQ(a.hash(), b.hash());
}

}  // namespace

// Scenes that live: objects of every kind come, move, jump, change and go. Oracle: a plain list of the objects and the
// loop over all pairs of it, with bounding boxes, intersects() and distance(); what began and ended by sets of pairs.
#include "tests/queries/query_shapes.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/threads.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/scene/scene.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

template <int D>
struct Thing {
  ObjectId<D> id;
  ObjectSpec<D> spec;
  std::optional<Aabb<D, double>> reach;
  bool fresh = true;  // its points are new in the next update
};

constexpr double kSceneMargin = 0.05;

// What a scene should say, from all pairs of a list
template <int D>
struct PlainScene {
  std::vector<Thing<D>> things;
  std::set<SceneEvent<D>> pairs, touching;

  Aabb<D, float> box(const Thing<D>& x) const {
    Aabb<D, double> box = expand(bounding_box(x.spec.shape, x.spec.pose), kSceneMargin / 2);
    if (x.reach) box = merge(box, *x.reach);
    box = question_box<D>(box);
    Aabb<D, float> out;
    for (int k = 0; k < D; ++k) {
      out.lo[k] = float_down(box.lo[k]);
      out.hi[k] = float_up(box.hi[k]);
    }
    return out;
  }
  static bool may_meet(const Thing<D>& a, const Thing<D>& b) {
    return may_pair(a.spec.filter, b.spec.filter) &&
           !(a.spec.motion == Motion::fixed && b.spec.motion == Motion::fixed);
  }
  // In the order of indices
  void sort() {
    std::sort(things.begin(), things.end(), [](const auto& a, const auto& b) { return a.id.index < b.id.index; });
  }
  std::pair<std::set<SceneEvent<D>>, std::set<SceneEvent<D>>> now() {
    sort();
    std::pair<std::set<SceneEvent<D>>, std::set<SceneEvent<D>>> out;
    for (std::size_t i = 0; i < things.size(); ++i)
      for (std::size_t j = i + 1; j < things.size(); ++j) {
        const Thing<D>&a = things[i], &b = things[j];
        if (!may_meet(a, b) || !overlap(box(a), box(b))) continue;
        out.first.insert({a.id, b.id});
        if (intersects(a.spec.shape, b.spec.shape, make_placement(a.spec.pose, b.spec.pose)))
          out.second.insert({a.id, b.id});
      }
    return out;
  }
  const Thing<D>& of(std::uint32_t index) const {
    return *std::find_if(things.begin(), things.end(), [&](const auto& x) { return x.id.index == index; });
  }
};

template <int D>
std::vector<ShapeOf<D>> campaign_shapes() {
  if constexpr (D == 2) {
    auto out = sudar_test::shapes2();
    out.push_back(*make_halfplane2({0.1, 1}, -2));
    return out;
  } else {
    auto out = sudar_test::shapes3();
    out.push_back(*make_halfspace3({0.1, 0, 1}, -2));
    return out;
  }
}

template <int D>
Pose<D, double> campaign_pose(Random& random, double reach) {
  if constexpr (D == 2)
    return {point_in_ball<2>(random) * reach, unit_rotation(random)};
  else
    return {point_in_ball<3>(random) * reach, unit_quaternion(random)};
}

Filter campaign_filter(Random& random) {
  if (random.below(3) != 0) return {};
  return {1u << random.below(3), static_cast<std::uint32_t>(1 + random.below(7)),
          static_cast<std::uint32_t>(random.below(3))};
}

// One step of a life: the same calls for the same random numbers. What the plain list does is optional.
template <int D>
void live(Scene<D>& scene, PlainScene<D>& plain, const std::vector<ShapeOf<D>>& shapes, Random& random, bool crowd) {
  const double reach = crowd ? 2.8 : 6;
  const std::size_t wanted = crowd ? 80 : 40;
  std::vector<Thing<D>>& things = plain.things;
  // Few of the kinds that take long
  const auto any_shape = [&] {
    return shapes[random.below(crowd ? 40 : 8) == 0 ? random.below(shapes.size()) : random.below(shapes.size() / 2)];
  };
  const std::size_t come = things.size() < wanted / 2 ? wanted / 2 : random.below(things.size() > wanted ? 2 : 6);
  std::vector<ObjectSpec<D>> specs;
  for (std::size_t i = 0; i < come; ++i)
    specs.push_back({any_shape(), campaign_pose<D>(random, reach), campaign_filter(random),
                     random.below(5) == 0 ? Motion::fixed : Motion::moving, random.below(6) == 0, random.next()});
  std::vector<ObjectId<D>> ids;
  ASSERT_TRUE(scene.add_many(specs, ids).ok());
  for (std::size_t i = 0; i < come; ++i) things.push_back({ids[i], specs[i], {}, true});

  std::vector<ObjectId<D>> moved;
  std::vector<Pose<D, double>> poses;
  for (Thing<D>& x : things) {
    if (random.below(3) == 0) continue;
    x.spec.pose.position = x.spec.pose.position + campaign_pose<D>(random, 0.1).position;
    x.reach.reset();
    moved.push_back(x.id);
    poses.push_back(x.spec.pose);
  }
  ASSERT_TRUE(scene.set_poses(moved, poses).ok());
  for (std::uint64_t changes = random.below(10); changes > 0; --changes) {
    Thing<D>& x = things[random.below(things.size())];
    switch (random.below(8)) {
      case 0: {
        x.spec.pose = campaign_pose<D>(random, reach);
        x.reach.reset();
        x.fresh = true;
        ASSERT_TRUE(scene.teleport(x.id, x.spec.pose).ok());
        break;
      }
      case 1:
        x.spec.filter = campaign_filter(random);
        ASSERT_TRUE(scene.set_filter(x.id, x.spec.filter).ok());
        break;
      case 2:
        x.spec.motion = random.coin() ? Motion::fixed : Motion::moving;
        ASSERT_TRUE(scene.set_motion(x.id, x.spec.motion).ok());
        break;
      case 3:
        x.spec.sensor = random.coin();
        ASSERT_TRUE(scene.set_sensor(x.id, x.spec.sensor).ok());
        break;
      case 4:
        x.spec.shape = any_shape();
        x.fresh = true;
        ASSERT_TRUE(scene.set_shape(x.id, x.spec.shape).ok());
        break;
      case 5: {
        const Vec<D, double> way = campaign_pose<D>(random, 2).position;
        if (!x.spec.shape.is_bounded()) break;
        x.reach =
            expand(bounding_box(x.spec.shape, {x.spec.pose.position + way, x.spec.pose.rotation}), kSceneMargin / 2);
        ASSERT_TRUE(scene.set_reach(x.id, way).ok());
        break;
      }
      default: {
        const ObjectId<D> id = x.id;
        x = things.back();
        things.pop_back();
        ASSERT_TRUE(scene.remove(id).ok());
        ASSERT_FALSE(scene.contains(id));
        break;
      }
    }
  }
  // One more, at an index that may have been given back just now
  const ObjectSpec<D> last{any_shape(), campaign_pose<D>(random, reach)};
  const auto id = scene.add(last);
  ASSERT_TRUE(id.ok());
  things.push_back({*id, last, {}, true});
  plain.sort();
}

template <int D>
std::vector<SceneEvent<D>> both_of(std::span<const IdPair> pairs, const Scene<D>& scene) {
  std::vector<SceneEvent<D>> out;
  for (const IdPair pair : pairs) out.push_back({scene.id_of(pair.lo), scene.id_of(pair.hi)});
  return out;
}

// begin, stay and end against two sets
template <int D>
void expect_changes(const SceneChanges<D>& changes, const std::set<SceneEvent<D>>& last,
                    const std::set<SceneEvent<D>>& now, const Scene<D>& scene) {
  std::vector<SceneEvent<D>> begin, stay, end;
  std::set_difference(now.begin(), now.end(), last.begin(), last.end(), std::back_inserter(begin));
  std::set_intersection(now.begin(), now.end(), last.begin(), last.end(), std::back_inserter(stay));
  std::set_difference(last.begin(), last.end(), now.begin(), now.end(), std::back_inserter(end));
  EXPECT_EQ(std::vector(changes.begin.begin(), changes.begin.end()), begin);
  EXPECT_EQ(both_of(changes.stay, scene), stay);
  EXPECT_EQ(std::vector(changes.end.begin(), changes.end.end()), end);
}

// Contacts against distance(), points against those of the update before
template <int D>
void expect_contacts(const Scene<D>& scene, const PlainScene<D>& plain, std::span<const SceneContact<D>> old_contacts,
                     std::span<const ScenePoint<D>> old_points) {
  std::size_t at = 0, point = 0;
  for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
    const Thing<D>&a = plain.of(scene.pairs()[i].lo), &b = plain.of(scene.pairs()[i].hi);
    const bool both_endless = !a.spec.shape.is_bounded() && !b.spec.shape.is_bounded();
    const auto truth = distance(a.spec.shape, b.spec.shape, make_placement(a.spec.pose, b.spec.pose));
    const auto contacts = scene.contacts_of(i);
    if (!both_endless) {
      ASSERT_EQ(contacts.empty(), truth.separation > kSceneMargin) << truth.separation;
    }
    double least = 1e9;
    for (const SceneContact<D>& contact : contacts) {
      ASSERT_EQ(&contact, &scene.contacts()[at++]);
      ASSERT_EQ(IdPair({contact.a, contact.b}), scene.pairs()[i]);
      ASSERT_EQ(contact.sensor, a.spec.sensor || b.spec.sensor);
      ASSERT_EQ(contact.first, point);
      ASSERT_NEAR(length(contact.normal), 1, 1e-12);
      ASSERT_GT(contact.count, 0u);
      point += contact.count;
      for (const ScenePoint<D>& p : scene.points_of(contact)) least = std::min(least, p.separation);
    }
    // Those of parts are told along the normal of each patch
    if (!contacts.empty() && a.spec.shape.is_convex() && b.spec.shape.is_convex()) {
      EXPECT_NEAR(least, truth.separation, 1e-6) << to_string(a.spec.shape.kind()) << to_string(b.spec.shape.kind());
    }
  }
  ASSERT_EQ(at, scene.contacts().size());
  ASSERT_EQ(point, scene.points().size());

  // Every old point goes on once or is removed; a new one has no old one left that it could continue
  std::vector<int> goes_on(old_points.size(), 0);
  std::multimap<std::pair<IdPair, std::uint64_t>, std::uint32_t> left;
  const auto pair_of = [](const SceneContact<D>& contact) { return IdPair{contact.a, contact.b}; };
  std::vector<IdPair> old_pair(old_points.size());
  for (const SceneContact<D>& contact : old_contacts)
    for (std::uint32_t k = contact.first; k < contact.first + contact.count; ++k) old_pair[k] = pair_of(contact);
  for (const SceneContact<D>& contact : scene.contacts())
    for (const ScenePoint<D>& p : scene.points_of(contact)) {
      if (p.previous == kNoIndex) continue;
      ASSERT_LT(p.previous, old_points.size());
      ++goes_on[p.previous];
      EXPECT_EQ(old_points[p.previous].feature, p.feature);
      EXPECT_EQ(old_pair[p.previous], pair_of(contact));
      EXPECT_FALSE(plain.of(contact.a).fresh || plain.of(contact.b).fresh);
    }
  std::size_t removed = 0;
  for (std::uint32_t k = 0; k < old_points.size(); ++k) {
    ASSERT_LE(goes_on[k], 1);
    if (goes_on[k] == 1) continue;
    ASSERT_LT(removed, scene.removed_points().size());
    const RemovedPoint<D>& gone = scene.removed_points()[removed++];
    EXPECT_EQ(gone.index, k);
    EXPECT_EQ(gone.point, old_points[k]);
    EXPECT_EQ((IdPair{gone.a.index, gone.b.index}), old_pair[k]);
    left.insert({{old_pair[k], old_points[k].feature}, k});
  }
  ASSERT_EQ(removed, scene.removed_points().size());
  for (const SceneContact<D>& contact : scene.contacts())
    for (const ScenePoint<D>& p : scene.points_of(contact))
      if (p.previous == kNoIndex && !plain.of(contact.a).fresh && !plain.of(contact.b).fresh) {
        EXPECT_EQ(left.count({pair_of(contact), p.feature}), 0u);
      }
}

// Fewer than three steps have no past
std::size_t campaign_steps(std::size_t n) { return std::max<std::size_t>(3, sudar_test::soak(n)); }

template <int D>
void follow_the_plain_loop(bool crowd, std::uint64_t seed, std::size_t steps) {
  const auto shapes = campaign_shapes<D>();
  auto scene = Scene<D>::make({"adaptive", kSceneMargin});
  ASSERT_TRUE(scene.ok());
  PlainScene<D> plain;
  Random random(campaign_seed(seed));
  std::vector<SceneContact<D>> old_contacts;
  std::vector<ScenePoint<D>> old_points;
  std::size_t touches = 0, stays = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    live(*scene, plain, shapes, random, crowd);
    const auto [pairs, touching] = plain.now();
    ASSERT_TRUE(scene->update().ok());
    const SceneEvents<D> events = scene->events();
    expect_changes(events.pairs, plain.pairs, pairs, *scene);
    expect_changes(events.touching, plain.touching, touching, *scene);
    expect_contacts<D>(*scene, plain, old_contacts, old_points);
    if (testing::Test::HasFailure()) return;
    plain.pairs = pairs;
    plain.touching = touching;
    for (Thing<D>& x : plain.things) x.fresh = false;
    old_contacts.assign(scene->contacts().begin(), scene->contacts().end());
    old_points.assign(scene->points().begin(), scene->points().end());
    touches += events.touching.begin.size() + events.touching.end.size();
    stays += events.touching.stay.size();
  }
  EXPECT_GT(touches, steps);
  EXPECT_GT(stays, steps);
}

TEST(SceneCampaign, PairsContactsAndEventsAreThoseOfThePlainLoop2) {
  follow_the_plain_loop<2>(false, 1, campaign_steps(20));
  follow_the_plain_loop<2>(true, 2, campaign_steps(6));
}
TEST(SceneCampaign, PairsContactsAndEventsAreThoseOfThePlainLoop3) {
  follow_the_plain_loop<3>(false, 3, campaign_steps(12));
  follow_the_plain_loop<3>(true, 4, campaign_steps(3));
}

// Bodies of parts, where the points of their patches alone do not tell
TEST(SceneCampaign, TouchingOfPartsIsWhatIntersectsSays) {
  const auto shapes = sudar_test::shapes3();
  struct Case {
    std::size_t a, b;
    Pose3d pose;
    bool hit;
  };
  const Case cases[] = {
      // A hull just beside a height field
      {7,
       13,
       {{0.57767011619267994, 0.047032377677160842, -0.92729125652495847},
        {0.12712820137169212, -0.0050698190360829454, -0.78167272042452818, 0.61057389028278752}},
       false},
      // Two tori that only just cross
      {11,
       11,
       {{-0.06254473338998201, -0.027268005456345223, 1.1057227516419819},
        {0.42616675907463814, 0.18073632102892856, -0.70933314653015533, 0.53156632977868035}},
       true},
  };
  for (const Case& x : cases) {
    auto scene = Scene<3>::make({"brute_force", kSceneMargin});
    ASSERT_TRUE(scene->add({shapes[x.a]}).ok());
    ASSERT_TRUE(scene->add({shapes[x.b], x.pose}).ok());
    ASSERT_EQ(intersects(shapes[x.a], shapes[x.b], make_placement(Pose3d{}, x.pose)), x.hit);
    ASSERT_TRUE(scene->update().ok());
    ASSERT_EQ(scene->contacts().empty(), false);
    EXPECT_EQ(scene->touching(0), x.hit);
  }
}

// Everything that a scene says, as one number a step
template <int D>
std::uint64_t said(const Scene<D>& scene) {
  Hash64 hash;
  hash.add(scene.hash());
  const auto add = [&](const SceneChanges<D>& changes) {
    for (const auto& list : {changes.begin, changes.end}) {
      hash.add(std::uint64_t{list.size()});
      for (const SceneEvent<D>& e : list)
        for (const auto& id : {e.a, e.b}) hash.add(id.index), hash.add(id.generation);
    }
    for (const IdPair pair : changes.stay) hash.add(pair.lo), hash.add(pair.hi);
  };
  add(scene.events().pairs);
  add(scene.events().touching);
  for (const RemovedPoint<D>& p : scene.removed_points()) hash.add(p.index), hash.add(p.point.feature);
  return hash.value();
}

enum class Swap { never, every_step };

template <int D>
std::vector<std::uint64_t> life_of(std::string_view broadphase, Executor& executor, Swap swap, std::size_t steps,
                                   std::size_t restore_at = 1000) {
  const auto shapes = campaign_shapes<D>();
  auto scene = Scene<D>::make({broadphase, kSceneMargin, &executor});
  PlainScene<D> plain;
  Random random(campaign_seed(7));
  std::vector<std::uint64_t> out;
  std::vector<SetRayHit<D>> hits;
  for (std::size_t step = 0; step < steps; ++step) {
    if (swap == Swap::every_step) {
      const auto all = broadphases();
      EXPECT_TRUE(scene->set_broadphase(all[(3 * step + 1) % all.size()].name).ok());
    }
    live(*scene, plain, shapes, random, true);
    // Questions change nothing
    const bool asks = swap == Swap::never && step % 2 == 0;
    EXPECT_TRUE(!asks || scene->cast_ray_all({{}, {1}}, 10, hits).ok());
    if (step == restore_at) {
      SceneSnapshot<D> snapshot;
      EXPECT_TRUE(scene->save(snapshot).ok());
      auto other = Scene<D>::make({"sap", 1, &executor});
      EXPECT_TRUE(other->add({shapes[0]}).ok());
      EXPECT_TRUE(other->update().ok());
      EXPECT_TRUE(other->restore(snapshot).ok());
      EXPECT_EQ(other->hash(), scene->hash());
      *scene = *std::move(other);
    }
    EXPECT_TRUE(scene->update().ok());
    out.push_back(said(*scene));
  }
  return out;
}

// With the seed and the length, which are told as well, the step gives the whole life again: no file could hold it
void expect_life(const std::vector<std::uint64_t>& life, const std::vector<std::uint64_t>& truth,
                 const std::string& how) {
  const auto other = std::mismatch(life.begin(), life.end(), truth.begin(), truth.end()).first;
  EXPECT_TRUE(life == truth) << how << ": first differs at step " << other - life.begin();
}

template <int D>
void expect_one_life(std::size_t steps) {
  const auto truth = life_of<D>("brute_force", serial_executor(), Swap::never, steps);
  ASSERT_EQ(truth.size(), steps);
  ASSERT_NE(truth.front(), truth.back());
  constexpr unsigned kThreads[] = {1, 2, 3, 8};
  std::size_t turn = 0;
  for (const BroadphaseEntry& entry : broadphases()) {
    sudar_test::Threads executor(kThreads[turn++ % 4]);
    expect_life(life_of<D>(entry.name, executor, Swap::never, steps), truth, std::string(entry.name));
  }
  for (const unsigned threads : kThreads) {
    sudar_test::Threads executor(threads);
    const std::string how = "adaptive on " + std::to_string(threads) + " threads";
    expect_life(life_of<D>("adaptive", executor, Swap::never, steps), truth, how);
    expect_life(life_of<D>("adaptive", executor, Swap::every_step, steps, threads % steps), truth, how + ", swapped");
  }
}

TEST(SceneCampaign, OneLifeForEveryBroadPhaseThreadCountSwapAndRestore2) { expect_one_life<2>(campaign_steps(6)); }
TEST(SceneCampaign, OneLifeForEveryBroadPhaseThreadCountSwapAndRestore3) { expect_one_life<3>(campaign_steps(3)); }

}  // namespace

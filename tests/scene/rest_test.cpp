// Objects that rest by their owner's word. Oracle: a scene that gets the same calls and is never told so; it is compared
// with brute force in scene_campaign_test.cpp.
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/scene/scene.hpp>

#include <gtest/gtest.h>
#include <tests/support/random.hpp>
#include <tests/support/soak.hpp>

#include <algorithm>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

template <int D>
ShapeOf<D> rest_shape(Random& random) {
  const double size = random.uniform(0.2, 0.6);
  if constexpr (D == 2)
    return random.below(3) == 0 ? *make_circle2(size) : *make_box2({size, 0.4});
  else
    return random.below(3) == 0 ? *make_sphere3(size) : *make_box3({size, 0.4, 0.4});
}

// Pairs, contacts and events; what hash() does not have
template <int D>
void expect_same_scene(const Scene<D>& a, const Scene<D>& b) {
  const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  ASSERT_TRUE(equal(a.pairs(), b.pairs()));
  ASSERT_TRUE(equal(a.contacts(), b.contacts()));
  ASSERT_TRUE(equal(a.points(), b.points()));
  ASSERT_TRUE(equal(a.removed_points(), b.removed_points()));
  const SceneEvents<D> of_a = a.events(), of_b = b.events();
  for (const auto& [x, y] : {std::pair(of_a.pairs, of_b.pairs), std::pair(of_a.touching, of_b.touching)}) {
    ASSERT_TRUE(equal(x.begin, y.begin));
    ASSERT_TRUE(equal(x.stay, y.stay));
    ASSERT_TRUE(equal(x.end, y.end));
  }
  for (std::size_t i = 0; i < a.pairs().size(); ++i) ASSERT_EQ(a.touching(i), b.touching(i));
  ASSERT_EQ(a.stats().pairs, b.stats().pairs);
  ASSERT_EQ(a.stats().contacts, b.stats().contacts);
  ASSERT_EQ(a.hash(), b.hash());
}

bool keep_most(void* context, std::uint32_t a, std::uint32_t b) {
  return (a + b * *static_cast<const std::uint32_t*>(context)) % 5 != 0;
}

// The same calls to both, but for what rests. `rested`: the share of updates in which most pairs did is added to it.
template <int D>
void live_with_rest(std::uint64_t seed, std::size_t steps, double& rested) {
  Random random(campaign_seed(seed));
  const auto all = broadphases();
  auto made_a = Scene<D>::make({all[seed % all.size()].name, 0.05}), made_b = Scene<D>::make({"brute_force", 0.05});
  Scene<D>&a = *made_a, &b = *made_b;
  std::vector<ObjectId<D>> ids;
  std::uint32_t context = 1;
  const double reach = D == 2 ? 4 : 2.5;
  const auto place = [&] { return Pose<D, double>{sudar_test::random_point<D>(random, reach), {}}; };
  const auto add = [&] {
    const ObjectSpec<D> spec{rest_shape<D>(random), place(), {}, random.below(5) == 0 ? Motion::fixed : Motion::moving};
    ids.push_back(*a.add(spec));
    EXPECT_EQ(*b.add(spec), ids.back());
  };
  const auto both = [&](auto&& call) {
    const bool done = call(a).ok();
    ASSERT_EQ(done, call(b).ok());
    ASSERT_TRUE(done);
  };
  for (int i = 0; i < 40; ++i) add();
  for (std::size_t step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
    // Most of the time little happens
    const std::uint64_t changes = random.below(6) == 0 ? random.below(8) : random.below(2);
    for (std::uint64_t k = 0; k < changes; ++k) {
      const std::size_t at = random.below(ids.size());
      const ObjectId<D> id = ids[at];
      switch (random.below(13)) {
        case 0:
          both([to = place(), id](auto& scene) { return scene.teleport(id, to); });
          break;
        case 1:
        case 2: {
          Pose<D, double> to = a[id.index].pose;
          to.position = to.position + sudar_test::random_point<D>(random, 0.2);
          both([=](auto& scene) { return scene.set_pose(id, to); });
          break;
        }
        case 3:
          both([shape = rest_shape<D>(random), id](auto& scene) { return scene.set_shape(id, shape); });
          break;
        case 4: {
          const Filter filter{1u << random.below(2), static_cast<std::uint32_t>(1 + random.below(3)), 0};
          both([=](auto& scene) { return scene.set_filter(id, filter); });
          break;
        }
        case 5:
          both([=, motion = random.coin() ? Motion::fixed : Motion::moving](auto& scene) {
            return scene.set_motion(id, motion);
          });
          break;
        case 6:
          both([=, sensor = random.coin()](auto& scene) { return scene.set_sensor(id, sensor); });
          break;
        case 7:
          both([=, way = sudar_test::random_point<D>(random, 2)](auto& scene) { return scene.set_reach(id, way); });
          break;
        case 8:
          both([=](auto& scene) { return scene.remove(id); });
          ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
          if (random.coin()) add();
          break;
        case 9:
          if (ids.size() < 60) add();
          break;
        case 10: {
          const PairCallback callback{random.coin() ? keep_most : nullptr, &context};
          context = 1 + static_cast<std::uint32_t>(random.below(4));
          a.set_pair_callback(callback);
          b.set_pair_callback(callback);
          break;
        }
        case 11:
          ASSERT_TRUE(a.set_broadphase(all[random.below(all.size())].name).ok());
          break;
        default: {
          SceneSnapshot<D> snapshot;
          ASSERT_TRUE(a.save(snapshot).ok());
          ASSERT_TRUE(random.coin() || a.restore(snapshot).ok());
          ASSERT_EQ(a.hash(), b.hash());
        }
      }
    }
    // Whatever the owner says
    for (const ObjectId<D> id : ids)
      if (random.below(4) == 0) {
        ASSERT_TRUE(a.set_resting(id, random.below(10) != 0).ok());
      }
    // Stage by stage, half-way before or not, or at once
    if (random.below(12) == 0) {
      ASSERT_TRUE(a.update_boxes().ok() && a.find_pairs().ok());
    }
    if (random.below(12) == 0) {
      ASSERT_TRUE(a.update_boxes().ok() && a.find_pairs().ok() && a.compare_pairs().ok());
      ASSERT_TRUE(a.find_contacts().ok() && a.match_points().ok());
    } else {
      ASSERT_TRUE(a.update().ok());
    }
    ASSERT_TRUE(b.update().ok());
    expect_same_scene(a, b);
    rested += 2 * a.resting().size() > a.pairs().size() ? 1 / static_cast<double>(steps) : 0;
  }
}

TEST(Rest, ChangesNoResult2) {
  double rested = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) live_with_rest<2>(seed, sudar_test::soak(60), rested);
  EXPECT_GT(rested / 12, 0.1);
}
TEST(Rest, ChangesNoResult3) {
  double rested = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) live_with_rest<3>(seed, sudar_test::soak(60), rested);
  EXPECT_GT(rested / 12, 0.1);
}

// An update does not walk what rests, and finds it again when it is touched
TEST(Rest, WhatRestsLeavesTheUpdate) {
  auto scene = *Scene<3>::make({"adaptive", 0.05});
  std::vector<ObjectId<3>> ids;
  const Shape3 box = *make_box3({0.5, 0.5, 0.5});
  for (int i = 0; i < 200; ++i) ids.push_back(*scene.add({box, {{0.9 * i, 0, 0}, {}}}));
  ASSERT_TRUE(scene.update().ok());
  EXPECT_EQ(scene.live().pairs.size(), 199u);
  for (const ObjectId<3> id : ids) ASSERT_TRUE(scene.set_resting(id, true).ok());
  ASSERT_TRUE(scene.update().ok());
  EXPECT_EQ(scene.live().pairs.size(), 0u);
  EXPECT_EQ(scene.pairs().size(), 199u);
  EXPECT_EQ(scene.events().touching.stay.size(), 199u);
  EXPECT_EQ(scene.computed_pairs(), 0u);
  ASSERT_TRUE(scene.set_pose(ids[100], {{90.05, 0, 0}, {}}).ok());
  ASSERT_TRUE(scene.update().ok());
  EXPECT_EQ(scene.live().pairs.size(), 2u);
  EXPECT_EQ(scene.computed_pairs(), 2u);
  EXPECT_EQ(scene.pairs().size(), 199u);
  // It stays where it is: back to rest
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scene.update().ok());
  EXPECT_EQ(scene.live().pairs.size(), 0u);
  EXPECT_EQ(scene.set_resting({1000, 1}, true).error().code, ErrorCode::unknown_id);
}

}  // namespace

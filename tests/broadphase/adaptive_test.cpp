#include "tests/broadphase/box_sets.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/brute_force.hpp>

#include <gtest/gtest.h>

#include <set>

using namespace sudar;

namespace {

// Clocks that lie: the choices become senseless, the pairs and events must not
double stopped_clock() { return 0; }
double mad_clock() {
  static Random random(99);
  static double now = 0;
  return now += random.uniform() * random.uniform() * random.uniform();
}

template <int D>
std::vector<IdPair> copy(std::span<const IdPair> pairs) {
  return {pairs.begin(), pairs.end()};
}

// Boxes that drift, leap, come and go; crowds form and dissolve
template <int D>
void change(BoxStore<D>& store, Random& random, int step) {
  const double world = step % 40 < 20 ? 10 : 2;
  const std::size_t moves = step % 7 == 0 ? 0 : step % 3 == 0 ? store.size() : 10;
  for (std::size_t i = 0; i < moves; ++i) {
    const auto id = store.ids()[random.below(store.size())];
    Aabb<D, float> box = store.box(store.row_of(id));
    for (int k = 0; k < D; ++k) {
      const auto by = static_cast<float>(random.uniform(-0.1, 0.1));
      box.lo[k] += by;
      box.hi[k] += by;
    }
    ASSERT_TRUE(store.move(id, box).ok());
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(store.remove(store.ids()[random.below(store.size())]).ok());
    ASSERT_TRUE(store.insert(sudar_test::random_box<D>(random, world, 1)).ok());
    ASSERT_TRUE(
        store.teleport(store.ids()[random.below(store.size())], sudar_test::random_box<D>(random, world, 1)).ok());
  }
}

template <int D>
void check_hand_over() {
  Adaptive<D> adaptive(mad_clock);
  BruteForce<D> plain;
  BoxStore<D> store;
  Random random(7);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<D>(random, 5, 1)).ok());
  std::set<std::string_view> used;
  for (int step = 0; step < 300; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(plain.update(store).ok());
    const auto a = adaptive.changes(store), b = plain.changes(store);
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_EQ(copy<D>(a->begin), copy<D>(b->begin)) << "step " << step << " by " << adaptive.in_use();
    ASSERT_EQ(copy<D>(a->stay), copy<D>(b->stay)) << "step " << step << " by " << adaptive.in_use();
    ASSERT_EQ(copy<D>(a->end), copy<D>(b->end)) << "step " << step << " by " << adaptive.in_use();
    used.insert(adaptive.in_use());
    change(store, random, step);
  }
  // The mad clock made it go from one to the other
  EXPECT_GT(used.size(), 2u);
}

}  // namespace

TEST(Adaptive, HandsOverWithoutLosingOrRepeatingAnEvent2) { check_hand_over<2>(); }
TEST(Adaptive, HandsOverWithoutLosingOrRepeatingAnEvent3) { check_hand_over<3>(); }

TEST(Adaptive, AStoppedClockIsNoTrouble) {
  Adaptive<2> adaptive(stopped_clock);
  BoxStore<2> store;
  Random random(1);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 5, 1)).ok());
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    const auto pairs = adaptive.pairs(store);
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ(copy<2>(*pairs), sudar_test::plain_pairs(store));
    change(store, random, step);
  }
  EXPECT_EQ(adaptive.total_ms(), 0);
}

TEST(Adaptive, EveryDecisionIsRecordedWithReasonAndCosts) {
  Adaptive<3> adaptive(mad_clock);
  BoxStore<3> store;
  Random random(2);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 5, 1)).ok());
  for (int step = 0; step < 200; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(adaptive.pairs(store).ok());
    change(store, random, step);
  }
  ASSERT_FALSE(adaptive.decisions().empty());
  double regret = 0;
  std::string_view current = adaptive.decisions().front().to;
  for (std::size_t i = 0; i < adaptive.decisions().size(); ++i) {
    const AdaptiveDecision& d = adaptive.decisions()[i];
    EXPECT_FALSE(d.reason.empty());
    EXPECT_EQ(d.costs.size(), adaptive.costs().size());
    EXPECT_GE(d.regret_ms, regret);
    EXPECT_GT(d.features.boxes, 0);
    if (i > 0) {
      EXPECT_EQ(d.from, current);
    }
    regret = d.regret_ms;
    current = d.to;
  }
  EXPECT_EQ(current, adaptive.in_use());
  EXPECT_LE(adaptive.probe_ms(), adaptive.total_ms());
}

TEST(SceneWatch, SeesNumberMotionSizesAndCrowds) {
  BoxStore<2> store;
  SceneWatch<2> watch;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(0, 100), y = random.uniform(0, 100), e = i % 10 == 0 ? 20 : 1;
    ASSERT_TRUE(
        store.insert(Aabb<2, double>{{x, y}, {x + e, y + e}}, {}, i % 4 == 0 ? Motion::fixed : Motion::moving).ok());
  }
  watch.look(store, 0);
  for (std::uint32_t id = 1; id < 400; id += 4) {
    Aabb<2, float> box = store.box(store.row_of(id));
    box.lo.x += 0.5f;
    box.hi.x += 0.5f;
    ASSERT_TRUE(store.move(id, box).ok());
  }
  ASSERT_TRUE(store.remove(7).ok());
  const SceneFeatures f = watch.look(store, 123);
  EXPECT_EQ(f.boxes, 1999);
  EXPECT_EQ(f.moved, 101);
  EXPECT_EQ(f.churned, 1);
  EXPECT_EQ(f.pairs, 123);
  EXPECT_NEAR(f.fixed, 0.25, 0.01);
  EXPECT_NEAR(f.size_spread, 20, 1);
  EXPECT_LT(f.crowding, 3);
  // All in one corner
  BoxStore<2> crowd;
  SceneWatch<2> watch_crowd;
  for (int i = 0; i < 2000; ++i) {
    const double reach = i % 100 == 0 ? 1000 : 1;
    const double x = random.uniform(0, reach), y = random.uniform(0, reach);
    ASSERT_TRUE(crowd.insert(Aabb<2, double>{{x, y}, {x + 0.1, y + 0.1}}).ok());
  }
  EXPECT_GT(watch_crowd.look(crowd, 0).crowding, 10);
}

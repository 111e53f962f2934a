// What is special about the incremental sweep: swaps, batches, and when it starts anew
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/sap.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::plain_pairs;
using sudar_test::updated_pairs;

namespace {

template <int D>
BoxStore<D> random_store(Random& random, std::size_t n, double world) {
  BoxStore<D> store;
  for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(store.insert(sudar_test::random_box<D>(random, world, 1)).ok());
  return store;
}

template <int D>
Aabb<D, float> shifted(Aabb<D, float> box, Random& random, double most) {
  for (int k = 0; k < D; ++k) {
    const auto by = static_cast<float>(random.uniform(-most, most));
    box.lo[k] += by;
    box.hi[k] += by;
  }
  return box;
}

// Swaps as long as they are fewer than this a box, whatever a new start costs
template <int D>
void hold_to_swaps(Sap<D>& sap) {
  ASSERT_TRUE(sap.set_parameter("swaps", 32).ok());
}

template <int D>
void move_all(BoxStore<D>& store, Random& random, double most) {
  for (std::uint32_t id = 0; id < store.size(); ++id)
    ASSERT_TRUE(store.move(id, shifted<D>(store.box(store.row_of(id)), random, most)).ok());
}

}  // namespace

TEST(Sap, EveryCrossingOfTwoEndsIsOneSwap) {
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(Aabb<2, float>{{0, 0}, {1, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, float>{{1.5f, 0}, {2.5f, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, float>{{1000, 1000}, {1001, 1001}}).ok());
  Sap<2> sap;
  EXPECT_TRUE(updated_pairs(sap, store).empty());
  EXPECT_EQ(sap.counters().rebuilds, 1u);
  // Into the other: its upper end passes one lower end
  ASSERT_TRUE(store.move(0, Aabb<2, float>{{0.75f, 0}, {1.75f, 1}}).ok());
  EXPECT_EQ(updated_pairs(sap, store), (std::vector<IdPair>{{0, 1}}));
  EXPECT_EQ(sap.counters().swaps, 1u);
  EXPECT_EQ(sap.counters().rebuilds, 0u);
  // Out on the other side: the three other crossings
  ASSERT_TRUE(store.move(0, Aabb<2, float>{{3, 0}, {4, 1}}).ok());
  EXPECT_TRUE(updated_pairs(sap, store).empty());
  EXPECT_EQ(sap.counters().swaps, 3u);
}

// The trace has one event a swap, names the ends, and its pairs that meet and part lead to those of the answer
TEST(Sap, TraceTellsEverySwap) {
  Random random(campaign_seed(8));
  BoxStore<2> store = random_store<2>(random, 40, 6);
  Sap<2> sap, unseen;
  ASSERT_TRUE(sap.set_parameter("batch", 1).ok());
  ASSERT_TRUE(unseen.set_parameter("batch", 1).ok());
  std::vector<IdPair> pairs = updated_pairs(sap, store);
  updated_pairs(unseen, store);
  for (int step = 0; step < 20; ++step) {
    for (std::uint32_t id = 0; id < store.size(); ++id)
      ASSERT_TRUE(store.move(id, shifted(store.box(store.row_of(id)), random, 0.1)).ok());
    TraceLog log;
    sap.watch(&log);
    const std::vector<IdPair> found = updated_pairs(sap, store);
    EXPECT_EQ(found, updated_pairs(unseen, store));
    std::size_t swaps = 0;
    for (const auto& e : log.entries()) {
      swaps += e.step == "swap" ? 1 : 0;
      if (e.step == "swap") {
        EXPECT_EQ(e.value != 0, e.ids[0] % 2 == 0 && e.ids[1] % 2 == 1);
      }
      if (e.step != "meet" && e.step != "part") continue;
      const IdPair pair = make_pair_of(e.ids[0], e.ids[1]);
      const auto at = std::find(pairs.begin(), pairs.end(), pair);
      if (e.step == "part" && at != pairs.end()) pairs.erase(at);
      if (e.step == "meet" && e.value != 0 && at == pairs.end()) pairs.push_back(pair);
    }
    EXPECT_EQ(swaps, sap.counters().swaps);
    EXPECT_EQ(swaps, unseen.counters().swaps);
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, found);
  }
}

// Oracle: the plain loop
template <int D>
void walk(double most, std::size_t teleports, bool by_assign) {
  Random random(campaign_seed(5));
  BoxStore<D> store = random_store<D>(random, 400, 6);
  Sap<D> sap;
  hold_to_swaps(sap);
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (int step = 0; step < 40; ++step) {
    std::vector<float> rows;
    for (std::uint32_t id = 0; id < store.size(); ++id) {
      const auto box = shifted<D>(store.box(store.row_of(id)), random, most);
      for (int k = 0; k < D; ++k) rows.push_back(box.lo[k]);
      for (int k = 0; k < D; ++k) rows.push_back(box.hi[k]);
      if (by_assign) continue;
      ASSERT_TRUE(store.move(id, box).ok());
    }
    if (by_assign) {
      ASSERT_TRUE(store.assign(std::span<const float>(rows)).ok());
    }
    for (std::size_t i = 0; i < teleports; ++i)
      ASSERT_TRUE(
          store.teleport(static_cast<std::uint32_t>(random.below(400)), sudar_test::random_box<D>(random, 6, 1)).ok());
    ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store)) << step;
    EXPECT_EQ(sap.counters().rebuilds, 0u) << step;
  }
}

TEST(Sap, SlowBoxesNeverStartAnew2) { walk<2>(0.01, 0, false); }
TEST(Sap, SlowBoxesNeverStartAnew3) { walk<3>(0.01, 0, false); }
TEST(Sap, WholeFramesAreFollowedToo) { walk<3>(0.01, 0, true); }
TEST(Sap, AFewThatLeapAreABatch2) { walk<2>(0.01, 4, false); }
TEST(Sap, AFewThatLeapAreABatch3) { walk<3>(0.01, 4, false); }

TEST(Sap, LeapsCostNoSwaps) {
  Random random(campaign_seed(8));
  BoxStore<3> store = random_store<3>(random, 2000, 10);
  Sap<3> sap;
  hold_to_swaps(sap);
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (std::uint32_t id = 0; id < 20; ++id)
    ASSERT_TRUE(store.teleport(id, sudar_test::random_box<3>(random, 10, 1)).ok());
  // Not said to be leaps, but far all the same
  for (std::uint32_t id = 20; id < 40; ++id)
    ASSERT_TRUE(store.move(id, shifted<3>(store.box(store.row_of(id)), random, 10)).ok());
  for (std::uint32_t id = 40; id < 50; ++id) ASSERT_TRUE(store.remove(id).ok());
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 10, 1)).ok());
  EXPECT_EQ(updated_pairs(sap, store), plain_pairs(store));
  EXPECT_EQ(sap.counters().rebuilds, 0u);
  EXPECT_LT(sap.counters().swaps, 20000u);
}

TEST(Sap, FastBoxesStartAnewAndWaitBeforeTheNextTry) {
  Random random(campaign_seed(2));
  BoxStore<3> store = random_store<3>(random, 3000, 12);
  Sap<3> sap;
  hold_to_swaps(sap);
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  int without_swaps = 0;
  for (int step = 0; step < 12; ++step) {
    move_all(store, random, 0.6);
    ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store)) << step;
    EXPECT_EQ(sap.counters().rebuilds, 1u) << step;
    EXPECT_LT(sap.counters().swaps, 33u * 3001u + 6000u);
    without_swaps += sap.counters().swaps == 0 ? 1 : 0;
  }
  EXPECT_GT(without_swaps, 5);
  // It comes back when they slow down
  bool swapped = false;
  for (int step = 0; step < 40 && !swapped; ++step) {
    move_all(store, random, 1e-4);
    ASSERT_TRUE(sap.update(store).ok());
    swapped = sap.counters().rebuilds == 0;
  }
  EXPECT_TRUE(swapped);
  EXPECT_EQ(updated_pairs(sap, store), plain_pairs(store));
}

// Left to itself, it looks all pairs up anew when many boxes move, because that costs less than bringing their ends up to date,
// and goes by swaps when a few of not too many do. It neither sorts ends that it will not need nor forgets to come back.
template <int D>
void goes_the_cheaper_way() {
  Random random(campaign_seed(12));
  BoxStore<D> store = random_store<D>(random, 600, D == 2 ? 15 : 6);
  Sap<D> sap;
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  const auto ends = [&] {
    std::size_t count = 0;
    sap.for_each_end(0, [&](float, bool, std::uint32_t) { ++count; });
    return count;
  };
  for (int round = 0; round < 3; ++round) {
    for (int step = 0; step < 6; ++step) {
      move_all(store, random, 1e-4);
      ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
      EXPECT_EQ(sap.counters().rebuilds, 1u) << round << ' ' << step;
      EXPECT_EQ(sap.counters().swaps, 0u);
      EXPECT_EQ(ends(), 0u);
    }
    int swapped = 0;
    for (int step = 0; step < 40; ++step) {
      for (int i = 0; i < 12; ++i) {
        const auto id = static_cast<std::uint32_t>(random.below(store.size()));
        ASSERT_TRUE(store.move(id, shifted<D>(store.box(store.row_of(id)), random, 0.01)).ok());
      }
      ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
      swapped += sap.counters().rebuilds == 0 ? 1 : 0;
    }
    EXPECT_GT(swapped, 30) << round;
    EXPECT_EQ(ends(), 2 * store.size());
  }
}
TEST(Sap, GoesTheCheaperWay2) { goes_the_cheaper_way<2>(); }
TEST(Sap, GoesTheCheaperWay3) { goes_the_cheaper_way<3>(); }

TEST(Sap, FiltersAndMotionMayChangeWhileNothingMoves) {
  Random random(campaign_seed(4));
  BoxStore<2> store = random_store<2>(random, 300, 4);
  Sap<2> sap;
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (int step = 0; step < 30; ++step) {
    for (int i = 0; i < 5; ++i) {
      const auto id = static_cast<std::uint32_t>(random.below(300));
      const auto changed = random.coin() ? store.set_motion(id, random.coin() ? Motion::fixed : Motion::moving)
                                         : store.set_filter(id, {1, random.coin() ? 1u : 0u, 0});
      ASSERT_TRUE(changed.ok());
    }
    ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store)) << step;
  }
}

// Oracle: the plain loop, and the number of pairs that are kept
TEST(Sap, PairsThatFiltersRejectAreNeverKept) {
  Random random(campaign_seed(9));
  BoxStore<3> store;
  // Two layers that see each other but not themselves, a group, a callback, and fixed boxes, all in one heap
  for (std::uint32_t i = 0; i < 600; ++i) {
    const Filter filter{i % 2 == 0 ? 1u : 2u, i % 2 == 0 ? 2u : 1u, i % 5 == 0 ? 7u : 0u};
    const Motion motion = i % 3 == 0 ? Motion::fixed : Motion::moving;
    ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 1, 1), filter, motion).ok());
  }
  store.set_pair_callback({[](void*, std::uint32_t a, std::uint32_t b) { return (a + b) % 7 != 0; }, nullptr});
  Sap<3> sap;
  hold_to_swaps(sap);
  for (int step = 0; step < 20; ++step) {
    const auto expected = plain_pairs(store);
    ASSERT_EQ(updated_pairs(sap, store), expected) << step;
    EXPECT_EQ(sap.kept_pairs(), expected.size()) << step;
    EXPECT_EQ(sap.counters().rebuilds, step == 0 ? 1u : 0u) << step;
    std::vector<float> rows;
    for (std::uint32_t id = 0; id < store.size(); ++id) {
      const auto box = shifted<3>(store.box(id), random, 0.01);
      if (step % 2 == 0) {
        ASSERT_TRUE(store.move(id, box).ok());
      }
      for (int k = 0; k < 3; ++k) rows.push_back(box.lo[k]);
      for (int k = 0; k < 3; ++k) rows.push_back(box.hi[k]);
    }
    if (step % 2 == 1) {
      ASSERT_TRUE(store.assign(std::span<const float>(rows)).ok());
    }
  }
  // Nothing at all is left, and the callback is heard when it is another
  store.set_pair_callback({[](void*, std::uint32_t, std::uint32_t) { return false; }, nullptr});
  EXPECT_TRUE(updated_pairs(sap, store).empty());
  EXPECT_EQ(sap.kept_pairs(), 0u);
}

TEST(Sap, ABoxWhoseFilterChangesIsMetAgain) {
  Random random(campaign_seed(10));
  BoxStore<3> store;
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 2, 1), {1, i % 4 == 0 ? 0u : 1u, 0}).ok());
  Sap<3> sap;
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (int step = 0; step < 30; ++step) {
    const auto id = static_cast<std::uint32_t>(random.below(500));
    ASSERT_TRUE(store.set_filter(id, {1, random.coin() ? 1u : 0u, 0}).ok());
    // An id that comes back at the same place with another filter
    const auto other = static_cast<std::uint32_t>(random.below(500));
    const auto box = store.box(store.row_of(other));
    ASSERT_TRUE(store.remove(other).ok());
    ASSERT_EQ(*store.insert(box, {1, random.coin() ? 1u : 0u, 0}), other);
    const auto expected = plain_pairs(store);
    ASSERT_EQ(updated_pairs(sap, store), expected) << step;
    EXPECT_EQ(sap.kept_pairs(), expected.size());
    EXPECT_EQ(sap.counters().rebuilds, 0u);
    EXPECT_EQ(sap.counters().swaps, 0u);
  }
}

// In a row along the last axis a sweep over the first would meet everybody
TEST(Sap, ABatchIsSweptAlongTheWidestAxis) {
  constexpr std::uint32_t kCount = 2000;
  BoxStore<3> store;
  const auto place = [](std::uint32_t i) {
    const auto z = static_cast<float>(i);
    return Aabb<3, float>{{0, 0, z}, {1, 1, z + 1.5f}};
  };
  for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_TRUE(store.insert(place(i)).ok());
  Sap<3> sap;
  hold_to_swaps(sap);
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (std::uint32_t id = 0; id < kCount; id += 100) ASSERT_TRUE(store.teleport(id, place(kCount - id)).ok());
  EXPECT_EQ(updated_pairs(sap, store), plain_pairs(store));
  EXPECT_EQ(sap.counters().rebuilds, 0u);
  EXPECT_LT(sap.counters().box_tests, 4 * kCount);
}

TEST(Sap, WithMoreIdsThanTheListsHoldEveryStepStartsAnew) {
  Random random(campaign_seed(11));
  BoxStore<2> store = random_store<2>(random, 300, 6);
  Sap<2> sap(302);
  ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store));
  for (int step = 0; step < 6; ++step) {
    ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 6, 1)).ok());
    ASSERT_EQ(updated_pairs(sap, store), plain_pairs(store)) << step;
    EXPECT_EQ(sap.counters().rebuilds, step < 2 ? 0u : 1u) << step;
  }
}

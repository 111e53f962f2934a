#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/broadphase/brute_force.hpp>
#include <sudar/broadphase/grid.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::BoxSet;
using sudar_test::campaign_seed;
using sudar_test::hard_box_sets;
using sudar_test::plain_pairs;
using sudar_test::updated_pairs;

namespace {

template <int D>
BoxStore<D> store_of(const BoxSet<D>& set) {
  BoxStore<D> store;
  for (const auto& box : set.boxes) EXPECT_TRUE(store.insert(box).ok());
  return store;
}

template <int D>
void give_filters(BoxStore<D>& store, Random& random) {
  for (std::uint32_t id = 0; id < store.size(); ++id) {
    EXPECT_TRUE(store.set_motion(id, random.below(3) == 0 ? Motion::fixed : Motion::moving).ok());
    if (random.coin()) continue;
    const Filter filter{1u << random.below(4), static_cast<std::uint32_t>(random.next() | 1),
                        static_cast<std::uint32_t>(random.below(5))};
    EXPECT_TRUE(store.set_filter(id, filter).ok());
  }
}

template <int D>
void check_hard_sets() {
  // One instance for all sets, so that what is left over from one would spoil the next
  std::vector<std::unique_ptr<Broadphase<D>>> algorithms;
  for (const BroadphaseEntry& entry : broadphases()) algorithms.push_back(std::move(*make_broadphase<D>(entry.name)));
  const auto check = [&](const BoxStore<D>& store, const std::string& what) {
    const auto expected = plain_pairs(store);
    for (const auto& algorithm : algorithms)
      EXPECT_EQ(updated_pairs(*algorithm, store), expected) << algorithm->name() << what;
  };
  Random random(campaign_seed(3));
  for (std::uint64_t seed = 1; seed <= sudar_test::soak(3); ++seed) {
    for (const BoxSet<D>& set : hard_box_sets<D>(campaign_seed(seed))) {
      BoxStore<D> store = store_of(set);
      check(store, " on " + set.name);
      give_filters(store, random);
      check(store, " filtered on " + set.name);
    }
  }
}

}  // namespace

TEST(Broadphase, EveryAlgorithmFindsThePairsOfThePlainLoop2) { check_hard_sets<2>(); }
TEST(Broadphase, EveryAlgorithmFindsThePairsOfThePlainLoop3) { check_hard_sets<3>(); }

TEST(Broadphase, ThreadsDoNotChangeThePairs) {
  Random random(campaign_seed(9));
  BoxStore<3> store;
  for (int i = 0; i < 20000; ++i)
    ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 20, i % 50 == 0 ? 15 : 1)).ok());
  const auto many = make_executor(4);
  for (const BroadphaseEntry& entry : broadphases()) {
    auto serial = entry.make3(), parallel = entry.make3();
    parallel->set_executor(*many);
    EXPECT_EQ(updated_pairs(*serial, store), updated_pairs(*parallel, store)) << entry.name;
    EXPECT_EQ(serial->counters().box_tests, parallel->counters().box_tests) << entry.name;
  }
}

TEST(Broadphase, PairsOfAStoreThatChangedAreRefused) {
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    BoxStore<2> store;
    EXPECT_EQ(algorithm->pairs(store).error().code, ErrorCode::invalid_argument);
    ASSERT_TRUE(algorithm->build(store).ok());
    EXPECT_TRUE(algorithm->pairs(store).ok());
    ASSERT_TRUE(store.insert(Aabb<2, float>{}).ok());
    EXPECT_EQ(algorithm->pairs(store).error().code, ErrorCode::invalid_argument);
    ASSERT_TRUE(algorithm->update(store).ok());
    EXPECT_TRUE(algorithm->pairs(store).ok());
  }
}

TEST(Broadphase, UnsortedPairsAreTheSameSet) {
  const BoxStore<3> store = store_of(hard_box_sets<3>(campaign_seed(1))[4]);
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make3();
    ASSERT_TRUE(algorithm->build(store).ok());
    const auto unsorted = algorithm->pairs(store, PairOrder::any);
    ASSERT_TRUE(unsorted.ok());
    std::vector<IdPair> pairs(unsorted->begin(), unsorted->end());
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, plain_pairs(store));
  }
}

TEST(Broadphase, ParametersHaveRangesAndNeverChangeThePairs) {
  struct Case {
    std::string name;
    BoxStore<3> store;
    std::vector<IdPair> expected;
  };
  std::vector<Case> cases;
  for (const auto& set : hard_box_sets<3>(campaign_seed(2))) {
    cases.push_back({set.name, store_of(set), {}});
    cases.back().expected = plain_pairs(cases.back().store);
  }
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make3();
    EXPECT_EQ(algorithm->name(), entry.name);
    EXPECT_EQ(algorithm->set_parameter("no such", 1).error().code, ErrorCode::unknown_id);
    for (const Parameter& p : algorithm->parameters()) {
      EXPECT_LE(p.lowest, p.value);
      EXPECT_LE(p.value, p.highest);
      EXPECT_FALSE(p.what.empty());
      const double before = p.value;
      EXPECT_EQ(algorithm->set_parameter(p.name, p.highest * 2 + 1).error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(algorithm->set_parameter(p.name, p.lowest - 1).error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(algorithm->set_parameter(p.name, std::numeric_limits<double>::quiet_NaN()).error().code,
                ErrorCode::non_finite);
      if (p.whole) {
        EXPECT_EQ(algorithm->set_parameter(p.name, p.lowest + 0.5).error().code, ErrorCode::invalid_argument);
      }
      EXPECT_EQ(p.value, before);
      for (const double value : {p.lowest, p.highest}) {
        ASSERT_TRUE(algorithm->set_parameter(p.name, value).ok());
        for (const Case& c : cases)
          EXPECT_EQ(updated_pairs(*algorithm, c.store), c.expected) << entry.name << ' ' << p.name << ' ' << c.name;
      }
      ASSERT_TRUE(algorithm->set_parameter(p.name, before).ok());
    }
  }
}

// Set while it runs, on a store that is touched or not, a parameter counts as if it had been set at first
TEST(Broadphase, ParametersTakeEffectAtTheNextUpdate) {
  for (const BroadphaseEntry& entry : broadphases()) {
    const auto sample = entry.make3();
    for (const Parameter& parameter : sample->parameters()) {
      for (const double value : {parameter.lowest, parameter.highest}) {
        if (value == parameter.value) continue;
        for (const bool touched : {false, true}) {
          Random random(campaign_seed(21));
          BoxStore<3> store;
          for (int i = 0; i < 500; ++i) {
            const auto box = sudar_test::random_box<3>(random, 10, i % 40 == 0 ? 12 : 1.5);
            ASSERT_TRUE(store.insert(box, {}, i % 2 == 0 ? Motion::fixed : Motion::moving).ok());
          }
          auto live = entry.make3(), fresh = entry.make3();
          updated_pairs(*live, store);
          ASSERT_TRUE(live->set_parameter(parameter.name, value).ok());
          ASSERT_TRUE(fresh->set_parameter(parameter.name, value).ok());
          if (touched) {
            ASSERT_TRUE(store.move(1, sudar_test::random_box<3>(random, 10, 1)).ok());
          }
          EXPECT_EQ(updated_pairs(*live, store), updated_pairs(*fresh, store));
          SearchCounters of_live = live->counters(), of_fresh = fresh->counters();
          of_live.bytes = of_fresh.bytes = 0;  // memory that was asked for once is kept
          EXPECT_EQ(of_live, of_fresh) << entry.name << ' ' << parameter.name << ' ' << value << ' ' << touched;
        }
      }
    }
  }
}

TEST(Broadphase, UnknownNameIsAnError) {
  EXPECT_EQ(make_broadphase<2>("quantum").error().code, ErrorCode::unknown_id);
  EXPECT_EQ(make_broadphase<3>("").error().code, ErrorCode::unknown_id);
}

// Counted, not timed: the same on every machine
TEST(Broadphase, BoxTestsGrowAsPromised) {
  Random random(1);
  for (const std::size_t n : {2000u, 8000u}) {
    // One giant among small ones
    BoxStore<3> giant;
    const double world = 0.5 * std::cbrt(static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_TRUE(giant.insert(sudar_test::random_box<3>(random, i ? world : 0.01, i ? 1 : world)).ok());
    // A tiny crowd in a huge world, spread along one axis
    BoxStore<3> crowd;
    for (std::size_t i = 0; i < n; ++i) {
      auto box = sudar_test::random_box<3>(random, i < 3 ? 1e9 : 1, 1e-3);
      ASSERT_TRUE(crowd.insert(box).ok());
    }
    Grid<3> grid;
    for (const auto* store : {&giant, &crowd}) {
      ASSERT_TRUE(grid.build(*store).ok());
      ASSERT_TRUE(grid.pairs(*store).ok());
      EXPECT_LT(grid.counters().box_tests, 60 * n);
      EXPECT_LT(grid.cell_count(), 2 * n + 65);
    }
    BruteForce<3> brute;
    ASSERT_TRUE(brute.build(giant).ok());
    ASSERT_TRUE(brute.pairs(giant).ok());
    EXPECT_EQ(brute.counters().box_tests, n * (n - 1) / 2);
  }
}

// Counted by what is built: nothing about fixed boxes is done again while none of them changed
TEST(Broadphase, FixedBoxesAreTakenInOnce) {
  for (const BroadphaseEntry& entry : broadphases()) {
    if (entry.name == "adaptive" || entry.name == "brute_force" || entry.name == "columns" || entry.name == "sap")
      continue;  // these keep no count of it
    Random random(campaign_seed(17));
    BoxStore<2> store;
    for (int i = 0; i < 800; ++i) {
      // Giants and a crowd among both
      const auto box = sudar_test::random_box<2>(random, i % 9 == 0 ? 1 : 60, i % 97 == 0 ? 80 : 1);
      ASSERT_TRUE(store.insert(box, {}, i % 4 == 0 ? Motion::moving : Motion::fixed).ok());
    }
    auto algorithm = entry.make2();
    EXPECT_EQ(updated_pairs(*algorithm, store), plain_pairs(store));
    const auto from_nothing = algorithm->counters().rebuilds;
    EXPECT_EQ(from_nothing, 2u) << entry.name;
    for (int step = 0; step < 8; ++step) {
      // The rows of fixed boxes change when a moving one goes
      ASSERT_TRUE(store.remove(static_cast<std::uint32_t>(8 * step)).ok());
      ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 60, 1)).ok());
      for (std::uint32_t id = 400; id < 800; id += 4)
        ASSERT_TRUE(store.move(id, sudar_test::random_box<2>(random, 60, id % 97 == 0 ? 80 : 1)).ok());
      EXPECT_EQ(updated_pairs(*algorithm, store), plain_pairs(store)) << entry.name;
      EXPECT_LE(algorithm->counters().rebuilds, 1u) << entry.name;
    }
    ASSERT_TRUE(store.move(1, sudar_test::random_box<2>(random, 60, 1)).ok());
    EXPECT_EQ(updated_pairs(*algorithm, store), plain_pairs(store)) << entry.name;
  }
}

TEST(SortSweep, PicksTheAxisOfLargestVariance) {
  for (int axis = 0; axis < 3; ++axis) {
    Random random(4);
    BoxStore<3> store;
    for (int i = 0; i < 100; ++i) {
      auto box = sudar_test::random_box<3>(random, 1, 0.1);
      const auto shift = static_cast<float>(random.uniform(-50, 50));
      box.lo[axis] += shift;
      box.hi[axis] += shift;
      ASSERT_TRUE(store.insert(box).ok());
    }
    SortSweep<3> sweep;
    ASSERT_TRUE(sweep.build(store).ok());
    EXPECT_EQ(sweep.axis(), axis);
  }
}

TEST(SortSweep, FixedBoxesAreNotTestedAgainstEachOther) {
  BoxStore<2> store;
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(store.insert(Aabb<2, float>{}, {}, Motion::fixed).ok());
  ASSERT_TRUE(store.insert(Aabb<2, float>{}).ok());
  SortSweep<2> sweep;
  Grid<2> grid;
  for (Broadphase<2>* algorithm : {static_cast<Broadphase<2>*>(&sweep), static_cast<Broadphase<2>*>(&grid)}) {
    EXPECT_EQ(updated_pairs(*algorithm, store).size(), 500u);
    EXPECT_EQ(algorithm->counters().box_tests, 500u);
  }
}

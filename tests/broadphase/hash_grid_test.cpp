#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/hash_grid.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::built_pairs;
using sudar_test::campaign_seed;
using sudar_test::expect_as_swept;

namespace {

template <int D>
Aabb<D, float> cube(std::array<float, D> at, float edge) {
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = at[static_cast<std::size_t>(k)];
    box.hi[k] = box.lo[k] + edge;
  }
  return box;
}

}  // namespace

TEST(HashGrid, LevelsAreThoseOfTheSizes) {
  BoxStore<2> store;
  Random random(campaign_seed(1));
  for (int i = 0; i < 300; ++i) {
    const auto x = static_cast<float>(random.uniform(0, 100)), y = static_cast<float>(random.uniform(0, 100));
    ASSERT_TRUE(store.insert(cube<2>({x, y}, i % 3 == 0 ? 0.7f : i % 3 == 1 ? 11.0f : 90.0f)).ok());
  }
  HashGrid<2> grid;
  expect_as_swept<2>(grid, store);
  // Cells as wide as the boxes at least, rounded up to a power of two
  ASSERT_EQ(grid.levels().size(), 3u);
  EXPECT_EQ(grid.levels()[0].exponent, 0);
  EXPECT_EQ(grid.levels()[1].exponent, 4);
  EXPECT_EQ(grid.levels()[2].exponent, 7);
  for (const auto& level : grid.levels()) EXPECT_EQ(level.end - level.begin, 100u);
  EXPECT_EQ(grid.counters().duplicates, 0u);
}

TEST(HashGrid, ABoxJustOverTheEdgeOfItsCellsIsOnACoarserLevel) {
  // The size of the first is 1 when rounded, but it touches the cells -1, 0 and 1
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(Aabb<2, float>{{-1e-30f, -1e-30f}, {1, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, float>{{1, 1}, {2, 2}}).ok());
  HashGrid<2> grid;
  ASSERT_TRUE(grid.set_parameter("cell_scale", 1).ok());
  EXPECT_EQ(built_pairs<2>(grid, store).size(), 1u);
}

TEST(HashGrid, NoBoundsNoSizeAndNoMixIsOutOfRange) {
  Random random(campaign_seed(2));
  HashGrid<3> grid;
  BoxStore<3> store;
  // Clusters of every scale around places of every magnitude
  for (int i = 0; i < 6000; ++i) {
    const double scale = std::exp2(static_cast<double>(random.below(60)) - 30);
    const double place = random.coin() ? 0 : 1000 * scale;
    auto box = sudar_test::random_box<3>(random, 4 * scale, scale);
    for (int k = 0; k < 3; ++k) {
      box.lo[k] += static_cast<float>(place);
      box.hi[k] += static_cast<float>(place);
    }
    ASSERT_TRUE(store.insert(box, {}, i % 4 == 0 ? Motion::fixed : Motion::moving).ok());
  }
  expect_as_swept<3>(grid, store);
  EXPECT_GT(grid.levels().size(), 30u);
}

// Counted, not timed: the same on every machine
TEST(HashGrid, LatticesDiagonalsAndCrowdsDoNotShareSlots) {
  HashGrid<3> grid;
  const auto tests_per_box = [&](const BoxStore<3>& store) {
    expect_as_swept<3>(grid, store);
    return static_cast<double>(grid.counters().box_tests) / static_cast<double>(store.size());
  };
  // A lattice in steps of a power of two, where masks would put all boxes into one slot
  for (const float step : {4.0f, 64.0f, 4096.0f}) {
    BoxStore<3> lattice;
    for (int i = 0; i < 8000; ++i)
      ASSERT_TRUE(lattice
                      .insert(cube<3>({static_cast<float>(i % 20) * step, static_cast<float>(i / 20 % 20) * step,
                                       static_cast<float>(i / 400) * step},
                                      1))
                      .ok());
    EXPECT_LT(tests_per_box(lattice), 20) << step;
  }
  // A diagonal
  BoxStore<3> diagonal;
  for (int i = 0; i < 8000; ++i) {
    const auto x = static_cast<float>(i);
    ASSERT_TRUE(diagonal.insert(cube<3>({x, x, x}, 0.75f)).ok());
  }
  EXPECT_LT(tests_per_box(diagonal), 20);
  // A crowd in a huge world, with a giant over it
  Random random(campaign_seed(3));
  BoxStore<3> crowd;
  for (int i = 0; i < 8000; ++i)
    ASSERT_TRUE(crowd.insert(sudar_test::random_box<3>(random, i < 5 ? 1e8 : 1, i == 9 ? 100 : 0.04)).ok());
  EXPECT_LT(tests_per_box(crowd), 60);
}

TEST(HashGrid, FixedBoxesAreEnteredOnce) {
  Random random(campaign_seed(4));
  BoxStore<2> store;
  for (int i = 0; i < 4000; ++i)
    ASSERT_TRUE(store
                    .insert(sudar_test::random_box<2>(random, 60, i % 50 == 0 ? 40 : 1), {},
                            i % 4 == 0 ? Motion::moving : Motion::fixed)
                    .ok());
  HashGrid<2> grid;
  expect_as_swept<2>(grid, store);
  EXPECT_EQ(grid.counters().rebuilds, 2u);
  ASSERT_TRUE(store.remove(0).ok());
  for (std::uint32_t id = 4; id < 4000; id += 4)
    ASSERT_TRUE(store.move(id, sudar_test::random_box<2>(random, 60, 2)).ok());
  ASSERT_TRUE(grid.update(store).ok());
  EXPECT_EQ(grid.counters().rebuilds, 1u);
  SortSweep<2> sweep;
  const auto found = grid.pairs(store);
  EXPECT_EQ(std::vector<IdPair>(found->begin(), found->end()), built_pairs<2>(sweep, store));
}

#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/cells_portals.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::to_vector;
using sudar_test::updated_pairs;

namespace {

// Four rooms of 10 x 10 in a square, walls without thickness
std::vector<Aabb<2, double>> four_rooms() {
  return {{{0, 0}, {10, 10}}, {{10, 0}, {20, 10}}, {{0, 10}, {10, 20}}, {{10, 10}, {20, 20}}};
}

Aabb<2, float> square(float x, float y, float half) { return {{x - half, y - half}, {x + half, y + half}}; }

}  // namespace

TEST(CellsPortals, PortalsAreWhereRoomsTouch) {
  CellsPortals<2> cells;
  BoxStore<2> store;
  auto rooms = four_rooms();
  rooms.push_back({{30, 0}, {40, 10}});  // stands alone
  ASSERT_TRUE(cells.set_cells(rooms).ok());
  ASSERT_TRUE(cells.build(store).ok());
  const CellMap<2>& map = cells.map();
  EXPECT_EQ(map.size(), 5u);
  // Each of the four touches the three others, across a corner too
  EXPECT_EQ(map.portal_count(), 6u);
  EXPECT_EQ(map.neighbors(0).size(), 3u);
  EXPECT_EQ(map.neighbors(4).size(), 0u);
  CellMap<2>::Scratch scratch;
  EXPECT_EQ(map.locate({5, 15}, 5, scratch), 2u);
  EXPECT_EQ(map.locate({35, 5}, 0, scratch), 4u);
  EXPECT_EQ(map.locate({25, 5}, 0, scratch), map.size());

  // A region inside reaches nothing else; over a wall, the rooms beyond; through an outer wall, the outside as well
  std::vector<std::uint32_t> reached;
  map.reach(0, {{2, 2}, {8, 8}}, scratch, reached);
  EXPECT_EQ(reached, (std::vector<std::uint32_t>{0}));
  map.reach(0, {{2, 2}, {11, 8}}, scratch, reached);
  EXPECT_EQ(reached, (std::vector<std::uint32_t>{0, 1}));
  map.reach(0, {{9, 9}, {11, 11}}, scratch, reached);
  EXPECT_EQ(reached.size(), 4u);
  map.reach(0, {{-1, 2}, {5, 8}}, scratch, reached);
  EXPECT_EQ(reached, (std::vector<std::uint32_t>{0, 5}));
  // Out of the house and into the one that stands alone
  map.reach(1, {{15, 2}, {32, 8}}, scratch, reached);
  std::sort(reached.begin(), reached.end());
  EXPECT_EQ(reached, (std::vector<std::uint32_t>{1, 4, 5}));
}

TEST(CellsPortals, SmallBoxesAreFoundByALargeOneBehindTheWall) {
  // Neither crosses the wall with its centre; the small one does not touch the wall at all
  CellsPortals<2> cells;
  ASSERT_TRUE(cells.set_cells(four_rooms()).ok());
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(square(7, 5, 0.5f)).ok());
  ASSERT_TRUE(store.insert(square(11, 5, 4)).ok());
  ASSERT_TRUE(store.insert(square(5, 2, 1)).ok());
  EXPECT_EQ(updated_pairs<2>(cells, store), (std::vector<IdPair>{{0, 1}}));
}

TEST(CellsPortals, ThroughThickWallsOutsideAndLargerThanRooms) {
  // Rooms with gaps between them, some of them overlapping, in a world that is much larger
  Random random(campaign_seed(1));
  std::vector<Aabb<3, double>> rooms;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z)
        rooms.push_back({{x * 11.0, y * 11.0, z * 10.0}, {x * 11.0 + 10, y * 11.0 + 10, z * 10.0 + 10}});
  rooms.push_back({{5, 5, 5}, {17, 8, 9}});
  rooms.push_back({{3, 3, 3}, {3, 8, 9}});  // flat
  for (const double size : {0.5, 3.0, 30.0}) {
    CellsPortals<3> cells;
    ASSERT_TRUE(cells.set_cells(rooms).ok());
    BoxStore<3> store;
    for (int i = 0; i < 1500; ++i) {
      const auto box = sudar_test::random_box<3>(random, i % 3 == 0 ? 60 : 33, i % 100 == 0 ? 3 * size : size);
      ASSERT_TRUE(store.insert(box, {}, i % 5 == 0 ? Motion::fixed : Motion::moving).ok());
    }
    EXPECT_EQ(updated_pairs<3>(cells, store), sudar_test::plain_pairs(store)) << size;
    EXPECT_GT(cells.outside_count(), 20u);
    EXPECT_EQ(cells.giant_count() > 0, size > 9) << size;
    // Through doors and walls, over some steps
    for (int step = 0; step < 5; ++step) {
      for (std::uint32_t id = 0; id < store.size(); ++id)
        if (id % 5 != 0) {
          ASSERT_TRUE(store.move(id, sudar_test::random_box<3>(random, 30, size)).ok());
        }
      EXPECT_EQ(updated_pairs<3>(cells, store), sudar_test::plain_pairs(store)) << size;
      EXPECT_EQ(cells.counters().rebuilds, 1u);
    }
  }
}

TEST(CellsPortals, HallsWithoutGapsAreNeverLeft) {
  // 20 x 20 rooms wall to wall; boxes far from the outer walls are found through portals alone
  std::vector<Aabb<2, double>> rooms;
  for (int i = 0; i < 400; ++i) rooms.push_back({{i % 20 * 5.0, i / 20 * 5.0}, {i % 20 * 5.0 + 5, i / 20 * 5.0 + 5}});
  CellsPortals<2> cells;
  ASSERT_TRUE(cells.set_cells(rooms).ok());
  BoxStore<2> store;
  Random random(campaign_seed(2));
  for (int i = 0; i < 3000; ++i) {
    const auto x = static_cast<float>(random.uniform(15, 85)), y = static_cast<float>(random.uniform(15, 85));
    ASSERT_TRUE(store.insert(square(x, y, 0.5f)).ok());
  }
  EXPECT_EQ(updated_pairs<2>(cells, store), sudar_test::plain_pairs(store));
  EXPECT_EQ(cells.outside_count(), 0u);
  // A room and those around it, no more
  EXPECT_LE(cells.counters().nodes_visited, 400u * 9);
  EXPECT_LT(cells.counters().box_tests, 3000u * 60);
}

TEST(CellsPortals, CellsAreMadeForTheBoxesAndKeptWhileTheyFit) {
  Random random(campaign_seed(3));
  BoxStore<3> store;
  for (int i = 0; i < 8000; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 20, 1)).ok());
  CellsPortals<3> cells;
  SortSweep<3> sweep;
  EXPECT_EQ(updated_pairs<3>(cells, store), updated_pairs<3>(sweep, store));
  EXPECT_FALSE(cells.map().has_rooms());
  EXPECT_GT(cells.map().size(), 100u);
  EXPECT_GT(cells.map().portal_count(), 3 * 100u);
  EXPECT_LT(cells.counters().box_tests, 8000u * 150);
  for (std::uint32_t id = 0; id < 8000; id += 2)
    ASSERT_TRUE(store.move(id, sudar_test::random_box<3>(random, 20, 1)).ok());
  EXPECT_EQ(updated_pairs<3>(cells, store), updated_pairs<3>(sweep, store));
  EXPECT_EQ(cells.counters().rebuilds, 1u);
  // All into a corner: the cells of before do not serve. What is crowded now is seen at the next step.
  for (int step = 0; step < 2; ++step) {
    for (std::uint32_t id = 0; id < 8000; ++id)
      ASSERT_TRUE(store.move(id, sudar_test::random_box<3>(random, 2, 0.1)).ok());
    EXPECT_EQ(updated_pairs<3>(cells, store), updated_pairs<3>(sweep, store));
    EXPECT_EQ(cells.counters().rebuilds, step == 0 ? 1u : 2u);
  }
  EXPECT_LT(cells.counters().box_tests, 8000u * 150);
}

TEST(CellsPortals, BadRoomsAreNamedAndChangeNothing) {
  CellsPortals<2> cells;
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(square(1, 1, 1)).ok());
  ASSERT_TRUE(store.insert(square(2, 1, 1)).ok());
  ASSERT_TRUE(cells.set_cells(four_rooms()).ok());
  auto rooms = four_rooms();
  rooms[2].hi[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(cells.set_cells(rooms).error(), (Error{ErrorCode::non_finite, 2}));
  rooms[2].hi[1] = -5;
  EXPECT_EQ(cells.set_cells(rooms).error(), (Error{ErrorCode::invalid_argument, 2}));
  EXPECT_EQ(updated_pairs<2>(cells, store).size(), 1u);
  EXPECT_EQ(cells.map().size(), 4u);
  // New rooms wait for the next build; the search in between goes on with the old ones
  ASSERT_TRUE(cells.set_cells({}).ok());
  EXPECT_EQ(to_vector(cells.pairs(store)).size(), 1u);
  EXPECT_EQ(cells.map().size(), 4u);
  ASSERT_TRUE(cells.build(store).ok());
  EXPECT_FALSE(cells.map().has_rooms());
  EXPECT_EQ(to_vector(cells.pairs(store)).size(), 1u);
}

// What is special about the octrees and the kd-tree; that they find the right pairs is tested for all algorithms at once
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/bsp_tree.hpp>
#include <sudar/broadphase/kd_tree.hpp>
#include <sudar/broadphase/octree.hpp>
#include <sudar/broadphase/octree_loose.hpp>
#include <sudar/broadphase/octree_nodup.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace sudar;
using sudar_test::built_pairs;
using sudar_test::campaign_seed;
using sudar_test::expect_as_swept;

namespace {

template <int D>
BoxStore<D> uniform_store(std::size_t count, double edge, std::uint64_t seed) {
  Random random(campaign_seed(seed));
  BoxStore<D> store;
  const double world = std::pow(static_cast<double>(count), 1.0 / D);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_TRUE(store.insert(sudar_test::random_box<D>(random, world, edge)).ok());
  return store;
}

template <class Tree>
std::uint32_t deepest(const Tree& tree) {
  std::uint32_t depth = 0;
  for (const auto& node : tree.nodes()) depth = std::max(depth, node.depth);
  return depth;
}

}  // namespace

TEST_SIMD(OverlapKernels, AreTheSameAsTheirPlainTwin) {
  Random random(campaign_seed(1));
  const auto check = [&]<int D>(std::integral_constant<int, D>) {
    BoxList<D> list;
    for (std::uint32_t i = 0; i < 500; ++i) list.push(sudar_test::random_box<D>(random, 2, 1.5), i, 0);
    std::vector<ScanTask> tasks;
    for (int i = 0; i < 300; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(501));
      const auto to = static_cast<std::uint32_t>(from + random.below(501 - from));
      tasks.push_back({static_cast<std::uint32_t>(random.below(500)), from, to});
    }
    std::vector<ScanHit> fast(700), plain(700);
    std::span<const ScanTask> left = tasks;
    while (!left.empty()) {
      const auto a = scan_tasks<D>(list.columns(), list.columns(), left, fast.data(), fast.size());
      const auto b = scan_tasks_plain<D>(list.columns(), list.columns(), left, plain.data(), plain.size());
      ASSERT_EQ(a.tasks, b.tasks);
      ASSERT_EQ(a.found, b.found);
      ASSERT_GT(a.tasks, 0u);
      for (std::size_t i = 0; i < a.found; ++i) ASSERT_EQ(fast[i], plain[i]);
      left = left.subspan(a.tasks);
    }
  };
  check(std::integral_constant<int, 2>{});
  check(std::integral_constant<int, 3>{});
}

TEST(Octree, LeavesKeepToTheirCapacityAndDepth) {
  const BoxStore<3> store = uniform_store<3>(20000, 0.5, 1);
  Octree<3> octree;
  for (const double capacity : {16.0, 64.0, 300.0}) {
    ASSERT_TRUE(octree.set_parameter("leaf_capacity", capacity).ok());
    expect_as_swept<3>(octree, store);
    for (const auto& node : octree.moving_tree().nodes())
      if (node.child_count == 0) {
        EXPECT_LE(node.end - node.begin, capacity);
      }
  }
  ASSERT_TRUE(octree.set_parameter("leaf_capacity", 1).ok());
  for (const double depth : {0.0, 1.0, 3.0}) {
    ASSERT_TRUE(octree.set_parameter("depth", depth).ok());
    expect_as_swept<3>(octree, store);
    EXPECT_EQ(deepest(octree.moving_tree()), depth);
  }
}

TEST(Octree, ABoxIsInEveryLeafItTouchesAndDuplicatesAreCounted) {
  // Four boxes over the middle of a square, and one in each corner to divide it
  BoxStore<2> store;
  for (const float x : {0.0f, 7.0f})
    for (const float y : {0.0f, 7.0f}) ASSERT_TRUE(store.insert(Aabb<2, float>{{x, y}, {x + 1, y + 1}}).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store.insert(Aabb<2, float>{{3, 3}, {5, 5}}).ok());
  Octree<2> octree;
  ASSERT_TRUE(octree.set_parameter("leaf_capacity", 1).ok());
  ASSERT_TRUE(octree.set_parameter("depth", 1).ok());
  const auto pairs = built_pairs<2>(octree, store);
  EXPECT_EQ(pairs, (std::vector<IdPair>{{4, 5}, {4, 6}, {5, 6}}));
  // 7 boxes are too few for the division to save tests, so they are all in the root
  EXPECT_EQ(octree.moving_tree().nodes().size(), 1u);
  // With more in the corners it pays, and the middle ones are in all four leaves: each pair is met 3 times too often
  for (int i = 0; i < 10; ++i)
    for (const float x : {0.0f, 7.0f})
      for (const float y : {0.0f, 7.0f}) {
        const float shift = static_cast<float>(i) * 0.1f;
        ASSERT_TRUE(store.insert(Aabb<2, float>{{x + shift, y}, {x + shift, y}}).ok());
      }
  expect_as_swept<2>(octree, store);
  EXPECT_EQ(octree.moving_tree().nodes().size(), 5u);
  EXPECT_EQ(octree.moving_tree().entries().size(), 44u + 3 * 4);
  EXPECT_EQ(octree.counters().duplicates, 9u);
  EXPECT_EQ(octree.moving_tree().box_count(), 47u);
}

TEST(Octree, TreeOfFixedBoxesIsBuiltOnce) {
  Octree<3> octree;
  OctreeNodup<3> nodup;
  KdTree<3> kd;
  BspTree<3> bsp;
  Random random(campaign_seed(2));
  for (Broadphase<3>* algorithm : {static_cast<Broadphase<3>*>(&octree), static_cast<Broadphase<3>*>(&nodup),
                                   static_cast<Broadphase<3>*>(&kd), static_cast<Broadphase<3>*>(&bsp)}) {
    BoxStore<3> store;
    for (int i = 0; i < 6000; ++i)
      ASSERT_TRUE(store
                      .insert(sudar_test::random_box<3>(random, 12, i % 100 == 0 ? 8 : 1), {},
                              i % 5 == 0 ? Motion::moving : Motion::fixed)
                      .ok());
    expect_as_swept<3>(*algorithm, store);
    EXPECT_EQ(algorithm->counters().rebuilds, 2u);
    // A moving box goes, and the last row, a fixed one, takes its place; others move
    ASSERT_TRUE(store.remove(0).ok());
    for (std::uint32_t id = 5; id < 6000; id += 5)
      ASSERT_TRUE(store.move(id, sudar_test::random_box<3>(random, 12, 1)).ok());
    ASSERT_TRUE(algorithm->update(store).ok());
    EXPECT_EQ(algorithm->counters().rebuilds, 1u);
    SortSweep<3> sweep;
    const auto found = algorithm->pairs(store);
    EXPECT_EQ(std::vector<IdPair>(found->begin(), found->end()), built_pairs<3>(sweep, store)) << algorithm->name();
    // Fixed boxes are found by queries under the ids that they still have
    const auto all = algorithm->overlapping(store, {{-100, -100, -100}, {100, 100, 100}});
    EXPECT_EQ(all->size(), store.size());
    // A fixed box moves
    ASSERT_TRUE(store.move(1, sudar_test::random_box<3>(random, 12, 5)).ok());
    ASSERT_TRUE(algorithm->update(store).ok());
    EXPECT_EQ(algorithm->counters().rebuilds, 2u);
  }
}

TEST(Octree, NothingIsQuadraticOrMultipliesWithoutBound) {
  Octree<3> octree;
  OctreeNodup<3> nodup;
  OctreeLoose<3> loose;
  KdTree<3> kd;
  BspTree<3> bsp;
  Random random(campaign_seed(3));
  const auto check = [&](const BoxStore<3>& store, double tests_per_box) {
    for (Broadphase<3>* algorithm :
         {static_cast<Broadphase<3>*>(&octree), static_cast<Broadphase<3>*>(&nodup),
          static_cast<Broadphase<3>*>(&loose), static_cast<Broadphase<3>*>(&kd), static_cast<Broadphase<3>*>(&bsp)}) {
      expect_as_swept<3>(*algorithm, store);
      EXPECT_LT(static_cast<double>(algorithm->counters().box_tests), tests_per_box * static_cast<double>(store.size()))
          << algorithm->name();
      EXPECT_LT(algorithm->counters().bytes, 2000 * store.size()) << algorithm->name();
    }
    EXPECT_LE(octree.moving_tree().entries().size(), 8 * store.size());
    EXPECT_LE(kd.moving_tree().entries().size(), 8 * store.size());
    EXPECT_EQ(nodup.moving_tree().entries().size(), store.size());
    EXPECT_EQ(loose.moving_tree().entries().size(), store.size());
    EXPECT_EQ(bsp.moving_tree().entries().size(), store.size());
  };
  check(uniform_store<3>(16000, 1, 5), 150);
  // A tiny crowd in a huge world
  BoxStore<3> crowd;
  for (int i = 0; i < 16000; ++i)
    ASSERT_TRUE(crowd.insert(sudar_test::random_box<3>(random, i < 3 ? 1e9 : 1, 0.02)).ok());
  check(crowd, 150);
  // Sizes of a power law: large ones over many cells
  BoxStore<3> mixed;
  for (int i = 0; i < 16000; ++i)
    ASSERT_TRUE(mixed.insert(sudar_test::random_box<3>(random, 25, 0.5 / std::sqrt(random.uniform(1e-4, 1)))).ok());
  check(mixed, 600);
}

TEST(OctreeNodup, WhatStraddlesThePlanesStaysInTheInnerNode) {
  const BoxStore<2> store = uniform_store<2>(5000, 0.8, 4);
  OctreeNodup<2> octree;
  expect_as_swept<2>(octree, store);
  const auto& tree = octree.moving_tree();
  EXPECT_GT(tree.nodes().size(), 20u);
  EXPECT_EQ(tree.entries().size(), store.size());
  std::size_t inner = 0;
  for (const auto& node : tree.nodes()) {
    const Cut<2> cut = cut_in_middle(node.cell);
    // Kept by an inner node: because it straddles one of its planes. Given to a child: because it does not.
    for (std::uint32_t i = node.begin; i < node.end && node.child_count != 0; ++i) {
      const auto box = tree.entries().box(i);
      bool straddles = false;
      for (int k = 0; k < 2; ++k) straddles |= cut.cuts(k) && box.lo[k] < cut.at[k] && box.hi[k] >= cut.at[k];
      EXPECT_EQ(straddles, i < node.own_end);
    }
    if (node.child_count != 0) inner += node.own_end - node.begin;
  }
  EXPECT_EQ(octree.inner_count(), inner);
  EXPECT_EQ(octree.counters().duplicates, 0u);
}

TEST(OctreeNodup, AllBoxesOverTheMiddleAreSwept) {
  // Each crosses the plane in the middle of x, spread along y: the root keeps all of them
  BoxStore<3> store;
  for (int i = 0; i < 4000; ++i) {
    const auto y = static_cast<float>(i % 2000);
    ASSERT_TRUE(store.insert(Aabb<3, float>{{-1000, y, -1000}, {1000, y + 0.75f, 1000}}).ok());
  }
  OctreeNodup<3> octree;
  expect_as_swept<3>(octree, store);
  EXPECT_LT(octree.counters().box_tests, 8 * 4000u);
}

TEST(OctreeLoose, EveryBoxIsInsideOfItsGrownCell) {
  for (const double looseness : {1.25, 2.0, 3.0}) {
    const BoxStore<3> store = uniform_store<3>(8000, 1.5, 6);
    OctreeLoose<3> octree;
    ASSERT_TRUE(octree.set_parameter("looseness", looseness).ok());
    ASSERT_TRUE(octree.set_parameter("leaf_capacity", 8).ok());
    expect_as_swept<3>(octree, store);
    const auto& tree = octree.moving_tree();
    EXPECT_GT(tree.nodes().size(), 100u);
    std::set<std::uint32_t> ids;
    for (const auto& node : tree.nodes())
      for (std::uint32_t i = node.begin; i < node.own_end; ++i) {
        EXPECT_TRUE(ids.insert(tree.entries().id(i)).second);
        if (node.depth == 0) continue;
        for (int k = 0; k < 3; ++k) {
          const double middle = (static_cast<double>(node.cell.lo[k]) + node.cell.hi[k]) / 2;
          const double reach = looseness * (static_cast<double>(node.cell.hi[k]) - node.cell.lo[k]) / 2;
          const double slack = 1e-5 * (std::abs(middle) + reach);
          EXPECT_GE(tree.entries().lo(k, i), middle - reach - slack);
          EXPECT_LE(tree.entries().hi(k, i), middle + reach + slack);
        }
      }
    EXPECT_EQ(ids.size(), store.size());
  }
}

TEST(KdTree, MedianBalancesAndCostCutsOffEmptySpace) {
  Random random(8);
  BoxStore<2> store;
  // Two clusters far apart
  for (int i = 0; i < 4000; ++i) {
    auto box = sudar_test::random_box<2>(random, 10, 0.1);
    for (int k = 0; k < 2; ++k) {
      const float shift = i % 4 == 0 ? 10000.0f : 0.0f;
      box.lo[k] += shift;
      box.hi[k] += shift;
    }
    ASSERT_TRUE(store.insert(box).ok());
  }
  KdTree<2> kd;
  for (const double split : {0.0, 1.0}) {
    ASSERT_TRUE(kd.set_parameter("split", split).ok());
    expect_as_swept<2>(kd, store);
    const auto& nodes = kd.moving_tree().nodes();
    ASSERT_EQ(nodes[0].child_count, 2u);
    const float at = nodes[0].cut.axes == 1 ? nodes[0].cut.at[0] : nodes[0].cut.at[1];
    if (split == 0) {
      EXPECT_EQ(nodes[0].cut.axes, 1u);
      EXPECT_LT(at, 100);
      // Halved each time: no leaf much deeper than the logarithm
      EXPECT_LE(deepest(kd.moving_tree()), 4 + static_cast<std::uint32_t>(std::log2(4000.0 / 128) * 1.5));
    } else {
      EXPECT_GT(at, 11);
      EXPECT_LT(at, 9990);
    }
    for (const auto& node : nodes)
      if (node.child_count == 0) {
        EXPECT_LE(node.end - node.begin, 128u);
      }
  }
}

TEST(BspTree, CutsAcrossDiagonalsWhereThatPartsMore) {
  // Two long diagonal bands close to each other, made of many boxes: planes across an axis cut both
  Random random(9);
  BoxStore<2> store;
  for (int i = 0; i < 3000; ++i) {
    const auto along = static_cast<float>(random.uniform(0, 30));
    const auto off = static_cast<float>(random.uniform(0, 4) + (i % 2 == 0 ? 12 : 0));
    ASSERT_TRUE(
        store.insert(Aabb<2, float>{{along + off, along - off}, {along + off + 0.8f, along - off + 0.8f}}).ok());
  }
  BspTree<2> bsp;
  expect_as_swept<2>(bsp, store);
  EXPECT_GT(bsp.slanted_planes(), 0u);
  // A lattice with gaps is parted across the axes
  BoxStore<2> lattice;
  for (int i = 0; i < 2500; ++i) {
    const auto x = static_cast<float>(i % 50), y = static_cast<float>(i / 50);
    ASSERT_TRUE(lattice.insert(Aabb<2, float>{{x, y}, {x + 0.5f, y + 0.5f}}).ok());
  }
  expect_as_swept<2>(bsp, lattice);
  EXPECT_GT(bsp.straight_planes(), bsp.slanted_planes());
}

TEST(BspTree, StraddlingBoxesStayInTheNodeAndSiblingsNeverOverlap) {
  const BoxStore<3> store = uniform_store<3>(6000, 1, 10);
  BspTree<3> bsp;
  expect_as_swept<3>(bsp, store);
  const auto& tree = bsp.moving_tree();
  EXPECT_EQ(bsp.straight_planes() + bsp.slanted_planes(),
            static_cast<std::size_t>(std::count_if(tree.nodes().begin(), tree.nodes().end(),
                                                   [](const auto& node) { return node.child_count != 0; })));
  for (const auto& node : tree.nodes()) {
    if (node.child_count < 2) continue;
    const auto &a = tree.nodes()[node.first_child], &b = tree.nodes()[node.first_child + 1];
    for (std::uint32_t i = a.begin; i < a.end; ++i)
      for (std::uint32_t j = b.begin; j < b.end; j += 7)
        ASSERT_FALSE(overlap(tree.entries().box(i), tree.entries().box(j)));
  }
}

// The tree that leaves are put into, and the broad phase on top of it
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/broadphase/dynamic_tree.hpp>
#include <sudar/broadphase/insertion_search.hpp>
#include <sudar/broadphase/sphere_tree.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::hard_box_sets;
using sudar_test::plain_pairs;
using sudar_test::random_box;
using sudar_test::updated_pairs;

namespace {

// Every node is exactly the box of its children or of its boxes, every box is where its id says, every id is there once
template <int D>
void check_tree(const InsertionTree<D>& tree, const std::string& what) {
  std::size_t boxes = 0, leaves = 0;
  std::vector<std::uint32_t> open;
  if (!tree.empty()) open.push_back(0);
  while (!open.empty()) {
    const std::uint32_t slot = open.back();
    open.pop_back();
    if (tree.is_leaf(slot)) {
      ++leaves;
      Aabb<D, float> all = Aabb<D, float>::empty();
      const std::size_t leaf = tree.leaf(slot), lanes = tree.leaf_lanes()[leaf];
      EXPECT_GE(lanes, 1u) << what;
      for (std::size_t i = leaf * kLeafLanes; i < leaf * kLeafLanes + lanes; ++i) {
        const std::uint32_t id = tree.leaf_ids()[i];
        ++boxes;
        ASSERT_TRUE(tree.contains(id)) << what;
        const Aabb<D, float> box = lane_box<D>(tree.leaf_bounds(), kLeafLanes, i);
        EXPECT_EQ(tree.box_of(id), box) << what;
        all = merge(all, box);
      }
      for (std::size_t i = leaf * kLeafLanes + lanes; i < (leaf + 1) * kLeafLanes; ++i)
        EXPECT_FALSE(is_valid(lane_box<D>(tree.leaf_bounds(), kLeafLanes, i))) << what;
      EXPECT_EQ(tree.box(slot), all) << what;
      continue;
    }
    const std::uint32_t child = tree.first_child(slot);
    EXPECT_EQ(tree.box(slot), merge(tree.box(child), tree.box(child + 1))) << what;
    open.push_back(child);
    open.push_back(child + 1);
  }
  EXPECT_EQ(boxes, tree.size()) << what;
  EXPECT_EQ(leaves, tree.leaf_count()) << what;
  std::size_t known = 0;
  for (std::uint32_t id = 0; id < tree.id_limit(); ++id) known += tree.contains(id) ? 1 : 0;
  EXPECT_EQ(known, tree.size()) << what;
}

template <int D>
void assign_all(InsertionTree<D>& tree, const std::vector<Aabb<D, float>>& boxes) {
  std::vector<std::uint32_t> ids(boxes.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  MortonOrder<D> order;
  order.sort(BoxRun<D>(boxes, ids), false, serial_executor());
  tree.assign(order, ids, boxes);
}

std::size_t bits_of(std::size_t count) { return static_cast<std::size_t>(std::bit_width(count)); }

template <int D>
void churn(std::uint64_t seed, std::size_t steps) {
  Random random(campaign_seed(seed));
  BoxStore<D> store;
  DynamicTree<D> tree;
  const auto any_box = [&] { return random_box<D>(random, 6, random.below(20) == 0 ? 5 : 1); };
  for (std::size_t step = 0; step < steps; ++step) {
    // A few steps in a row of one kind: slow, fast, growing, shrinking, standing still
    const std::uint64_t kind = random.below(8);
    const std::size_t changes = random.below(4) == 0 ? store.size() + 5 : random.below(20);
    for (std::size_t i = 0; i < changes; ++i) {
      const bool grow = store.size() < 20 || (store.size() < 300 && (kind == 0 || random.below(8) == 0));
      if (grow) {
        const Filter filter = random.below(4) ? Filter{} : Filter{1u << random.below(3), 3, 0};
        ASSERT_TRUE(store.insert(any_box(), filter, random.below(3) ? Motion::moving : Motion::fixed).ok());
        continue;
      }
      const std::uint32_t id = store.ids()[random.below(store.size())];
      Aabb<D, float> box = store.box(store.row_of(id));
      const double distance = kind == 2 ? 5 : 0.02;
      for (int k = 0; k < D; ++k) {
        const auto d = static_cast<float>(random.uniform(-distance, distance));
        box.lo[k] += d;
        box.hi[k] += d;
      }
      switch (kind == 1 ? 0 : 1 + random.below(40)) {
        case 0:
          ASSERT_TRUE(store.remove(id).ok());
          break;
        case 1:
          ASSERT_TRUE(store.teleport(id, any_box()).ok());
          break;
        case 2:
          ASSERT_TRUE(store.set_motion(id, random.coin() ? Motion::fixed : Motion::moving).ok());
          break;
        case 3:
          ASSERT_TRUE(store.set_filter(id, {1u << random.below(3), 3, 0}).ok());
          break;
        default:
          ASSERT_TRUE(store.move(id, box).ok());
          break;
      }
    }
    if (random.below(50) == 0) {
      const Parameter p = tree.parameters()[random.below(tree.parameters().size())];
      ASSERT_TRUE(tree.set_parameter(p.name, random.coin() ? p.lowest : p.highest).ok());
    }
    // Some updates are not followed by pairs
    if (random.below(4) == 0) {
      ASSERT_TRUE(tree.update(store).ok());
      continue;
    }
    ASSERT_EQ(updated_pairs(tree, store), plain_pairs(store)) << "seed " << seed << " step " << step;
    check_tree(tree.moving_tree(), "moving");
    check_tree(tree.fixed_tree(), "fixed");
    EXPECT_EQ(tree.moving_tree().size() + tree.fixed_tree().size(), store.size());
  }
}

}  // namespace

// Oracle: the plain double loop, after every step of a long random script
TEST(DynamicTree, LongChurnFindsThePairsOfThePlainLoop2) {
  for (std::uint64_t seed = 1; seed <= sudar_test::soak(4); ++seed) churn<2>(seed, 250);
}
TEST(DynamicTree, LongChurnFindsThePairsOfThePlainLoop3) {
  for (std::uint64_t seed = 1; seed <= sudar_test::soak(4); ++seed) churn<3>(100 + seed, 250);
}

TEST(InsertionTree, KeepsItsInvariantsOnHardSets) {
  for (const bool rotate : {false, true})
    for (const auto& set : hard_box_sets<3>(campaign_seed(9))) {
      InsertionTree<3> tree;
      for (std::uint32_t id = 0; id < set.boxes.size(); ++id) tree.insert(id, set.boxes[id], rotate);
      check_tree(tree, set.name);
      EXPECT_LE(tree.depth(), 3 * bits_of(set.boxes.size()) + 16 + set.boxes.size() / 8) << set.name;
      // Every second one goes, and comes back as another
      for (std::uint32_t id = 0; id < set.boxes.size(); id += 2) tree.erase(id);
      check_tree(tree, set.name);
      for (std::uint32_t id = 0; id < set.boxes.size(); id += 2)
        tree.insert(id, set.boxes[set.boxes.size() - 1 - id], rotate);
      check_tree(tree, set.name);
      for (std::uint32_t id = 0; id < set.boxes.size(); ++id) tree.erase(id);
      EXPECT_TRUE(tree.empty());
      check_tree(tree, set.name);
    }
}

// Boxes that come in order, each larger or farther away by far than all before: without the bound a tree as deep as the
// count, and an insertion as slow as that. Where each pushes all others down, the depth is looked at now and then only.
TEST(InsertionTree, DepthIsBoundedForBoxesInOrder) {
  for (const bool growing : {false, true}) {
    InsertionTree<2> tree;
    const std::uint32_t count = 20000;
    float x = 1;
    for (std::uint32_t id = 0; id < count; ++id) {
      x *= 1.004f;
      tree.insert(id, growing ? Aabb<2, float>{{-x, -x}, {x, x}} : Aabb<2, float>{{x, 0}, {x, 0}}, false);
    }
    check_tree(tree, "in order");
    EXPECT_LE(tree.depth(), 3 * bits_of(count) + 16 + (growing ? count / 8 : 0));
    EXPECT_LT(tree.partial_rebuilds(), 2000u);
  }
}

// Oracle: the cost of the nodes, which rotations are to lower, and that of a tree built along a curve
TEST(InsertionTree, RotationsHelp) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(campaign_seed(seed));
    std::vector<Aabb<3, float>> boxes;
    // In order along a line, the hard case of insertion
    for (std::uint32_t i = 0; i < 4000; ++i) {
      auto box = random_box<3>(random, 3, 0.5);
      box.lo[0] += static_cast<float>(i) * 0.01f;
      box.hi[0] += static_cast<float>(i) * 0.01f;
      boxes.push_back(box);
    }
    InsertionTree<3> plain, rotated, built;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      plain.insert(i, boxes[i], false);
      rotated.insert(i, boxes[i], true);
    }
    assign_all(built, boxes);
    check_tree(built, "built");
    EXPECT_LT(rotated.cost(), plain.cost());
    EXPECT_LT(rotated.cost(), 1.2 * built.cost());
  }
}

// Boxes that move a little, far, and all at once: the tree is as it should be after each
TEST(InsertionTree, MovesAndRefitsKeepItsInvariants) {
  for (const auto& set : hard_box_sets<2>(campaign_seed(3))) {
    if (set.boxes.empty()) continue;
    InsertionTree<2> tree;
    assign_all(tree, std::vector<Aabb<2, float>>(set.boxes.begin(), set.boxes.end()));
    check_tree(tree, set.name);
    Random random(campaign_seed(1));
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 200; ++i) {
        const auto id = static_cast<std::uint32_t>(random.below(set.boxes.size()));
        tree.move(id, set.boxes[random.below(set.boxes.size())], true);
      }
      check_tree(tree, set.name);
      for (std::uint32_t id = 0; id < set.boxes.size(); ++id)
        tree.set_box(id, set.boxes[random.below(set.boxes.size())]);
      const double cost = tree.refit();
      check_tree(tree, set.name);
      if (std::isfinite(cost)) {
        EXPECT_NEAR(cost, tree.cost(), 1e-4 * cost) << set.name;
      }
    }
  }
}

TEST(DynamicTree, OnlyBoxesThatLeftTheirFatBoxArePutInAnew) {
  Random random(campaign_seed(4));
  BoxStore<3> store;
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(store.insert(random_box<3>(random, 10, 1)).ok());
  DynamicTree<3> tree;
  ASSERT_TRUE(tree.build(store).ok());
  const auto move = [&](std::uint32_t id, float d) {
    Aabb<3, float> box = store.box(store.row_of(id));
    box.lo[0] += d;
    box.hi[0] += d;
    ASSERT_TRUE(store.move(id, box).ok());
  };
  // The first step takes a box out of its place, and gives it air
  for (std::uint32_t id = 0; id < 50; ++id) move(id, 0.001f);
  EXPECT_EQ(updated_pairs(tree, store), plain_pairs(store));
  EXPECT_EQ(tree.reinserted(), 50u);
  for (int step = 0; step < 10; ++step) {
    for (std::uint32_t id = 0; id < 50; ++id) move(id, 0.001f);
    EXPECT_EQ(updated_pairs(tree, store), plain_pairs(store));
    EXPECT_EQ(tree.reinserted(), 0u);
    EXPECT_EQ(tree.counters().rebuilds, 0u);
    // Nothing is searched for; candidates are looked at
    EXPECT_EQ(tree.counters().box_tests, tree.candidates());
  }
  move(7, 1);
  EXPECT_EQ(updated_pairs(tree, store), plain_pairs(store));
  EXPECT_EQ(tree.reinserted(), 1u);
  // All at once and far: built in one go
  for (std::uint32_t id = 0; id < store.size(); ++id) move(id, static_cast<float>(random.uniform(-5, 5)));
  EXPECT_EQ(updated_pairs(tree, store), plain_pairs(store));
  EXPECT_EQ(tree.counters().rebuilds, 1u);
}

TEST(DynamicTree, ATreeThatGotWorseIsBuiltAnew) {
  Random random(4);
  BoxStore<2> store;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(store.insert(random_box<2>(random, 20, 1)).ok());
  DynamicTree<2> tree;
  ASSERT_TRUE(tree.set_parameter("batch", 1).ok());
  ASSERT_TRUE(tree.set_parameter("rotate", 0).ok());
  ASSERT_TRUE(tree.set_parameter("quality", 1).ok());
  ASSERT_TRUE(tree.build(store).ok());
  std::uint64_t rebuilds = 0;
  for (int step = 0; step < 30; ++step) {
    for (std::uint32_t id = 0; id < 100; ++id)
      ASSERT_TRUE(store.move((id * 7 + static_cast<std::uint32_t>(step)) % 1000, random_box<2>(random, 20, 1)).ok());
    EXPECT_EQ(updated_pairs(tree, store), plain_pairs(store));
    rebuilds += tree.counters().rebuilds;
  }
  EXPECT_GE(rebuilds, 1u);
  EXPECT_LE(rebuilds, 3u);
}

// Every sphere encloses the boxes below it, in exact arithmetic up to the rounding of the sum in long double
TEST(SphereTree, SpheresEncloseTheirBoxes) {
  for (const auto& set : hard_box_sets<3>(campaign_seed(6))) {
    BoxStore<3> store;
    for (const auto& box : set.boxes) ASSERT_TRUE(store.insert(box).ok());
    SphereTree<3> algorithm;
    ASSERT_TRUE(algorithm.build(store).ok());
    const SphereNodes<3>& nodes = algorithm.moving_tree();
    for (std::uint32_t i = 0; i < nodes.tree().nodes.size(); ++i) {
      const auto& node = nodes.tree().nodes[i];
      const auto& sphere = nodes.sphere(i);
      for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
        long double squares = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const long double c = sphere.centre[axis];
          const long double far = std::max(static_cast<long double>(nodes.tree().items[k].box.hi[axis]) - c,
                                           c - static_cast<long double>(nodes.tree().items[k].box.lo[axis]));
          squares += far * far;
        }
        EXPECT_LE(squares, static_cast<long double>(sphere.radius) * sphere.radius) << set.name;
      }
    }
  }
}

// The same topology with spheres in place of boxes visits more pairs of nodes, but not all pairs
TEST(SphereTree, CountsWhatItVisits) {
  Random random(3);
  BoxStore<3> store;
  const std::size_t count = 8000;
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(store.insert(random_box<3>(random, 20, 1.5)).ok());
  SphereTree<3> spheres;
  ASSERT_TRUE(spheres.build(store).ok());
  ASSERT_TRUE(spheres.pairs(store).ok());
  EXPECT_GT(spheres.counters().nodes_visited, count);
  EXPECT_LT(spheres.counters().nodes_visited, 200 * count);
  EXPECT_LT(spheres.counters().box_tests, 400 * count);
}

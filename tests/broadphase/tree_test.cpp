// Builders, layout and search of the trees of boxes, each on its own
#include "tests/broadphase/box_sets.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/bottom_up_builder.hpp>
#include <sudar/broadphase/bvh_bottom_up.hpp>
#include <sudar/broadphase/bvh_linear.hpp>
#include <sudar/broadphase/bvh_top_down.hpp>
#include <sudar/broadphase/cast_kernels.hpp>
#include <sudar/broadphase/linear_builder.hpp>
#include <sudar/broadphase/partner_kernels.hpp>
#include <sudar/broadphase/top_down_builder.hpp>
#include <sudar/broadphase/tree_search.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace sudar;
using sudar_test::Boxes;
using sudar_test::campaign_seed;
using sudar_test::hard_box_sets;

namespace {

template <int D>
BinaryTree<D> items_of(const Boxes<D>& boxes) {
  BinaryTree<D> tree;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) tree.items.push_back({boxes[i], i});
  return tree;
}

template <int D>
struct NamedBuilder {
  std::string name;
  std::function<void(BinaryTree<D>&, std::uint32_t)> build;
};

template <int D>
std::vector<NamedBuilder<D>> all_builders() {
  Executor& executor = serial_executor();
  std::vector<NamedBuilder<D>> all;
  for (const bool long_codes : {false, true})
    all.push_back(
        {long_codes ? "linear, long codes" : "linear", [&executor, long_codes](auto& tree, std::uint32_t leaf) {
           LinearBuilder<D>().build(tree, leaf, long_codes, executor);
         }});
  for (const TreeSplit split : {TreeSplit::median, TreeSplit::binned_cost})
    all.push_back(
        {split == TreeSplit::median ? "median" : "binned", [&executor, split](auto& tree, std::uint32_t leaf) {
           TopDownBuilder<D>().build(tree, leaf, split, executor);
         }});
  for (const std::uint32_t reach : {1u, 8u})
    all.push_back({"bottom up " + std::to_string(reach), [&executor, reach](auto& tree, std::uint32_t leaf) {
                     BottomUpBuilder<D>().build(tree, leaf, reach, executor);
                   }});
  return all;
}

// Every node is exactly the box of what is below it, every item is in one leaf, every leaf is small enough
template <int D>
void check_binary(const BinaryTree<D>& tree, std::size_t count, std::uint32_t leaf_size, const std::string& what) {
  if (count == 0) {
    EXPECT_TRUE(tree.nodes.empty()) << what;
    return;
  }
  ASSERT_EQ(tree.items.size(), count) << what;
  std::vector<int> seen(count, 0);
  std::size_t nodes = 0;
  std::vector<std::uint32_t> open = {tree.root};
  EXPECT_EQ(tree.nodes[tree.root].count, count) << what;
  while (!open.empty()) {
    const TreeNode<D>& node = tree.nodes[open.back()];
    open.pop_back();
    ++nodes;
    Aabb<D, float> box = Aabb<D, float>::empty();
    if (node.is_leaf()) {
      EXPECT_LE(node.count, leaf_size) << what;
      EXPECT_GE(node.count, 1u) << what;
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        ++seen[tree.items[i].id];
        box = merge(box, tree.items[i].box);
      }
    } else {
      EXPECT_EQ(node.count, tree.nodes[node.left].count + tree.nodes[node.right].count) << what;
      box = merge(tree.nodes[node.left].box, tree.nodes[node.right].box);
      open.push_back(node.left);
      open.push_back(node.right);
    }
    EXPECT_EQ(box, node.box) << what;
  }
  EXPECT_EQ(nodes, tree.nodes.size()) << what;
  for (const int times : seen) EXPECT_EQ(times, 1) << what;
}

template <int D>
void check_wide(const BoxTree<D>& tree, std::size_t count, const std::string& what) {
  EXPECT_EQ(tree.item_count(), count) << what;
  if (count == 0) return;
  std::vector<int> seen(count, 0);
  std::size_t leaves = 0;
  std::vector<std::uint32_t> open = {0};
  while (!open.empty()) {
    const std::uint32_t slot = open.back();
    open.pop_back();
    Aabb<D, float> box = Aabb<D, float>::empty();
    tree.for_each_item(slot, [&](std::uint32_t id, const Aabb<D, float>& item) {
      ++seen[id];
      box = merge(box, item);
    });
    leaves += tree.is_leaf(slot) ? 1 : 0;
    int children = 0;
    if (!tree.is_leaf(slot))
      tree.for_each_child(slot, [&](std::uint32_t child) {
        box = merge(box, tree.box(child));
        open.push_back(child);
        ++children;
      });
    EXPECT_LE(children, tree.width()) << what;
    EXPECT_NE(children, 1) << what;
    EXPECT_EQ(box, tree.box(slot)) << what;
  }
  EXPECT_EQ(leaves, tree.leaf_count()) << what;
  for (const int times : seen) EXPECT_EQ(times, 1) << what;
}

template <int D>
void check_all_builders() {
  for (const auto& set : hard_box_sets<D>(campaign_seed(7)))
    for (const auto& builder : all_builders<D>())
      for (const std::uint32_t leaf_size : {1u, 3u, 8u}) {
        BinaryTree<D> tree = items_of<D>(set.boxes);
        builder.build(tree, leaf_size);
        const std::string what = builder.name + " on " + set.name;
        check_binary(tree, set.boxes.size(), leaf_size, what);
        // Every set is made of floats, so no way down is longer than the bits of a float and the count allow
        EXPECT_LE(tree_depth(tree), 300u * D) << what;
        for (const int width : {2, 4, 8}) {
          BoxTree<D> wide;
          wide.assign(tree, width);
          check_wide(wide, set.boxes.size(), what);
        }
      }
}

template <int D>
Boxes<D> even_boxes(std::size_t count, std::uint64_t seed) {
  Random random(campaign_seed(seed));
  Boxes<D> boxes;
  const double world = std::pow(static_cast<double>(count), 1.0 / D);
  for (std::size_t i = 0; i < count; ++i) boxes.push_back(sudar_test::random_box<D>(random, world, 1.5));
  return boxes;
}

}  // namespace

TEST(TreeBuilders, NodesEncloseAndItemsComeOnce2) { check_all_builders<2>(); }
TEST(TreeBuilders, NodesEncloseAndItemsComeOnce3) { check_all_builders<3>(); }

TEST(TreeBuilders, MedianSplitsAreBalanced) {
  for (const auto& set : hard_box_sets<3>(campaign_seed(8))) {
    BinaryTree<3> tree = items_of<3>(set.boxes);
    TopDownBuilder<3>().build(tree, 1, TreeSplit::median, serial_executor());
    EXPECT_LE(tree_depth(tree), static_cast<std::size_t>(std::bit_width(set.boxes.size()))) << set.name;
  }
}

// Oracle: the cost itself. Bins look for it, medians do not, and joining neighbours finds about what bins find.
TEST(TreeBuilders, CostOrdersTheBuilders) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(campaign_seed(seed));
    Boxes<3> boxes;
    for (int i = 0; i < 4000; ++i) {
      const double u = random.uniform(0.05, 1);
      boxes.push_back(sudar_test::random_box<3>(random, i % 2 ? 20 : 4, 0.2 / (u * u)));
    }
    const auto cost = [&](auto&& build) {
      BinaryTree<3> tree = items_of<3>(boxes);
      build(tree);
      return tree_cost(tree);
    };
    Executor& executor = serial_executor();
    const double median = cost([&](auto& t) { TopDownBuilder<3>().build(t, 4, TreeSplit::median, executor); });
    const double binned = cost([&](auto& t) { TopDownBuilder<3>().build(t, 4, TreeSplit::binned_cost, executor); });
    const double linear = cost([&](auto& t) { LinearBuilder<3>().build(t, 4, false, executor); });
    const double joined = cost([&](auto& t) { BottomUpBuilder<3>().build(t, 4, 8, executor); });
    EXPECT_LT(binned, median);
    EXPECT_LT(joined, linear);
    EXPECT_LT(joined, 1.25 * binned);
  }
}

TEST(TreeBuilders, ThreadsDoNotChangeTheTree) {
  const auto many = make_executor(4);
  for (const TreeSplit split : {TreeSplit::median, TreeSplit::binned_cost}) {
    BinaryTree<3> one = items_of<3>(even_boxes<3>(20000, 1)), four = one;
    TopDownBuilder<3>().build(one, 4, split, serial_executor());
    TopDownBuilder<3>().build(four, 4, split, *many);
    ASSERT_EQ(one.nodes.size(), four.nodes.size());
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      ASSERT_EQ(one.nodes[i].left, four.nodes[i].left);
      ASSERT_EQ(one.nodes[i].box, four.nodes[i].box);
    }
  }
}

// Gaps that shrink steadily leave one pair of nearest neighbours a round; the rounds must not be as many as the boxes
TEST(BottomUpBuilder, RoundsAreLogarithmic) {
  for (const bool equal : {false, true}) {
    Boxes<2> boxes;
    float x = 0;
    for (int i = 0; i < 20000; ++i) {
      boxes.push_back({{x, 0}, {x, 0}});
      if (!equal) x += 1000 / static_cast<float>(i + 1);
    }
    BinaryTree<2> tree = items_of<2>(boxes);
    BottomUpBuilder<2> builder;
    builder.build(tree, 4, 8, serial_executor());
    EXPECT_LT(builder.rounds(), 120u);
    check_binary<2>(tree, boxes.size(), 4, "shrinking gaps");
  }
}

// A crowd of which all centres fall into one cell of the world is divided all the same
TEST(MortonOrder, CrowdsAreOrderedInCellsOfTheirOwn) {
  Random random(2);
  Boxes<3> boxes = even_boxes<3>(4000, 3);
  boxes.push_back(sudar_test::random_box<3>(random, 1e30, 1));
  BinaryTree<3> crowd = items_of<3>(boxes);
  boxes.pop_back();
  BinaryTree<3> even = items_of<3>(boxes);
  LinearBuilder<3>().build(crowd, 8, false, serial_executor());
  LinearBuilder<3>().build(even, 8, false, serial_executor());
  double of_crowd = 0, of_even = 0;
  for (const auto& node : crowd.nodes)
    if (box_cost(node.box) < 1e9) of_crowd += box_cost(node.box);
  for (const auto& node : even.nodes) of_even += box_cost(node.box);
  EXPECT_LT(of_crowd, 1.3 * of_even);
}

// Oracle: the plain twin, bit for bit, including the order and the counters
TEST_SIMD(TreeSearch, VectorsAndThePlainTwinAgree) {
  for (const auto& set : hard_box_sets<3>(campaign_seed(5))) {
    if (set.boxes.empty()) continue;
    for (const int width : {2, 4, 8}) {
      BinaryTree<3> tree = items_of<3>(set.boxes),
                    half = items_of<3>(Boxes<3>(set.boxes.begin(), set.boxes.begin() + 1));
      LinearBuilder<3>().build(tree, 5, false, serial_executor());
      LinearBuilder<3>().build(half, 5, false, serial_executor());
      BoxTree<3> a, b;
      a.assign(tree, width);
      b.assign(half, width);
      for (const bool self : {true, false}) {
        const auto run = [&](void (*search_all)(TreeSearch&) noexcept) {
          std::vector<std::uint64_t> stack(1 << 16, 0);
          std::vector<IdPair> pairs(1 << 19);
          TreeSearch search{};
          search.a = a.view();
          search.b = self ? a.view() : b.view();
          search.dim = 3;
          search.width = width;
          search.self = self;
          search.stack = stack.data();
          search.stack_size = 1;
          search.stack_capacity = stack.size();
          search.pairs = pairs.data();
          search.pair_capacity = pairs.size();
          search.visits_left = ~std::uint64_t{0};
          search_all(search);
          EXPECT_EQ(search.stack_size, 0u);
          pairs.resize(search.pair_count);
          return std::tuple(pairs, search.nodes_visited, search.box_tests);
        };
        EXPECT_EQ(run(search_trees), run(search_trees_plain)) << set.name;
      }
    }
  }
}

namespace {

template <int D>
void compare_build_kernels() {
  for (const auto& set : hard_box_sets<D>(campaign_seed(4))) {
    const auto count = static_cast<std::uint32_t>(set.boxes.size());
    if (count < 2) continue;
    const BinaryTree<D> tree = items_of<D>(set.boxes);
    const ItemBounds<D> fast = measure_items(tree.items.data(), count),
                        plain = measure_items_plain(tree.items.data(), count);
    EXPECT_EQ(fast.box, plain.box) << set.name;
    EXPECT_EQ(fast.centres, plain.centres) << set.name;
    for (const std::uint32_t bin_count : {8u, kMostBins}) {
      const SplitBins<D> bins(fast.centres, bin_count);
      EXPECT_EQ(choose_split(tree.items.data(), count, bins), choose_split_plain(tree.items.data(), count, bins))
          << set.name;
    }
    BoxList<D> list;
    for (std::uint32_t i = 0; i < count; ++i) list.push(set.boxes[i], i, 0);
    for (const std::uint32_t reach : {1u, 5u, 8u, 40u}) {
      std::vector<std::uint32_t> partners(count), plain_partners(count);
      choose_partners<D>(list.columns(), 0, count, count, reach, partners.data());
      choose_partners_plain<D>(list.columns(), 0, count, count, reach, plain_partners.data());
      EXPECT_EQ(partners, plain_partners) << set.name;
    }
  }
}

}  // namespace

// Oracle: the plain twins
TEST_SIMD(TreeBuilders, VectorsAndThePlainTwinsAgree) {
  compare_build_kernels<2>();
  compare_build_kernels<3>();
}

// Oracle: the plain twins, bit for bit; and for the keys of casts the sink itself
TEST_SIMD(TreeSearch, QuestionsAndTheirPlainTwinsAgree) {
  for (const auto& set : hard_box_sets<3>(campaign_seed(5))) {
    if (set.boxes.empty()) continue;
    BoxStore<3> store;
    for (const auto& box : set.boxes) ASSERT_TRUE(store.insert(box).ok());
    Random random(campaign_seed(2));
    for (const int width : {2, 4, 8}) {
      BinaryTree<3> tree = items_of<3>(set.boxes);
      LinearBuilder<3>().build(tree, 5, false, serial_executor());
      BoxTree<3> wide;
      wide.assign(tree, width);
      for (int question = 0; question < 20; ++question) {
        const Aabb<3, float> asked = set.boxes[random.below(set.boxes.size())];
        const auto run = [&](void (*search_box)(BoxSearch&) noexcept) {
          std::vector<std::uint32_t> stack(1 << 16, 0), ids(1 << 16);
          BoxSearch search{};
          search.tree = wide.view();
          search.dim = 3;
          search.width = width;
          for (int k = 0; k < 3; ++k) {
            search.box[2 * k] = asked.lo[k];
            search.box[2 * k + 1] = asked.hi[k];
          }
          search.stack = stack.data();
          search.stack_size = 1;
          search.stack_capacity = stack.size();
          search.ids = ids.data();
          search.id_capacity = ids.size();
          search_box(search);
          EXPECT_EQ(search.stack_size, 0u);
          ids.resize(search.id_count);
          return std::tuple(ids, search.nodes_visited, search.box_tests);
        };
        EXPECT_EQ(run(search_box_in_tree), run(search_box_in_tree_plain)) << set.name;

        BoxCast<3> cast{{}, {}, question % 2 ? 1.0 : 3.0};
        for (int k = 0; k < 3; ++k) {
          cast.box.lo[k] = cast.box.hi[k] = asked.lo[k];
          cast.direction[k] = random.below(4) ? random.uniform(-1, 1) : 0;
        }
        std::vector<CastHit> hits;
        const QueryFilter filter;
        const CastSink<3> sink(store, cast, filter, false, hits);
        for (std::size_t block = 0; block < wide.node_count(); ++block) {
          double keys[8], plain_keys[8];
          const float* bounds = wide.view().bounds + block * 6 * static_cast<std::size_t>(width);
          const std::uint32_t bits = cast_at_block(cast_lanes<3>(cast), cast.max_t, bounds, width, keys);
          ASSERT_EQ(bits, cast_at_block_plain(cast_lanes<3>(cast), cast.max_t, bounds, width, plain_keys)) << set.name;
          for (int lane = 0; lane < width; ++lane) {
            ASSERT_EQ(keys[lane], plain_keys[lane]) << set.name;
            ASSERT_EQ(keys[lane],
                      sink.key(lane_box<3>(bounds, static_cast<std::size_t>(width), static_cast<std::size_t>(lane))))
                << set.name;
          }
        }
      }
    }
  }
}

// Counted, not timed: a search through a tree does not look at all pairs
TEST(TreeSearch, BoxTestsGrowAsPromised) {
  for (const std::size_t count : {4000u, 16000u}) {
    BoxStore<3> store;
    for (const auto& box : even_boxes<3>(count, 5)) ASSERT_TRUE(store.insert(box).ok());
    BvhLinear<3> linear;
    BvhTopDown<3> top_down;
    BvhBottomUp<3> bottom_up;
    for (Bvh<3>* bvh :
         {static_cast<Bvh<3>*>(&linear), static_cast<Bvh<3>*>(&top_down), static_cast<Bvh<3>*>(&bottom_up)}) {
      ASSERT_TRUE(bvh->build(store).ok());
      ASSERT_TRUE(bvh->pairs(store).ok());
      EXPECT_LT(bvh->counters().box_tests, 150 * count) << bvh->name();
      EXPECT_LT(bvh->counters().nodes_visited, 20 * count) << bvh->name();
      EXPECT_EQ(bvh->counters().rebuilds, 2u) << bvh->name();
      EXPECT_LT(bvh->moving_tree().depth(), 12u) << bvh->name();
    }
  }
}

TEST(Bvh, SmallMotionIsRefittedAndLargeMotionRebuilt) {
  Random random(campaign_seed(6));
  BoxStore<3> store;
  for (const auto& box : even_boxes<3>(1500, 6)) ASSERT_TRUE(store.insert(box).ok());
  const auto step = [&](double distance) {
    for (std::uint32_t id = 0; id < store.size(); ++id) {
      Aabb<3, float> box = store.box(store.row_of(id));
      for (int k = 0; k < 3; ++k) {
        const auto d = static_cast<float>(random.uniform(-distance, distance));
        box.lo[k] += d;
        box.hi[k] += d;
      }
      ASSERT_TRUE(store.move(id, box).ok());
    }
  };
  BvhLinear<3> bvh;
  ASSERT_TRUE(bvh.build(store).ok());
  for (int i = 0; i < 20; ++i) {
    step(i < 10 ? 0.01 : 3);
    ASSERT_TRUE(bvh.update(store).ok());
    EXPECT_EQ(bvh.counters().rebuilds, i < 10 ? 0u : 1u) << i;
    const auto pairs = bvh.pairs(store);
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ(std::vector<IdPair>(pairs->begin(), pairs->end()), sudar_test::plain_pairs(store));
    check_wide(bvh.moving_tree(), store.size(), "refitted");
  }
  EXPECT_EQ(bvh.refits(), 10u);
}

TEST(Bvh, FixedBoxesAreBuiltOnce) {
  Random random(campaign_seed(6));
  BoxStore<2> store;
  for (int i = 0; i < 1000; ++i) {
    const auto motion = i % 10 ? Motion::fixed : Motion::moving;
    ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 10, 1), {}, motion).ok());
  }
  BvhTopDown<2> bvh;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(bvh.update(store).ok());
    const auto pairs = bvh.pairs(store);
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ(std::vector<IdPair>(pairs->begin(), pairs->end()), sudar_test::plain_pairs(store));
    // Removing a moving box moves rows of fixed ones
    ASSERT_TRUE(store.remove(static_cast<std::uint32_t>(i * 10)).ok());
  }
  EXPECT_EQ(bvh.fixed_builds(), 1u);
  ASSERT_TRUE(store.remove(1).ok());
  ASSERT_TRUE(bvh.update(store).ok());
  EXPECT_EQ(bvh.fixed_builds(), 2u);
}

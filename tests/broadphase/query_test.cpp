// Every algorithm answers every question as the linear scan of brute force does, to the bit
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::to_vector;

namespace {

// Rays along axes, from box corners, with zero and tiny components: where slabs are degenerate
template <int D>
BoxCast<D> random_cast(Random& random, const BoxStore<D>& store, double world) {
  BoxCast<D> cast = BoxCast<D>::ray(random_point<D>(random, world), random_point<D>(random, 1));
  for (int k = 0; k < D; ++k)
    if (random.below(4) == 0) cast.direction[k] = random.coin() ? 0 : 1e-310;
  if (!store.empty() && random.below(3) == 0) {
    const Aabb<D, float> box = store.box(static_cast<std::uint32_t>(random.below(store.size())));
    for (int k = 0; k < D; ++k) cast.box.lo[k] = cast.box.hi[k] = random.coin() ? box.lo[k] : box.hi[k];
  }
  if (random.coin())
    for (int k = 0; k < D; ++k) cast.box.hi[k] += random.uniform(0, world / 20);
  if (random.coin()) cast.max_t = random.uniform(0, 2 * world);
  return cast;
}

QueryFilter random_filter(Random& random) {
  QueryFilter filter;
  if (random.coin()) return filter;
  filter.layer = 1u << random.below(3);
  filter.mask = static_cast<std::uint32_t>(random.below(8));
  filter.group = static_cast<std::uint32_t>(random.below(4));
  if (random.coin()) filter.keep = [](void*, std::uint32_t id) { return id % 3 != 0; };
  return filter;
}

template <int D>
void check_queries() {
  std::vector<std::unique_ptr<Broadphase<D>>> all;
  for (const BroadphaseEntry& entry : broadphases()) all.push_back(std::move(*make_broadphase<D>(entry.name)));
  Broadphase<D>& plain = *all.front();
  ASSERT_EQ(plain.name(), "brute_force");
  Random random(campaign_seed(11));
  for (const auto& set : sudar_test::hard_box_sets<D>(campaign_seed(4))) {
    BoxStore<D> store;
    for (const auto& box : set.boxes) {
      const Filter filter{1u << random.below(3), static_cast<std::uint32_t>(1 + random.below(7)),
                          static_cast<std::uint32_t>(random.below(4))};
      ASSERT_TRUE(store.insert(box, filter, random.below(3) == 0 ? Motion::fixed : Motion::moving).ok());
    }
    // Ids that are not rows
    for (std::uint32_t id = 0; id + 1 < set.boxes.size(); id += 9) ASSERT_TRUE(store.remove(id).ok());
    double world = 1;
    for (std::uint32_t row = 0; row < store.size(); ++row)
      for (int k = 0; k < D; ++k)
        if (store.lo(k)[row] < 1e20f) world = std::max<double>(world, std::abs(store.lo(k)[row]));
    for (auto& algorithm : all) ASSERT_TRUE(algorithm->update(store).ok());
    for (int round = 0; round < 20; ++round) {
      const BoxCast<D> cast = random_cast(random, store, world);
      const QueryFilter filter = random_filter(random);
      const Vec<D, double> point = random_point<D>(random, world);
      const std::size_t count = random.below(12);
      Aabb<D, double> box = cast.box;
      const auto closest = plain.cast_closest(store, cast, filter);
      const auto hits = to_vector(plain.cast_all(store, cast, filter));
      const auto overlaps = to_vector(plain.overlapping(store, box, filter));
      const auto near = to_vector(plain.nearest(store, point, count, filter));
      ASSERT_TRUE(closest.ok());
      // The scan's own answers fit together
      EXPECT_EQ(closest->has_value(), !hits.empty());
      if (!hits.empty()) {
        EXPECT_EQ(**closest, hits[0]);
      }
      EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
      for (auto& algorithm : all) {
        const auto what = std::string(algorithm->name()) + " on " + set.name;
        const auto again = algorithm->cast_closest(store, cast, filter);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(*again, *closest) << what;
        EXPECT_EQ(to_vector(algorithm->cast_all(store, cast, filter)), hits) << what;
        EXPECT_EQ(to_vector(algorithm->overlapping(store, box, filter)), overlaps) << what;
        EXPECT_EQ(to_vector(algorithm->nearest(store, point, count, filter)), near) << what;
      }
    }
  }
}

}  // namespace

TEST(BoxQuery, EveryAlgorithmAnswersAsTheScan2) { check_queries<2>(); }
TEST(BoxQuery, EveryAlgorithmAnswersAsTheScan3) { check_queries<3>(); }

// Counted by what is made: a tree of the fixed boxes once, a tree of the moving ones when something is asked
TEST(BoxQuery, FixedBoxesAreTakenInOnceAndMovingOnesWhenAsked) {
  const auto many = make_executor(4);
  for (const std::string_view name :
       {"sort_sweep", "sap", "columns", "grid", "hash_grid", "cells_portals", "adaptive"}) {
    Random random(campaign_seed(31));
    BoxStore<3> store;
    for (int i = 0; i < 40000; ++i)
      ASSERT_TRUE(
          store.insert(sudar_test::random_box<3>(random, 40, 1), {}, i % 3 == 0 ? Motion::moving : Motion::fixed).ok());
    auto algorithm = *make_broadphase<3>(name), parallel = *make_broadphase<3>(name);
    auto plain = *make_broadphase<3>("brute_force");
    parallel->set_executor(*many);
    const auto ask = [&] {
      const auto point = random_point<3>(random, 40);
      const auto expected = to_vector(plain->nearest(store, point, 5));
      EXPECT_EQ(to_vector(algorithm->nearest(store, point, 5)), expected) << name;
      EXPECT_EQ(to_vector(parallel->nearest(store, point, 5)), expected) << name;
      EXPECT_EQ(algorithm->query_counters(), parallel->query_counters()) << name;
    };
    const auto update = [&] {
      for (Broadphase<3>* each : {algorithm.get(), parallel.get(), plain.get()}) ASSERT_TRUE(each->update(store).ok());
    };
    update();
    EXPECT_EQ(algorithm->query_counters(), QueryCounters{}) << name;
    for (int i = 0; i < 3; ++i) ask();
    EXPECT_EQ(algorithm->query_counters().questions, 3u) << name;
    EXPECT_EQ(algorithm->query_counters().rebuilds, 2u) << name;
    // Far fewer than there are
    EXPECT_LT(algorithm->query_counters().box_tests, 3 * 2000u) << name;
    EXPECT_GT(algorithm->query_counters().nodes_visited, 0u) << name;
    for (const bool asked : {false, true}) {
      // The rows of fixed boxes change when a moving one goes
      ASSERT_TRUE(store.remove(asked ? 3 : 0).ok());
      ASSERT_TRUE(store.move(6, sudar_test::random_box<3>(random, 40, 1)).ok());
      update();
      EXPECT_EQ(algorithm->query_counters().rebuilds, 0u) << name;
      if (asked) {
        ask();
        ask();
        EXPECT_EQ(algorithm->query_counters().rebuilds, 1u) << name;
      }
    }
    ASSERT_TRUE(store.move(1, sudar_test::random_box<3>(random, 40, 1)).ok());
    update();
    ask();
    EXPECT_EQ(algorithm->query_counters().rebuilds, 1u) << name;
    // Filters are asked, not kept
    ASSERT_TRUE(store.set_filter(9, {2, 1, 0}).ok());
    update();
    ask();
    EXPECT_EQ(algorithm->query_counters().rebuilds, 0u) << name;
  }
}

TEST(BoxQuery, ClosedFormOfARayAndABoxCast) {
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(Aabb<2, float>{{2, -1}, {3, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, float>{{5, 1}, {6, 2}}).ok());
  auto algorithm = *make_broadphase<2>("brute_force");
  ASSERT_TRUE(algorithm->build(store).ok());
  // Along x: enters the first at 2; touches the edge of the second, which counts
  const auto hits = to_vector(algorithm->cast_all(store, BoxCast<2>::ray({0, 1}, {1, 0})));
  EXPECT_EQ(hits, (std::vector<CastHit>{{0, 2}, {1, 5}}));
  EXPECT_TRUE(to_vector(algorithm->cast_all(store, BoxCast<2>::ray({0, 1.01}, {1, 0}, 4))).empty());
  // A unit square meets the first when its right side does
  EXPECT_EQ((*algorithm->cast_closest(store, BoxCast<2>{{{-1, 0}, {0, 1}}, {2, 0}}))->t, 1);
  // Starting inside
  EXPECT_EQ((*algorithm->cast_closest(store, BoxCast<2>::ray({2.5, 0}, {1, 0})))->t, 0);
  // Nearest: distance to the box, not to its centre
  EXPECT_EQ(to_vector(algorithm->nearest(store, {0, 0}, 2)), (std::vector<NearHit>{{0, 4}, {1, 26}}));
}

TEST(BoxQuery, AFilterSeesWhatCouldPairWithIt) {
  BoxStore<2> store;
  const Aabb<2, float> box{{0, 0}, {1, 1}};
  ASSERT_TRUE(store.insert(box, {1, 1, 0}).ok());
  ASSERT_TRUE(store.insert(box, {1, 3, 7}).ok());
  ASSERT_TRUE(store.insert(box, {2, 3, 8}).ok());
  using Ids = std::vector<std::uint32_t>;
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    ASSERT_TRUE(algorithm->build(store).ok());
    const auto seen = [&](const QueryFilter& filter) {
      const Ids ids = to_vector(algorithm->overlapping(store, {{0, 0}, {1, 1}}, filter));
      EXPECT_EQ(to_vector(algorithm->nearest(store, {5, 5}, 9, filter)).size(), ids.size()) << entry.name;
      EXPECT_EQ(to_vector(algorithm->cast_all(store, BoxCast<2>::ray({-1, 0.5}, {1, 0}), filter)).size(), ids.size());
      return ids;
    };
    EXPECT_EQ(seen({}), (Ids{0, 1, 2})) << entry.name;
    EXPECT_EQ(seen({2, 3}), (Ids{1, 2})) << entry.name;
    EXPECT_EQ(seen({1, 1}), (Ids{0, 1})) << entry.name;
    EXPECT_EQ(seen({3, 3, 7}), (Ids{0, 2})) << entry.name;
    EXPECT_EQ(seen({3, 3, 9}), (Ids{0, 1, 2})) << entry.name;
  }
}

// A store clamps what is past the range of float, and so does the question
TEST(BoxQuery, OverlapsPastTheRangeOfFloatAreFound) {
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(Aabb<2, double>{{1e300, -1}, {1e301, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, double>{{-1e301, -1e301}, {-1e300, -1e300}}, {}, Motion::fixed).ok());
  ASSERT_TRUE(store.insert(Aabb<2, double>{{-1, -1}, {1, 1}}).ok());
  ASSERT_TRUE(store.insert(Aabb<2, double>{{-1e301, 5}, {1e301, 6}}).ok());
  using Ids = std::vector<std::uint32_t>;
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    ASSERT_TRUE(algorithm->build(store).ok());
    EXPECT_EQ(to_vector(algorithm->overlapping(store, {{2e300, 0}, {3e300, 1e300}})), (Ids{0, 3})) << entry.name;
    EXPECT_EQ(to_vector(algorithm->overlapping(store, {{-3e300, -3e300}, {-2e300, -2e300}})), (Ids{1})) << entry.name;
    EXPECT_EQ(to_vector(algorithm->overlapping(store, {{-1e305, -1e305}, {1e305, 1e305}})), (Ids{0, 1, 2, 3}))
        << entry.name;
    EXPECT_EQ(to_vector(algorithm->overlapping(store, {{-1e305, 7}, {-1e39, 1e39}})), Ids{}) << entry.name;
  }
}

TEST(BoxQuery, BadQuestionsAreErrors) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BoxStore<3> store;
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make3();
    EXPECT_EQ(algorithm->nearest(store, {}, 1).error().code, ErrorCode::invalid_argument);  // nothing built yet
    ASSERT_TRUE(algorithm->build(store).ok());
    EXPECT_FALSE(algorithm->cast_closest(store, BoxCast<3>::ray({}, {1, 0, 0}))->has_value());
    EXPECT_EQ(algorithm->cast_all(store, BoxCast<3>::ray({nan, 0, 0}, {1, 0, 0})).error().code, ErrorCode::non_finite);
    EXPECT_EQ(algorithm->cast_all(store, BoxCast<3>::ray({}, {1, nan, 0})).error().code, ErrorCode::non_finite);
    EXPECT_EQ(algorithm->cast_all(store, BoxCast<3>::ray({}, {1, 0, 0}, nan)).error().code, ErrorCode::non_finite);
    EXPECT_EQ(algorithm->cast_all(store, BoxCast<3>::ray({}, {1, 0, 0}, -1)).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(algorithm->overlapping(store, {{1, 0, 0}, {0, 0, 0}}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(algorithm->nearest(store, {0, 0, nan}, 1).error().code, ErrorCode::non_finite);
  }
}

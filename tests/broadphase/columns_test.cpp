#include "tests/broadphase/box_sets.hpp"
#include <sudar/broadphase/column_kernels.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;

namespace {

template <int D, class Algorithm>
std::vector<IdPair> pairs_by(Algorithm& algorithm, const BoxStore<D>& store) {
  EXPECT_TRUE(algorithm.build(store).ok());
  const auto pairs = algorithm.pairs(store);
  EXPECT_TRUE(pairs.ok());
  return {pairs->begin(), pairs->end()};
}

// The sweep is the oracle here: it is itself checked against the plain loop, which is too slow for these numbers
template <int D, class F>
void expect_as_swept(Columns<D>& columns, std::size_t count, F&& make) {
  BoxStore<D> store;
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(store.insert(make(i)).ok());
  SortSweep<D> sweep;
  EXPECT_EQ(pairs_by<D>(columns, store), pairs_by<D>(sweep, store));
}

}  // namespace

TEST(ColumnKernels, QuantiseIsTheSameAsItsPlainTwin) {
  Random random(1);
  for (const float scale : {0.0f, 1.0f, 37.5f, 1e30f}) {
    const FixedPoint map{-0.25f, scale, 65535.0f};
    std::vector<float> values(1003);
    for (float& v : values) v = static_cast<float>(random.uniform(-2, 2));
    values[0] = 3.4028235e38f;
    values[1] = -3.4028235e38f;
    std::vector<std::int32_t> fast(values.size()), plain(values.size());
    quantise(values.data(), values.size(), map, fast.data());
    quantise_plain(values.data(), values.size(), map, plain.data());
    EXPECT_EQ(fast, plain);
  }
}

TEST(ColumnKernels, SweepIsTheSameAsItsPlainTwin) {
  Random random(2);
  for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 17u, 100u, 1000u}) {
    std::vector<std::uint64_t> lanes(count + kSweepPad);
    for (std::uint64_t& lane : lanes) lane = random.next() & 0x7fff7fff0fff0fffu;
    std::vector<std::uint32_t> from(count), to(count);
    for (std::size_t i = 0; i < count; ++i) {
      from[i] = static_cast<std::uint32_t>(random.below(count + 1));
      to[i] = from[i] + static_cast<std::uint32_t>(random.below(count + 1 - from[i]));
    }
    for (const bool self : {false, true}) {
      if (self)
        for (std::size_t i = 0; i < count; ++i)
          to[i] = std::max<std::uint32_t>(to[i], static_cast<std::uint32_t>(i + 1));
      for (const std::size_t capacity : {count, 3 * count, count * count}) {
        std::vector<std::uint32_t> hits[4];
        for (auto& hit : hits) hit.resize(capacity + kSweepPad);
        SweepRun run{lanes.data(), self ? nullptr : from.data(), to.data(), 0, count, lanes.data(), nullptr, nullptr,
                     capacity};
        while (run.begin < run.end) {
          run.hit_query = hits[0].data();
          run.hit_target = hits[1].data();
          const SweepProgress fast = sweep_lanes(run);
          run.hit_query = hits[2].data();
          run.hit_target = hits[3].data();
          const SweepProgress plain = sweep_lanes_plain(run);
          ASSERT_EQ(fast.next, plain.next);
          ASSERT_EQ(fast.found, plain.found);
          ASSERT_GT(fast.next, run.begin);
          for (std::size_t k = 0; k < fast.found; ++k) {
            ASSERT_EQ(hits[0][k], hits[2][k]);
            ASSERT_EQ(hits[1][k], hits[3][k]);
          }
          run.begin = fast.next;
        }
      }
    }
  }
}

TEST(Columns, UniformAndMixedSizes) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(3);
  expect_as_swept<2>(columns2, 20000, [&](std::size_t) { return sudar_test::random_box<2>(random, 150, 1.5); });
  expect_as_swept<3>(columns3, 20000, [&](std::size_t) { return sudar_test::random_box<3>(random, 27, 1.5); });
  expect_as_swept<2>(columns2, 20000,
                     [&](std::size_t i) { return sudar_test::random_box<2>(random, 150, i % 100 == 0 ? 30 : 1); });
  expect_as_swept<3>(columns3, 20000,
                     [&](std::size_t i) { return sudar_test::random_box<3>(random, 27, i % 100 == 0 ? 20 : 1); });
  EXPECT_EQ(columns3.giant_count(), 0u);
}

TEST(Columns, ManyGiantsHaveColumnsOfTheirOwn) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(4);
  expect_as_swept<3>(columns3, 12000,
                     [&](std::size_t i) { return sudar_test::random_box<3>(random, 60, i % 200 == 0 ? 90 : 0.6); });
  EXPECT_GT(columns3.giant_count(), 8u);
  expect_as_swept<2>(columns2, 12000,
                     [&](std::size_t i) { return sudar_test::random_box<2>(random, 4000, i % 200 == 0 ? 5000 : 1); });
  EXPECT_GT(columns2.giant_count(), 8u);
}

TEST(Columns, CrowdsArePlannedAgain) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(5);
  // Nearly all in a corner of a huge world
  expect_as_swept<3>(columns3, 10000, [&](std::size_t i) {
    return sudar_test::random_box<3>(random, i % 500 == 0 ? 1e5 : 12, i % 500 == 0 ? 10 : 1);
  });
  EXPECT_GT(columns3.replanned(), 0u);
  expect_as_swept<2>(columns2, 10000, [&](std::size_t i) {
    return sudar_test::random_box<2>(random, i % 500 == 0 ? 1e6 : 50, i % 500 == 0 ? 10 : 1);
  });
  EXPECT_GT(columns2.replanned(), 0u);
  // A crowd in a crowd, with giants inside
  expect_as_swept<3>(columns3, 9000, [&](std::size_t i) {
    const double world = i % 3 == 0 ? 1e-2 : i % 3 == 1 ? 10 : 1e4;
    return sudar_test::random_box<3>(random, world, world * (i % 40 == 0 ? 0.5 : 0.02));
  });
}

TEST(Columns, FixedBoxesMeetOnlyMovingOnes) {
  Columns<3> columns;
  SortSweep<3> sweep;
  Random random(6);
  BoxStore<3> store;
  for (int i = 0; i < 15000; ++i)
    ASSERT_TRUE(store
                    .insert(sudar_test::random_box<3>(random, 20, i % 300 == 0 ? 30 : 1), {},
                            i % 10 == 0 ? Motion::moving : Motion::fixed)
                    .ok());
  EXPECT_EQ(pairs_by<3>(columns, store), pairs_by<3>(sweep, store));
  // Removing leaves ids that are not rows
  for (std::uint32_t id = 0; id < 15000; id += 7) ASSERT_TRUE(store.remove(id).ok());
  EXPECT_EQ(pairs_by<3>(columns, store), pairs_by<3>(sweep, store));
}

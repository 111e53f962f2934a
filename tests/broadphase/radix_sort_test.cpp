#include "tests/support/seed.hpp"
#include <sudar/broadphase/radix_sort.hpp>
#include <sudar/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

TEST(RadixSort, OrderedBitsKeepTheOrderOfFloats) {
  const float numbers[] = {-std::numeric_limits<float>::max(), -1, -1e-45f, -0.0f, 0.0f, 1e-45f, 1, 2,
                           std::numeric_limits<float>::max()};
  for (std::size_t i = 1; i < std::size(numbers); ++i)
    EXPECT_LT(ordered_bits(numbers[i - 1]), ordered_bits(numbers[i]));
}

TEST(RadixSort, RowsComeOutAsFromAStableSort) {
  Random random(campaign_seed(1));
  for (const std::size_t n : {0u, 1u, 2u, 511u, 512u, 5000u}) {
    for (const std::uint64_t range : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 32}) {
      std::vector<KeyedRow> rows(n), scratch;
      for (std::uint32_t i = 0; i < n; ++i) rows[i] = {static_cast<std::uint32_t>(random.below(range)), i};
      auto expected = rows;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
      sort_rows(rows, scratch);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(rows[i].key, expected[i].key);
        ASSERT_EQ(rows[i].row, expected[i].row);
      }
    }
  }
}

TEST(RadixSort, PairsComeOutAsFromTheStandardSort) {
  Random random(campaign_seed(2));
  PairSortScratch scratch;
  const auto threads = make_executor(3);
  for (const std::uint32_t ids : {2u, 40u, 5000u, 60000u}) {
    for (const std::size_t n : {0u, 1u, 63u, 64u, 3000u, 30000u, 65536u, 200001u}) {
      std::vector<IdPair> pairs;
      while (pairs.size() < n) {
        const auto a = static_cast<std::uint32_t>(random.below(ids)), b = static_cast<std::uint32_t>(random.below(ids));
        if (a != b) pairs.push_back(make_pair_of(a, b));
      }
      auto expected = pairs;
      std::sort(expected.begin(), expected.end());
      auto parallel = pairs;
      sort_pairs(pairs, ids, scratch);
      ASSERT_EQ(pairs, expected);
      sort_pairs(parallel, ids, scratch, *threads);
      ASSERT_EQ(parallel, expected);
    }
  }
}

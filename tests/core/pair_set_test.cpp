#include "tests/support/seed.hpp"
#include <sudar/core/pair_set.hpp>
#include <sudar/core/random.hpp>

#include <gtest/gtest.h>

#include <set>

using namespace sudar;
using sudar_test::campaign_seed;

TEST(PairSet, AgreesWithStdSetUnderRandomInsertAndErase) {
  Random random(campaign_seed(1));
  PairSet set;
  std::set<IdPair> oracle;
  for (int i = 0; i < 200000; ++i) {
    const auto a = static_cast<std::uint32_t>(random.below(60));
    const auto b = static_cast<std::uint32_t>(random.below(60));
    if (a == b) continue;
    const IdPair pair = make_pair_of(a, b);
    if (random.coin())
      ASSERT_EQ(set.insert(pair), oracle.insert(pair).second);
    else
      ASSERT_EQ(set.erase(pair), oracle.erase(pair) == 1);
    ASSERT_EQ(set.contains(pair), oracle.contains(pair));
  }
  EXPECT_EQ(set.sorted(), std::vector<IdPair>(oracle.begin(), oracle.end()));
  EXPECT_EQ(set.size(), oracle.size());
}

TEST(PairSet, EmptySetHasNothing) {
  PairSet set;
  EXPECT_FALSE(set.contains({1, 2}));
  EXPECT_FALSE(set.erase({1, 2}));
  EXPECT_TRUE(set.sorted().empty());
  set.insert({1, 2});
  set.clear();
  EXPECT_EQ(set.size(), 0u);
  EXPECT_FALSE(set.contains({1, 2}));
}

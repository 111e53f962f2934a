#include <sudar/core/random.hpp>

#include <gtest/gtest.h>

using namespace sudar;

// The first numbers of xoshiro256++ seeded by SplitMix64 from 0, which other implementations publish
TEST(Random, KnownAnswers) {
  Random random(0);
  for (const std::uint64_t expected :
       {5987356902031041503u, 7051070477665621255u, 6633766593972829180u, 211316841551650330u, 9136120204379184874u})
    EXPECT_EQ(random.next(), expected);
  EXPECT_EQ(Random(0).uniform(), 0x1.4c5d7585242c8p-2);
}

TEST(Random, SameSeedSameNumbers) {
  Random random(7);
  const std::uint64_t first = random.next();
  random.next();
  Random again(7);
  EXPECT_EQ(again.next(), first);
  EXPECT_NE(Random(8).next(), first);
}

TEST(Random, UniformHasTheMomentsOfUniform) {
  Random random(1);
  double sum = 0, squares = 0;
  const int n = 1000000;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.5, 2e-3);
  EXPECT_NEAR(squares / n, 1.0 / 3, 2e-3);
}

TEST(Random, BelowReachesEveryValueEvenly) {
  Random random(3);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
}

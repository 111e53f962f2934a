#include <sudar/core/handle.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace sudar;

TEST(HandlePool, StaleHandlesAreRecognised) {
  HandlePool<std::string> pool;
  const auto a = *pool.insert("a");
  const auto b = *pool.insert("b");
  EXPECT_EQ(*pool.find(a), "a");
  EXPECT_TRUE(pool.erase(a).ok());
  EXPECT_EQ(pool.find(a), nullptr);
  EXPECT_EQ(pool.erase(a).error().code, ErrorCode::unknown_id);
  const auto c = *pool.insert("c");
  EXPECT_EQ(c.index, a.index);
  EXPECT_NE(c, a);
  EXPECT_EQ(pool.find(a), nullptr);
  EXPECT_EQ(*pool.find(b), "b");
  EXPECT_EQ(pool.size(), 2u);
}

TEST(HandlePool, AHandleThatWasNeverGivenIsUnknown) {
  HandlePool<int> pool;
  EXPECT_EQ(pool.find({}), nullptr);
  EXPECT_EQ(pool.erase({3, 1}).error().code, ErrorCode::unknown_id);
}

TEST(HandlePool, VisitsInSlotOrder) {
  HandlePool<int> pool;
  const auto first = *pool.insert(0);
  for (int i = 1; i < 10; ++i) ASSERT_TRUE(pool.insert(i).ok());
  ASSERT_TRUE(pool.erase(first).ok());
  int expected = 1;
  pool.for_each([&](auto, int value) { EXPECT_EQ(value, expected++); });
  EXPECT_EQ(expected, 10);
}

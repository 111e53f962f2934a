#include <sudar/core/arena.hpp>

#include <gtest/gtest.h>

#include <cstdint>

using namespace sudar;

TEST(Arena, GivesAlignedDisjointStorage) {
  Arena arena;
  std::span<char> a = arena.allocate<char>(3);
  std::span<double> b = arena.allocate<double>(1000);
  std::span<char> c = arena.allocate<char>(1 << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
  std::fill(a.begin(), a.end(), 'a');
  std::fill(b.begin(), b.end(), 1.0);
  std::fill(c.begin(), c.end(), 'c');
  EXPECT_EQ(a[2], 'a');
  EXPECT_EQ(b[999], 1.0);
}

TEST(Arena, SteadyStateNeedsNoNewMemory) {
  Arena arena;
  for (int round = 0; round < 5; ++round) {
    arena.reset();
    for (int i = 1; i < 20; ++i) (void)arena.allocate<int>(std::size_t{1000} * i);
  }
  const std::size_t steady = arena.capacity();
  for (int round = 0; round < 100; ++round) {
    arena.reset();
    for (int i = 1; i < 20; ++i) (void)arena.allocate<int>(std::size_t{1000} * i);
  }
  EXPECT_EQ(arena.capacity(), steady);
}

TEST(Arena, AbsurdSizesThrowBadAllocForGuardedToCatch) {
  Arena arena;
  EXPECT_THROW((void)arena.allocate<double>(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
  EXPECT_THROW((void)arena.allocate<char>(static_cast<std::size_t>(-1)), std::bad_alloc);
}

TEST(Arena, MovingKeepsTheStorage) {
  Arena a;
  std::span<int> s = a.allocate<int>(10);
  s[9] = 42;
  Arena b = std::move(a);
  EXPECT_EQ(s[9], 42);
  EXPECT_EQ(a.capacity(), 0u);
  a = std::move(b);
  EXPECT_GT(a.capacity(), 0u);
}

// Oracle: one bit at a time.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/morton.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

template <int D, class Code>
Code bit_by_bit(const std::array<std::uint32_t, D>& cell) {
  Code code = 0;
  for (int bit = 0; bit < kMortonBits<D, Code>; ++bit)
    for (int axis = 0; axis < D; ++axis)
      if (cell[axis] >> bit & 1) code |= Code{1} << (bit * D + axis);
  return code;
}

template <int D, class Code>
void check() {
  Random random(campaign_seed(1));
  constexpr int kBits = kMortonBits<D, Code>;
  for (int n = 0; n < 5000; ++n) {
    std::array<std::uint32_t, D> cell;
    for (auto& c : cell) c = static_cast<std::uint32_t>(random.next() >> (64 - kBits));
    const Code code = morton_encode<D, Code>(cell);
    ASSERT_EQ(code, (bit_by_bit<D, Code>(cell)));
    ASSERT_EQ((morton_decode<D, Code>(code)), cell);
  }
  std::array<std::uint32_t, D> all;
  all.fill(0xffffffffu);
  EXPECT_EQ((morton_encode<D, Code>(all)), (bit_by_bit<D, Code>(all)));
}

}  // namespace

TEST(Morton, CodesMatchBitByBit) {
  check<2, std::uint32_t>();
  check<2, std::uint64_t>();
  check<3, std::uint32_t>();
  check<3, std::uint64_t>();
  static_assert(morton_encode<2, std::uint32_t>({3, 0}) == 5);
  static_assert(morton_encode<3, std::uint64_t>({0, 0, 1}) == 4);
}

TEST(Morton, PointsFallIntoTheirCells) {
  const Vec2 lo{0, 0}, hi{1, 1};
  EXPECT_EQ((morton_code<std::uint32_t>(Vec2{0, 0}, lo, hi)), 0u);
  EXPECT_EQ((morton_code<std::uint32_t>(Vec2{1, 1}, lo, hi)), 0xffffffffu);
  EXPECT_EQ((morton_decode<2>(morton_code<std::uint32_t>(Vec2{0.5f, 0.25f}, lo, hi))),
            (std::array<std::uint32_t, 2>{1u << 15, 1u << 14}));
  // Outside, NaN and boxes of size zero
  EXPECT_EQ((morton_code<std::uint32_t>(Vec2{-5, 7}, lo, hi)), (morton_code<std::uint32_t>(Vec2{0, 1}, lo, hi)));
  EXPECT_EQ((morton_code<std::uint64_t>(Vec3d{1, 2, 3}, Vec3d{1, 2, 3}, Vec3d{1, 2, 3})), 0u);
  EXPECT_EQ(quantise(std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, 21), 0u);
  EXPECT_EQ(quantise(std::numeric_limits<double>::infinity(), 0.0, 1.0, 32), 0xffffffffu);
  // A box wider than the largest double
  EXPECT_EQ(quantise(0.5e308, -1e308, 1e308, 10), 768u);
}

TEST(Morton, CellsAreMonotone) {
  Random random(campaign_seed(2));
  for (int n = 0; n < 2000; ++n) {
    const double a = random.uniform(-1, 2), b = random.uniform(-1, 2);
    ASSERT_LE(quantise(a < b ? a : b, 0.0, 1.0, 21), quantise(a < b ? b : a, 0.0, 1.0, 21));
  }
}

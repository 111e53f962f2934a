#include <sudar/core/hash.hpp>
#include <sudar/core/info.hpp>

#include <gtest/gtest.h>

using namespace sudar;

// Published values of FNV-1a: the empty string, "a", "foobar"
TEST(Hash64, KnownAnswers) {
  Hash64 hash;
  EXPECT_EQ(hash.value(), 0xcbf29ce484222325u);
  hash.add_byte('a');
  EXPECT_EQ(hash.value(), 0xaf63dc4c8601ec8cu);
  Hash64 word;
  for (const char c : {'f', 'o', 'o', 'b', 'a', 'r'}) word.add_byte(static_cast<std::uint8_t>(c));
  EXPECT_EQ(word.value(), 0x85944171f73967e8u);
}

TEST(Hash64, IntegersAreLittleEndianBytes) {
  Hash64 a, b, c;
  a.add(std::uint32_t{0x04030201});
  for (std::uint8_t byte = 1; byte <= 4; ++byte) b.add_byte(byte);
  EXPECT_EQ(a.value(), b.value());
  b.add(std::uint32_t{0});
  c.add(std::uint64_t{0x04030201});
  EXPECT_EQ(b.value(), c.value());
}

TEST(Info, NamesAnInstructionSet) { EXPECT_FALSE(instruction_set().empty()); }

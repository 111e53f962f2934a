// The hashes of worlds, pairs, contacts, events, distances and times of impact are those of the files, whatever they are
// computed with. Oracle: tests/golden/worlds.txt and tests/golden/scenes.txt.
#include "tests/golden/golden_values.hpp"

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cstdio>

namespace {

using namespace sudar_test;

std::string hex_digits(std::uint64_t x) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(x));
  return text;
}

// Every broad phase, number of threads and instruction set comes up, and their combinations in turn: with SUDAR_SOAK=11 each of
// them for some value, in the long campaign (50) for four, with 200 for every one (tools/check_hashes.sh has all as well)
void expect_one_hash(const std::string& file) {
  const std::vector<GoldenValue> values = read_golden(SUDAR_GOLDEN + file);
  ASSERT_GE(values.size(), 12u);
  GoldenCells cells;
  const std::size_t each = std::min(cells.size(), std::max<std::size_t>(soak(3), 2));
  for (const GoldenValue& value : values)
    for (std::size_t k = 0; k < each; ++k, cells.next()) {
      const auto hash = cells.hash_here(value);
      ASSERT_TRUE(hash.has_value()) << value.text;
      EXPECT_EQ(hex_digits(*hash), hex_digits(value.hash))
          << value.text << ": " << cells.cell().broadphase << ", " << cells.cell().threads << " threads, "
          << cells.name_of_set();
    }
}

}  // namespace

TEST(GoldenWorlds, OneHashForEveryBroadPhaseThreadCountAndInstructionSet) { expect_one_hash("/worlds.txt"); }
TEST(GoldenScenes, OneHashForEveryBroadPhaseThreadCountAndInstructionSet) { expect_one_hash("/scenes.txt"); }

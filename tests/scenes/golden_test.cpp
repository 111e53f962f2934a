// The hashes of worlds are those of the file, whatever they are computed with. Oracle: tests/golden/worlds.txt.
#include "tests/golden/golden_worlds.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/instruction_sets.hpp>
#include <sudar/core/parallel.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace {

using namespace sudar;
using namespace sudar_test;

std::string hex_digits(std::uint64_t x) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(x));
  return text;
}

}  // namespace

// Every broad phase, number of threads and instruction set comes up, and their combinations in turn; the long campaign has
// all of them
TEST(GoldenWorlds, OneHashForEveryBroadPhaseThreadCountAndInstructionSet) {
  const std::vector<GoldenWorld> worlds = read_golden_worlds(SUDAR_GOLDEN_WORLDS);
  ASSERT_GE(worlds.size(), 12u);
  const unsigned threads[] = {1, 2, 3, 8};
  std::unique_ptr<Executor> executors[4];
  for (int i = 0; i < 4; ++i) executors[i] = make_executor(threads[i]);
  const auto searches = broadphases();
  const auto sets = instruction_sets();
  const std::size_t all = 4 * searches.size() * sets.size();
  // Steps of a size that shares no factor with their number go round all of them
  std::size_t stride = all * 2 / 5 + 1, next = 0;
  while (std::gcd(stride, all) != 1) ++stride;
  const std::size_t each = std::min(all, std::max<std::size_t>(soak(3), 2));
  for (const GoldenWorld& world : worlds)
    for (std::size_t k = 0; k < each; ++k, next = (next + stride) % all) {
      const std::size_t search = next / 4 % searches.size(), set = next / 4 / searches.size();
      hold_to_instruction_set(set);
      const auto hash = world_hash(world, searches[search].name, executors[next % 4].get());
      hold_to_instruction_set(sets.size());
      ASSERT_TRUE(hash.has_value()) << world.text;
      EXPECT_EQ(hex_digits(*hash), hex_digits(world.hash))
          << world.text << ": " << searches[search].name << ", " << threads[next % 4] << " threads, " << sets[set];
    }
}

#include "tests/support/instruction_sets.hpp"

#include <gtest/gtest.h>

using namespace sudar;

TEST(InstructionSets, DispatchIsHeldToEachAndGoesBackToTheBest) {
  const auto names = instruction_sets();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(dispatched_instruction_set(), names.front());
  // Twice: what was picked once must not stick
  for (int round = 0; round < 2; ++round) {
    std::size_t next = 0;
    sudar_test::for_each_instruction_set([&] { EXPECT_EQ(dispatched_instruction_set(), names[next++]); });
    EXPECT_EQ(next, names.size());
    EXPECT_EQ(dispatched_instruction_set(), names.front());
    EXPECT_EQ(instruction_sets(), names);
  }
}

// Memory that runs out in an arena, while it grows and while its blocks are merged: it says so and stays usable.
#include "tests/faults/failing_new.hpp"
#include <sudar/core/arena.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using namespace sudar_test;

namespace {

constexpr std::size_t kPiece = std::size_t{300} << 10;  // of these, blocks of both alignments are made

void fill(Arena& arena, int pieces) {
  for (int i = 0; i < pieces; ++i) {
    const std::span<char> room = arena.allocate<char>(kPiece);
    std::fill(room.begin(), room.end(), 'x');
  }
}
Arena of_blocks(int pieces) {
  Arena arena;
  fill(arena, pieces);
  return arena;
}
void still_works(Arena& arena) {
  arena.reset();
  fill(arena, 3);
  EXPECT_GE(arena.capacity(), 3 * kPiece);
}

}  // namespace

TEST(AllocationFailure, AnArenaThatGrows) {
  // The first block, four that double what is there, and the list of them
  const std::size_t points = fail_everywhere(
      [] { return Arena(); }, [](Arena& arena) { return guarded([&] { return fill(arena, 12), Result<void>(); }); },
      still_works);
  EXPECT_GE(points, 2u * 8);
}

TEST(AllocationFailure, AnArenaWhoseBlocksAreMerged) {
  const std::size_t points =
      fail_everywhere([] { return of_blocks(12); },
                      [](Arena& arena) { return guarded([&] { return arena.reset(), Result<void>(); }); }, still_works);
  // One block: the list of them has room
  EXPECT_EQ(points, 2u);
}

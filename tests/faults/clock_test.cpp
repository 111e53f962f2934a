// Clocks that stand still, jump ahead by years and go back: every clock of the process does, also those that are said to be
// steady. What a world and a broad phase answer is the same; only what they say of their times is not.
#include "tests/dynamics/world_scenes.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

using namespace sudar;
using namespace sudar_test;

namespace {

std::atomic<bool> clock_is_mad{false};
std::atomic<std::uint64_t> clock_reads{0};

struct MadClock {
  MadClock() { clock_is_mad = true; }
  ~MadClock() { clock_is_mad = false; }
};

}  // namespace

// In place of the C library's, for the C++ library as well
extern "C" int clock_gettime(clockid_t which, timespec* out) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, which, out));
  if (result != 0 || !clock_is_mad) return result;
  // Still, a day ahead, thirty years ahead, back to the beginning, by turns that follow no order
  switch ((clock_reads++ * 0x9e3779b97f4a7c15u) >> 62) {
    case 0:
      *out = {};
      break;
    case 1:
      out->tv_sec += 86400;
      break;
    case 2:
      out->tv_sec += 1000000000;
      break;
    default:
      out->tv_nsec = 0;
  }
  return 0;
}

namespace {

template <int D>
std::uint64_t tower_hash(std::string_view broadphase) {
  WorldOptions<D> options;
  options.broadphase = broadphase;
  auto world = World<D>::make(options);
  EXPECT_TRUE(world.ok());
  add_floor<D>(*world);
  add_tower<D>(*world, 6);
  std::uint64_t hash = 0;
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(world->step(1.0 / 60).ok());
    hash = hash * 31 + world->state_hash();
  }
  return hash;
}

TEST(ClockJumps, TheStandInIsTheOneThatIsRead) {
  const MadClock mad;
  const std::uint64_t before = clock_reads;
  (void)std::chrono::steady_clock::now();
  EXPECT_GT(clock_reads, before);
}

TEST(ClockJumps, WorldsAndBroadPhasesAnswerTheSame) {
  for (const std::string_view name : {"adaptive", "dynamic_tree"}) {
    const std::uint64_t calm2 = tower_hash<2>(name), calm3 = tower_hash<3>(name);
    const MadClock mad;
    EXPECT_EQ(tower_hash<2>(name), calm2) << name;
    EXPECT_EQ(tower_hash<3>(name), calm3) << name;
  }
}

}  // namespace

#include "tests/support/threads.hpp"
#include <sudar/core/parallel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

using namespace sudar;

namespace {
void expect_every_index_once(Executor& executor) {
  for (std::size_t count : {0, 1, 7, 64, 1000}) {
    std::vector<std::atomic<int>> hits(count);
    parallel_for(executor, count, 16, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 16, 0u);
      for (std::size_t i = begin; i < end; ++i) ++hits[i];
    });
    for (auto& hit : hits) EXPECT_EQ(hit, 1);
  }
}

// What a user of the library may pass: a thread for each task
class ThreadPerTask final : public Executor {
 public:
  unsigned concurrency() const noexcept override { return 4; }
  void run(std::size_t count, Task task, void* context) override {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(task, context, i);
    for (std::thread& thread : threads) thread.join();
  }
};
}  // namespace

TEST(ParallelFor, SerialVisitsEveryIndexOnce) { expect_every_index_once(serial_executor()); }
TEST(ParallelFor, DefaultVisitsEveryIndexOnce) { expect_every_index_once(default_executor()); }
TEST(ParallelFor, AUsersExecutorVisitsEveryIndexOnce) {
  ThreadPerTask executor;
  expect_every_index_once(executor);
}

// What the golden values are computed with: as many threads as asked for, all of them at work at once
TEST(ParallelFor, ThreadsOfTheTestsAreAsManyAsAskedFor) {
  for (const unsigned count : {1u, 2u, 5u, 8u}) {
    sudar_test::Threads executor(count);
    EXPECT_EQ(executor.concurrency(), count);
    expect_every_index_once(executor);
    std::atomic<unsigned> here{0};
    parallel_for(executor, count, 1, [&](std::size_t, std::size_t) {
      ++here;
      while (here < count) std::this_thread::yield();
    });
    EXPECT_EQ(here, count);
  }
}

TEST(ParallelFor, AFailedAllocationReachesTheCaller) {
  sudar_test::Threads threads(3);
  for (Executor* executor : {&serial_executor(), &default_executor(), static_cast<Executor*>(&threads)})
    EXPECT_THROW(parallel_for(*executor, 100, 1,
                              [](std::size_t begin, std::size_t) {
                                if (begin == 57) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
}

TEST(Parallel, AnExecutorOfSoManyThreadsRunsEveryTaskOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 64u}) {
    const auto executor = make_executor(threads);
    EXPECT_GE(executor->concurrency(), 1u);
    EXPECT_LE(executor->concurrency(), std::max(threads, 1u));
    std::vector<int> seen(1000, 0);
    parallel_for(*executor, seen.size(), 7, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++seen[i];
    });
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 1000);
  }
}

#if defined(SUDAR_PLAIN_THREADS) && defined(__SANITIZE_THREAD__)
// What the thread sanitizer's build is for: a race is seen however few cores there are, and is an error
TEST(ParallelDeathTest, TasksThatRaceAreSeen) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const unsigned threads : {2u, 8u})
    EXPECT_EXIT(
        {
          const auto executor = make_executor(threads);
          std::size_t sum = 0;
          parallel_for(*executor, 64, 1, [&](std::size_t begin, std::size_t) { sum += begin; });
          std::exit(sum == 1 ? 1 : 0);
        },
        testing::ExitedWithCode(66), "data race");
}
#endif

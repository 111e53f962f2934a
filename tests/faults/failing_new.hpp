// What:    Memory that runs out at a chosen allocation: operator new of this program is replaced (failing_new.cpp).
// Differs: Every allocation of an attempt is made to fail in turn, each on a fresh object, once alone and once together with
//          all that follow it, so that what cleans up without memory is seen as well. Allocations are counted first, so
//          nothing ends before the last one, and what is asked for is given back: a leak shows without a sanitizer. Where they are too many for every run, some are drawn, other ones with another
//          SUDAR_SEED and more with SUDAR_SOAK; each test prints how many there were and how many failed.
#pragma once

#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/core/result.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace sudar_test {

enum class Shortage : std::uint8_t { once, from_then_on };
// Whose allocations: of all threads, or of those alone that the caller did not start it in, which run tasks
enum class Whose : std::uint8_t { everybodys, other_threads };

// While it is there, allocations are counted, and the one of this number fails
class FailingNew {
 public:
  FailingNew(std::size_t which, Shortage shortage, Whose whose) noexcept;
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  // Whether it came to that allocation
  bool failed() const noexcept;
  std::size_t allocations() const noexcept;
};

// What was tried so far in this program; told after each test by a listener
struct FailurePoints {
  std::size_t all = 0;    // allocations, each with both kinds of shortage
  std::size_t tried = 0;  // of them
};
FailurePoints& failure_points();

// Allocations that were not given back so far
std::int64_t live_allocations() noexcept;

inline constexpr std::size_t kEveryPoint = std::numeric_limits<std::size_t>::max();

// Which of `all` allocations are to fail: every one, or `most` of them with the first and the last
inline std::vector<std::size_t> points_to_try(std::size_t all, std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> points(all);
  std::iota(points.begin(), points.end(), std::size_t{0});
  // The first, the last, and some between
  if (most != kEveryPoint) most = std::max<std::size_t>(soak(most), 4);
  if (all <= most) return points;
  sudar::Random random(campaign_seed(seed));
  std::swap(points[1], points.back());
  for (std::size_t i = 2; i < most; ++i)
    std::swap(points[i], points[i + random.below(static_cast<std::uint32_t>(all - i))]);
  points.resize(most);
  return points;
}

// attempt(subject) on a fresh make() with one allocation after the other failing, or `most` of them. Where memory ran out it
// says so by out_of_memory, or did without; unchanged(subject) is asked after an error. Gives the number of points of failure.
template <class Make, class Attempt, class Unchanged>
std::size_t fail_everywhere(Make make, Attempt attempt, Unchanged unchanged, std::size_t most = kEveryPoint,
                            Whose whose = Whose::everybodys) {
  FailurePoints& total = failure_points();
  std::size_t all = 0, tried = 0;
  {
    auto subject = make();
    const FailingNew counter(kEveryPoint, Shortage::once, whose);
    const auto result = attempt(subject);
    all = counter.allocations();
    EXPECT_TRUE(result.ok()) << "it fails with all the memory that it wants";
  }
  for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
    for (const std::size_t n : points_to_try(all, most, all + static_cast<std::size_t>(shortage))) {
      SCOPED_TRACE(testing::Message() << "allocation " << n << " of " << all
                                      << (shortage == Shortage::once ? "" : " and those after it"));
      const std::int64_t live = live_allocations();
      {
        auto subject = make();
        bool failed = false, ok = false;
        sudar::ErrorCode code{};
        {
          const FailingNew shortage_of_memory(n, shortage, whose);
          const auto result = attempt(subject);
          ok = result.ok();
          if (!ok) code = result.error().code;
          failed = shortage_of_memory.failed();
        }
        // Fewer allocations than were counted: what is made once in a program, or a choice that was made by the clock
        EXPECT_TRUE(failed || ok) << "it fails with all the memory that it wants";
        tried += failed;
        if (!ok) {
          EXPECT_EQ(code, sudar::ErrorCode::out_of_memory) << to_string(code);
          unchanged(subject);
        }
      }
      if (testing::Test::HasFailure()) return tried;
      EXPECT_EQ(live_allocations(), live) << "memory leaks";
    }
  }
  total.all += 2 * all;
  total.tried += tried;
  return tried;
}

// The same of a function without a subject
template <class Attempt>
std::size_t fail_everywhere(Attempt attempt, std::size_t most = kEveryPoint) {
  return fail_everywhere([] { return 0; }, [&](int) { return attempt(); }, [](int) {}, most);
}

}  // namespace sudar_test

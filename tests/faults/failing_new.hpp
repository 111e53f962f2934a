// What:    Memory that runs out at a chosen allocation: operator new of this program is replaced (failing_new.cpp).
// Differs: Every allocation of an attempt is made to fail in turn, each on a fresh object, once alone and once together with
//          all that follow it, so that what cleans up without memory is seen as well.
#pragma once

#include <sudar/core/result.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace sudar_test {

enum class Shortage : std::uint8_t { once, from_then_on };

// While it is there, allocations are counted, and the one of this number fails
class FailingNew {
 public:
  FailingNew(std::size_t which, Shortage shortage) noexcept;
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  // Whether it came to that allocation
  bool failed() const noexcept;
};

// attempt(subject) on a fresh make() with the n-th allocation failing, for n = 0, 1, … until it needs no more than n. Where
// memory ran out it says so by out_of_memory, or did without; unchanged(subject) is asked after an error. With a stride, n
// goes up by it. Gives the number of points of failure.
template <class Make, class Attempt, class Unchanged>
std::size_t fail_everywhere(Make make, Attempt attempt, Unchanged unchanged, std::size_t stride = 1) {
  constexpr std::size_t kMost = 100000;
  std::size_t points = 0;
  for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
    for (std::size_t n = 0; n < kMost; n += stride) {
      SCOPED_TRACE(testing::Message() << "allocation " << n
                                      << (shortage == Shortage::once ? "" : " and those after it"));
      auto subject = make();
      bool failed = false, ok = false;
      sudar::ErrorCode code{};
      {
        const FailingNew shortage_of_memory(n, shortage);
        const auto result = attempt(subject);
        ok = result.ok();
        if (!ok) code = result.error().code;
        failed = shortage_of_memory.failed();
      }
      if (!failed) {
        EXPECT_TRUE(ok) << "it fails with all the memory that it wants";
        break;
      }
      ++points;
      if (!ok) {
        EXPECT_EQ(code, sudar::ErrorCode::out_of_memory) << to_string(code);
        unchanged(subject);
      }
      if (testing::Test::HasFailure()) return points;
    }
  }
  return points;
}

// The same of a function without a subject
template <class Attempt>
std::size_t fail_everywhere(Attempt attempt, std::size_t stride = 1) {
  return fail_everywhere([] { return 0; }, [&](int) { return attempt(); }, [](int) {}, stride);
}

}  // namespace sudar_test

#include <sudar/core/result.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace sudar;

TEST(Result, CarriesAValueOrAnError) {
  Result<int> good = 7;
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 7);
  Result<int> bad = Error{ErrorCode::non_finite, 17, "coordinate is NaN or infinite"};
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::non_finite);
  EXPECT_EQ(bad.error().message(), "non_finite: element 17: coordinate is NaN or infinite");
}

TEST(Result, MessageLeavesOutWhatIsNotKnown) { EXPECT_EQ((Error{ErrorCode::empty_input}).message(), "empty_input"); }

TEST(Result, VoidResultIsOkByDefault) {
  EXPECT_TRUE(Result<void>().ok());
  EXPECT_FALSE(Result<void>(Error{ErrorCode::unsupported}).ok());
}

TEST(Result, GuardedTurnsFailedAllocationsIntoErrors) {
  const Result<int> no_memory = guarded([]() -> Result<int> { throw std::bad_alloc(); });
  EXPECT_EQ(no_memory.error().code, ErrorCode::out_of_memory);
  const Result<int> too_long = guarded([]() -> Result<int> {
    std::vector<double> v;
    v.reserve(v.max_size() + 1);
    return 0;
  });
  EXPECT_EQ(too_long.error().code, ErrorCode::too_large);
}

TEST(Result, EveryCodeHasItsOwnName) {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ErrorCode::out_of_memory); ++i) {
    const std::string_view name = to_string(static_cast<ErrorCode>(i));
    EXPECT_NE(name, "unknown");
    for (std::string_view other : names) EXPECT_NE(name, other);
    names.push_back(name);
  }
}

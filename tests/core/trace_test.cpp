#include <sudar/core/trace.hpp>

#include <gtest/gtest.h>

using namespace sudar;

namespace {
template <class Trace = NoTrace>
int sum_to(int n, Trace trace = {}) {
  int sum = 0;
  for (int i = 1; i <= n; ++i) {
    sum += i;
    const auto id = static_cast<std::uint32_t>(i);
    if constexpr (Trace::kEnabled) trace({.step = "add", .ids = {&id, 1}, .value = double(sum)});
  }
  return sum;
}
}  // namespace

TEST(Trace, TheLogKeepsEveryStepAndTheResultIsTheSame) {
  TraceLog log;
  EXPECT_EQ(sum_to(4), sum_to(4, TraceTo{&log}));
  ASSERT_EQ(log.entries().size(), 4u);
  EXPECT_EQ(log.entries()[2].step, "add");
  EXPECT_EQ(log.entries()[2].ids, std::vector<std::uint32_t>{3});
  EXPECT_EQ(log.entries()[3].value, 10);
}

#include <sudar/core/info.hpp>
#include <sudar/core/stats.hpp>

#include <gtest/gtest.h>

using namespace sudar;

TEST(StepStats, TimersAddToTheirStage) {
  StepStats stats;
  for (int i = 0; i < 2; ++i) {
    StageTimer timer(stats, Stage::pairs);
    volatile double sum = 0;
    for (int k = 0; k < 10000; ++k) sum = sum + k;
  }
  EXPECT_GT(stats[Stage::pairs], 0);
  EXPECT_EQ(stats[Stage::solve], 0);
  EXPECT_EQ(stats.total_ms(), stats[Stage::pairs]);
  EXPECT_EQ(to_string(Stage::finish), "finish");
}

TEST(BuildInfo, SaysThePrecisionOfThisBuild) {
  EXPECT_EQ(build_info().precision, sizeof(Real) == 4 ? "float" : "double");
  EXPECT_FALSE(build_info().version.empty());
}

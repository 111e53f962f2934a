// What:    Seeds of campaigns: SUDAR_SEED in the environment gives other random cases (default 0: the ones that CI runs).
// Differs: A test that fails says the seed and the length, so that it can be run again. Shapes and figures that are expected as
//          they were seen with one seed keep it: Random random(7).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace sudar_test {

// `name` from the environment, or what it is when nobody sets it
inline const char* campaign_setting(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

class CampaignListener final : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Failed())
      std::printf("Run again with SUDAR_SEED=%s SUDAR_SOAK=%s\n", campaign_setting("SUDAR_SEED", "0"),
                  campaign_setting("SUDAR_SOAK", "1"));
  }
};

// `own` tells the campaigns of one run apart
inline std::uint64_t campaign_seed(std::uint64_t own) {
  // Whoever asks for a seed has failures that need it; the list of listeners owns this one
  static const bool listens = (testing::UnitTest::GetInstance()->listeners().Append(new CampaignListener), true);
  (void)listens;
  const std::uint64_t seed = std::strtoull(campaign_setting("SUDAR_SEED", "0"), nullptr, 10);
  // Not the stride of SplitMix64, by which Random fills its state: two seeds would share most of it
  return own + seed * 0xd1342543de82ef95u;
}

}  // namespace sudar_test

// What:    Seeds of campaigns: SUDAR_SEED in the environment gives other random cases (default 0: the ones that CI runs).
// Differs: A failure says the seed, so that it can be run again.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sudar_test {

// `own` tells the campaigns of one run apart
inline std::uint64_t campaign_seed(std::uint64_t own) {
  const char* text = std::getenv("SUDAR_SEED");
  const std::uint64_t seed = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return own + seed * 0x9e3779b97f4a7c15u;
}

}  // namespace sudar_test

// What:    A seeded random generator with the same numbers on every platform (xoshiro256++, seeded by SplitMix64).
// Source:  Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
// Differs: Distributions are ours: those of the standard library differ between implementations.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <bit>
#include <cstdint>

namespace sudar {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed = 0) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // In [0, 1), a multiple of 2^-53
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  constexpr double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }

  // In [0, count), without bias
  constexpr std::uint64_t below(std::uint64_t count) {
    SUDAR_ASSERT(count > 0);
    const std::uint64_t threshold = (0 - count) % count;
    std::uint64_t value = next();
    while (value < threshold) value = next();
    return value % count;
  }
  constexpr bool coin() { return (next() >> 63) != 0; }

 private:
  std::uint64_t state_[4]{};
};

}  // namespace sudar

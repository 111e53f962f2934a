// What:    Union–find over 0 … n-1 whose representative is the lowest element of its set, whatever the order of joins.
// Source:  Tarjan 1975; path halving. Joining by lowest index instead of rank costs a log factor at worst and makes
//          the representative independent of history.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

namespace sudar {

class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t count = 0) { begin(count); }
  // All apart again, in the memory that is there
  void begin(std::uint32_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t find(std::uint32_t i) noexcept {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // True when they were apart
  bool join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find(i);
    j = find(j);
    if (i == j) return false;
    if (i < j) parent_[j] = i;
    if (j < i) parent_[i] = j;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace sudar

// What:    A set of unordered pairs of ids in a hash table with open addressing; a pair is kept as (lo, hi).
// Differs: Deletion moves later entries back, so there are no tombstones and lookups stay short for ever. The order of
//          sorted() does not depend on the history.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sudar {

// Two different ids, the smaller one first
struct IdPair {
  std::uint32_t lo, hi;

  friend auto operator<=>(const IdPair&, const IdPair&) = default;
};

constexpr IdPair make_pair_of(std::uint32_t a, std::uint32_t b) { return a < b ? IdPair{a, b} : IdPair{b, a}; }

class PairSet {
 public:
  std::size_t size() const noexcept { return count_; }
  std::size_t bytes() const noexcept { return slots_.capacity() * sizeof(std::uint64_t); }

  // True when the pair is new
  bool insert(IdPair pair) {
    SUDAR_ASSERT(pair.lo < pair.hi);
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    std::size_t slot = find_slot(key_of(pair));
    if (slots_[slot] != kEmpty) return false;
    slots_[slot] = key_of(pair);
    ++count_;
    return true;
  }

  // True when the pair was there
  bool erase(IdPair pair) noexcept {
    if (slots_.empty()) return false;
    std::size_t hole = find_slot(key_of(pair));
    if (slots_[hole] == kEmpty) return false;
    // Move back what would no longer be found behind the hole
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t next = (hole + 1) & mask; slots_[next] != kEmpty; next = (next + 1) & mask) {
      const std::size_t home = hash(slots_[next]) & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole] = kEmpty;
    --count_;
    return true;
  }

  bool contains(IdPair pair) const noexcept { return !slots_.empty() && slots_[find_slot(key_of(pair))] != kEmpty; }

  void clear() noexcept {
    std::fill(slots_.begin(), slots_.end(), kEmpty);
    count_ = 0;
  }

  std::vector<IdPair> sorted() const {
    std::vector<IdPair> pairs;
    pairs.reserve(count_);
    for (std::uint64_t key : slots_)
      if (key != kEmpty) pairs.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)});
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  static constexpr std::uint64_t kEmpty = 0;  // (0, 0) is no pair

  static std::uint64_t key_of(IdPair pair) noexcept { return std::uint64_t{pair.lo} << 32 | pair.hi; }
  static std::size_t hash(std::uint64_t key) noexcept {
    key *= 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(key ^ (key >> 32));
  }
  // The slot that holds the key, or the empty one where it would go
  std::size_t find_slot(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(key) & mask;
    while (slots_[slot] != kEmpty && slots_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(64, slots_.size() * 2), kEmpty);
    old.swap(slots_);
    for (std::uint64_t key : old)
      if (key != kEmpty) slots_[find_slot(key)] = key;
  }

  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0;
};

}  // namespace sudar

// What:    Islands: bodies that hang together by contacts and joints. What sleeps and wakes, does so as an island.
// Source:  union–find with the lowest index as the representative (geom/disjoint_sets.hpp), so that the answer does not
//          depend on the order of the links.
// Fails:   out_of_memory as bad_alloc, to be turned into an error by the caller's door.
#pragma once

#include <sudar/core/pair_set.hpp>
#include <sudar/geom/disjoint_sets.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

class Islands {
 public:
  // Links between bodies 0 … count - 1. Only what can be moved may be linked: a floor holds nothing together.
  void find(std::uint32_t count, std::span<const IdPair> links) {
    sets_.begin(count);
    for (const IdPair& link : links) sets_.join(link.lo, link.hi);
    of_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) of_[i] = sets_.find(i);
  }
  // The lowest body of the island that holds this one
  std::uint32_t of(std::uint32_t body) const { return of_[body]; }
  std::span<const std::uint32_t> all() const { return of_; }

 private:
  DisjointSets sets_;
  std::vector<std::uint32_t> of_;
};

}  // namespace sudar

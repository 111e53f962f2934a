// What:    Islands: bodies that hang together by contacts and joints. What sleeps and wakes, does so as an island.
// Source:  union–find with the lowest index as the representative, so that the answer does not depend on the order of the
//          links.
// Differs: From geom/disjoint_sets.hpp: only members are looked at, so that a step costs nothing for who takes no part.
// Fails:   out_of_memory as bad_alloc, to be turned into an error by the caller's door.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

class Islands {
 public:
  // Only bodies below `count` that are members, each an island of its own at first
  void begin(std::uint32_t count, std::span<const std::uint32_t> members) {
    if (parent_.size() < count) parent_.resize(count);
    for (const std::uint32_t i : members) parent_[i] = i;
  }
  // Two members. Only what can be moved may be linked: a floor holds nothing together.
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }
  // The lowest body of the island that holds this member
  std::uint32_t of(std::uint32_t body) {
    while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
    return body;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace sudar

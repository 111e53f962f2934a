// What:    Two parts of `sudar check` against each other, and one against itself: which clashes there are.
// Differs: see clash_search.hpp. Nothing is kept for each pair of triangles: a part of many triangles that lies on its twin
//          meets it in tens of millions of them.
#pragma once

#include "cli/clash_search.hpp"

#include <deque>
#include <mutex>

namespace sudar_cli {

// What is asked of a part more than once: found when first asked for, from any thread
class PartFacts {
 public:
  explicit PartFacts(const CheckPart& part) : part_(&part) {}
  // Why there is no depth: "bolt.stl is open"; empty when there is one
  const std::string& no_depth() const;
  // clash_fit.hpp
  double thickness() const;

 private:
  const CheckPart* part_;
  mutable std::once_flag once_, thickness_once_;
  mutable std::string no_depth_;
  mutable double thickness_ = 0;
};

// Of every part by its number
using FactsOf = std::deque<PartFacts>;

// What a pair gives
struct PairFinds {
  std::vector<Clash> clashes;
  std::string undecided;     // what could not be told, and why; empty for nothing
  std::uint64_t tested = 0;  // pairs of triangles
};

// Throws bad_alloc
PairFinds check_pair(std::span<const CheckPart> parts, const FactsOf& facts, std::uint32_t a, std::uint32_t b,
                     const ClashLimits& limits);
PairFinds check_self(std::span<const CheckPart> parts, std::uint32_t part);

}  // namespace sudar_cli

// What:    Two parts of `sudar check` against each other, and one against itself: which clashes there are.
// Differs: see clash_search.hpp.
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

 private:
  const CheckPart* part_;
  mutable std::once_flag once_;
  mutable std::string no_depth_;
};

// Of every part by its number
using FactsOf = std::deque<PartFacts>;

// Kept from pair to pair
struct PairScratch {
  sudar::MeshIntersection meet;
};

// Appends what there is; returns the pairs of triangles tested. Throws bad_alloc.
std::uint64_t check_pair(std::span<const CheckPart> parts, const FactsOf& facts, std::uint32_t a, std::uint32_t b,
                         const ClashLimits& limits, PairScratch& scratch, std::vector<Clash>& out);
std::uint64_t check_self(std::span<const CheckPart> parts, std::uint32_t part, PairScratch& scratch,
                         std::vector<Clash>& out);

}  // namespace sudar_cli

// What:    What another library does in the race of the assemblies: which pairs of many parts clash, yes or no.
#pragma once

#include <sudar/core/pair_set.hpp>
#include <sudar/geom/mesh.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

class ClashPeer {
 public:
  virtual ~ClashPeer() = default;
  // The trees of all parts, and what finds near ones
  virtual void build(std::span<const sudar::Mesh> parts) = 0;
  // All pairs that clash, in any order
  virtual std::vector<sudar::IdPair> pairs() = 0;
};

// SUDAR_PEER_FCL: BVHModel of OBBRSS in its dynamic tree of boxes; stops at the first contact of a pair
std::string fcl_version();
std::unique_ptr<ClashPeer> make_fcl_clash();

}  // namespace sudar_bench

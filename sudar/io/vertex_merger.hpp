// What:    Numbers places in the order they come; equal ones get the number of the first.
// Differs: A hash table with open addressing whose mixing changes when a run gets long, so that a file made to collide
//          costs a few rebuilds and not the square of its size. Numbers do not depend on the mixing. -0 and +0 are equal.
#pragma once

#include <sudar/geom/mesh.hpp>

#include <cstdint>
#include <vector>

namespace sudar {

class VertexMerger {
 public:
  // At most kMaxMeshVertices different ones: the caller's count bounds them
  std::uint32_t number_of(const Vec3d& place);
  // The places by their numbers; nothing is left
  std::vector<Vec3d> take();

 private:
  std::uint64_t slot_of(const Vec3d& place) const;
  void rebuild(std::size_t slots);

  std::vector<Vec3d> places_;
  std::vector<std::uint32_t> slots_;  // numbers, kNoIndex when free; a power of two of them, at least twice the places
  std::uint64_t seed_ = 0;
};

}  // namespace sudar

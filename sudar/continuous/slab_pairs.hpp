// What:    The pairs of convex pieces of two bodies of parts that may touch in a slab of time.
// Source:  Redon, Kheddar, Coquillart, "Fast Continuous Collision Detection between Rigid Bodies", 2002 (trees over
//          time slabs, separating axes of moving boxes).
// Differs: Two boxes of the trees are free for the whole slab when along an axis of one of them their gap in the slab's middle
//          is more than what the other box can do along that axis: the speed of its points there times half the slab,
//          and half their largest acceleration times the square of that. Speeds are those along the axis and at the
//          box, so bodies that slide along each other, however near, are free near the roots of the trees, and
//          halving a slab leaves half of what turns to the second order only (SlabPairs.HoldAllThatMeet).
// Frame:   Each shape's own; a plane stands still in the frame of the box that it is an axis of.
// Fails:   never; a visitor may throw bad_alloc. When the limit of box tests is reached, the walk ends and says so.
#pragma once

#include <sudar/continuous/impact_search.hpp>

#include <cstdint>

namespace sudar {

// Two bodies of parts from t_begin to t_end
template <int D>
struct TimeSlab {
  const MovingPair<D>& pair;
  double t_begin, t_end;
};

template <int D>
class SlabVisitor {
 public:
  virtual ~SlabVisitor() = default;
  // Two convex pieces that may touch; false ends the walk
  virtual bool visit(const MovingPiece<D>& a, const MovingPiece<D>& b) = 0;
};

struct SlabWalk {
  bool finished = true;  // neither the visitor nor the limit ended it
  std::int64_t tests = 0;
  bool out_of_tests = false;
};

// Both shapes are bounded
template <int D>
SUDAR_API SlabWalk for_each_slab_pair(const TimeSlab<D>& slab, const AnyShape<D>& a, const AnyShape<D>& b,
                                      std::int64_t max_tests, SlabVisitor<D>& visitor);

extern template SUDAR_API SlabWalk for_each_slab_pair<2>(const TimeSlab<2>&, const Shape2&, const Shape2&, std::int64_t,
                                                         SlabVisitor<2>&);
extern template SUDAR_API SlabWalk for_each_slab_pair<3>(const TimeSlab<3>&, const Shape3&, const Shape3&, std::int64_t,
                                                         SlabVisitor<3>&);

}  // namespace sudar

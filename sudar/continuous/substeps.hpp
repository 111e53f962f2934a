// What:    Collision detection at a number of placements in a step: plain, which lets fast bodies through, and with bodies
//          grown by what they may move, which lets nothing through and cries wolf. To teach and to compare with.
// Source:  seeds A10, A11 (tunnelling with and without continuous detection).
// Differs: The seed's swept placements are made by growing: two bodies that are farther apart in the middle of a substep
//          than they can come nearer in half of it do not touch in it.
// Frame:   The world's axes.
// Fails:   never; `steps` below 1 counts as 1.
#pragma once

#include <sudar/continuous/impact_search.hpp>

namespace sudar {

enum class SubstepKind : std::uint8_t {
  discrete,  // touching at the beginning of a substep, or at the end of the last one
  swept,     // possibly touching in it
};

// The first substep that has a contact: hit, and t is its beginning. `upper` bounds the distance there for swept ones.
template <int D>
SUDAR_API Impact<D> substeps(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                             int steps, SubstepKind kind);

extern template SUDAR_API Impact<2> substeps<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, int,
                                                SubstepKind);
extern template SUDAR_API Impact<3> substeps<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, int,
                                                SubstepKind);

}  // namespace sudar

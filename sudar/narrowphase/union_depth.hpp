// What:    The depth of shapes that are unions of pieces: compounds, non-convex polygons, chains, height fields against
//          what has triangles itself.
// Source:  seed B7; the search: depth_search.hpp.
// Differs: The deepest pair of pieces is a bound from below, never the answer by itself: pieces that touch at a seam have
//          a way out into each other, and two pieces on opposite sides of a body have none that frees it.
// Frame:   A's.
// Fails:   never; converged when the bracket is closed, max_iterations with the bracket otherwise. Throws bad_alloc as the
//          methods of the pieces do.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>

namespace sudar {

// `deepest` is the answer of part_distance.hpp. What is not a hit, and what has no bounds, comes back as it is: out of a
// half-space there is only one shortest way.
template <int D>
DistanceAnswer<D> union_depth(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                              const DistanceAnswer<D>& deepest);
extern template DistanceAnswer2 union_depth<2>(const Shape2&, const Shape2&, const Placement2&, const DistanceAnswer2&);
extern template DistanceAnswer3 union_depth<3>(const Shape3&, const Shape3&, const Placement3&, const DistanceAnswer3&);

}  // namespace sudar

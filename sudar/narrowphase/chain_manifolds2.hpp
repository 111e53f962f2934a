// What:    The manifolds of a chain and a convex shape of the plane: edge by edge, joined by direction, without ghosts.
// Source:  as surface_manifolds3.hpp. Ghost vertices: Catto, "Box2D", chain shapes: what a neighbour says about a corner.
// Differs: as surface_manifolds3.hpp. An edge whose neighbours are both flat or hollow is touched across its line only; at
//          ridges and ends each edge has its distance, and a normal that leans over the edge or over its neighbour is that
//          one's. The neighbours come from the chain itself, so nothing is given by hand.
// Frame:   The chain's, which is A. It is touched from the side of the shape's centre.
// Fails:   never; throws bad_alloc where `out` grows.
#pragma once

#include <sudar/narrowphase/piece_manifold.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape2.hpp>

#include <vector>

namespace sudar {

// The first shape is a chain, the other one convex and bounded; the margin is not negative. False, with nothing appended,
// where the plain version is asked for.
SUDAR_API bool chain_manifolds2(const Shape2& chain, const Shape2& convex, const Placement2& chain_from_convex,
                                double margin, std::vector<PieceManifold<2>>& out);

}  // namespace sudar

// What:    The manifolds of a pair of shapes in the plane, appended to a list: what a rigid-body step asks for every
//          pair that its broad phase finds.
// Source:  clipping of the faces that meet (manifold_clip2.hpp), after the decision of collide2.hpp.
// Differs: A contact set (contact_set2.hpp) is what touches: faces count when they are parallel to within kContactTilt. A
//          manifold is what will carry the load: faces that lean by less than kManifoldTilt are clipped as well, along
//          the normal of the decision, so that a box that rocks on another keeps its points; and near a corner or an
//          edge (kManifoldSnap) a point is named by it, so that names stay while bodies drift.
// Frame:   A's. The normal points from A to B; separations are negative where the shapes overlap.
// Fails:   never; throws bad_alloc where `out` grows. Half-planes against each other give nothing.
#pragma once

#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/piece_manifold.hpp>

#include <vector>

namespace sudar {

// Appends the manifolds of what comes within the margin: a pair that touches (margin 0) or comes within it always has
// one, and of its at most two points the deepest is as deep as distance() says. Margins below zero count as zero. Points
// farther than the margin are left out. `cache` is that of the queries of collide2.hpp and may be null; a cache may change
// the last bits of an answer, so who saves a state saves the caches with it or drops them. Convex pairs allocate nothing
// but the growth of `out`.
SUDAR_API void append_manifolds(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
                                QueryCache2* cache, std::vector<PieceManifold<2>>& out);
// The plain one: reduced contact sets, and contact patches of parts
SUDAR_API void append_manifolds_plain(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
                                      std::vector<PieceManifold<2>>& out);

}  // namespace sudar

// What:    The manifolds of a pair of shapes in space, appended to a list: what a rigid-body step asks for every
//          pair that its broad phase finds.
// Source:  clipping of the faces that meet (manifold_clip3.hpp), after the decision of collide3.hpp.
// Differs: A contact set (contact_set3.hpp) is what touches: faces count when they are parallel to within kContactTilt. A
//          manifold is what will carry the load: faces that lean by less than kManifoldTilt are clipped as well, along
//          the normal of the decision, so that a box that rocks on another keeps its points; and near a corner or an
//          edge (kManifoldSnap) a point is named by it, so that names stay while bodies drift.
// Frame:   A's. The normal points from A to B; separations are negative where the shapes overlap.
// Fails:   never; throws bad_alloc where `out` grows. Half-spaces against each other give nothing.
#pragma once

#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/piece_manifold.hpp>

#include <vector>

namespace sudar {

// Appends the manifolds of what comes within the margin: a pair that touches (margin 0) or comes within it always has
// one, and of its at most four points the deepest is as deep as distance() says. Margins below zero count as zero. Points
// farther than the margin are left out. `cache` is that of the queries of collide3.hpp and may be null; a cache may change
// the last bits of an answer, so who saves a state saves the caches with it or drops them. Convex pairs allocate nothing
// but the growth of `out`.
SUDAR_API void append_manifolds(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
                                QueryCache3* cache, std::vector<PieceManifold<3>>& out);
// The plain one: reduced contact sets, and contact patches of parts
SUDAR_API void append_manifolds_plain(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
                                      std::vector<PieceManifold<3>>& out);

}  // namespace sudar

// What:    The manifolds of a mesh or a height field and a convex shape: triangle by triangle, joined by direction.
// Source:  the triangles near the shape come from the tree or the grid; normals at edges inside of the surface:
//          internal_edges.hpp; the points: manifold_clip3.hpp.
// Differs: A triangle whose edges are all flat or hollow can be touched across its plane only. So no distance is asked
//          for: what the shape turns towards the plane is cut with the triangle, and that it does reach the triangle, not
//          only its plane from behind, is shown by one point. At ridges and borders each triangle has its distance, and
//          the normal is put right by its neighbours. Pieces that face the same way (kManifoldSamePatch) are one patch,
//          with the normal of the deepest; of its points eight directions keep their farthest, and of these the four are
//          chosen. The plain version (contact_patches) first moves the shape out of the whole; where that alone would
//          tell (a shape deep inside of a solid), this one leaves it to it.
// Frame:   The surface's, which is A. A surface without an inside is touched from the side of the shape's centre; a solid
//          from outside.
// Fails:   never; throws bad_alloc where `out` grows.
#pragma once

#include <sudar/narrowphase/piece_manifold.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

#include <vector>

namespace sudar {

// The surface is a mesh or a height field, the other shape convex and bounded; the margin is not negative. False, with
// nothing appended, where the plain version is asked for.
SUDAR_API bool surface_manifolds3(const Shape3& surface, const Shape3& convex, const Placement3& surface_from_convex,
                                  double margin, std::vector<PieceManifold<3>>& out);

}  // namespace sudar

// What:    How far the points of one set are from a mesh at most: what the error bounds of levels of detail are.
// Source:  branch and bound on the distance, which changes by no more than the way (Lipschitz); Aspert, Santa-Cruz,
//          Ebrahimi, "MESH: Measuring Errors between Surfaces using the Hausdorff Distance", 2002, sample instead.
// Differs: Proven from above. Pieces of triangles are cut until their bound is near the largest distance found: the
//          distance of a piece to one triangle is largest at a corner, because both are convex.
// Frame:   The meshes'.
// Fails:   never; where the number of tries ends, the bound is wider. Throws bad_alloc like a vector.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar {

// No point of the surface `from` is farther than this from the surface `to`. Within `accuracy` of the truth, metres, while
// the tries last.
SUDAR_API double surface_error(const TriangleMesh& from, const TriangleMesh& to, double accuracy);
// No point of the convex hull of the points is farther than this from the body `to`, or from its surface when it is not
// solid
SUDAR_API double hull_error(const Shape3& hull, const MeshShape3& to, double accuracy);

}  // namespace sudar

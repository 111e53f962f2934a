// What:    From the decision about two convex shapes in space to at most four points, without a contact set in between.
// Source:  Sutherland and Hodgman, "Reentrant polygon clipping", 1974; Gregorius, "Robust Contact Creation for Physics
//          Simulations", GDC 2015 (reference and incident face).
// Differs: The normal is that of the decision, also where it comes from two edges or corners: a face that leans from it
//          by less than kManifoldLean is cut along the normal, not along its own. The edges that are nearest then come
//          out as a cut, exactly as deep as the decision says, and the rest of the faces that they belong to comes with
//          them. Where no face qualifies, or the cut misses the deepest point, the witness points are a point of the
//          manifold. Points are named by where they lie (kManifoldSnap), so names know no reference face.
// Frame:   A's.
// Fails:   never for convex shapes. Allocates for faces of more than a dozen corners only.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

// False, and nothing else, when the decision is farther than the margin, which is not negative, or unsupported. The normal
// of the decision may have been turned to that of a face (internal_edges.hpp); its separation is then that along it.
SUDAR_API bool clip_manifold3(const Shape3& a, const Shape3& b, const Placement3& a_from_b,
                              const DistanceAnswer3& decision, double margin, Manifold3& out);

}  // namespace sudar

// What:    From the decision about two convex shapes of the plane to at most two points, without a contact set in between.
// Source:  as manifold_clip3.hpp.
// Differs: as manifold_clip3.hpp: along the normal of the decision, edges that lean included, names by where points lie.
// Frame:   A's.
// Fails:   never for convex shapes; allocates nothing.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape2.hpp>

namespace sudar {

// False, and nothing else, when the decision is farther than the margin, which is not negative, or unsupported
SUDAR_API bool clip_manifold2(const Shape2& a, const Shape2& b, const Placement2& a_from_b,
                              const DistanceAnswer2& decision, double margin, Manifold2& out);

}  // namespace sudar

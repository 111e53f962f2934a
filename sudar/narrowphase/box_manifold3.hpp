// What:    The manifold of two boxes in space: at most four points, without a contact set, patches or lists in between.
// Source:  as manifold_clip3.hpp, which is the plain version of it.
// Differs: In the frame of the reference box a face is a rectangle, so a cut is a comparison of one coordinate, and what
//          else a point has (its separation, its place on the other face) is cut along with it. Which corner, edge or
//          face a point belongs to is read off its coordinates.
// Frame:   A's. Boxes are centred at the origins of their frames.
// Fails:   never.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

// False, and nothing else, when the boxes are farther apart than the margin, which is not negative. For boxes that are not
// far_pair.hpp's.
SUDAR_API bool box_manifold3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, double margin,
                             Manifold3& out);
// The corners of the face that a box turns to a half-space, whose normal is given in the box's frame, from a decision
// within the margin
SUDAR_API Manifold3 box_plane_manifold3(const Vec3d& half, const Vec3d& normal, const DistanceAnswer3& decision,
                                        double margin, bool box_is_b, const Placement3& a_from_b);
// The corner, edge or face next to which a point of the surface lies, in the box's frame
SUDAR_API Feature box_feature3(const Vec3d& p, const Vec3d& half);

}  // namespace sudar

// What:    Signed distance from a cylinder, a cone or an ellipsoid to a point, with the nearest point of the surface.
// Source:  Cylinder and cone: distance in the half-plane of the profile. Ellipsoid: Eberly, "Distance from a Point to an
//          Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013 (the equation); the iteration is Newton's on the inverse
//          root, as Moré and Sorensen, "Computing a Trust Region Step", 1983, use for the same equation.
// Differs: Eberly bisects in a variable that loses the last digits when the point is near the plane of the two long
//          axes; here the unknown is its distance from that pole, so that flat ellipsoids and points on an axis keep
//          their digits (Primitives3.FlatEllipsoids), and some five steps do instead of a hundred.
// Frame:   The solid's own. The normal points out of the solid, to the point when it is outside.
// Fails:   ellipsoid: converged = false after kEllipsoidSteps steps, with the best so far; unique = false where the
//          normal is one of many (a point on the axis of a cylinder, the centre of an ellipsoid).
#pragma once

#include <sudar/narrowphase/core_gap3.hpp>

namespace sudar {

inline constexpr int kEllipsoidSteps = 64;

SUDAR_API CoreGap3 cylinder_point_gap(double half_height, double radius, const Vec3d& p);
SUDAR_API CoreGap3 cone_point_gap(double half_height, double radius, const Vec3d& p);
SUDAR_API CoreGap3 ellipsoid_point_gap(const Vec3d& radii, const Vec3d& p);

}  // namespace sudar

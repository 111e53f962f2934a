// What:    A convex hull as a bounding volume: volume, overlap by separating axes, and under a pose. Containment of a
//          point, exact, is in geom/minkowski3.hpp.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996 (a separating plane of two polytopes is parallel to a face of
//          one or to an edge of each); seed A15: the hull of a non-convex body as the volume around it.
// Differs: An axis separates only when the gap exceeds a bound on its own rounding: an overlap is never missed. Made
//          for hulls of tens of faces; every face and pair of edges is tried, which is what the cost table shows.
// Frame:   World, double. Closed: touching counts.
// Fails:   transform: non_finite for a pose that is NaN or infinite, and with the vertex that is or that left the range of
//          double; degenerate for a rotation of length zero. Rotations are brought to unit length.
#pragma once

#include <sudar/geom/minkowski3.hpp>
#include <sudar/math/pose.hpp>

namespace sudar {

// 0 for flat hulls; neither negative nor NaN for finite vertices. Infinite where the volume is past the largest number (a
// cube from edges of 5.6e102 on), 0 where it is below the smallest.
SUDAR_API double volume(const Hull3& hull) noexcept;
SUDAR_API bool overlap(const Hull3& a, const Hull3& b) noexcept;
// The hull in another frame: vertices and planes turned, the surface as it is
SUDAR_API Result<Hull3> transform(const Pose3d& a_from_b, const Hull3& hull_b) noexcept;

}  // namespace sudar

// What:    Signed distance of two cores in space (point, segment, triangle, box), before radii are added, in A's frame.
// Source:  closest points: geom/closest.hpp. Segment against box: half the derivative of the squared distance along the
//          segment is piecewise linear and never falls, so its zero lies between two sorted break points. Depths: the
//          difference of a box or triangle and a segment is a polyhedron whose faces come from faces of the one and
//          from pairs of edges; the depth is the least of the overlaps along their normals (Schneider and Eberly,
//          "Geometric Tools for Computer Graphics", 2003, 10.8 and 11.12).
// Differs: A direction is never taken from a difference that is rounding noise (kCoreTouch): where cores touch or cross,
//          it comes from the features that meet. So growing the cores by radii gives the depth along a right normal.
// Frame:   A's. The normal points from A to B; separation = dot(on_b - on_a, normal) up to rounding.
// Fails:   never; unique = false says that the normal is one of many.
#pragma once

#include <sudar/geom/segment.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/narrowphase/core_gap.hpp>

namespace sudar {

using CoreGap3 = CoreGap<3>;
using Segment3d = Segment<3, double>;
using Triangle3d = Triangle<3, double>;

SUDAR_API CoreGap3 segment_point_gap(const Segment3d& a, const Vec3d& b);
SUDAR_API CoreGap3 segment_segment_gap(const Segment3d& a, const Segment3d& b);
SUDAR_API CoreGap3 triangle_point_gap(const Triangle3d& a, const Vec3d& b);
SUDAR_API CoreGap3 triangle_segment_gap(const Triangle3d& a, const Segment3d& b);
// The point is b + rest: over a side, the distance is known to twice the precision
SUDAR_API CoreGap3 box_point_gap(const Vec3d& half, const Vec3d& b, const Vec3d& rest = {});
SUDAR_API CoreGap3 box_segment_gap(const Vec3d& half, const Segment3d& b);

}  // namespace sudar

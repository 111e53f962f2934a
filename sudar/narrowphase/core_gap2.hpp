// What:    Signed distance of two cores in the plane (point, segment, box, convex polygon), before radii are added.
// Source:  as core_gap3.hpp. In the plane two crossing segments overlap with a depth: their difference is a
//          parallelogram, and the way out is square to one of them.
// Frame:   A's.
// Fails:   never; unique = false says that the normal is one of many.
#pragma once

#include <sudar/geom/segment.hpp>
#include <sudar/narrowphase/core_gap.hpp>
#include <sudar/shapes/convex_body2.hpp>

namespace sudar {

using CoreGap2 = CoreGap<2>;
using Segment2d = Segment<2, double>;

SUDAR_API CoreGap2 segment_point_gap(const Segment2d& a, const Vec2d& b);
SUDAR_API CoreGap2 segment_segment_gap(const Segment2d& a, const Segment2d& b);
// The point is b + rest: over a side, the distance is known to twice the precision
SUDAR_API CoreGap2 box_point_gap(const Vec2d& half, const Vec2d& b, const Vec2d& rest = {});
SUDAR_API CoreGap2 box_segment_gap(const Vec2d& half, const Segment2d& b);
// O(n): every side is looked at
SUDAR_API CoreGap2 polygon_point_gap(const ConvexBody2& a, const Vec2d& b);

}  // namespace sudar

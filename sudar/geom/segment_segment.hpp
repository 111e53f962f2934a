// What:    Do two segments meet? Exact yes or no in the plane and in space, ends included.
// Source:  Cormen et al., "Introduction to Algorithms", ch. 33 (plane); in space by shadows (projection.hpp).
// Differs: All signs are exact, so collinear, touching and point-like segments need no tolerance.
// Fails:   never; coordinates must be finite.
#pragma once

#include <sudar/geom/segment.hpp>

namespace sudar {

SUDAR_API bool intersects_exact(const Segment<2, double>& s, const Segment<2, double>& t) noexcept;
SUDAR_API bool intersects_exact(const Segment<3, double>& s, const Segment<3, double>& t) noexcept;
// The point lies on the segment
SUDAR_API bool intersects_exact(const Segment<2, double>& s, const Vec2d& p) noexcept;
SUDAR_API bool intersects_exact(const Segment<3, double>& s, const Vec3d& p) noexcept;

}  // namespace sudar

// What:    Axis-aligned box against triangle: an exact yes or no.
// Source:  Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001: thirteen axes, the three of the box, the normal
//          of the triangle, and the nine cross products of their edges.
// Differs: Every axis is compared with its rounding error. A clear gap is a miss, thirteen clear overlaps are a hit, and
//          whatever is neither goes to the exact triangle–triangle test against the faces of the box.
// Frame:   That of the input; both closed.
// Fails:   never, for a valid box; flat triangles and boxes without thickness are handled. The plain version decides by
//          rounded numbers.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/geom/triangle.hpp>

namespace sudar {

// Exact, for all finite doubles
SUDAR_API bool intersects_exact(const Aabb3d& box, const Triangle<3, double>& triangle) noexcept;

// The plain version. Steps: "axis" with its three numbers and the gap along it (negative: overlap), "apart", "meet".
template <class Trace = NoTrace>
bool intersects_by_axes(const Aabb3d& box, const Triangle<3, double>& triangle, Trace trace = {});
extern template SUDAR_API bool intersects_by_axes(const Aabb3d&, const Triangle<3, double>&, NoTrace);
extern template SUDAR_API bool intersects_by_axes(const Aabb3d&, const Triangle<3, double>&, TraceTo);

}  // namespace sudar

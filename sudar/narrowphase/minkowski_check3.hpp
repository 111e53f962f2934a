// What:    Signed distance of two convex polytopes from their explicit difference: the hull of all differences of a
//          vertex of A and a vertex of B, every face looked at. A check of the other methods, and the fallback of EPA.
// Source:  seeds B7, B9; geom/hull3.hpp.
// Differs: Slow (the product of the numbers of vertices) and without any iteration that could fail to converge. Right
//          up to the rounding of the differences; yes/no of touching pairs is decided elsewhere (exact_gjk3.hpp).
// Frame:   A's; the normal points from A to B.
// Fails:   too_large, out_of_memory.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/narrowphase/difference3.hpp>

namespace sudar {

struct MinkowskiCheck3 {
  bool hit = false;       // the origin lies in the hull of the rounded differences
  double separation = 0;  // negative: minus the depth; 0 inside of a flat hull
  Vec3d normal{};         // unit; zero when it is not unique
  Vec3d point_a{}, point_b{};
  double inner = 0;  // hit: no face is nearer to the origin, whatever rounding has done to its normal
};

// The cores must be polytopes; radii are left out
SUDAR_API Result<MinkowskiCheck3> minkowski_check3(const Difference3& difference) noexcept;

}  // namespace sudar

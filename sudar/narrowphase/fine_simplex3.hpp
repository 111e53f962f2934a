// What:    The point of a segment or a triangle of the difference set that is closest to the origin, by weights in twice the
//          precision.
// Source:  simplex3.hpp has the same in doubles; here by the normal equations of the edges.
// Differs: The corners that GJK ends with on a long round body lie on a sliver. Its plane is known well, and so is the
//          distance, but not the weights: the points that they make of the bodies' own points, which witness that distance,
//          slide along the sliver by up to the root of rounding (ConvexDistance3.WitnessesOnSlivers).
// Frame:   That of the corners. Fourth powers of lengths must stay in range. Internal to the narrow phase.
// Fails:   never; what is flat beyond twice the precision has the closest point of its edges.
#pragma once

#include <sudar/narrowphase/difference3.hpp>

#include <span>

namespace sudar {

// Bounds of curved cores, or a closest point and what its weights make, that are farther apart than this are not what a search
// ends with, but where rounding stopped it. Smaller: slower, for digits that nothing promises.
inline double open_gap(const Difference3& difference) {
  return 0x1p-7 * kCurvedDepthGap * (difference.a.size + difference.b.size) + 64 * difference.point_error;
}

inline Vec3d weighed(std::span<const DifferencePoint3> corners, const double (&weight)[4]) {
  Vec3d v{};
  for (std::size_t i = 0; i < corners.size(); ++i) v += corners[i].w * weight[i];
  return v;
}

// One to three corners, and where the weights go: not negative, sum 1
void fine_weights3(std::span<const DifferencePoint3> corners, double (&weight)[4]) noexcept;

}  // namespace sudar

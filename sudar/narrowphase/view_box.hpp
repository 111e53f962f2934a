// What:    The box around a convex shape in the frame of another one, by its support points: tighter than the turned box
//          of its own frame.
// Frame:   A's; rounded outward.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <limits>

namespace sudar {

inline Aabb3d view_box(const ConvexView3& view, const Placement3& a_from_b) {
  Aabb3d box;
  const double slack = kPoseSlack<double> * (3 * (view.size + view.radius) + max_abs(a_from_b.translation)) +
                       std::numeric_limits<double>::min();
  for (int k = 0; k < 3; ++k) {
    Vec3d axis{};
    axis[k] = 1;
    const Vec3d high = transform(a_from_b, support(view, to_b(a_from_b, axis)).p);
    const Vec3d low = transform(a_from_b, support(view, to_b(a_from_b, -axis)).p);
    box.lo[k] = low[k] + a_from_b.rest[k] - view.radius - slack;
    box.hi[k] = high[k] + a_from_b.rest[k] + view.radius + slack;
  }
  return box;
}

}  // namespace sudar

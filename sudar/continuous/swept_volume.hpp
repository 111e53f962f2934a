// What:    What surrounds a body on its way: a box of all of its places in an interval of time, and for polytopes (rounded
//          ones included) a rounded hull.
// Source:  seed A10; Ericson, "Real-Time Collision Detection", 2005, 5.5.
// Differs: Places in between are not sampled: a point whose path has a second derivative of at most a lies within
//          a h² / 8 of the segment between its places at the ends of an interval of length h, so hull and box of the ends,
//          grown by that, hold the whole path. Turning fast costs more intervals. Two swept volumes that do not meet prove
//          a miss; two that do prove nothing, since the bodies may have been there at different times
//          (SweptVolume.CrossingPathsAreFalsePositives).
// Frame:   The world.
// Fails:   swept_box never, for bounded shapes and checked motions. swept_hull: unsupported for shapes that are not
//          polytopes; check_motion's errors, without an element; invalid_argument unless 0 <= t_begin <= t_end; what hulls
//          add.
#pragma once

#include <sudar/continuous/motion.hpp>

namespace sudar {

template <int D>
SUDAR_API Aabb<D, double> swept_box(const AnyShape<D>& shape, const Pose<D, double>& start,
                                    const RigidMotion<D>& motion, double t_begin, double t_end);

// In the world's frame: to be placed with the identity
SUDAR_API Result<Shape2> swept_hull(const Shape2& shape, const Pose2d& start, const Motion2& motion, double t_begin,
                                    double t_end) noexcept;
SUDAR_API Result<Shape3> swept_hull(const Shape3& shape, const Pose3d& start, const Motion3& motion, double t_begin,
                                    double t_end) noexcept;

extern template SUDAR_API Aabb<2, double> swept_box<2>(const Shape2&, const Pose2d&, const Motion2&, double, double);
extern template SUDAR_API Aabb<3, double> swept_box<3>(const Shape3&, const Pose3d&, const Motion3&, double, double);

}  // namespace sudar

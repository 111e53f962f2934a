// What:    A shape against a distance field: how near or how deep, and where they touch.
// Source:  seed B12. The depth is that of the deepest point of the shape below the field's surface, the measure that fields
//          give (Macklin, Erleben, Müller, Chentanez, Jeschke, Corse, "Local Optimization for Robust Signed Distance Field
//          Collision", 2020); not the translation that frees the body.
// Differs: The source descends from a few starts and may end in a valley that is not the deepest. Here boxes around the
//          shape are halved, and those that cannot hold anything deeper, because distances change no faster than places,
//          are dropped: the answer is the deepest within half a cell, and its bounds say so. Any shape will do, convex or
//          not: all that is asked of it is its distance to a point.
// Frame:   The field's, which is A. The normal points from the field's body to the shape.
// Fails:   max_iterations when too many boxes are open; the bounds hold then, too. A field that knows only bounds where the
//          shape is gives a separation that is one: |separation| may be larger than said, beyond the band.
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/sdf/distance_field.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

// separation: the least value of the field on the shape; point_b: where that is; point_a: the field's surface below it.
// lower <= least distance of a point of the shape <= upper, for a field that is exact. A half-space is unsupported.
SUDAR_API DistanceAnswer2 field_distance(const DistanceField2& field, const Shape2& shape,
                                         const Pose2d& field_from_shape) noexcept;
SUDAR_API DistanceAnswer3 field_distance(const DistanceField3& field, const Shape3& shape,
                                         const Pose3d& field_from_shape) noexcept;

// The corners of the shape (ends of a capsule, the middle of a ball, vertices of a mesh) within the margin, and the deepest
// point where it is deeper than these. feature_b is the corner's number; the deepest point has feature face 0.
// Errors: invalid_argument for a margin that is negative, NaN or not below the field's band; out_of_memory
SUDAR_API Result<ContactSet2> field_contacts(const DistanceField2& field, const Shape2& shape,
                                             const Pose2d& field_from_shape, double margin = 0) noexcept;
SUDAR_API Result<ContactSet3> field_contacts(const DistanceField3& field, const Shape3& shape,
                                             const Pose3d& field_from_shape, double margin = 0) noexcept;

}  // namespace sudar

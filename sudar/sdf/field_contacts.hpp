// What:    A shape against a distance field: how near or how deep, and where they touch.
// Source:  seed B12. The depth is that of the deepest point of the shape below the field's surface, the measure that fields
//          give (Macklin, Erleben, Müller, Chentanez, Jeschke, Corse, "Local Optimization for Robust Signed Distance Field
//          Collision", 2020); not the translation that frees the body.
// Differs: The source descends from a few starts and may end in a valley that is not the deepest. Here boxes around the
//          shape are halved, and those that cannot hold anything deeper are dropped (shape_search.hpp): the answer is the
//          deepest within half a cell, and its bounds say so. Any shape will do, convex or not: all that is asked of it is
//          its distance to a point.
//          A ball is asked by its middle: its depth is the radius less the value there. That is the deepest point, too, as
//          long as the ball does not reach past the middle of the body; beyond, it goes on growing, as a solver wants it,
//          where the deepest point does not.
// Frame:   The field's, which is A. The normal points from the field's body to the shape. A rotation of another length than 1
//          is brought to it.
// Fails:   of the pose: non_finite, too_large (a position beyond kMaxShapeSize), degenerate (a rotation of length zero);
//          out_of_memory. Status max_iterations when too many boxes are open; the bounds hold then, too. Status unsupported
//          for a half-space.
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/sdf/distance_field.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <vector>

namespace sudar {

// separation: the least value of the field on the shape; point_b: where that is; point_a: the field's surface below it.
// lower <= least distance of a point of the shape <= upper. Where the field has only a bound of the distance there (beyond
// its band, on a side that is not exact), the other end is infinite.
SUDAR_API Result<DistanceAnswer2> field_distance(const DistanceField2& field, const Shape2& shape,
                                                 const Pose2d& field_from_shape) noexcept;
SUDAR_API Result<DistanceAnswer3> field_distance(const DistanceField3& field, const Shape3& shape,
                                                 const Pose3d& field_from_shape) noexcept;

// One set for every direction in which they come within the margin, deepest first. Points are corners of the shape (ends of
// a capsule, the middle of a ball, vertices of a mesh), with the corner's number as feature_b, and the bottoms of valleys of
// the field on the shape's faces and edges, with feature face and a number of the place on the shape; of both, those that
// span the others, in order, and the deepest.
// Errors: also invalid_argument for a margin that is negative, NaN or not below the field's band
SUDAR_API Result<std::vector<ContactSet2>> field_contact_patches(const DistanceField2& field, const Shape2& shape,
                                                                 const Pose2d& field_from_shape,
                                                                 double margin = 0) noexcept;
SUDAR_API Result<std::vector<ContactSet3>> field_contact_patches(const DistanceField3& field, const Shape3& shape,
                                                                 const Pose3d& field_from_shape,
                                                                 double margin = 0) noexcept;
// The deepest of these sets alone; one without points when there is none
SUDAR_API Result<ContactSet2> field_contacts(const DistanceField2& field, const Shape2& shape,
                                             const Pose2d& field_from_shape, double margin = 0) noexcept;
SUDAR_API Result<ContactSet3> field_contacts(const DistanceField3& field, const Shape3& shape,
                                             const Pose3d& field_from_shape, double margin = 0) noexcept;

}  // namespace sudar

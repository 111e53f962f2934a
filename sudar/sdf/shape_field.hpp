// What:    The distance field of a shape, in the plane and in space, and the signed distance of one point to a shape.
// Source:  closed forms for round and square shapes, the narrow phase for all others; seed B12.
// Frame:   The shape's, metres. Negative inside. Shapes without an inside (points, segments, triangles, chains, surfaces)
//          have distances without sign.
// Fails:   errors of check_grid; non_finite and invalid_argument for the band; too_large. A mesh goes the way of
//          meshes (mesh_field.hpp). The option `sign` is ignored: a shape knows its inside, a solid mesh by winding.
#pragma once

#include <sudar/sdf/field_build.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

// To the surface of the shape; right to rounding for closed forms and polytopes, to the narrow phase's certificate for
// others (1e-10 of the size). Throws bad_alloc, as distance() may.
SUDAR_API double signed_distance(const Shape2& shape, const Vec2d& p);
SUDAR_API double signed_distance(const Shape3& shape, const Vec3d& p);

SUDAR_API Result<DistanceField2> make_shape_field(const Shape2& shape, const FieldGrid2& grid,
                                                  const FieldOptions& options = {}) noexcept;
SUDAR_API Result<DistanceField3> make_shape_field(const Shape3& shape, const FieldGrid3& grid,
                                                  const FieldOptions& options = {}) noexcept;

}  // namespace sudar

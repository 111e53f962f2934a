// What:    Ray against shape in the plane: the first hit, whether there is one; one ray or many.
// Source:  closed forms (ray_span.hpp); edges by exact sides; van den Bergen, "Ray Casting against General Convex
//          Objects", 2004, for rounded polygons and support functions.
// Differs: Hits of segments, boxes, polygons, chains and points are decided exactly, as given in the shape's frame.
// Frame:   The shape's, or the world's with a pose. Closed sets: a ray that touches, hits. A ray along an edge meets it at
//          the end that comes first.
// Fails:   what check_ray says (shapes/ray_tree.hpp). A batch names the ray, and gives no answers then.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>
#include <sudar/geom/segment.hpp>
#include <sudar/queries/ray_answer.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/shape2.hpp>

#include <limits>
#include <span>

namespace sudar {

// The first hit by max_t
SUDAR_API Result<RayAnswer2> cast_ray(const Shape2& shape, const Ray<2, double>& ray,
                                      double max_t = std::numeric_limits<double>::infinity()) noexcept;
SUDAR_API Result<RayAnswer2> cast_ray(const Shape2& shape, const Pose2d& world_from_shape, const Ray<2, double>& ray,
                                      double max_t = std::numeric_limits<double>::infinity()) noexcept;
// Many rays, answers[i] of rays[i]; max_t has one for each, or one for all
SUDAR_API Result<void> cast_rays(const Shape2& shape, std::span<const Ray<2, double>> rays,
                                 std::span<const double> max_t, std::span<RayAnswer2> answers,
                                 Executor& executor = serial_executor()) noexcept;

// Ray against segment: exact yes or no, and the time, infinite when there is no hit
SUDAR_API double ray_segment_time(const Ray<2, double>& ray, const Segment<2, double>& segment) noexcept;

}  // namespace sudar

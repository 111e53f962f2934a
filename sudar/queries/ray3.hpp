// What:    Ray against shape in space: the first hit, any hit, all hits; one ray or many.
// Source:  closed forms (ray_span.hpp), exact triangles (geom/ray_triangle.hpp), the ray tree of meshes
//          (shapes/ray_tree.hpp); van den Bergen, "Ray Casting against General Convex Objects", 2004, for rounded hulls
//          and support functions: the ray advances to supporting planes and never past the shape; seed B2.
// Differs: Hits of triangles, meshes, height fields, boxes, hulls, segments and points are decided exactly, as given in
//          the shape's frame; curved shapes to a rounding of their size. A rotated pose rounds the ray by 1e-16.
// Frame:   The shape's, or the world's with a pose. Closed sets: a ray that touches, hits. A segment from a to b is the ray
//          {a, b - a} with max_t 1.
// Fails:   what check_ray says (shapes/ray_tree.hpp); out_of_memory while the ray tree of a mesh is made. A batch names
//          the ray, and gives no answers then.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>
#include <sudar/queries/ray_answer.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/shape3.hpp>

#include <limits>
#include <span>
#include <vector>

namespace sudar {

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

// The first hit by max_t
SUDAR_API Result<RayAnswer3> cast_ray(const Shape3& shape, const Ray<3, double>& ray, double max_t = kEndless) noexcept;
SUDAR_API Result<RayAnswer3> cast_ray(const Shape3& shape, const Pose3d& world_from_shape, const Ray<3, double>& ray,
                                      double max_t = kEndless) noexcept;
// Whether there is one
SUDAR_API Result<bool> ray_meets(const Shape3& shape, const Ray<3, double>& ray, double max_t = kEndless) noexcept;
// By t: every triangle of meshes and height fields, every child of compounds; the first hit of what is convex
SUDAR_API Result<void> cast_ray_all(const Shape3& shape, const Ray<3, double>& ray, double max_t,
                                    std::vector<RayAnswer3>& hits) noexcept;

// Many rays, answers[i] of rays[i]; max_t has one for each, or one for all
SUDAR_API Result<void> cast_rays(const Shape3& shape, std::span<const Ray<3, double>> rays,
                                 std::span<const double> max_t, std::span<RayAnswer3> answers,
                                 Executor& executor = serial_executor()) noexcept;

}  // namespace sudar

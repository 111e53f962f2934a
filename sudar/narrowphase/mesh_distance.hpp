// What:    The distance of two meshes, with the points and triangles where they are closest; and of two triangles.
// Source:  seed B7; branch and bound over pairs of nodes, nearer ones first (Quinlan, "Efficient Distance Computation
//          Between Non-Convex Objects", 1994).
// Differs: The decision comes first and is exact (mesh_mesh.hpp); a distance is positive exactly when there is no hit.
//          Bounds of 64 pairs of boxes are found at once, each in both frames.
// Frame:   A's.
// Fails:   never. Distances are right to a few roundings of the largest coordinate; lower and upper say how many. Where
//          surfaces that are not solid meet, the separation is zero and the status degenerate: a surface has no inside to
//          be deep in. `lower` is then a translation that takes them apart, out of each other's boxes.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>

namespace sudar {

struct TriangleDistance {
  double squared;
  Vec3d point_a, point_b;
};
// Closest points of triangles that do not meet; of those that do, a pair that rounding leaves nearly together
SUDAR_API TriangleDistance closest_points(const Triangle<3, double>& a, const Triangle<3, double>& b) noexcept;

struct MeshDistance {
  double distance = 0, lower = 0, upper = 0;
  Vec3d point_a{}, point_b{};
  std::uint32_t triangle_a = 0, triangle_b = 0;
  std::size_t tested = 0;  // pairs of triangles
};
// Distance of the surfaces, whether or not they meet (then it is zero or nearly)
SUDAR_API MeshDistance surface_distance(const TriangleMesh& a, const TriangleMesh& b,
                                        const Placement3& a_from_b) noexcept;

// The decision, and the distance when they are apart. Of solids that meet, the depth (mesh_depth.hpp).
SUDAR_API DistanceAnswer3 mesh_distance(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept;

}  // namespace sudar

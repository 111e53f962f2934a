// What:    Penetration depth of meshes that meet, at least one of which is solid: the length of the shortest translation
//          of B after which the bodies' interiors are apart, as a bracket, with the direction.
// Source:  seed B7; the definition is that of convex bodies.
// Differs: depth_search.hpp has the definition and how the bracket is found. Peers report the depth of the deepest pair
//          of triangles, which says nothing about bodies.
// Frame:   A's. lower <= -depth <= upper; separation is -(the length of a translation that does separate).
// Fails:   converged when the bracket is tight, as it is for convex bodies; max_iterations with the bracket otherwise.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar {

// For meshes that meet; the decision is not made again
SUDAR_API DistanceAnswer3 mesh_depth(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept;

// The largest distance to the surface of a solid over some points inside of it, in the solid's frame: corners of every
// so many-th triangle of the other mesh
SUDAR_API double deepest_inside(const TriangleMesh& solid, const TriangleMesh& other,
                                const Placement3& solid_from_other, std::uint32_t most_points,
                                Vec3d& direction) noexcept;
// Distance from a point to the surface, and the nearest point
SUDAR_API double distance_to_surface(const TriangleMesh& mesh, const Vec3d& p, Vec3d& nearest) noexcept;

}  // namespace sudar

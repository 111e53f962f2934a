// What:    A mesh or a height field against a convex shape: the decision, the signed distance, and every triangle within a
//          margin with its contact.
// Source:  triangles from the tree or grid, each against the convex shape by convex_distance3; seeds B5, B7.
// Differs: A solid mesh that holds the shape without touching it is a hit. Depths of solids are those of bodies
//          (depth_search.hpp), and so are those of surfaces: the shortest translation after which nothing touches. Where
//          the deepest triangle already says which it is, as in most shallow contacts, nothing is searched. Normals of
//          contacts at internal edges are put right (internal_edges.hpp).
// Frame:   The mesh's, which is A. The convex shape, B, may be a half-space.
// Fails:   never on geometry; a shape that is not convex is unsupported. For polytopes the decision is exact, up to the
//          rounding of one point where nothing touches a solid.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <vector>

namespace sudar {

SUDAR_API bool intersects(const MeshShape3& mesh, const Shape3& convex, const Placement3& mesh_from_convex) noexcept;
SUDAR_API bool intersects(const HeightFieldShape3& field, const Shape3& convex,
                          const Placement3& field_from_convex) noexcept;

SUDAR_API DistanceAnswer3 mesh_convex_distance(const MeshShape3& mesh, const Shape3& convex,
                                               const Placement3& mesh_from_convex) noexcept;
SUDAR_API DistanceAnswer3 mesh_convex_distance(const HeightFieldShape3& field, const Shape3& convex,
                                               const Placement3& field_from_convex) noexcept;

// A triangle's contact. The normal is the surface's. The separation is that of the triangle and the shape by themselves,
// whichever way the normal was turned at an internal edge: a correction does not make a contact shallower.
struct TriangleContact {
  std::uint32_t triangle;
  TriangleFeature feature;  // of the triangle
  DistanceAnswer3 answer;
};
// Every triangle that is nearer than the margin, in the order of their numbers. Kept between queries, `out` allocates
// only while it grows.
SUDAR_API Result<void> mesh_convex_contacts(const TriangleMesh& mesh, const Shape3& convex,
                                            const Placement3& mesh_from_convex, double margin,
                                            std::vector<TriangleContact>& out) noexcept;
// Of a solid, triangles are touched from outside only: normals point out of the body however deep the shape is, and a
// shape that is inside without touching the surface has none
SUDAR_API Result<void> mesh_convex_contacts(const MeshShape3& mesh, const Shape3& convex,
                                            const Placement3& mesh_from_convex, double margin,
                                            std::vector<TriangleContact>& out) noexcept;
SUDAR_API Result<void> mesh_convex_contacts(const HeightField& field, const Shape3& convex,
                                            const Placement3& field_from_convex, double margin,
                                            std::vector<TriangleContact>& out) noexcept;

}  // namespace sudar

// What:    Point in convex and in concave mesh: half-spaces, ray parity, and the winding number by crossings and by
//          solid angles.
// Source:  Parity with symbolic perturbation: Edelsbrunner and Mücke, "Simulation of Simplicity", 1990. Solid angles:
//          van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", 1983; Jacobson, Kavan, Sorkine-Hornung,
//          "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013; seeds B1, D4.
// Differs: The ray runs along +z from a point that is thought to be moved by (ε², ε) in x and y. Then it meets no
//          vertex and no edge, and each crossing is counted once; the signs of the moved point follow from exact signs
//          of the given one. Inside, outside and boundary are exact for all finite doubles.
//          The solid angles are summed as a product of complex numbers: one arc tangent per query, not per triangle.
// Frame:   That of the mesh.
// Fails:   never; the mesh must be one that make_mesh accepts. A query with NaN or infinity is outside. O(triangles).
#pragma once

#include <sudar/geom/containment.hpp>
#include <sudar/geom/mesh.hpp>

namespace sudar {

// What a ray along +z from p meets: the sum over all triangles whose boxes it may meet, for those who find them by a tree
struct RayCrossings {
  std::int64_t up = 0, down = 0;  // triangles above p that face up, and down
  bool touches = false;           // p is on a triangle; the counts are not complete then

  SUDAR_API void add(const Triangle<3, double>& triangle, const Vec3d& p) noexcept;
  // By parity: whichever way the triangles face, a part inside of another one is a hole
  Containment containment() const {
    return touches ? Containment::boundary : (up + down) % 2 != 0 ? Containment::inside : Containment::outside;
  }
  // By the winding number, for triangles that face outward: where parts overlap or one holds another is inside, unless
  // the inner one faces inward
  Containment containment_by_winding() const {
    return touches ? Containment::boundary : up != down ? Containment::inside : Containment::outside;
  }
};

// Closed mesh; the orientation of the triangles does not matter
SUDAR_API Containment locate(const Mesh& mesh, const Vec3d& p) noexcept;
// Closed convex mesh that faces outward, flat ones included: behind all triangles, exactly. Triangles without area are
// passed over.
SUDAR_API Containment locate_in_convex(const Mesh& mesh, const Vec3d& p) noexcept;

// How often a closed, oriented mesh winds around the point: 1 inside of an outward surface, sums for surfaces that
// overlap. Exact; the point must not be on the surface.
SUDAR_API int winding_number(const Mesh& mesh, const Vec3d& p) noexcept;

// The same as a real number, for surfaces with holes, gaps and overlaps: the solid angle over 4π. Near 1/2 says "on the
// border of what would be the body". Sizes between 1e-90 and 1e90.
SUDAR_API double generalized_winding_number(const Mesh& mesh, const Vec3d& p) noexcept;
// The plain version: an arc tangent per triangle
SUDAR_API double generalized_winding_number_plain(const Mesh& mesh, const Vec3d& p) noexcept;

}  // namespace sudar

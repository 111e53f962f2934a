// What:    Mass, centre of mass and inertia tensor of a closed mesh, by integrals over its surface.
// Source:  The divergence theorem. For f homogeneous of degree k, ∫_V f dV = 1/(3 + k) ∫_S f (x · n) dS, and over a
//          triangle (a, b, c) the right side is a polynomial in its corners times det(a, b, c): the integrals of 1, x
//          and x xᵀ need one determinant per triangle. Mirtich, "Fast and Accurate Computation of Polyhedral Mass
//          Properties", 1996, and Eberly, "Polyhedral Mass Properties", 2002, arrive at the same numbers by other
//          routes; seed D2.
// Differs: The sources integrate about the origin, and lose digits with the cube of the distance and more. Here the
//          reference point is the centre of mass itself (found in a first pass), sums carry what
//          rounding drops, and the determinant of a triangle is taken in twice the precision where it cancels
//          (Mass3.FarFromTheOrigin, Mass3.NeedlesAndPlates). The plain version is kept beside it.
// Frame:   The mesh's, metres; the tensor is about the centre of mass, along the mesh's axes.
// Fails:   errors of check_mesh; not_closed and not_oriented with a triangle at the fault, not_oriented also when the
//          mesh is inside out; degenerate when the volume cannot be told from zero; invalid_argument for a density that
//          is not positive and finite; too_large when a result leaves the range of double.
#pragma once

#include <sudar/geom/mesh.hpp>

namespace sudar {

struct MassProperties3 {
  double mass = 0;
  Vec3d center{};
  // Σ m (|r|² I - r rᵀ) about the center: products of inertia enter with a minus sign
  Mat3d inertia = Mat3d::diagonal({0, 0, 0});

  friend bool operator==(const MassProperties3&, const MassProperties3&) = default;
};

SUDAR_API Result<MassProperties3> mass_properties(const Mesh& mesh, double density = 1) noexcept;
// The same without the look at edges: for meshes known to be closed and oriented. An open mesh gives a wrong answer.
SUDAR_API Result<MassProperties3> mass_properties_of_solid(const Mesh& mesh, double density = 1) noexcept;
// The plain version: about the origin, in double, without checks of the surface
SUDAR_API Result<MassProperties3> mass_properties_plain(const Mesh& mesh, double density = 1) noexcept;

// Inertia about another point (Huygens, Steiner)
SUDAR_API Mat3d inertia_about(const MassProperties3& body, const Vec3d& point) noexcept;
// The same body moved: a_from_b takes the frame of `body` to the frame of the result
SUDAR_API MassProperties3 transformed(const MassProperties3& body, const Pose3d& a_from_b) noexcept;
// Two bodies as one. A hole is a body with negative mass and inertia (see scaled).
SUDAR_API MassProperties3 combined(const MassProperties3& a, const MassProperties3& b) noexcept;
// Mass and inertia times `factor`: another density
SUDAR_API MassProperties3 scaled(const MassProperties3& body, double factor) noexcept;

}  // namespace sudar

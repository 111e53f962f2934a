// What:    Mass, centre of mass and inertia of any shape of a density.
// Source:  Closed forms for spheres, capsules, boxes, cylinders, cones and ellipsoids; surface integrals for polyhedra and
//          polygons (geom/mass3.hpp, mass2.hpp); sums for compounds; seed D2.
// Differs: Rounded hulls, rounded polygons and support functions have no closed form here: the mass is that of the hull of
//          their farthest points in many fixed directions, a few thousandths too small at worst
//          (ShapeMass.RoundedHullsAreNearTheClosedForms).
// Frame:   The shape's; inertia about the centre of mass. Children of a compound that overlap count twice.
// Fails:   degenerate for what has no volume (points, segments, triangles, surfaces, chains, flat hulls); unsupported for
//          half-spaces; invalid_argument for a density that is not positive and finite; too_large when a result leaves the
//          range of double; out_of_memory; what meshes add.
#pragma once

#include <sudar/dynamics/body.hpp>

namespace sudar {

SUDAR_API Result<MassProperties2> mass_of(const Shape2& shape, double density = 1) noexcept;
SUDAR_API Result<MassProperties3> mass_of(const Shape3& shape, double density = 1) noexcept;

// With its inverses, for a dynamic body. `fixed_rotation`: nothing turns it, so the inertia may be zero. Errors:
// non_finite; invalid_argument for a mass that is not positive; degenerate for an inertia without an inverse.
SUDAR_API Result<BodyMass<2>> body_mass(const MassProperties2& mass, bool fixed_rotation = false) noexcept;
SUDAR_API Result<BodyMass<3>> body_mass(const MassProperties3& mass, bool fixed_rotation = false) noexcept;

// The radius of a ball that fits into the shape about an inner point, and for shapes of parts into each: what a body must
// be followed for when it moves farther (ccd_pass.hpp). A lower bound; zero for what has no inside, and for meshes.
SUDAR_API double inner_radius(const Shape2& shape) noexcept;
SUDAR_API double inner_radius(const Shape3& shape) noexcept;

}  // namespace sudar

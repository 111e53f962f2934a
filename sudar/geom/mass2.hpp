// What:    Mass, centre of mass and second moments of a polygon, by sums over its edges.
// Source:  Green's theorem; the same cones from a reference point as in mass3.hpp, one dimension lower; seed D2.
// Differs: About the centre of mass and in twice the precision, as in mass3.hpp (Mass2.FarFromTheOrigin).
// Frame:   The polygon's, metres; moments about the centre of mass.
// Fails:   empty_input without a vertex; non_finite with the vertex; degenerate when the area cannot be told from zero;
//          not_oriented when the polygon runs clockwise; invalid_argument for a density that is not positive and
//          finite; too_large when a result leaves the range of double. Self-crossing polygons are not recognised here
//          (polygon.hpp): parts count as often as the boundary winds around them.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>

#include <span>

namespace sudar {

struct MassProperties2 {
  double mass = 0;
  Vec2d center{};
  // ∫ x², ∫ y², ∫ x y about the center
  double xx = 0, yy = 0, xy = 0;

  // About the axis through the center, out of the plane
  double inertia() const { return xx + yy; }
  friend bool operator==(const MassProperties2&, const MassProperties2&) = default;
};

// A loop of vertices, counterclockwise, the last joined to the first
SUDAR_API Result<MassProperties2> mass_properties(std::span<const Vec2d> polygon, double density = 1) noexcept;

SUDAR_API double inertia_about(const MassProperties2& body, const Vec2d& point) noexcept;
SUDAR_API MassProperties2 transformed(const MassProperties2& body, const Pose2d& a_from_b) noexcept;
// A hole is a body with negative mass and moments (see scaled)
SUDAR_API MassProperties2 combined(const MassProperties2& a, const MassProperties2& b) noexcept;
SUDAR_API MassProperties2 scaled(const MassProperties2& body, double factor) noexcept;

}  // namespace sudar

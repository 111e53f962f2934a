// What:    Meshes of simple bodies for tests, scenes and benchmarks. All are closed, manifold, oriented outward and
//          centred at the origin; round ones have their vertices on the true surface.
// Frame:   Metres; axes of revolution along z.
// Fails:   invalid_argument for sizes that are not positive and finite or counts below the least that makes a body;
//          too_large above kMaxMadeTriangles.
#pragma once

#include <sudar/geom/mesh.hpp>

namespace sudar {

inline constexpr std::size_t kMaxMadeTriangles = std::size_t{1} << 26;

SUDAR_API Result<Mesh> box_mesh(const Vec3d& half_extents) noexcept;
// In either order of the corners; degenerate when they are coplanar, non_finite with the corner
SUDAR_API Result<Mesh> tetrahedron_mesh(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept;
SUDAR_API Result<Mesh> octahedron_mesh(double radius) noexcept;
// slices >= 3 around, stacks >= 2 from pole to pole: 2 · slices · (stacks - 1) triangles
SUDAR_API Result<Mesh> uv_sphere_mesh(double radius, std::uint32_t slices, std::uint32_t stacks) noexcept;
// An icosahedron whose triangles are cut in four `subdivisions` times: 20 · 4^subdivisions triangles
SUDAR_API Result<Mesh> icosphere_mesh(double radius, std::uint32_t subdivisions) noexcept;
// minor_radius < major_radius, their sum finite; 2 · major_segments · minor_segments triangles, both counts >= 3
SUDAR_API Result<Mesh> torus_mesh(double major_radius, double minor_radius, std::uint32_t major_segments,
                                  std::uint32_t minor_segments) noexcept;
// A prism over a regular polygon with `slices` >= 3 corners on the circle: 4 · slices triangles
SUDAR_API Result<Mesh> cylinder_mesh(double radius, double half_height, std::uint32_t slices) noexcept;
// Apex at +half_height, base at -half_height: 2 · slices triangles
SUDAR_API Result<Mesh> cone_mesh(double radius, double half_height, std::uint32_t slices) noexcept;

}  // namespace sudar

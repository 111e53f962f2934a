// What:    A closed mesh with fewer triangles: edges are drawn together, cheapest first, by the quadric error.
// Source:  Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics", 1997.
// Differs: Only what keeps the surface closed, oriented and of the same kind (the link condition) and turns no triangle
//          over is drawn together; so the result may have more triangles than were asked for. Coordinates are scaled to
//          the unit cube, and ties are broken by vertex, so the result is the same everywhere. The error is not known
//          from the quadrics: narrowphase/levels.hpp measures it.
// Frame:   The mesh's.
// Fails:   what check_solid says; too_large (with the vertex) for a coordinate beyond kMaxSimplified; not_manifold (with the
//          triangle) for an edge with more than two triangles; out_of_memory. Time O(n log n).
#pragma once

#include <sudar/geom/mesh.hpp>

namespace sudar {

// Metres. Vertices that are drawn together may come to lie outside of the mesh, and must not leave the range of doubles
inline constexpr double kMaxSimplified = 0x1p1000;

// At most so many triangles, but never fewer than four; vertices that are no longer used are left out
SUDAR_API Result<Mesh> simplified(const Mesh& closed, std::size_t most_triangles) noexcept;

}  // namespace sudar

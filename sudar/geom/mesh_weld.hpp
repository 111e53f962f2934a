// What:    Welding: vertices at the same place become one vertex, by exact equality or within a distance.
// Differs: "Within a distance" is closed under chains: a, b, c with a near b and b near c become one vertex even when a
//          is not near c. So the groups do not depend on the order of the vertices, and welding again with the same
//          distance can only join what the first round has moved together by picking representatives.
//          A group is put where its lowest vertex is; positions are never averaged.
// Frame:   The mesh's own; the tolerance in metres.
#pragma once

#include <sudar/geom/mesh.hpp>

namespace sudar {

struct Welded {
  Mesh mesh;                                 // vertices in the order of each group's lowest member
  std::vector<std::uint32_t> vertex_map;     // old vertex → new vertex
  std::vector<std::uint32_t> triangle_from;  // new triangle → old triangle
  // Triangles that lost a corner are dropped, so triangle_from may be shorter than the old list. Vertices stay, used
  // or not.
};

// -0 and +0 are the same place. Errors: those of check_mesh; degenerate when no triangle is left
SUDAR_API Result<Welded> weld(const Mesh& mesh) noexcept;

// Vertices at most `tolerance` apart, chains included. Time is O(n log n) while groups stay small or lie in one clump;
// two clumps of many vertices a little more than `tolerance` apart are compared vertex by vertex.
// Errors: also invalid_argument for a tolerance that is negative, NaN or infinite
SUDAR_API Result<Welded> weld(const Mesh& mesh, double tolerance) noexcept;

}  // namespace sudar

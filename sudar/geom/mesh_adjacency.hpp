// What:    Who touches whom in a mesh: its edges with the triangles along them, and the twin of every half-edge.
// Frame:   Half-edge 3 t + k runs from corner k to corner (k + 1) % 3 of triangle t. No half-edge objects are stored.
// Fails:   never on topology: edges with one, three or more triangles are kept as they are and simply have no twins.
//          Triangles that name a vertex twice are left out; they have no area and no inside.
#pragma once

#include <sudar/geom/mesh.hpp>

namespace sudar {

constexpr std::uint32_t triangle_of(std::uint32_t half_edge) { return half_edge / 3; }
constexpr std::uint32_t next_half_edge(std::uint32_t half_edge) {
  return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}
constexpr std::uint32_t previous_half_edge(std::uint32_t half_edge) {
  return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

struct MeshEdge {
  std::uint32_t lo, hi;      // vertices, lo < hi
  std::uint32_t first, end;  // its half-edges are around[first … end), ascending

  std::uint32_t count() const { return end - first; }
  friend bool operator==(const MeshEdge&, const MeshEdge&) = default;
};

struct MeshAdjacency {
  std::vector<MeshEdge> edges;        // sorted by (lo, hi)
  std::vector<std::uint32_t> around;  // half-edges, grouped by edge
  // The half-edge that runs the other way along an edge with exactly two triangles; kNoIndex when there is none: a
  // border, an edge with more triangles, or a neighbour that is turned over
  std::vector<std::uint32_t> twin;
  std::vector<std::uint32_t> edge_of;  // of every half-edge; kNoIndex for triangles that name a vertex twice
};

// Vertex where the half-edge starts
inline std::uint32_t origin_of(const Mesh& mesh, std::uint32_t half_edge) {
  return mesh.triangles[triangle_of(half_edge)][half_edge % 3];
}

// Time O(triangles + vertices + sum of squared vertex degrees at worst, which is linear for usual meshes).
// Errors: those of check_mesh
SUDAR_API Result<MeshAdjacency> adjacency(const Mesh& mesh) noexcept;

}  // namespace sudar

// What:    What is right and wrong with a mesh: closed, consistently oriented, manifold, degenerate and duplicate
//          triangles, components, Euler characteristic; how many of each fault and the first element that has it.
// Differs: Degenerate means exactly zero area (exact predicates), not "small".
// Fails:   only on input that check_mesh refuses; every other mesh, however broken, gets a report.
#pragma once

#include <sudar/geom/mesh_adjacency.hpp>

namespace sudar {

// How often a fault was found, and the lowest element that has it
struct MeshFault {
  std::uint32_t count = 0;
  std::uint32_t first = kNoIndex;

  explicit operator bool() const { return count != 0; }
  friend bool operator==(const MeshFault&, const MeshFault&) = default;
};

struct MeshReport {
  // Edges, as an index into MeshAdjacency::edges
  MeshFault open_edges;          // an odd number of triangles: the surface has a border there
  MeshFault turned_edges;        // triangles that do not pair up in opposite directions
  MeshFault non_manifold_edges;  // more than two triangles
  // Vertices
  MeshFault pinched_vertices;  // the triangles around form more than one fan
  MeshFault unused_vertices;   // named by no triangle
  // Triangles
  MeshFault repeated_index_triangles;  // a vertex named twice; left out of everything about edges and vertices
  MeshFault degenerate_triangles;      // exactly zero area; includes the ones above
  MeshFault duplicate_triangles;       // the same three vertices as an earlier triangle, in any order

  std::uint32_t vertices = 0, edges = 0, triangles = 0;  // that form the surface
  std::uint32_t components = 0;                          // connected by shared vertices
  std::int64_t euler_characteristic = 0;                 // vertices - edges + triangles

  bool closed() const { return triangles > 0 && !open_edges; }
  bool oriented() const { return !turned_edges; }
  bool manifold() const { return !non_manifold_edges && !pinched_vertices; }
  // A solid body: mass, point-in-mesh and signed distance have an answer
  bool solid() const { return closed() && oriented(); }
  // Handles of a closed, manifold, oriented, connected surface: 0 for a sphere, 1 for a torus
  std::int64_t genus() const { return (2 * std::int64_t{components} - euler_characteristic) / 2; }
};

// Errors: those of check_mesh
SUDAR_API Result<MeshReport> check_surface(const Mesh& mesh) noexcept;
SUDAR_API Result<MeshReport> check_surface(const Mesh& mesh, const MeshAdjacency& adjacency_of_mesh) noexcept;

// Only what a solid needs, without a report: not_closed or not_oriented with the lowest triangle at the first bad edge.
// Edges with more than two triangles are fine while these pair up.
SUDAR_API Result<void> check_solid(const Mesh& mesh) noexcept;

}  // namespace sudar

// What:    Two nodes of meshes' trees at a time: which of their eight and eight boxes meet under a relative pose, and how
//          far apart they are at least.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996 (separating axes); only the six axes of the two boxes are looked at,
//          as van den Bergen does, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", 1997.
// Differs: A tree that turned is not rebuilt: for a pair of nodes the eight boxes of each are moved into the other's
//          frame at once, and then 64 pairs of boxes take eight comparisons of vectors.
// Frame:   Node boxes are relative to the origins of their trees. All answers are on the safe side: a row may have a bit
//          too many, never one too few; a distance is never too long.
#pragma once

#include <sudar/geom/mesh.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/mesh_tree.hpp>

namespace sudar {

// Where tree B is, seen from tree A, in floats, with what rounding may have moved
struct TreePlacement {
  float turn[3][3];
  float shift[3];
  float slack;  // metres; covers turn, shift and the sums made of them for all boxes of both trees
  float unit;   // a power of two: in these units distances are about one, and their squares stay in range
  bool turned;
};
SUDAR_API TreePlacement make_tree_placement(const MeshTree& a, const MeshTree& b, const Placement3& a_from_b) noexcept;

// Bit j of row[i]: child i of a may meet child j of b. `around_b` is a box around all children of b, which spares the
// children of a that do not meet it.
SUDAR_API void scan_pairs(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b,
                          const TreePlacement& placement, std::uint8_t (&row)[8]) noexcept;
// Squares of lower bounds on the distances of the children, times the square of `unit`; NaN or infinite for empty ones
SUDAR_API void scan_distances(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& placement,
                              float (&squared)[8][8]) noexcept;
// The same one number after the other
SUDAR_API void scan_pairs_plain(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b,
                                const TreePlacement& placement, std::uint8_t (&row)[8]) noexcept;
SUDAR_API void scan_distances_plain(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& placement,
                                    float (&squared)[8][8]) noexcept;

// Eight triangles in columns, in A's frame, with their normals (not of unit length). Unused columns repeat the first.
struct alignas(64) TriangleBlock {
  double corner[3][3][8];  // corner, axis
  double normal[3][8];
  double lo[3], hi[3];  // of all corners
  double error;         // of every coordinate
};
// The triangles of a node of level 0
SUDAR_API void load_block(const Mesh& mesh, const MeshTree& tree, std::uint32_t node, TriangleBlock& out) noexcept;
SUDAR_API void load_block(const Mesh& mesh, const MeshTree& tree, std::uint32_t node, const Placement3& a_from_b,
                          TriangleBlock& out) noexcept;

// For triangles i of a and j of b, in bit j of row i: all six sides of corners are sure (`clear`), and which corners are in
// front of the other's plane
struct PlaneSides {
  std::uint8_t clear[8], a_above[3][8], b_above[3][8];
};
// Takes from the rows the pairs of triangles of which one lies surely on one side of the plane of the other
SUDAR_API void scan_planes(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8],
                           PlaneSides& sides) noexcept;
SUDAR_API void scan_planes_plain(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8],
                                 PlaneSides& sides) noexcept;

}  // namespace sudar

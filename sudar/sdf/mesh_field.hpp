// What:    The distance field of a triangle mesh, on a narrow band or everywhere.
// Source:  distances: triangles scattered to the samples around them (triangle_rows.hpp), or the nearest triangle of each
//          sample by the mesh's tree; signs: exact winding numbers of whole columns of samples (column_winding.hpp), with
//          the solid angle of what is missing for meshes with holes (surface_caps.hpp); seed B12.
// Differs: Common builders take the sign from the normal at the closest point (Bærentzen and Aanæs, "Signed Distance
//          Computation Using the Angle Weighted Pseudonormal", 2005) and fill the rest from neighbours; that needs a clean
//          mesh. Here parts may overlap, edges may have any number of triangles, vertices need not be shared by their
//          indices, and the sign does not come from the distance.
// Frame:   The mesh's, metres.
// Fails:   errors of check_mesh and check_grid; too_large (a vertex beyond kMaxShapeSize; too many cells; with signs, more
//          than kMaxColumns columns of samples along the last axis, or kMaxCrossings crossings of these); non_finite and
//          invalid_argument for the band; not_closed with the triangle when an open mesh is asked for signs by parity.
//          An open mesh has an inside by winding number: where it covers more than half of all directions. The field is then
//          not closed() and not exact(): distances are those to the triangles, not to the mouths of the holes. Time grows
//          with bricks times holes, and with samples times edges of the holes that are near.
//          Where parts overlap, what is buried of their surfaces counts: inside, values are those to the nearest triangle
//          and no more than the depth. When columns of samples show such parts, facts() say that the inside is not exact.
#pragma once

#include <sudar/sdf/field_build.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar {

enum class FieldMethod : std::uint8_t {
  automatic,  // the one that is likely faster
  scatter,    // triangle by triangle; a band that is finite
  search,     // sample by sample, the nearest triangle by the tree
};

SUDAR_API Result<DistanceField3> make_mesh_field(const Mesh& mesh, const FieldGrid3& grid,
                                                 const FieldOptions& options = {},
                                                 FieldMethod method = FieldMethod::automatic) noexcept;
SUDAR_API Result<DistanceField3> make_mesh_field(const TriangleMesh& mesh, const FieldGrid3& grid,
                                                 const FieldOptions& options = {},
                                                 FieldMethod method = FieldMethod::automatic) noexcept;
// The plain version: every sample against every triangle, and its winding number by itself. Values only: what facts() say
// of holes and buried parts is not looked for.
SUDAR_API Result<DistanceField3> make_mesh_field_plain(const Mesh& mesh, const FieldGrid3& grid,
                                                       const FieldOptions& options = {}) noexcept;

}  // namespace sudar

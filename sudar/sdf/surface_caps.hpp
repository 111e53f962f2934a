// What:    Triangles that close the border of a mesh with holes, and the exact account of what they add: the generalized
//          winding number of the mesh is the winding number of the closed surface less the solid angle of the caps.
// Source:  Jacobson, Kavan, Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013.
// Differs: The source sums the solid angles of all triangles, or of the borders of the nodes of a tree. Here the closed
//          surface is counted in whole numbers along columns (column_winding.hpp), and only the border of the whole mesh
//          is looked at from every sample. The caps may have any shape: the result does not depend on them.
//          The border of any set of triangles is made of closed chains, so a fan from one vertex of each chain closes it,
//          also where more than two triangles meet in an edge or neighbours are turned over.
// Frame:   The mesh's.
#pragma once

#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/segment.hpp>

#include <optional>
#include <vector>

namespace sudar {

struct SurfaceCaps {
  std::vector<Triangle<3, double>> triangles;  // none: the surface is closed and oriented
  std::vector<Segment<3, double>> border;      // as often as a cap runs along it

  // The part of full solid angle that the caps cover, seen from p + (ε³, ε², ε): the side of p in the plane of a cap is
  // the one that ColumnWinding takes. Nothing on an edge of a cap, or so near to it that the angle is rounding.
  std::optional<double> winding(const Vec3d& p) const noexcept;
  // The same number for all places within `reach` of p, as far as it matters: none of them comes to a half more or less than
  // a whole. Nothing when that cannot be shown. The solid angle of a border changes like the magnetic field of a current
  // along it, where no cap is crossed.
  std::optional<double> steady_winding(const Vec3d& p, double reach) const noexcept;
};

// `who` is the adjacency of the mesh. Throws bad_alloc.
SurfaceCaps make_surface_caps(const Mesh& mesh, const MeshAdjacency& who);

// The lowest triangle at an edge with an odd number of triangles, when there is such an edge
std::optional<std::uint32_t> open_triangle(const MeshAdjacency& who) noexcept;

}  // namespace sudar

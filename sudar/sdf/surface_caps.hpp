// What:    Triangles that close the border of a mesh with holes, and the exact account of what they add: the generalized
//          winding number of the mesh is the winding number of the closed surface less the solid angle of the caps.
// Source:  Jacobson, Kavan, Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013.
// Differs: The source sums the solid angles of all triangles, or of the borders of the nodes of a tree. Here the closed
//          surface is counted in whole numbers along columns (column_winding.hpp), and only the border of the whole mesh
//          is looked at from every sample. The caps may have any shape: the result does not depend on them.
//          Chains of the border that are far from a brick of samples are looked at once for all of it, or not at all, with
//          a bound of what that leaves out; where the bound does not decide, all of them are looked at.
//          The border of any set of triangles is made of closed chains, so a fan from one vertex of each chain closes it,
//          also where more than two triangles meet in an edge or neighbours are turned over.
// Frame:   The mesh's.
#pragma once

#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/triangle.hpp>

#include <optional>
#include <vector>

namespace sudar {

// Caps of one chain of the border, or of several that share a vertex
struct CapChain {
  std::uint32_t first = 0, end = 0;  // triangles
  Vec3d middle{};
  double radius = 0;            // of a ball around all of it
  double length = 0, area = 0;  // of the border, as often as a cap runs along it; of the caps
};

// What caps add to the places within some distance of a place: `far`, up to `error`, and the chains that are near
struct CapsAround {
  double far = 0, error = 0;  // in full turns
  std::vector<std::uint32_t> near;
};

struct SUDAR_API SurfaceCaps {
  std::vector<Triangle<3, double>> triangles;  // chain by chain; none: the surface is closed and oriented
  std::vector<CapChain> chains;

  // The part of full solid angle that the caps cover, seen from p + (ε³, ε², ε): the side of p in the plane of a cap is
  // the one that ColumnWinding takes. Nothing on an edge of a cap, or so near to it that the angle is rounding.
  std::optional<double> winding(const Vec3d& p) const noexcept;
  // For places within `reach` of p. The solid angle of a chain changes like the magnetic field of a current along it, where
  // no cap is crossed, and is at most the area over the square of the distance. Throws bad_alloc.
  CapsAround around(const Vec3d& p, double reach) const;
  // As the first, of the chains that are near; `far` and `error` come on top
  std::optional<double> winding(const Vec3d& p, const CapsAround& around) const noexcept;
};

// `who` is the adjacency of the mesh. Throws bad_alloc.
SUDAR_API SurfaceCaps make_surface_caps(const Mesh& mesh, const MeshAdjacency& who);

// The lowest triangle at an edge with an odd number of triangles, when there is such an edge
std::optional<std::uint32_t> open_triangle(const MeshAdjacency& who) noexcept;

}  // namespace sudar

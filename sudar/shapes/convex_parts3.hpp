// What:    A solid mesh as a few convex bodies that cover it: approximate, with what the approximation costs.
// Source:  Lien and Amato, "Approximate convex decomposition of polyhedra", 2007 (cut where it is most concave, until it
//          is concave enough nowhere); seed A16 (one, two, four… parts compared).
// Differs: Cuts are square to an axis: evenly spaced ones, and those through the most concave corner, which cuts bodies
//          of boxes apart exactly. The cut that leaves the least volume in the two hulls wins, with some weight on even
//          halves and on the longest axis.
//          Caps are closed by signed fans, so a cut needs no triangulation and its volume is right all the same.
//          Sides that lie in the plane of a cut belong to the half that they bound (ConvexParts3.CutsAlongSides…).
// Frame:   The mesh's. Parts touch at their cuts and may overlap elsewhere: each is the hull of its piece.
// Fails:   what check_mesh and check_solid say; not_oriented for a mesh that is inside out, degenerate for one without
//          volume; invalid_argument for no parts, a negative concavity and cuts that are not 1 … kMaxCutsPerAxis; non_finite
//          for a concavity that is NaN or infinite; out_of_memory. Corners of cuts are rounded, so the parts cover the
//          solid up to a rounding of its coordinates.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/mesh.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace sudar {

// Every cut makes two hulls of what it cuts
inline constexpr int kMaxCutsPerAxis = 1024;

struct PartsOptions3 {
  std::size_t max_parts = 8;
  // Metres, not negative: a part that is nowhere more concave is not cut any more
  double concavity = 0;
  // Evenly spaced cuts that are tried along each axis, from 1 to kMaxCutsPerAxis
  int cuts_per_axis = 5;
};

struct ConvexParts3 {
  std::vector<std::shared_ptr<const ConvexBody3>> parts;
  // How far it is from a corner of the surface along its normal until the hull of the piece ends: for each part the
  // largest, and the largest of them. Metres. None where the hull has no more volume than the piece, up to rounding.
  std::vector<double> concavities;
  double concavity = 0;
  // Volume of the parts over that of the solid, less 1 (overlaps count twice)
  double excess = 0;
};

SUDAR_API Result<ConvexParts3> convex_parts3(const Mesh& solid, const PartsOptions3& options = {}) noexcept;

// The parts as one shape
SUDAR_API Result<Shape3> make_compound3(const ConvexParts3& parts) noexcept;

}  // namespace sudar

// What:    Breaking a convex body into the Voronoi cells of given sites: every piece is convex, together they fill it.
// Source:  the cell of a site is the body cut by the bisectors to the other sites; only those of Delaunay neighbours
//          matter (Aurenhammer, "Voronoi diagrams: a survey", 1991); seed B14.
// Differs: Cuts are rounded (convex_clip.hpp); which bisectors are used is exact (delaunay2.hpp, delaunay3.hpp).
// Frame:   The caller's. Sites may lie outside of the body; a site whose cell misses it has no piece.
// Fails:   empty_input without sites; non_finite with the site; invalid_argument with the second of two equal sites, or
//          for coordinates beyond 2^300; polygons and hulls as in convex_clip.hpp; degenerate when the pieces do not fill
//          the body up to kFractureGap, as with needles and plates thinner than the slack of the cuts.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/convex_clip.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Sides of a piece are labelled with the site across, or as skin with the edge or face of the whole.
// `neighbours`: sites whose pieces share a side with this one, ascending; the relation is symmetric.
struct FracturePiece2 {
  std::uint32_t site = 0;
  ClipPolygon shape;
  double area = 0;
  std::vector<std::uint32_t> neighbours;
};
struct FracturePiece3 {
  std::uint32_t site = 0;
  ClipPolyhedron shape;
  double volume = 0;
  std::vector<std::uint32_t> neighbours;
};

// How far the volumes of the pieces together (areas in the plane) may be from that of the body, relative to it. Rounded
// cuts of a body as thick as it is far from the origin miss some 1e-13; larger would let through pieces that overlap.
inline constexpr double kFractureGap = 0x1p-10;

enum class FractureMethod : std::uint8_t {
  delaunay_neighbours,  // the fast one
  all_sites,            // the plain one: every bisector cuts every piece
};

// Pieces in the order of their sites
SUDAR_API Result<std::vector<FracturePiece2>> fracture2(
    std::span<const Vec2d> polygon, std::span<const Vec2d> sites,
    FractureMethod method = FractureMethod::delaunay_neighbours) noexcept;
SUDAR_API Result<std::vector<FracturePiece3>> fracture3(
    const Hull3& body, std::span<const Vec3d> sites,
    FractureMethod method = FractureMethod::delaunay_neighbours) noexcept;

}  // namespace sudar

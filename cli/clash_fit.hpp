// What:    Whether two bodies whose surfaces cross do so by no more than a tolerance: a shaft in its bore, whose facets
//          cut into each other by the error of the chords.
// Source:  branch and bound over pieces of triangles, as for Hausdorff distances of meshes (Guthe, Borodin, Klein, "Fast
//          and accurate Hausdorff distance calculation between meshes", 2005).
// Differs: The depth of bodies (narrowphase/mesh_depth.hpp) is the way out, which for a shaft is as long as its bore. This
//          is how far a place of one surface lies below the other: never more than that depth. A piece of a triangle
//          whose corners are near one and the same triangle of the other, or two that make a flat convex quadrilateral, is
//          near it as a whole, because the distance to a convex set is convex: that ends most pieces.
//          Where surfaces lie on each other and face the same way, no place is below another, and yet the bodies share
//          all that is behind them: there the place half a tolerance behind is asked for.
//          Bodies that are about as thin as the tolerance lie within it wherever they are; is_fit says no of them.
// Frame:   Metres, both meshes in one frame.
// Fails:   never; where the budget of cuts ends first, the answer is no.
#pragma once

#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar_cli {

struct Fit {
  bool shallow = false;  // proven: no place of either surface lies deeper than the tolerance below the other's
  double deepest = 0;    // of the places that were looked at
};

// Both meshes closed and oriented
Fit fit_of(const sudar::TriangleMesh& a, const sudar::TriangleMesh& b, double tolerance);

// A label on a box: the one closed and oriented, the other open. Only the places of the sheet are asked for, since nothing is
// below a sheet. One that is so nearly closed that it holds something is no sheet: not shallow.
Fit fit_of_sheet(const sudar::TriangleMesh& body, const sudar::TriangleMesh& sheet, double tolerance);

// Twice the volume over the surface: the thickness of a plate, the radius of a long bar
double thickness_of(const sudar::TriangleMesh& mesh);

}  // namespace sudar_cli

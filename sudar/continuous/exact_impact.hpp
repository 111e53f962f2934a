// What:    The first time at which linearly moving points form a contact, decided without error: a vertex in a triangle,
//          two edges, a point on an edge of the plane.
// Source:  The cubic of coplanarity is Provot, "Collision and self-collision handling in cloth model", 1997; the signs
//          at its roots are Cauchy indices (math/sturm.hpp).
// Differs: No tolerance anywhere, and no case is left out: contact means that three levels hold, each a set of signs of
//          polynomials in t.
//            space   the determinant of the four points is zero (degree 3);
//            plane   along each axis, the areas that tell inside from outside (degree 2) do not have both signs;
//            line    along each axis, the differences (degree 1) do not all have one sign.
//          Points that meet satisfy them. Conversely, when the areas of one axis are not all zero, the plane projects
//          along it one to one and they decide; when all are zero, the points lie on one line and its axes decide.
//          The set of contact times is closed, so its first element is 0 or a place where a sign changes: a root of the
//          determinant, or, when that is zero throughout, of the areas along any one axis that has some, or at last of
//          the differences along any one axis.
// Frame:   Multiples of one power of two, the largest that every coordinate is a multiple of.
// Fails:   may throw bad_alloc: callers are behind `guarded`. NaN and infinity are the caller's bug. Time grows with the
//          span of the exponents: some 5 µs for coordinates within 60 powers of two of each other, up to 0.7 ms where some
//          are 2^500 times larger or smaller than others, and 2.5 ms where the smallest and the largest doubles meet.
#pragma once

#include <sudar/math/vec.hpp>

#include <array>

namespace sudar {

struct ExactImpact {
  bool hit = false;
  double lo = 0, hi = 0;  // the first time of contact is in [lo, hi]: one double, or two neighbours
};

// Vertex, then the corners of the face, at t = 0 and at t = 1
SUDAR_API ExactImpact exact_vertex_face(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end);
// The ends of one edge, then those of the other
SUDAR_API ExactImpact exact_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end);
// Point, then the ends of the edge
SUDAR_API ExactImpact exact_point_edge(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end);

}  // namespace sudar

// What:    Penetration depth of two overlapping hulls from the faces of their difference set that can be nearest to the
//          origin: faces of A, faces of B, and pairs of edges whose arcs cross on the Gauss map.
// Source:  Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013 (Gauss map).
// Differs: Hardly any axis is looked at. A vertex b of B bounds the distance of every face f of A from below by the depth
//          of b under f, and of every pair with an edge of A by the lesser depth under the edge's two faces; in the same
//          way a vertex of A for B. With the vertices that are deepest along the first direction, only what lies around
//          them is left, at any number of faces. Signs that rounding may have turned count as crossings, since an axis too
//          many does no harm: the projection of both bodies on any axis bounds the depth from above.
//          No axis that could be the nearest is left out, so a depth beyond rounding also proves that the bodies meet.
// Frame:   A's. Fills what EPA answers (epa3.hpp).
// Fails:   `open` for bodies that are no hulls with an inside or have more than kMaxDepthFaces faces, and where rounding
//          leaves more than kFaceDepthGap open, the bodies barely touch, or several vertices are deepest together, so that
//          the place is not the foot of one vertex or one pair of edges: then GJK and EPA have the word.
#pragma once

#include <sudar/narrowphase/epa3.hpp>

namespace sudar {

inline constexpr std::uint32_t kMaxDepthFaces = 1024;

enum class FaceDepthOutcome : std::uint8_t {
  open,
  apart,  // out.normal is across a plane between them, out.least minus a proven part of the gap
  inside,
};

// `start` is where to look first, from A to B, of any length: the normal of the last time; zero for the centres.
// Trace steps: "direction", "face of a", "face of b", "edges" for each axis that is looked at (ids: the faces or half-edges;
// numbers: the axis, then w of the farthest point; value: the distance of its plane); "faces of a left", "faces of b left"
// (ids: those that may be nearer than what is known), "crossing edges" (ids: pairs of half-edges), "done" (numbers: normal;
// value: depth), "apart", "open".
template <class Trace = NoTrace>
FaceDepthOutcome face_depth3(const Difference3& difference, const Vec3d& start, Epa3& out, Trace trace = {});

extern template SUDAR_API FaceDepthOutcome face_depth3<NoTrace>(const Difference3&, const Vec3d&, Epa3&, NoTrace);
extern template SUDAR_API FaceDepthOutcome face_depth3<TraceTo>(const Difference3&, const Vec3d&, Epa3&, TraceTo);

}  // namespace sudar

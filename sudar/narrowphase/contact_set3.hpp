// What:    The contact set of two convex shapes in space: the point, segment or polygon in which they touch, with the
//          features that made each point.
// Source:  seeds A6, A7. Clipping: Sutherland and Hodgman, "Reentrant polygon clipping", 1974.
// Differs: One face is the reference (A's, where both qualify), and what the other shape turns towards it is cut with its
//          sides. Points keep the normal of the decision, and are measured along it. A point's features are found where it
//          lies: within a corner, on an edge, inside of a face, so all six combinations come out, also where a polygon
//          shrinks to a segment or a point (ContactSet3.AllSixCombinations). The deepest point is never lost: when
//          clipping misses it, the witness points of the decision are the contact.
// Frame:   A's, see contact.hpp. Faces and edges count as touching when they are perpendicular to the normal within
//          kContactTilt. Points farther than `margin` are left out; a set that touches keeps all points as deep as the
//          deepest, up to rounding.
// Fails:   never for convex pairs. Two half-spaces, and shapes that are not convex, give none with status unsupported.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

// From a decision that is there already. May throw bad_alloc like a vector, and so does the next. Trace steps: "patch of a",
// "patch of b" (numbers: corners of what each turns to the other; value: 1 for a face across the normal), "reference"
// (numbers: corners of the incident patch; value: 0 when the reference is A's, 1 for B's), "cut" (numbers: what is left
// after the next side; value: its corners), "keep", "leave out", "witness" (numbers: the point; value: its separation).
template <class Trace = NoTrace>
ContactSet3 contact_set3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, const DistanceAnswer3& answer,
                         double margin = 0, Trace trace = {});

extern template SUDAR_API ContactSet3 contact_set3<NoTrace>(const Shape3&, const Shape3&, const Placement3&,
                                                            const DistanceAnswer3&, double, NoTrace);
extern template SUDAR_API ContactSet3 contact_set3<TraceTo>(const Shape3&, const Shape3&, const Placement3&,
                                                            const DistanceAnswer3&, double, TraceTo);

// With a decision of its own
SUDAR_API ContactSet3 contact_set3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin = 0);

}  // namespace sudar

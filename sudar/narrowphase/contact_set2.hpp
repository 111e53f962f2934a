// What:    The contact set of two convex shapes of the plane: the point or segment in which they touch, with the features
//          that made each point.
// Source:  seeds A6, A7.
// Differs: As contact_set3.hpp says: A's edge is the reference where both qualify, points keep the normal of the decision
//          and are measured along it, features are found where a point lies, and the deepest point is never lost.
// Frame:   A's, see contact.hpp.
// Fails:   never for convex pairs. Others give none with status unsupported.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape2.hpp>

namespace sudar {

// From a decision that is there already. May throw bad_alloc like a vector, and so does the next. Trace steps: as
// contact_set3.
template <class Trace = NoTrace>
ContactSet2 contact_set2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, const DistanceAnswer2& answer,
                         double margin = 0, Trace trace = {});

extern template SUDAR_API ContactSet2 contact_set2<NoTrace>(const Shape2&, const Shape2&, const Placement2&,
                                                            const DistanceAnswer2&, double, NoTrace);
extern template SUDAR_API ContactSet2 contact_set2<TraceTo>(const Shape2&, const Shape2&, const Placement2&,
                                                            const DistanceAnswer2&, double, TraceTo);

// With a decision of its own
SUDAR_API ContactSet2 contact_set2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin = 0);

}  // namespace sudar

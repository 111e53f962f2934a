// What:    A contact set reduced to what a solver needs: two points in the plane, four in space.
// Source:  the common choice (Bullet, Jolt): the deepest point, the one farthest from it, the one farthest from their
//          line, and the one that adds most area on the other side.
// Differs: Ties are broken by the order of the set, which is that of the features, so that the same points are chosen in
//          the next step. The deepest point always stays (Manifold3.KeepsTheDeepestPoint).
// Frame:   That of the set.
#pragma once

#include <sudar/narrowphase/contact.hpp>

namespace sudar {

SUDAR_API Manifold2 reduce(const ContactSet2& set);
SUDAR_API Manifold3 reduce(const ContactSet3& set);

}  // namespace sudar

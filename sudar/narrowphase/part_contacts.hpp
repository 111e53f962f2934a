// What:    The contacts of shapes with parts (compounds, meshes, height fields, chains, non-convex polygons): as one set, or
//          as one for each direction in which they touch.
// Source:  seeds A6, A7; the pieces: piece_pairs.hpp.
// Differs: Pieces that lie deep in each other do not know the way out of the whole. So B is first moved out along the
//          normal by the depth, which the decision has, and the contacts of the pieces are those found there, measured
//          back. Normals then point out of a solid however deep B was, seams inside of a body touch nothing, and the
//          depths of contacts are those of the distance. Parts may touch in different directions; one set has one normal:
//          that of the decision. The pieces that touch in the same direction (within kContactTilt) add their points, and
//          in space the outline of all points in the plane of contact is the polygon, so that a box on a floor of many
//          triangles stands on its corners. The deepest point stays, as the last, where the outline leaves it out.
// Frame:   A's.
// Fails:   none; throws bad_alloc like a vector.
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>

#include <vector>

namespace sudar {

// `decision` is the answer of distance()
template <int D>
ContactSet<D> part_contacts(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                            const DistanceAnswer<D>& decision, double margin);
// One set for every direction in which pieces come within the margin, deepest first: two bodies that cross in several
// places have several. The separations are those along each normal after B has been moved out and back.
template <int D>
std::vector<ContactSet<D>> contact_patches(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                                           const DistanceAnswer<D>& decision, double margin);

extern template SUDAR_API ContactSet2 part_contacts<2>(const Shape2&, const Shape2&, const Placement2&,
                                                       const DistanceAnswer2&, double);
extern template SUDAR_API ContactSet3 part_contacts<3>(const Shape3&, const Shape3&, const Placement3&,
                                                       const DistanceAnswer3&, double);
extern template SUDAR_API std::vector<ContactSet2> contact_patches<2>(const Shape2&, const Shape2&, const Placement2&,
                                                                      const DistanceAnswer2&, double);
extern template SUDAR_API std::vector<ContactSet3> contact_patches<3>(const Shape3&, const Shape3&, const Placement3&,
                                                                      const DistanceAnswer3&, double);

// The points that span the others: two ends on a line, the outline on a plane; and the deepest
SUDAR_API void keep_outline(ContactSet2& set);
SUDAR_API void keep_outline(ContactSet3& set);

}  // namespace sudar

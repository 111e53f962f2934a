// What:    The manifolds of a compound and another shape: those of its children, joined by direction.
// Source:  seeds A6, A7; the way out: part_contacts.hpp.
// Differs: Children that lie deep in the other shape do not know the way out of the whole, and at a seam between two of
//          them each may say "sideways". So, as part_contacts.hpp does, B is first moved out along the way of the child
//          that is deepest, the manifolds are those found there, and they are measured back. What then leans over a
//          seam (a corner that another child covers) is left out. Where the way out does not free the whole, the plain
//          version is asked for.
// Frame:   A's.
// Fails:   never; throws bad_alloc like a vector.
#pragma once

#include <sudar/narrowphase/piece_manifold.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>

#include <vector>

namespace sudar {

// A is a compound; the margin is not negative. False, with nothing appended, where the plain version is asked for.
template <int D>
bool compound_manifolds(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b, double margin,
                        std::vector<PieceManifold<D>>& out);
extern template SUDAR_API bool compound_manifolds<2>(const Shape2&, const Shape2&, const Placement2&, double,
                                                     std::vector<PieceManifold<2>>&);
extern template SUDAR_API bool compound_manifolds<3>(const Shape3&, const Shape3&, const Placement3&, double,
                                                     std::vector<PieceManifold<3>>&);

// Manifolds of (B, A) in B's frame, from `first` on, as ones of (A, B) in A's
template <int D>
void swap_manifolds(std::vector<PieceManifold<D>>& manifolds, std::size_t first, const Placement<D>& a_from_b);
extern template SUDAR_API void swap_manifolds<2>(std::vector<PieceManifold<2>>&, std::size_t, const Placement2&);
extern template SUDAR_API void swap_manifolds<3>(std::vector<PieceManifold<3>>&, std::size_t, const Placement3&);

}  // namespace sudar

// What:    The manifold of one patch of touch of a pair: what a rigid-body step gets of every pair, many at a time.
// Frame:   A's, as in contact.hpp.
#pragma once

#include <sudar/narrowphase/contact.hpp>

#include <cstddef>

namespace sudar {

// A pair has no more: the deepest of them
inline constexpr std::size_t kMostPatches = 16;

// A convex pair has one, patch 0. Shapes with parts have one for each direction in which they touch, counted from 0 with
// the deepest first: a point is found again in the next step by its id, whichever patch it is in then.
template <int D>
struct PieceManifold {
  std::uint32_t patch = 0;
  Manifold<D> manifold;
};

}  // namespace sudar

// What:    Do two convex polygons (or segments, points) meet, and how far are they apart, in exact integers.
// Source:  as exact_gjk3.hpp.
// Differs: The direction of an edge is its normal, so numbers stay below the cube of coordinates.
// Frame:   A's.
// Fails:   never, for finite numbers within kMaxShapeSize.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference2.hpp>
#include <sudar/narrowphase/vertex_pair.hpp>

#include <span>

namespace sudar {

struct ExactGjk2 {
  bool hit = false;
  int iterations = 0;
  VertexPair simplex[3] = {};  // around the origin (hit), or with the closest point inside
  int count = 0;
  Vec2d axis{};           // not hit: across the separating line, from B to A, rounded, not unit
  double distance = 0;    // not hit, measured: right to a few roundings however small
  int beyond = 1;         // not hit, measured: the exact sign of the distance less the radii of both shapes
  double weight[2] = {};  // not hit, measured: of the corners of the simplex in the closest point, as in exact_gjk3
};

// As exact_gjk3, with the same steps of the trace
template <class Trace = NoTrace>
ExactGjk2 exact_gjk2(const Difference2& difference, std::span<const VertexPair> hints, bool measure, Trace trace = {});

extern template SUDAR_API ExactGjk2 exact_gjk2<NoTrace>(const Difference2&, std::span<const VertexPair>, bool, NoTrace);
extern template SUDAR_API ExactGjk2 exact_gjk2<TraceTo>(const Difference2&, std::span<const VertexPair>, bool, TraceTo);

}  // namespace sudar

// What:    Do two convex polytopes meet, and how far are they apart, in exact integers: the last word of the narrow phase.
// Source:  GJK as in gjk3.hpp. The origin's Voronoi region among the features of the simplex is found by signs alone.
// Differs: Nothing is rounded: coordinates are taken literally (placement.hpp), differences and products are integers
//          (math/dyadic.hpp). The direction comes from the simplex anew in each round (a corner, the part of a corner
//          across an edge, the normal of a face), so numbers stay below the fourth power of coordinates. A new corner
//          w has dot(v, w) <= 0 < dot(v, v), so it never lies in the span of the old ones: no simplex is ever flat. The
//          distance falls strictly and there are finitely many simplices, so it ends; a doubtful support
//          vertex costs exact comparisons among the few that rounding cannot tell apart only.
// Frame:   A's.
// Fails:   never, for finite numbers within kMaxShapeSize.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference3.hpp>
#include <sudar/narrowphase/vertex_pair.hpp>

#include <span>

namespace sudar {

struct ExactGjk3 {
  bool hit = false;
  int iterations = 0;
  VertexPair simplex[4] = {};  // around the origin (hit), or with the closest point inside
  int count = 0;
  Vec3d axis{};         // not hit: across the separating plane, from B to A, rounded, not unit
  double distance = 0;  // not hit, measured: right to a few roundings however small
  int beyond = 1;       // not hit, measured: the exact sign of the distance less the radii of both shapes
  // Not hit, measured: of the corners of the simplex in the closest point, right to a few roundings, sum 1
  double weight[3] = {};
};

// The cores must be polytopes. `hints` are vertex pairs to try first, such as the simplex of a rounded query. Without
// `measure` the first separating plane ends it and the distance is not given.
// Trace steps: "corner" (ids: the pair), "closest" (ids: pairs of the simplex), "apart", "hit".
template <class Trace = NoTrace>
ExactGjk3 exact_gjk3(const Difference3& difference, std::span<const VertexPair> hints, bool measure, Trace trace = {});

extern template SUDAR_API ExactGjk3 exact_gjk3<NoTrace>(const Difference3&, std::span<const VertexPair>, bool, NoTrace);
extern template SUDAR_API ExactGjk3 exact_gjk3<TraceTo>(const Difference3&, std::span<const VertexPair>, bool, TraceTo);

}  // namespace sudar

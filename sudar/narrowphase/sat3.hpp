// What:    Separating axes of two polyhedra: the widest gap over all faces and all pairs of edges. Positive: a plane
//          between them. Negative: minus the penetration depth, with its normal.
// Source:  Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013 (Gauss map, face before edge);
//          seeds A4, B7, D9.
// Differs: An edge pair counts only when its arcs on the Gauss map cross; signs come from the edges themselves, not from
//          cross products of normals. A candidate is believed only after both polyhedra have been projected onto its
//          unit axis in full, so near-parallel edges, whose cross product is noise, cannot invent a gap
//          (Sat3.ProductionFindsWhatAllAxesFind). Flat sets are limits of prisms: the axes of one thin prism are complete
//          (Sat3.FlatSetsAreSeparated).
// Frame:   A's. Radii of rounded shapes are left out: gaps are those of the cores.
// Fails:   never. A gap is proven when it exceeds `error`; nothing is proven by the absence of one: the decision of
//          touching sets is exact arithmetic's (exact_gjk3).
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>
#include <sudar/narrowphase/sat_feature.hpp>

namespace sudar {

struct SatAnswer3 {
  double separation = 0;  // the widest gap; when it is negative, minus the depth
  Vec3d normal{};         // unit, from A to B
  SatFeature feature;
  double error = 0;  // bound on the rounding of `separation`
  int axes = 0;      // how many were looked at

  bool proven_apart() const { return separation > error; }
};

// All faces and all edge pairs, each with full projections of both. Trace steps: "face of a", "face of b", "edges",
// "other" (ids: the features; numbers: the axis; value: the gap).
template <class Trace = NoTrace>
SatAnswer3 sat3_plain(const PolytopeView3& a, const PolytopeView3& b, const Placement3& a_from_b, Trace trace = {});

// Faces by farthest vertices, edge pairs by the Gauss map. Same trace steps for the axes that count, and "last axis"; "no
// crossing" for a pair of edges whose arcs do not cross, "no better" for one that a look at its own ends rules out (ids: the
// half-edges; value: its gap as seen there).
template <class Trace = NoTrace>
SatAnswer3 sat3(const PolytopeView3& a, const PolytopeView3& b, const Placement3& a_from_b,
                SatGoal goal = SatGoal::measure, SatCache* cache = nullptr, Trace trace = {});

extern template SUDAR_API SatAnswer3 sat3_plain<NoTrace>(const PolytopeView3&, const PolytopeView3&, const Placement3&,
                                                         NoTrace);
extern template SUDAR_API SatAnswer3 sat3_plain<TraceTo>(const PolytopeView3&, const PolytopeView3&, const Placement3&,
                                                         TraceTo);
extern template SUDAR_API SatAnswer3 sat3<NoTrace>(const PolytopeView3&, const PolytopeView3&, const Placement3&,
                                                   SatGoal, SatCache*, NoTrace);
extern template SUDAR_API SatAnswer3 sat3<TraceTo>(const PolytopeView3&, const PolytopeView3&, const Placement3&,
                                                   SatGoal, SatCache*, TraceTo);

}  // namespace sudar

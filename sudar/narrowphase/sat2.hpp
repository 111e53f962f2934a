// What:    Separating axes of two convex polygons: the widest gap over all edges of both. Positive: a line between
//          them. Negative: minus the penetration depth, with its normal.
// Source:  seeds A4, D9: project both polygons on every edge normal (plain), or look only at how far the other polygon
//          reaches behind each edge (one-sided), which needs one extreme instead of four.
// Differs: Flat sets are limits of thin rectangles: two segments, or a segment and a point, also have the axis along the
//          segment (Sat2.FlatSetsAreSeparated).
// Frame:   A's. Radii of rounded shapes are left out: gaps are those of the cores.
// Fails:   never. A gap is proven when it exceeds `error`; the decision of touching sets is exact arithmetic's.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/sat_feature.hpp>

namespace sudar {

struct SatAnswer2 {
  double separation = 0;  // the widest gap; when it is negative, minus the depth
  Vec2d normal{};         // unit, from A to B
  SatFeature feature;     // edge of A or of B
  double error = 0;       // bound on the rounding of `separation`
  int axes = 0;           // how many were looked at

  bool proven_apart() const { return separation > error; }
};

// Both polygons projected on every axis. Trace steps: "edge of a", "edge of b", "other" (ids: the edges; numbers: the
// axis; value: the gap).
template <class Trace = NoTrace>
SatAnswer2 sat2_plain(const PolytopeView2& a, const PolytopeView2& b, const Placement2& a_from_b, Trace trace = {});

// One extreme per edge, the last separating axis first. Same trace steps, and "last axis".
template <class Trace = NoTrace>
SatAnswer2 sat2(const PolytopeView2& a, const PolytopeView2& b, const Placement2& a_from_b,
                SatGoal goal = SatGoal::measure, SatCache* cache = nullptr, Trace trace = {});

extern template SUDAR_API SatAnswer2 sat2_plain<NoTrace>(const PolytopeView2&, const PolytopeView2&, const Placement2&,
                                                         NoTrace);
extern template SUDAR_API SatAnswer2 sat2_plain<TraceTo>(const PolytopeView2&, const PolytopeView2&, const Placement2&,
                                                         TraceTo);
extern template SUDAR_API SatAnswer2 sat2<NoTrace>(const PolytopeView2&, const PolytopeView2&, const Placement2&,
                                                   SatGoal, SatCache*, NoTrace);
extern template SUDAR_API SatAnswer2 sat2<TraceTo>(const PolytopeView2&, const PolytopeView2&, const Placement2&,
                                                   SatGoal, SatCache*, TraceTo);

}  // namespace sudar

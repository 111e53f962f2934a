// What:    Signed distance of two bounded convex shapes of the plane with witness points and certificate, and whether they meet: GJK,
//          EPA and exact arithmetic put together so that there is one decision.
// Source:  gjk2.hpp, epa2.hpp, exact_gjk2.hpp.
// Differs: As convex_distance3.hpp. For point, segment, box and polygon `hit` is exact: rounded arithmetic decides when it can prove
//          its answer, integers decide otherwise, and separation takes its sign from there. Rounded shapes (circle,
//          capsule, rounded polygon) measure their
//          cores, and are decided exactly as well: the square of the distance against that of the radii, in integers.
//          Curved pairs are apart when a line proves it, and meet when a common point is shown up to rounding, or when no
//          line was found and points of both are nearer than kCurvedDepthGap; where the limits leave that open, hit is
//          false, status max_iterations and lower < 0 < upper. Shapes of any size ratio.
// Frame:   A's, see answer.hpp.
// Fails:   never on shapes that the makers returned: a limit reached is max_iterations with bounds that hold.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/gjk2.hpp>

namespace sudar {

// The cache, when given, is read and renewed; start with GjkCache2{}. Trace steps are those of gjk2, epa2 and exact_gjk2.
template <class Trace = NoTrace>
DistanceAnswer2 convex_distance2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b,
                                 GjkCache2* cache = nullptr, Trace trace = {});
template <class Trace = NoTrace>
bool convex_intersects2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b,
                        GjkCache2* cache = nullptr, Trace trace = {});

template <class Trace = NoTrace>
DistanceAnswer2 convex_distance2(const Shape2& a, const Shape2& b, const Placement2& a_from_b,
                                 GjkCache2* cache = nullptr, Trace trace = {}) {
  return convex_distance2(make_view(a), make_view(b), a_from_b, cache, trace);
}
template <class Trace = NoTrace>
bool convex_intersects2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, GjkCache2* cache = nullptr,
                        Trace trace = {}) {
  return convex_intersects2(make_view(a), make_view(b), a_from_b, cache, trace);
}

extern template SUDAR_API DistanceAnswer2 convex_distance2<NoTrace>(const ConvexView2&, const ConvexView2&,
                                                                    const Placement2&, GjkCache2*, NoTrace);
extern template SUDAR_API DistanceAnswer2 convex_distance2<TraceTo>(const ConvexView2&, const ConvexView2&,
                                                                    const Placement2&, GjkCache2*, TraceTo);
extern template SUDAR_API bool convex_intersects2<NoTrace>(const ConvexView2&, const ConvexView2&, const Placement2&,
                                                           GjkCache2*, NoTrace);
extern template SUDAR_API bool convex_intersects2<TraceTo>(const ConvexView2&, const ConvexView2&, const Placement2&,
                                                           GjkCache2*, TraceTo);

}  // namespace sudar

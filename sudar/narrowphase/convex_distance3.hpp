// What:    Signed distance of two bounded convex shapes with witness points and certificate, and whether they meet: GJK,
//          EPA, the faces of the difference of hulls, and exact arithmetic put together so that there is one decision.
// Source:  gjk3.hpp, epa3.hpp, face_depth3.hpp, exact_gjk3.hpp.
// Differs: For polytopes (point, segment, triangle, box, hull) `hit` is exact: rounded arithmetic decides when it can prove
//          its answer, integers decide otherwise, and separation takes its sign from there. Rounded shapes (sphere,
//          capsule, rounded hull) measure their
//          cores, and are decided exactly as well: the square of the distance against that of the radii, in integers.
//          Curved pairs are apart when a plane proves it, and meet when a common point is shown up to rounding, or when no
//          plane was found and points of both are nearer than kCurvedDepthGap; where the limits leave that open, hit is
//          false, status max_iterations and lower < 0 < upper. Shapes of any size ratio.
// Frame:   A's, see answer.hpp.
// Fails:   never on shapes that the makers returned: a limit reached is max_iterations with bounds that hold.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/gjk3.hpp>

namespace sudar {

// The cache, when given, is read and renewed; start with GjkCache3{}. Trace steps are those of gjk3, face_depth3, epa3
// and exact_gjk3.
template <class Trace = NoTrace>
DistanceAnswer3 convex_distance3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                                 GjkCache3* cache = nullptr, Trace trace = {});
template <class Trace = NoTrace>
bool convex_intersects3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                        GjkCache3* cache = nullptr, Trace trace = {});
// One side of the question alone, with the same decision. The gap: of shapes that meet only that they do (separation and
// upper 0, lower -infinity, no points, no normal), unless more is known at no cost. The depth: of shapes apart only that
// they are (separation and lower a proven part of the gap, across the normal; upper infinity, no points), unless more is
// known at no cost.
SUDAR_API DistanceAnswer3 convex_gap3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                                      GjkCache3* cache = nullptr);
SUDAR_API DistanceAnswer3 convex_depth3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                                        GjkCache3* cache = nullptr);

template <class Trace = NoTrace>
DistanceAnswer3 convex_distance3(const Shape3& a, const Shape3& b, const Placement3& a_from_b,
                                 GjkCache3* cache = nullptr, Trace trace = {}) {
  return convex_distance3(make_view(a), make_view(b), a_from_b, cache, trace);
}
template <class Trace = NoTrace>
bool convex_intersects3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, GjkCache3* cache = nullptr,
                        Trace trace = {}) {
  return convex_intersects3(make_view(a), make_view(b), a_from_b, cache, trace);
}

inline DistanceAnswer3 convex_gap3(const Shape3& a, const Shape3& b, const Placement3& a_from_b,
                                   GjkCache3* cache = nullptr) {
  return convex_gap3(make_view(a), make_view(b), a_from_b, cache);
}
inline DistanceAnswer3 convex_depth3(const Shape3& a, const Shape3& b, const Placement3& a_from_b,
                                     GjkCache3* cache = nullptr) {
  return convex_depth3(make_view(a), make_view(b), a_from_b, cache);
}

extern template SUDAR_API DistanceAnswer3 convex_distance3<NoTrace>(const ConvexView3&, const ConvexView3&,
                                                                    const Placement3&, GjkCache3*, NoTrace);
extern template SUDAR_API DistanceAnswer3 convex_distance3<TraceTo>(const ConvexView3&, const ConvexView3&,
                                                                    const Placement3&, GjkCache3*, TraceTo);
extern template SUDAR_API bool convex_intersects3<NoTrace>(const ConvexView3&, const ConvexView3&, const Placement3&,
                                                           GjkCache3*, NoTrace);
extern template SUDAR_API bool convex_intersects3<TraceTo>(const ConvexView3&, const ConvexView3&, const Placement3&,
                                                           GjkCache3*, TraceTo);

}  // namespace sudar

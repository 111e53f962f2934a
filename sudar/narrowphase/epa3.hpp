// What:    Penetration depth of two convex sets in space: how far the origin lies inside of the difference set, and where
//          it is nearest to the surface (expanding polytope algorithm).
// Source:  van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001; seed D11.
// Differs: A face counts as visible from a new point when the point is on its plane, so that joined faces replace
//          coplanar ones and no face without area arises (Epa3.BoxesOnBoxes). The search starts from
//          any simplex that holds the origin, flat or on the surface, and says so when the whole set is flat. It keeps
//          the best bounds: from below the nearest face, from above the least supporting plane seen. Planes and distances
//          are flat arrays on the stack. Curved sets may start with the origin outside: then the search is that of GJK
//          with all points kept, until it is inside or rounding ends it (ConvexDistance3.CurvedPairsThatNearlyTouch).
//          Where many directions are nearly the best, faces run out; depth_descent3 goes on from there
//          (ConvexDistance3.DepthsInFlatValleys), and depth_proof3 proves that nothing is nearer
//          (ConvexDistance3.ConesInsideOfCylinders). On slivers the weights of the witness points are found in twice the
//          precision (ExactCampaign.DepthsThatWereFoundStayMended).
// Frame:   A's. The normal points out of the difference set: B moved by depth · normal only touches A.
// Fails:   says `exhausted` when vertices run out or rounding spoils the polytope; bounds still hold.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference3.hpp>

#include <span>

namespace sudar {

// Of the cores, without radii
struct Epa3 {
  double depth = 0;  // the least distance of a supporting plane that was seen
  double lower = 0;  // of the true depth, rounding included
  double upper = 0;
  Vec3d normal{};              // unit
  Vec3d point_a{}, point_b{};  // in A's frame; point_a - point_b is about depth · normal
  bool flat = false;           // the difference set has no inside: depth 0, the normal is across it
  bool exhausted = false;
  int iterations = 0;
  // The distances of the best supporting plane and of the nearest face, as they are: negative where the origin is outside
  double least = 0, inner = 0;
  double near = 0;  // from the origin to the point that the witness points make: no distance is larger
};

// `simplex` are one to four points of the set whose hull holds the origin, up to rounding.
// Trace steps: "polytope" (ids: three vertex pairs a face; numbers: nine coordinates a face; value: the count), "nearest
// face" (ids: vertex pairs; numbers: normal; value: distance), "expand" (ids: the pair; numbers: w; value: distance of its plane), "done" (numbers: normal; value: depth).
template <class Trace = NoTrace>
Epa3 epa3(const Difference3& difference, std::span<const DifferencePoint3> simplex, Trace trace = {});

extern template SUDAR_API Epa3 epa3<NoTrace>(const Difference3&, std::span<const DifferencePoint3>, NoTrace);
extern template SUDAR_API Epa3 epa3<TraceTo>(const Difference3&, std::span<const DifferencePoint3>, TraceTo);

}  // namespace sudar

// What:    Penetration depth of two convex sets of the plane (expanding polytope algorithm).
// Source:  as epa3.hpp; seed D11.
// Differs: As epa3.hpp: the simplex may have corners inside of the set (a warm start's), which new points swallow. A
//          polygon cannot be spoiled by rounding: its edges stay in a ring. Where several are as near, the witness points
//          are those of the edge that holds the foot along the normal (ExactCampaign2.DepthsThatWereFoundStayMended).
// Frame:   A's. The normal points out of the difference set: B moved by depth · normal only touches A.
// Fails:   says `exhausted` when vertices run out; bounds still hold.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference2.hpp>

#include <span>

namespace sudar {

// Of the cores, without radii
struct Epa2 {
  double depth = 0;             // the least distance of a supporting line that was seen
  double lower = 0, upper = 0;  // of the true depth, rounding included
  Vec2d normal{};               // unit
  Vec2d point_a{}, point_b{};   // in A's frame; point_a - point_b is about depth · normal
  bool flat = false;            // the difference set has no inside: depth 0, the normal is across it
  bool exhausted = false;
  int iterations = 0;
  // The distances of the best supporting plane and of the nearest face, as they are: negative where the origin is outside
  double least = 0, inner = 0;
  double near = 0;  // from the origin to the point that the witness points make: no distance is larger
};

// `simplex` are one to three points of the set whose hull holds the origin, up to rounding. Trace steps: "polygon"
// (ids: vertex pairs; numbers: w of each; value: the count), "nearest edge"
// (ids: vertex pairs; numbers: normal; value: distance), "expand" (ids: the pair; numbers: w; value: distance of its
// line), "done" (numbers: normal; value: depth).
template <class Trace = NoTrace>
Epa2 epa2(const Difference2& difference, std::span<const DifferencePoint2> simplex, Trace trace = {});

extern template SUDAR_API Epa2 epa2<NoTrace>(const Difference2&, std::span<const DifferencePoint2>, NoTrace);
extern template SUDAR_API Epa2 epa2<TraceTo>(const Difference2&, std::span<const DifferencePoint2>, TraceTo);

}  // namespace sudar

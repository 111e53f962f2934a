// What:    Distance and witness points of two convex sets of the plane, and whether they meet (Gilbert–Johnson–Keerthi).
// Source:  as gjk3.hpp; seeds B11, D10.
// Differs: As gjk3.hpp: the loop ends with a proof (a line with the whole set on one side, or a triangle around the
//          origin, both beyond rounding) or says `unclear`, and convex_distance2 asks exact arithmetic.
// Frame:   A's. Invariant: |v| never grows; the simplex's corners all have positive weights.
// Fails:   ends at kMaxGjkIterations with the best bounds so far; never loops, never asserts on geometry.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference2.hpp>
#include <sudar/narrowphase/gjk3.hpp>

namespace sudar {

// What a query leaves behind for the next one of the same two shapes. Zeroed is empty.
struct GjkCache2 {
  std::uint32_t a[3] = {}, b[3] = {};  // vertices of the simplex
  std::uint32_t count = 0;             // none for curved shapes
  Vec2d axis{};                        // the last direction, in A's frame; zero for none
};

// Of the cores, without radii
struct Gjk2 {
  GjkOutcome outcome = GjkOutcome::unclear;
  bool exhausted = false;       // the iterations ran out
  int iterations = 0;           // support points asked for
  Vec2d v{};                    // from the closest point of B to that of A
  double distance = 0;          // its length
  double lower = 0;             // of the distance, proven by the line across `axis`, rounding included; may be negative
  Vec2d axis{};                 // the direction of that line, from B to A, any length
  DifferencePoint2 simplex[3];  // positive weights only; around the origin for a hit
  double weight[3] = {};
  int count = 0;

  Vec2d point_a() const;
  Vec2d point_b(const Difference2& difference) const;
};

// Steps of the trace: as gjk3
template <class Trace = NoTrace>
Gjk2 gjk2(const Difference2& difference, GjkGoal goal, double radii = 0, const GjkCache2* warm = nullptr,
          Trace trace = {});

extern template SUDAR_API Gjk2 gjk2<NoTrace>(const Difference2&, GjkGoal, double, const GjkCache2*, NoTrace);
extern template SUDAR_API Gjk2 gjk2<TraceTo>(const Difference2&, GjkGoal, double, const GjkCache2*, TraceTo);

SUDAR_API void store(const Gjk2& result, const Difference2& difference, GjkCache2& cache);

// The vector form of the seed: yes or no, rounded. Steps of the trace: as gjk_plain3, with "point" or "line" for what is kept
template <class Trace = NoTrace>
bool gjk_plain2(const Difference2& difference, Trace trace = {});

extern template SUDAR_API bool gjk_plain2<NoTrace>(const Difference2&, NoTrace);
extern template SUDAR_API bool gjk_plain2<TraceTo>(const Difference2&, TraceTo);

}  // namespace sudar

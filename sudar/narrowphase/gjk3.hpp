// What:    Distance and witness points of two convex sets in space, and whether they meet (Gilbert–Johnson–Keerthi).
// Source:  Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects in
//          three-dimensional space", 1988; van den Bergen, "A Fast and Robust GJK Implementation for Collision Detection
//          of Convex Objects", 1999; seeds B11, D10 (gjk_plain3: the vector form with few Voronoi regions).
// Differs: The sources stop at a relative tolerance and call a tiny distance a hit. Here the loop ends with a proof (a
//          plane with the whole set on one side, or a tetrahedron around the origin, both beyond rounding) or says
//          `unclear`, and convex_distance3 asks exact arithmetic. Distances stop by the gap between the plane
//          and the witness points. Warm starts keep the vertices of the simplex; a simplex that has become flat is
//          taken apart, not trusted (Gjk3.WarmStartsNeverChangeTheAnswer).
//          A decision that starts from the centres and is not clear at once asks for two corners more together: with the
//          centre these four surround the origin in two of three pairs that meet (Gjk3.FirstLookOfADecision).
// Frame:   A's. Invariant: |v| never grows; the simplex's corners all have positive weights.
// Fails:   ends at kMaxGjkIterations with the best bounds so far; never loops, never asserts on geometry.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/difference3.hpp>

namespace sudar {

inline constexpr int kMaxGjkIterations = 128;

// What a query leaves behind for the next one of the same two shapes. Zeroed is empty.
struct GjkCache3 {
  std::uint32_t a[4] = {}, b[4] = {};  // vertices of the simplex
  std::uint32_t count = 0;             // none for curved shapes
  Vec3d axis{};                        // the last direction, in A's frame; zero for none
};

enum class GjkOutcome : std::uint8_t { apart, hit, unclear };

// Of the cores, without radii
struct Gjk3 {
  GjkOutcome outcome = GjkOutcome::unclear;
  bool exhausted = false;  // the iterations ran out
  int iterations = 0;      // support points asked for
  Vec3d v{};               // from the closest point of B to that of A
  double distance = 0;     // its length
  double lower = 0;        // of the distance, proven by the plane across `axis`, rounding included; may be negative
  Vec3d axis{};            // the direction of that plane, from B to A, any length
  DifferencePoint3 simplex[4];  // positive weights only; around the origin for a hit, or with the centre if three
  double weight[4] = {};
  int count = 0;

  Vec3d point_a() const;
  Vec3d point_b(const Difference3& difference) const;
};

enum class GjkGoal : std::uint8_t {
  decide,   // stop at the first proof
  measure,  // go on to the closest points
};

// Sets grown by `radii` together are decided; what is measured are the cores.
// Trace steps: "start", "closest", "apart", "hit", "unclear" (ids: vertices of A and B of each corner; numbers: v, then w of
// each corner; value: distance, 0 at the start), "support" (ids: vertices of A and B; numbers: w; value: lower bound so
// far). A "hit" with three corners has the centre, v, as its fourth.
template <class Trace = NoTrace>
Gjk3 gjk3(const Difference3& difference, GjkGoal goal, double radii = 0, const GjkCache3* warm = nullptr,
          Trace trace = {});

extern template SUDAR_API Gjk3 gjk3<NoTrace>(const Difference3&, GjkGoal, double, const GjkCache3*, NoTrace);
extern template SUDAR_API Gjk3 gjk3<TraceTo>(const Difference3&, GjkGoal, double, const GjkCache3*, TraceTo);

SUDAR_API void store(const Gjk3& result, const Difference3& difference, GjkCache3& cache);

// The vector form of the seed: yes or no by products of vectors and their signs, rounded. To read and to compare with;
// touching cases may go either way. Trace steps: "support" (ids, numbers: w; value: w along the direction),
// "point", "line", "triangle", "tetrahedron" (what was looked at; numbers: the next direction, then the corners that are
// kept), "hit", "apart" (numbers: as before).
template <class Trace = NoTrace>
bool gjk_plain3(const Difference3& difference, Trace trace = {});

extern template SUDAR_API bool gjk_plain3<NoTrace>(const Difference3&, NoTrace);
extern template SUDAR_API bool gjk_plain3<TraceTo>(const Difference3&, TraceTo);

}  // namespace sudar

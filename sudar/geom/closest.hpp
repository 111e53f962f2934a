// What:    Closest points: point–segment, segment–segment, point–triangle, point–box, in run-time precision.
// Source:  Segments: the distance is a convex quadratic over the unit square, so its minimum lies at the crossing of
//          the two lines when that is inside of the square, and otherwise on one of the four sides, which are
//          point–segment problems. Point–triangle by Voronoi regions: Ericson, "Real-Time Collision Detection", 2005,
//          ch. 5.1.5.
// Differs: Ericson clamps one parameter, then the other, from the crossing point; with nearly parallel segments that
//          point is noise and the result is not the closest (Closest.NearlyParallelSegments). His triangle takes its
//          regions from differences of products of dot products, which vanish in slivers; here coordinates along the
//          longest edge and the height over it (a QR factorisation) lose nothing, and outside of the face the nearest
//          of the edges that face the point is taken (Closest.SliversAndFlatTriangles).
// Frame:   That of the input. Fourth powers of lengths must stay in range: sizes from 1e-9 to 1e9 in float, from 1e-75
//          to 1e75 in double.
// Fails:   never; points and flat triangles are handled. Distances are right to a few roundings of the largest length.
#pragma once

#include <sudar/geom/segment.hpp>
#include <sudar/geom/triangle.hpp>

#include <cstdint>

namespace sudar {

template <int D, class T = Real>
struct ClosestOnSegment {
  Vec<D, T> point{};
  T t = 0;  // from a to b, in [0, 1]; 0 for a segment without length
  T distance_squared = 0;
};

template <int D, class T = Real>
struct ClosestSegments {
  Vec<D, T> point_a{}, point_b{};
  T s = 0, t = 0;  // along the first and along the second
  T distance_squared = 0;
};

// The part of a triangle a point is closest to. Edge i runs from vertex i to the next one.
enum class TriangleFeature : std::uint8_t { vertex_a, vertex_b, vertex_c, edge_ab, edge_bc, edge_ca, face };

template <int D, class T = Real>
struct ClosestOnTriangle {
  Vec<D, T> point{};
  T u = 0, v = 0;  // weights of b and c; that of a is 1 - u - v
  TriangleFeature feature = TriangleFeature::vertex_a;
  T distance_squared = 0;
};

template <int D, class T>
constexpr ClosestOnSegment<D, T> closest_point(const Segment<D, T>& segment, const Vec<D, T>& p) {
  const Vec<D, T> ab = segment.b - segment.a;
  const T along = dot(p - segment.a, ab), whole = dot(ab, ab);
  // From the nearer end, so that the far one is hit exactly. A length whose square vanishes is none; NaN stays NaN.
  ClosestOnSegment<D, T> result{segment.a, 0, 0};
  if (along <= 0 || whole == 0) {
    result.t = 0;
  } else if (along >= whole) {
    result.point = segment.b;
    result.t = 1;
  } else {
    result.t = along / whole;
    result.point = result.t <= T(0.5) ? segment.a + ab * result.t : segment.b - ab * (dot(segment.b - p, ab) / whole);
  }
  result.distance_squared = length_squared(p - result.point);
  return result;
}

// When the segments are parallel or touch in more than one point, one of the closest pairs
template <int D, class T>
ClosestSegments<D, T> closest_points(const Segment<D, T>& a, const Segment<D, T>& b);
extern template SUDAR_API ClosestSegments<2, float> closest_points(const Segment<2, float>&, const Segment<2, float>&);
extern template SUDAR_API ClosestSegments<3, float> closest_points(const Segment<3, float>&, const Segment<3, float>&);
extern template SUDAR_API ClosestSegments<2, double> closest_points(const Segment<2, double>&,
                                                                    const Segment<2, double>&);
extern template SUDAR_API ClosestSegments<3, double> closest_points(const Segment<3, double>&,
                                                                    const Segment<3, double>&);

template <int D, class T>
ClosestOnTriangle<D, T> closest_point(const Triangle<D, T>& triangle, const Vec<D, T>& p);
extern template SUDAR_API ClosestOnTriangle<2, float> closest_point(const Triangle<2, float>&, const Vec<2, float>&);
extern template SUDAR_API ClosestOnTriangle<3, float> closest_point(const Triangle<3, float>&, const Vec<3, float>&);
extern template SUDAR_API ClosestOnTriangle<2, double> closest_point(const Triangle<2, double>&, const Vec<2, double>&);
extern template SUDAR_API ClosestOnTriangle<3, double> closest_point(const Triangle<3, double>&, const Vec<3, double>&);

// The point itself when it is inside. lo <= hi on every axis.
template <AnyVec V>
constexpr V closest_point_in_box(const V& lo, const V& hi, const V& p) {
  return min(max(p, lo), hi);
}

}  // namespace sudar

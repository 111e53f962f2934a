// What:    Segment against triangle: where it hits, with (u, v), in run-time precision; and an exact yes or no.
// Source:  Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", 2013: the vertices are sheared so that the
//          segment runs along an axis, and the sides of its edges are looked at in the plane; seed B2.
// Differs: The source falls back to double when a side comes out as zero. That is not needed for closed sets: rounding
//          is monotonic, so the difference of two rounded products has the right sign or is zero, and zero counts as
//          in. No segment slips between neighbours (SegmentTriangle.NothingSlipsThroughAClosedMesh). t comes from the
//          normal, which also tells flat triangles and segments in the plane from misses.
// Frame:   That of the input. t runs along the segment from a to b; the point is weights 1 - u - v, u, v at a, b, c.
//          Third powers of lengths must stay in range: sizes from 1e-12 to 1e12 in float, from 1e-100 to 1e100 in
//          double. intersects_exact has no such limit.
// Fails:   degenerate when the triangle is too flat to have a normal (kFlatTriangle), coplanar when the segment lies in
//          the plane of the triangle as far as rounding can tell (no t, u, v then; intersects_exact decides).
#pragma once

#include <sudar/geom/segment.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <cstdint>

namespace sudar {

enum class SegmentTriangleStatus : std::uint8_t { miss, hit, coplanar, degenerate };

template <class T = Real>
struct SegmentTriangleHit {
  SegmentTriangleStatus status = SegmentTriangleStatus::miss;
  T t = 0, u = 0, v = 0;  // of a hit
  BasicVec3<T> point{};

  explicit operator bool() const { return status == SegmentTriangleStatus::hit; }
};

template <class T>
SegmentTriangleHit<T> intersect(const Segment<3, T>& segment, const Triangle<3, T>& triangle) {
  using Status = SegmentTriangleStatus;
  const BasicVec3<T> ab = triangle.b - triangle.a, ac = triangle.c - triangle.a;
  const BasicVec3<T> normal = cross(ab, ac);
  // Largest components stand in for lengths: no square roots
  const T longest = std::max(max_abs(ab), max_abs(ac)), normal_size = max_abs(normal);
  if (!(normal_size > kFlatTriangle<T> * longest * longest)) return {Status::degenerate};

  // All relative to the start of the segment
  const BasicVec3<T> d = segment.b - segment.a;
  const BasicVec3<T> a = triangle.a - segment.a, b = triangle.b - segment.a, c = triangle.c - segment.a;
  const T height = dot(normal, a), advance = dot(normal, d);
  const T size = max_abs(d);
  if (!(std::fabs(advance) > kParallelToPlane<T> * normal_size * size)) {
    const bool in_plane = std::fabs(height) <= kParallelToPlane<T> * normal_size * (max_abs(a) + size);
    return {in_plane ? Status::coplanar : Status::miss};
  }
  // The plane is crossed between the ends
  if (advance > 0 ? height < 0 || height > advance : height > 0 || height < advance) return {};
  // Look along the segment: the line must pass all edges on the same side. A vertex is rounded in the same way for all
  // triangles that share it. Zero counts for both sides: the border belongs to the triangle.
  const int z = std::fabs(d.x) > std::fabs(d.y) ? (std::fabs(d.x) > std::fabs(d.z) ? 0 : 2)
                                                : (std::fabs(d.y) > std::fabs(d.z) ? 1 : 2);
  const int x = (z + 1) % 3, y = (z + 2) % 3;
  const T shear_x = d[x] / d[z], shear_y = d[y] / d[z];
  const T ax = a[x] - shear_x * a[z], ay = a[y] - shear_y * a[z];
  const T bx = b[x] - shear_x * b[z], by = b[y] - shear_y * b[z];
  const T cx = c[x] - shear_x * c[z], cy = c[y] - shear_y * c[z];
  const T wa = bx * cy - by * cx, wb = cx * ay - cy * ax, wc = ax * by - ay * bx;
  if ((wa < 0 || wb < 0 || wc < 0) && (wa > 0 || wb > 0 || wc > 0)) return {};
  const T sum = wa + wb + wc;
  if (sum == 0) return {Status::coplanar};

  SegmentTriangleHit<T> hit{Status::hit, height / advance, wb / sum, wc / sum, {}};
  hit.point = segment.at(hit.t);
  return hit;
}

// Exact: the segment and the triangle, both with their borders, have a point in common. Points, segments that lie in
// the plane and triangles that are segments or points are all decided, for any finite doubles.
SUDAR_API bool intersects_exact(const Segment<3, double>& segment, const Triangle<3, double>& triangle) noexcept;
SUDAR_API bool intersects_exact(const Segment<2, double>& segment, const Triangle<2, double>& triangle) noexcept;
// The point lies in the triangle or on its border
SUDAR_API bool intersects_exact(const Triangle<2, double>& triangle, const Vec2d& p) noexcept;
SUDAR_API bool intersects_exact(const Triangle<3, double>& triangle, const Vec3d& p) noexcept;

}  // namespace sudar

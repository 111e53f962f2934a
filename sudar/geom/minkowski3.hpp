// What:    Minkowski sum and difference of convex bodies in space as explicit bodies: the hull of all sums of a vertex
//          of one and a vertex of the other.
// Source:  Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983; seed B9.
// Differs: Both inputs are replaced by their hulls first, so that inner points cost nothing; the number of sums is the
//          product of the numbers of corners. Sums are rounded to double and the hull of the rounded sums is exact.
// Frame:   Both inputs in one frame; the difference lives in the space of translations.
// Fails:   errors of quickhull3 (an error about the second body counts on after the points of the first); too_large
//          when there are more than kMaxHullPoints sums or one of them overflows. Flat bodies and points are fine.
#pragma once

#include <sudar/geom/hull3.hpp>

#include <utility>

namespace sudar {

struct MinkowskiBody {
  Hull3 hull;
  // For every vertex of the hull, the points it came from
  std::vector<std::pair<std::uint32_t, std::uint32_t>> source;
};

// The bodies are the hulls of the points
SUDAR_API Result<MinkowskiBody> minkowski_sum(std::span<const Vec3d> a, std::span<const Vec3d> b) noexcept;
// All x - y for x in a, y in b
SUDAR_API Result<MinkowskiBody> minkowski_difference(std::span<const Vec3d> a, std::span<const Vec3d> b) noexcept;

// The point is in the hull or on its surface, exactly; hulls of any dimension
SUDAR_API bool contains(const Hull3& hull, const Vec3d& p) noexcept;
// The bodies have a point in common, up to the rounding of the differences (none for integers up to 2^52)
inline bool contains_origin(const MinkowskiBody& difference) noexcept { return contains(difference.hull, {0, 0, 0}); }

}  // namespace sudar

// What:    Voronoi regions of the features (vertices, edges, faces) of a convex polygon and of a convex polyhedron: the
//          planes that bound each region, the region a point lies in, and by it the closest feature and point.
// Source:  Lin and Canny, "A fast algorithm for incremental distance calculation", 1991; Mirtich, "V-Clip: fast and
//          robust polyhedral collision detection", 1998; seed B8.
// Differs: The sign of every bounding plane at a point is exact for all finite doubles, so each point outside of the
//          body or on it lies in exactly one region: on a common border the feature of lower dimension has it. The
//          walk over neighbouring features (V-Clip's states) falls back to the plain scan where V-Clip escapes local
//          minima, and after a bounded number of steps (VoronoiRegions3.TheWalkFindsWhatTheScanFinds).
// Frame:   The body's. Planes are rounded and only for use as geometry; decisions do not use them. Closest points and
//          distances are rounded, at any scale, relative to the larger of the point and the body.
// Fails:   non_finite for a bad point; too_large when a distance, a closest point or a plane's offset is past the largest
//          number (coordinates above half of it can do that); empty_input for regions that no body was given to; polygons as
//          make_convex_polygon (polygon.hpp); degenerate for a hull of dimension below 3.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/feature.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/plane.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Features of a polygon have the indices of `vertices`; an edge of a polyhedron is named by the lower of its two
// half-edges.
template <int D>
struct ClosestFeature {
  // The feature whose region holds the point. Strictly inside of the body the kind is `inside`, and the index is that
  // of the nearest edge (polygon) or face (polyhedron), which `point` lies on.
  Feature feature;
  Vec<D, double> point{};
  double distance = 0;      // negative inside
  std::uint32_t steps = 0;  // features that the walk visited; 0 for the plain scan
};

struct VoronoiRegions2 {
  std::vector<Vec2d> vertices;  // counterclockwise, without those in the middle of a straight side
};
struct VoronoiRegions3 {
  Hull3 hull;
  std::vector<std::uint32_t> vertex_edge;  // one half-edge that leaves each vertex
};

SUDAR_API Result<VoronoiRegions2> make_voronoi_regions(std::span<const Vec2d> polygon) noexcept;
SUDAR_API Result<VoronoiRegions3> make_voronoi_regions(const Hull3& hull) noexcept;

// The region is where a point lies behind all of these planes (unit normals, rounded)
SUDAR_API Result<std::vector<Plane<2, double>>> region_planes(const VoronoiRegions2& regions, Feature feature) noexcept;
SUDAR_API Result<std::vector<Plane<3, double>>> region_planes(const VoronoiRegions3& regions, Feature feature) noexcept;

// Exact. The feature must be one of the body's (index_out_of_range, invalid_argument otherwise).
SUDAR_API Result<bool> in_region(const VoronoiRegions2& regions, Feature feature, const Vec2d& p) noexcept;
SUDAR_API Result<bool> in_region(const VoronoiRegions3& regions, Feature feature, const Vec3d& p) noexcept;

// By walking from `hint`, the answer for a point nearby
SUDAR_API Result<ClosestFeature<2>> closest_feature(const VoronoiRegions2& regions, const Vec2d& p,
                                                    Feature hint = {}) noexcept;
SUDAR_API Result<ClosestFeature<3>> closest_feature(const VoronoiRegions3& regions, const Vec3d& p,
                                                    Feature hint = {}) noexcept;
// By asking every region
SUDAR_API Result<ClosestFeature<2>> closest_feature_plain(const VoronoiRegions2& regions, const Vec2d& p) noexcept;
SUDAR_API Result<ClosestFeature<3>> closest_feature_plain(const VoronoiRegions3& regions, const Vec3d& p) noexcept;

}  // namespace sudar

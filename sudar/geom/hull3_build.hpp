// What:    What the 3D hull algorithms share: the checks at the door, the first simplex, flat answers, and the way from
//          a closed triangle surface to the half-edge hull. Internal to the room.
// Differs: A surface may hold triangles that are exactly coplanar, and vertices inside of facets and edges that a later
//          point made redundant. finish_hull3 finds facets by exact tests, keeps the extreme points only and writes the
//          facets as polygons or as canonical fans.
#pragma once

#include <sudar/geom/hull3.hpp>
#include <sudar/geom/projection.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sudar {
namespace hull3_detail {

inline constexpr std::uint32_t kNone = 0xffffffffu;

// The points' box mapped onto [-1, 1]³ by positive powers of two per axis, which keeps all signs of orient3d. Each
// coordinate is off by at most half a unit in the last place of 1. No finite input over- or underflows in it.
struct HullFrame {
  Vec3d first{1, 1, 1}, center{}, second{1, 1, 1};

  Vec3d operator()(const Vec3d& p) const { return mul(mul(p, first) - center, second); }
};

// Height of points over a triangle's plane as a filter: the sign of `height` is the sign of orient3d wherever its size
// exceeds `bound`. With u the rounding unit and L the largest coordinate difference of the corners, all in [-1, 1]³:
// a difference is off by 4u, a component of the normal by 24uL + 32u², the height by 144uL + 192u² from the normal and
// at most 120uL from its own roundings.
struct HullPlane {
  Vec3d normal;
  double offset;
  double bound;

  HullPlane() = default;
  HullPlane(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a;
    normal = cross(ab, ac);
    offset = dot(normal, a);
    const double extent = std::max(max_abs(ab), max_abs(ac));
    bound = kHullFilter * (extent + kRoundoff);
  }
  double height(const Vec3d& p) const { return dot(normal, p) - offset; }
};

// Up to four affinely independent points, far apart when the input allows. For dimension 3, id[3] is behind the
// triangle of the other three: orient3d < 0.
struct HullSimplex {
  int dimension;
  std::array<std::uint32_t, 4> id;
  HullFrame frame;
};

// A closed surface of triangles: corners[3f + i] is an input index, and the triangle across the edge from corner i to
// corner i + 1 of f has that edge as twins[3f + i]
struct HullSurface {
  std::vector<std::uint32_t> corners, twins;
  bool may_be_flat = true;  // false: surely no two neighbours are coplanar
};

// Errors of the input
Result<void> check_hull_input(std::span<const Vec3d> points);
HullSimplex find_simplex(std::span<const Vec3d> points);
// The answer of dimension 0, 1 or 2
Result<Hull3> flat_hull3(std::span<const Vec3d> points, const HullSimplex& simplex);
void write_hull_planes(Hull3& hull);
Hull3 finish_hull3(std::span<const Vec3d> points, const HullSurface& surface, const HullOptions& options);

// The way through the door that all algorithms share. `surface_of` takes a simplex of dimension 3.
template <class Trace, class F>
Result<Hull3> build_hull3(std::span<const Vec3d> points, const HullOptions& options, [[maybe_unused]] Trace trace,
                          F&& surface_of) {
  return guarded([&]() -> Result<Hull3> {
    if (const auto checked = check_hull_input(points); !checked) return checked.error();
    const HullSimplex simplex = find_simplex(points);
    if (simplex.dimension < 3) {
      auto flat = flat_hull3(points, simplex);
      if constexpr (Trace::kEnabled)
        if (flat) trace({.step = "flat hull", .ids = flat->source});
      return flat;
    }
    return finish_hull3(points, surface_of(simplex), options);
  });
}

}  // namespace hull3_detail
}  // namespace sudar

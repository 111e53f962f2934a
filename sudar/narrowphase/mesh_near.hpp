// What:    The pairs of triangles of two meshes that are near each other, with their closest points: what the depth and the
//          contacts of meshes are made of.
// Source:  the walk of mesh_pairs.hpp by distance.
// Frame:   A's.
#pragma once

#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/mesh_pairs.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace detail {

// All of b is farther than `reach` from all of a along a's normal, which is an axis like any other: the corners of a needle
// may lie far from the plane across its rounded normal
inline bool beyond_plane(const Triangle<3, double>& a, const Triangle<3, double>& b, double reach) {
  const Vec3d n = double_area(a);
  const double x = dot(n, b.a - a.a), y = dot(n, b.b - a.a), z = dot(n, b.c - a.a);
  const double u = dot(n, a.b - a.a), w = dot(n, a.c - a.a);
  const double high = std::max(0.0, std::max(u, w)), low = std::min(0.0, std::min(u, w));
  const double gap = std::max(std::min(x, std::min(y, z)) - high, low - std::max(x, std::max(y, z)));
  return gap > 0 && gap * gap > reach * reach * dot(n, n);
}

}  // namespace detail

// True only for triangles that are farther apart than `reach`: by their planes, or across the way between their middles.
// Boxes of slanted triangles are thick, so most pairs that boxes let through end here.
inline bool apart_by(const Triangle<3, double>& a, const Triangle<3, double>& b, double reach) {
  if (detail::beyond_plane(a, b, reach) || detail::beyond_plane(b, a, reach)) return true;
  const Vec3d n = (b.a + b.b + b.c) - (a.a + a.b + a.c);
  const double gap = std::min(dot(n, b.a), std::min(dot(n, b.b), dot(n, b.c))) -
                     std::max(dot(n, a.a), std::max(dot(n, a.b), dot(n, a.c)));
  return gap > 0 && gap * gap > reach * reach * dot(n, n);
}

// visit(triangle of a, triangle of b, x) for pairs that are nearer than reach(), which may shrink, until it returns false.
// x is a hit where rounding cannot tell that they are apart.
template <class Reach, class Visit>
void for_each_near_pair(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b, Reach&& reach,
                        Visit&& visit) {
  const TreePlacement placement = make_tree_placement(a.tree(), b.tree(), a_from_b);
  const double size = max_abs(a.bounds().lo) + max_abs(a.bounds().hi) + max_abs(a_from_b.translation) +
                      2 * (max_abs(b.bounds().lo) + max_abs(b.bounds().hi));
  const double slack = kMeshDistanceSlack * size;
  for_each_near_leaf_pair(
      a.tree(), b.tree(), placement, reach, [&](std::uint32_t m, std::uint32_t n, const double(&squared)[8][8]) {
        PlacedTriangle placed[8];
        std::uint32_t have = 0;
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(a.tree().child_count(0, m)); ++i)
          for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(b.tree().child_count(0, n)); ++j) {
            const double most = reach();
            if (!(squared[i][j] <= most * most)) continue;
            const std::uint32_t s = a.tree().triangle(m, i), t = b.tree().triangle(n, j);
            if ((have >> j & 1) == 0) placed[j] = place(b.triangle(t), a_from_b), have |= 1u << j;
            if (apart_by(a.triangle(s), placed[j].corners, most + slack)) continue;
            const TriangleDistance d = closest_points(a.triangle(s), placed[j].corners);
            const double distance = std::sqrt(d.squared);
            if (!(distance <= most)) continue;
            DistanceAnswer3 x;
            x.separation = distance;
            x.lower = std::fmax(0.0, distance - slack), x.upper = distance + slack;
            x.hit = distance <= slack;
            x.point_a = d.point_a, x.point_b = d.point_b;
            x.normal = normalized(d.point_b - d.point_a);
            if (!visit(s, t, x)) return false;
          }
        return true;
      });
}

}  // namespace sudar

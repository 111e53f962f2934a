// What:    What the makers of manifolds in space share: rings of points that are cut by planes, and the part of a patch next
//          to which a point lies.
// Source:  Sutherland and Hodgman, "Reentrant polygon clipping", 1974.
// Frame:   That of the points.
#pragma once

#include <sudar/narrowphase/features3.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

using ClipRing = StackList<Vec3d, 24>;

// What lies behind a plane of a ring, which is open when it has two points
inline void cut_ring(const ClipRing& ring, const Vec3d& normal, double offset, ClipRing& out) {
  out.clear();
  const std::size_t count = ring.size();
  if (count == 0) return;
  const double first = dot(normal, ring[0]) - offset;
  double f = first;
  for (std::size_t i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    const Vec3d &p = ring[i], &q = ring[last ? 0 : i + 1];
    const double g = last ? first : dot(normal, q) - offset;
    if (f <= 0) out.push_back(p);
    if ((f <= 0) != (g <= 0) && (count > 2 || i == 0)) out.push_back(lerp(p, q, f / (f - g)));
    f = g;
  }
}

// How near to a corner or a side of these patches a point is named by it. Sides between samples of a rim do not count:
// the farthest point of it may lie next to one.
inline double snap_of(const Patch3& patch) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t count = patch.points.size(), sides = count > 2 ? count : count - 1;
  if (patch.unbounded) return least;
  for (std::size_t i = 0; i < sides; ++i) {
    const std::size_t j = i + 1 < count ? i + 1 : 0;
    if (count > 2 && (patch.corners[i].kind != FeatureKind::vertex || patch.corners[j].kind != FeatureKind::vertex))
      continue;
    least = std::min(least, length_squared(patch.points[j] - patch.points[i]));
  }
  return kManifoldSnap * std::sqrt(least);
}

// The part of a patch next to which a point of it lies: between its sides, so lines tell as much as segments
inline Feature part_at(const Patch3& patch, const Vec3d& p, double snap) {
  const std::size_t count = patch.points.size();
  if (patch.unbounded) return patch.inside;
  if (count == 1) return patch.corners[0];
  const double close = snap * snap;
  for (std::size_t i = 0; i < count; ++i)
    if (length_squared(patch.points[i] - p) <= close) return patch.corners[i];
  if (count > 2)
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d& from = patch.points[i];
      const Vec3d along = patch.points[i + 1 < count ? i + 1 : 0] - from;
      if (length_squared(cross(p - from, along)) <= close * length_squared(along)) return patch.sides[i];
    }
  return patch.inside;
}

}  // namespace sudar

// What:    Normals of contacts with one triangle of a surface, put right by its neighbours, so that a body that slides over
//          flat ground does not catch on the edges inside of it.
// Source:  the Voronoi regions of the surface's features (seed B8): a normal at an edge lies between the normals of its
//          two faces; where the edge is flat or hollow there is nothing between them, and the face's own normal holds.
// Frame:   That of the surface. Surfaces have two sides: the one that the given normal points to counts.
// Fails:   never. At a corner, the two edges of the triangle there are looked at, not the whole fan. Edges at a border
//          keep the normal they have.
#pragma once

#include <sudar/geom/closest.hpp>
#include <sudar/math/tolerance.hpp>

#include <optional>

namespace sudar {

// The normal, unit, as the edge from corner k of `t` to the next lets it be. `opposite` is the third corner of the
// neighbour there.
inline Vec3d normal_at_edge(const Triangle<3, double>& t, int k, const Vec3d& opposite, const Vec3d& normal) {
  const Vec3d &p = t[k], &q = t[(k + 1) % 3];
  Vec3d face = normalized(double_area(t)), other = normalized(cross(p - q, opposite - q));
  if (face == Vec3d{} || other == Vec3d{}) return normal;
  if (dot(face, normal) + dot(other, normal) < 0) face = -face, other = -other;
  const Vec3d along = normalized(q - p);
  // Hollow or flat, seen from this side: only the face itself can be touched
  if (dot(face, opposite - p) >= -kNormalLean * length(opposite - p)) return face;
  // Away from the face, across the edge; and the same of the neighbour
  const bool turned = dot(face, double_area(t)) < 0;
  const Vec3d out = cross(along, face) * (turned ? -1.0 : 1.0), other_out = cross(along, other) * (turned ? 1.0 : -1.0);
  if (dot(normal, out) < -kNormalLean) return face;
  if (dot(normal, other_out) < -kNormalLean) return other;
  return normal;
}

// The normal at the part of the triangle that is touched. opposite(k) gives the third corner of the neighbour at edge k,
// or nothing at a border.
template <class Opposite>
Vec3d corrected_normal(const Triangle<3, double>& t, TriangleFeature touched, const Vec3d& normal,
                       Opposite&& opposite) {
  const auto at_edge = [&](int k, const Vec3d& n) {
    const std::optional<Vec3d> far = opposite(k);
    return far ? normal_at_edge(t, k, *far, n) : n;
  };
  const int number = static_cast<int>(touched);
  if (touched == TriangleFeature::face) {
    const Vec3d face = normalized(double_area(t));
    return face == Vec3d{} ? normal : dot(face, normal) < 0 ? -face : face;
  }
  if (number >= static_cast<int>(TriangleFeature::edge_ab)) return at_edge(number - 3, normal);
  return at_edge((number + 2) % 3, at_edge(number, normal));
}

}  // namespace sudar

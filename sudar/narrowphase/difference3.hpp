// What:    The difference set A - B of two convex cores, seen through its support function, with a bound on rounding.
// Source:  seed D10; van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, ch. 4.
// Differs: A difference is taken as (a - translation) - (turn · b + rest): near a contact the first subtraction is
//          exact, so shapes of very different sizes and places lose no digits there. Edges of the set are taken from the
//          vertices of each shape, not from two rounded differences, so a small shape keeps its edges beside a huge one.
// Frame:   A's. The shapes meet exactly when the origin lies in the set.
// Fails:   never.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/underflow.hpp>

#include <cstdint>

namespace sudar {

// A point of the difference set and the points of the cores that make it
struct DifferencePoint3 {
  Vec3d w;               // a - b
  Vec3d a;               // of A
  Vec3d turned_b;        // of B, turned but not moved to its place
  std::uint32_t ia, ib;  // vertices

  bool same_vertices(const DifferencePoint3& o) const { return ia == o.ia && ib == o.ib; }
};
// q.w - p.w with the rounding of the shapes' own edges only
inline Vec3d edge(const DifferencePoint3& p, const DifferencePoint3& q) {
  return (q.a - p.a) - (q.turned_b - p.turned_b);
}

struct Difference3 {
  const ConvexView3& a;
  const ConvexView3& b;
  const Placement3& a_from_b;
  bool polytopes;
  double reach;        // no coordinate of w, nor of what it is made of, is larger
  double point_error;  // of a coordinate of w
  double plane_error;  // of the least dot(d, w) over all vertices, per unit of |d|₁

  Difference3(const ConvexView3& view_a, const ConvexView3& view_b, const Placement3& placement)
      : a(view_a),
        b(view_b),
        a_from_b(placement),
        polytopes(view_a.is_polytope() && view_b.is_polytope()),
        reach(view_a.size + 2 * view_b.size + max_abs(placement.translation)),
        point_error(kDifferenceRounding * reach),
        plane_error(kSupportRounding * reach) {}

  DifferencePoint3 make(const CorePoint3& pa, const CorePoint3& pb) const {
    const Vec3d turned_b = a_from_b.turned ? a_from_b.turn * pb.p : pb.p;
    return {(pa.p - a_from_b.translation) - (turned_b + a_from_b.rest), pa.p, turned_b, pa.id, pb.id};
  }
  // The point of the set that is farthest against d: the least dot(d, w)
  DifferencePoint3 least(const Vec3d& d) const { return make(support(a, -d), support(b, to_b(a_from_b, d))); }
  // The same up to the rounding of float, for a unit direction
  bool has_rough() const { return a.count >= kRoughHull || b.count >= kRoughHull; }
  DifferencePoint3 least_rough(const Vec3d& d) const {
    return make(support_rough(a, -d), support_rough(b, to_b(a_from_b, d)));
  }
  DifferencePoint3 of_vertices(std::uint32_t ia, std::uint32_t ib) const {
    return make({a.vertex(ia), ia}, {b.vertex(ib), ib});
  }
  // A point of the set, up to center_error: the mean of a hull's vertices is rounded with each of them
  double center_error() const { return point_error + kRoundoff * (static_cast<double>(a.count) + b.count) * reach; }
  Vec3d center() const { return make({a.center(), 0}, {b.center(), 0}).w; }
  // dot(d, w) > 0 for every point of the set, rounding included, given the least of them as computed
  double plane_slack(const Vec3d& d) const {
    return plane_error * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z)) + kLeastProof;
  }
  bool proves_apart(const Vec3d& d, const Vec3d& w_least) const { return dot(d, w_least) > plane_slack(d); }
  // Bound on the error of the determinant of three points of the set whose coordinates are at most `m`: 18 m² errors of
  // the coordinates, and 8 roundings of 6 products of m³
  double volume_error(double m) const { return volume_error(m, point_error); }
  static double volume_error(double m, double of_point) {
    return m * m * (18 * of_point + 48 * kRoundoff * m) + kLeastProof;
  }

  Vec3d point_b(const Vec3d& turned_b) const { return turned_b + a_from_b.rest + a_from_b.translation; }
};

}  // namespace sudar

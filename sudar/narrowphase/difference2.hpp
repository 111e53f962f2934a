// What:    The difference set A - B of two convex cores of the plane through its support function, with a bound on rounding.
// Differs: As difference3.hpp.
// Frame:   A's. The shapes meet exactly when the origin lies in the set.
// Fails:   never.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/underflow.hpp>

#include <cstdint>

namespace sudar {

// A point of the difference set and the points of the cores that make it
struct DifferencePoint2 {
  Vec2d w;               // a - b
  Vec2d a;               // of A
  Vec2d turned_b;        // of B, turned but not moved to its place
  std::uint32_t ia, ib;  // vertices

  bool same_vertices(const DifferencePoint2& o) const { return ia == o.ia && ib == o.ib; }
};
// q.w - p.w with the rounding of the shapes' own edges only
inline Vec2d edge(const DifferencePoint2& p, const DifferencePoint2& q) {
  return (q.a - p.a) - (q.turned_b - p.turned_b);
}

struct Difference2 {
  const ConvexView2& a;
  const ConvexView2& b;
  const Placement2& a_from_b;
  bool polygons;
  double reach;        // no coordinate of w, nor of what it is made of, is larger
  double point_error;  // of a coordinate of w
  double plane_error;  // of the least dot(d, w) over all vertices, per unit of |d|₁

  Difference2(const ConvexView2& view_a, const ConvexView2& view_b, const Placement2& placement)
      : a(view_a),
        b(view_b),
        a_from_b(placement),
        polygons(view_a.is_polygon() && view_b.is_polygon()),
        reach(view_a.size + 2 * view_b.size + max_abs(placement.translation)),
        point_error(kDifferenceRounding * reach),
        plane_error(kSupportRounding * reach) {}

  DifferencePoint2 make(const CorePoint2& pa, const CorePoint2& pb) const {
    const Vec2d turned_b = a_from_b.turned ? a_from_b.turn * pb.p : pb.p;
    return {(pa.p - a_from_b.translation) - (turned_b + a_from_b.rest), pa.p, turned_b, pa.id, pb.id};
  }
  // The point of the set that is farthest against d: the least dot(d, w)
  DifferencePoint2 least(const Vec2d& d) const { return make(support(a, -d), support(b, to_b(a_from_b, d))); }
  DifferencePoint2 of_vertices(std::uint32_t ia, std::uint32_t ib) const {
    return make({a.vertex(ia), ia}, {b.vertex(ib), ib});
  }
  Vec2d center() const { return make({a.center(), 0}, {b.center(), 0}).w; }
  double plane_slack(const Vec2d& d) const { return plane_error * (std::fabs(d.x) + std::fabs(d.y)) + kLeastProof; }
  // Bound on the error of the cross product of two points of the set whose coordinates are at most `m`
  double area_error(double m) const { return m * (4 * point_error + 8 * kRoundoff * m) + kLeastProof; }

  Vec2d point_b(const Vec2d& turned_b) const { return turned_b + a_from_b.rest + a_from_b.translation; }
};

}  // namespace sudar

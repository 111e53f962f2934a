// What:    A bounded convex shape of the plane as what GJK and EPA see of it: a core with a support function, grown by a
//          radius.
// Differs: As convex_view3.hpp: circles, capsules and rounded polygons are a point, a segment and a polygon with a radius.
// Frame:   The shape's own. Directions need not be unit; the zero direction gives some point of the shape.
// Fails:   never. A user's support function that answers NaN or infinity is taken to answer the origin.
#pragma once

#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/shape2.hpp>

#include <cstdint>

namespace sudar {

enum class CoreKind2 : std::uint8_t { points, box, body, custom };

struct CorePoint2 {
  Vec2d p;
  std::uint32_t id;  // vertex of a polygon, otherwise 0
};

struct ConvexView2 {
  CoreKind2 kind = CoreKind2::points;
  std::uint32_t count = 1;  // vertices of a polygon, 0 for a curved core
  double radius = 0;        // around the core
  double size = 0;          // no coordinate of the core is larger
  Vec2d p[2] = {};          // points: the vertices. Box: p[0] has the half sides.
  const ConvexBody2* body = nullptr;
  const SupportFunction2* function = nullptr;

  bool is_polygon() const { return count != 0; }
  // Box: bit i of the number is set where coordinate i is positive
  Vec2d vertex(std::uint32_t id) const {
    switch (kind) {
      case CoreKind2::points:
        return p[id];
      case CoreKind2::box:
        return {id & 1 ? p[0].x : -p[0].x, id & 2 ? p[0].y : -p[0].y};
      default:
        return body->vertices()[id];
    }
  }
  // Some point of the core, inside of it where it has an inside
  Vec2d center() const {
    if (kind == CoreKind2::points) return (p[0] + p[count - 1]) * 0.5;
    if (kind == CoreKind2::custom) return (function->support({1, 0}) + function->support({-1, 0})) * 0.5;
    return kind == CoreKind2::body ? body->center() : Vec2d{};
  }
};

// The shape must be convex and bounded (Shape2::is_convex, is_bounded)
SUDAR_API ConvexView2 make_view(const Shape2& shape);

namespace detail {

SUDAR_API Vec2d custom_support(const ConvexView2& view, const Vec2d& d);

}  // namespace detail

// Vertices from which bisection beats the scan (bench table a4_extremes)
inline constexpr std::uint32_t kBisectPolygon = 128;

// A farthest point of the core in a direction
inline CorePoint2 support(const ConvexView2& view, const Vec2d& d) {
  switch (view.kind) {
    case CoreKind2::body: {
      const std::uint32_t id = view.count > kBisectPolygon ? view.body->support_bisect(d) : view.body->support(d);
      return {view.body->vertices()[id], id};
    }
    case CoreKind2::box: {
      const std::uint32_t id = (d.x >= 0 ? 1u : 0u) | (d.y >= 0 ? 2u : 0u);
      return {view.vertex(id), id};
    }
    case CoreKind2::points: {
      const std::uint32_t id = view.count == 2 && dot(d, view.p[1]) > dot(d, view.p[0]) ? 1 : 0;
      return {view.p[id], id};
    }
    default:
      return {detail::custom_support(view, d), 0};
  }
}

}  // namespace sudar

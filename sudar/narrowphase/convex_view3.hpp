// What:    A bounded convex shape as what GJK and EPA see of it: a core with a support function, grown by a radius.
// Differs: Spheres, capsules and rounded hulls are a point, a segment and a hull with a radius: the distance of the cores
//          is a distance of polytopes, with a finite end and exact signs. Support points of polytopes carry the number of
//          their vertex, which warm starts and exact arithmetic use.
// Frame:   The shape's own. Directions need not be unit; the zero direction gives some point of the shape.
// Fails:   never. A user's support function that answers NaN or infinity is taken to answer the origin.
#pragma once

#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstdint>

namespace sudar {

enum class CoreKind3 : std::uint8_t { points, box, body, cylinder, cone, ellipsoid, custom };

struct CorePoint3 {
  Vec3d p;
  std::uint32_t id;  // vertex of a polytope, otherwise 0
};

// Vertices from which the scan in float beats the one in double
inline constexpr std::uint32_t kRoughHull = 48;

struct ConvexView3 {
  CoreKind3 kind = CoreKind3::points;
  bool rough_depth = false;  // of a way out of it only its direction is wanted: bounds may stay open sooner
  std::uint32_t count = 1;   // vertices of a polytope, 0 for a curved core
  double radius = 0;         // around the core
  double size = 0;           // no coordinate of the core is larger
  // points: the vertices. Box: p[0] has the half sides. Ellipsoid: p[0] the radii. Cylinder and cone: p[0] is {radius,
  // half height, 0}.
  Vec3d p[3] = {};
  const ConvexBody3* body = nullptr;
  const SupportFunction3* function = nullptr;

  bool is_polytope() const { return count != 0; }
  // Box: bit i of the number is set where coordinate i is positive
  Vec3d vertex(std::uint32_t id) const {
    switch (kind) {
      case CoreKind3::points:
        return p[id];
      case CoreKind3::box:
        return {id & 1 ? p[0].x : -p[0].x, id & 2 ? p[0].y : -p[0].y, id & 4 ? p[0].z : -p[0].z};
      default:
        return body->vertices()[id];
    }
  }
  // Some point of the core, inside of it where it has an inside
  Vec3d center() const {
    if (kind == CoreKind3::points) {
      const Vec3d ends = (p[0] + p[count > 1 ? 1 : 0]) * 0.5;
      return count < 3 ? ends : ends + (p[2] - ends) * 0.25;
    }
    if (kind == CoreKind3::custom) return (function->support({1, 0, 0}) + function->support({-1, 0, 0})) * 0.5;
    return kind == CoreKind3::body ? body->center() : Vec3d{};
  }
};

// The shape must be convex and bounded (Shape3::is_convex, is_bounded)
SUDAR_API ConvexView3 make_view(const Shape3& shape);

namespace detail {

SUDAR_API CorePoint3 curved_support(const ConvexView3& view, const Vec3d& d);

}  // namespace detail

// A farthest point of the core in a direction
inline CorePoint3 support(const ConvexView3& view, const Vec3d& d) {
  switch (view.kind) {
    case CoreKind3::body: {
      const std::uint32_t id = view.body->support(d);
      return {view.body->vertices()[id], id};
    }
    case CoreKind3::box: {
      const std::uint32_t id = (d.x >= 0 ? 1u : 0u) | (d.y >= 0 ? 2u : 0u) | (d.z >= 0 ? 4u : 0u);
      return {{d.x >= 0 ? view.p[0].x : -view.p[0].x, d.y >= 0 ? view.p[0].y : -view.p[0].y,
               d.z >= 0 ? view.p[0].z : -view.p[0].z},
              id};
    }
    case CoreKind3::points: {
      std::uint32_t id = 0;
      double best = dot(d, view.p[0]);
      for (std::uint32_t i = 1; i < view.count; ++i)
        if (const double h = dot(d, view.p[i]); h > best) best = h, id = i;
      return {view.p[id], id};
    }
    default:
      return detail::curved_support(view, d);
  }
}

// The same up to the rounding of float, for a direction of about unit length
inline CorePoint3 support_rough(const ConvexView3& view, const Vec3d& d) {
  if (view.kind != CoreKind3::body || view.count < kRoughHull) return support(view, d);
  const ConvexBody3& body = *view.body;
  const std::uint32_t id =
      farthest_vertex(body.xs_f(), body.ys_f(), body.zs_f(), body.padded_count(), vec_cast<float>(d));
  return {body.vertices()[id], id};
}

}  // namespace sudar

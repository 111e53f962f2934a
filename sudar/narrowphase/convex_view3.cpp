#include <sudar/narrowphase/convex_view3.hpp>

namespace sudar {

namespace {

ConvexView3 view_of_points(std::initializer_list<Vec3d> points, double radius) {
  ConvexView3 view;
  view.count = 0;
  for (const Vec3d& q : points) {
    view.p[view.count++] = q;
    view.size = std::max(view.size, max_abs(q));
  }
  view.radius = radius;
  return view;
}
ConvexView3 view_of_sizes(CoreKind3 kind, std::uint32_t count, const Vec3d& sizes) {
  ConvexView3 view;
  view.kind = kind;
  view.count = count;
  view.p[0] = sizes;
  view.size = max_abs(sizes);
  return view;
}

struct MakeView {
  ConvexView3 operator()(const PointShape3& s) const { return view_of_points({s.p}, 0); }
  ConvexView3 operator()(const SegmentShape3& s) const { return view_of_points({s.p, s.q}, 0); }
  ConvexView3 operator()(const TriangleShape3& s) const { return view_of_points({s.v[0], s.v[1], s.v[2]}, 0); }
  ConvexView3 operator()(const SphereShape3& s) const { return view_of_points({Vec3d{}}, s.radius); }
  ConvexView3 operator()(const CapsuleShape3& s) const { return view_of_points({s.p, s.q}, s.radius); }
  ConvexView3 operator()(const BoxShape3& s) const { return view_of_sizes(CoreKind3::box, 8, s.half); }
  ConvexView3 operator()(const CylinderShape3& s) const {
    return view_of_sizes(CoreKind3::cylinder, 0, {s.radius, s.half_height, 0});
  }
  ConvexView3 operator()(const ConeShape3& s) const {
    return view_of_sizes(CoreKind3::cone, 0, {s.radius, s.half_height, 0});
  }
  ConvexView3 operator()(const EllipsoidShape3& s) const { return view_of_sizes(CoreKind3::ellipsoid, 0, s.radii); }
  ConvexView3 operator()(const HullShape3& s) const {
    ConvexView3 view;
    view.kind = CoreKind3::body;
    view.body = s.body.get();
    view.count = static_cast<std::uint32_t>(s.body->vertices().size());
    view.size = s.body->size();
    view.radius = s.radius;
    return view;
  }
  ConvexView3 operator()(const CustomShape3& s) const {
    ConvexView3 view;
    view.kind = CoreKind3::custom;
    view.count = 0;
    view.function = s.function.get();
    // A size that bounds the coordinates along the axes
    for (int i = 0; i < 6; ++i) {
      Vec3d d{};
      d[i / 2] = i % 2 == 0 ? 1 : -1;
      view.size = std::max(view.size, max_abs(detail::curved_support(view, d).p));
    }
    return view;
  }
  template <class S>
  ConvexView3 operator()(const S&) const {
    SUDAR_ASSERT(false && "not convex and bounded");
    return {};
  }
};

// The point of a circle about the z axis that is farthest in a direction
Vec3d on_circle(double radius, double z, double dx, double dy) {
  const double m = std::max(std::fabs(dx), std::fabs(dy));
  if (!(m > 0)) return {radius, 0, z};
  const double x = dx / m, y = dy / m, scale = radius / std::sqrt(x * x + y * y);
  return {x * scale, y * scale, z};
}

}  // namespace

ConvexView3 make_view(const Shape3& shape) { return std::visit(MakeView{}, shape.any()); }

namespace detail {

CorePoint3 curved_support(const ConvexView3& view, const Vec3d& d) {
  const double radius = view.p[0].x, half_height = view.p[0].y;
  switch (view.kind) {
    case CoreKind3::cylinder:
      return {on_circle(radius, std::copysign(half_height, d.z), d.x, d.y), 0};
    case CoreKind3::cone: {
      // The apex, unless the rim of the base reaches farther
      if (2 * half_height * d.z >= radius * std::sqrt(d.x * d.x + d.y * d.y)) return {{0, 0, half_height}, 0};
      return {on_circle(radius, -half_height, d.x, d.y), 0};
    }
    case CoreKind3::ellipsoid: {
      const Vec3d scaled = mul(view.p[0], d);
      const double m = max_abs(scaled);
      if (!(m > 0)) return {{view.p[0].x, 0, 0}, 0};
      const Vec3d unit = scaled / m;
      return {mul(view.p[0], unit) / length(unit), 0};
    }
    default: {
      const Vec3d q = view.function->support(d);
      return {is_finite(q) ? q : Vec3d{}, 0};
    }
  }
}

}  // namespace detail

}  // namespace sudar

// What:    Rays against the shapes of the plane, kind by kind, see the header.
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray_parts.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

namespace sudar {

namespace {

using Ray2d = Ray<2, double>;
constexpr double kNever = std::numeric_limits<double>::infinity();

RayAnswer2 meet_edge2(const Ray2d& ray, double max_t, const Segment<2, double>& edge, std::uint32_t number) {
  RayAnswer2 out;
  const double t = ray_segment_time(ray, edge);
  if (!(t <= max_t) || t == kNever) return out;
  out.hit = true;
  out.t = t;
  const Vec2d along = edge.b - edge.a;
  const double whole = dot(along, along);
  out.u = whole > 0 ? std::clamp(dot(ray.at(t) - edge.a, along) / whole, 0.0, 1.0) : 0;
  out.point = lerp(edge.a, edge.b, out.u);
  out.triangle = number;
  const Vec2d side = normalized(perp(along));
  out.normal = dot(side, ray.direction) > 0 ? -side : side;
  // Along the edge, or at a point
  if (side == Vec2d{} || cross_sign({}, ray.direction, edge.a, edge.b) == 0) out.normal = -normalized(ray.direction);
  return out;
}

struct FirstHit2 {
  const Ray2d& ray;
  double max_t;

  RayAnswer2 thin(const Vec2d& p, const Vec2d& q) const {
    RayAnswer2 out = meet_edge2(ray, max_t, {p, q}, 0);
    out.triangle = kNoIndex;
    return out;
  }
  RayAnswer2 operator()(const PointShape2& s) const { return thin(s.p, s.p); }
  RayAnswer2 operator()(const SegmentShape2& s) const { return thin(s.p, s.q); }
  RayAnswer2 operator()(const CircleShape2& s) const {
    const NearRay<2> near = near_ray(ray, s.radius);
    const RaySpan span = ball_span<2>(near.origin, near.direction, s.radius);
    return enter_near(ray, near, max_t, span, true, [](const Vec2d& p) { return p; });
  }
  RayAnswer2 operator()(const CapsuleShape2& s) const {
    const Vec2d middle = (s.p + s.q) * 0.5, half = s.q - middle;
    const double length = sudar::length(half);
    const NearRay<2> near = near_ray<2>({ray.origin - middle, ray.direction}, length + s.radius);
    RaySpan span = RaySpan::none();
    const auto join = [&](const RaySpan& x) {
      if (x.empty()) return;
      span = span.empty() ? x : RaySpan{std::min(span.first, x.first), std::max(span.last, x.last)};
    };
    join(ball_span<2>(near.origin + half, near.direction, s.radius));
    join(ball_span<2>(near.origin - half, near.direction, s.radius));
    const Vec2d axis = length > 0 ? half / length : Vec2d{};
    if (length > 0)
      join(common(slab_span(-length, length, dot(axis, near.origin), dot(axis, near.direction)),
                  slab_span(-s.radius, s.radius, cross(axis, near.origin), cross(axis, near.direction))));
    const auto off_axis = [&](const Vec2d& p) { return p - axis * std::clamp(dot(p, axis), -length, length); };
    const bool interior = length_squared(off_axis(ray.origin - middle)) < s.radius * s.radius;
    RayAnswer2 out = enter_near(ray, near, max_t, span, interior, off_axis);
    if (out.hit && out.t > 0) out.point += middle;
    return out;
  }
  RayAnswer2 operator()(const BoxShape2& s) const { return enter_box<2>(ray, max_t, s.half); }
  RayAnswer2 operator()(const PolygonShape2& s) const {
    if (s.radius > 0) return advance(Shape2(s));
    const auto v = s.body->vertices();
    if (v.size() <= 2) return thin(v.front(), v.back());
    // Strictly inside: left of every edge
    bool inside = true;
    RayAnswer2 best;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Segment<2, double> edge{v[i], v[i + 1 < v.size() ? i + 1 : 0]};
      inside = inside && orient2d(edge.a, edge.b, ray.origin) > 0;
      if (const RayAnswer2 hit = meet_edge2(ray, max_t, edge, static_cast<std::uint32_t>(i)); earlier(hit, best))
        best = hit;
    }
    return inside ? start_inside(ray) : best;
  }
  RayAnswer2 operator()(const CustomShape2& s) const { return advance(Shape2(s)); }
  RayAnswer2 operator()(const HalfPlaneShape2& s) const { return enter_halfspace<2>(ray, max_t, s.normal, s.offset); }
  RayAnswer2 operator()(const ChainShape2& s) const { return meet_set(*s.set); }
  RayAnswer2 operator()(const ConcavePolygonShape2& s) const {
    if (s.set->locate(ray.origin) == Containment::inside) return start_inside(ray);
    return meet_set(*s.set);
  }
  RayAnswer2 operator()(const CompoundShape2& s) const {
    return first_of_parts(s.parts->tree(), ray, max_t, [&](std::uint32_t i) {
      const CompoundChild2& child = s.parts->children()[i];
      const Ray2d local = seen_from(child.pose, ray);
      RayAnswer2 hit = placed_answer(std::visit(FirstHit2{local, max_t}, child.shape.any()), child.pose);
      hit.child = i;
      return hit;
    });
  }

  RayAnswer2 meet_set(const PolygonSet& set) const {
    return first_of_parts(set.edge_tree(), ray, max_t,
                          [&](std::uint32_t i) { return meet_edge2(ray, max_t, set.edge(i), i); });
  }
  RayAnswer2 advance(const Shape2& shape) const {
    return advance_in_box<2>(ray, max_t, bounding_box(shape), [&](const Vec2d& p) {
      return distance(shape, Shape2(PointShape2{{}}), make_placement<2>(Pose2d{p, {}}));
    });
  }
};

}  // namespace

double ray_segment_time(const Ray<2, double>& ray, const Segment<2, double>& segment) noexcept {
  const Vec2d &o = ray.origin, &d = ray.direction;
  // Exact sides of the ends
  const int sa = cross_sign({}, d, o, segment.a), sb = cross_sign({}, d, o, segment.b);
  if (sa * sb > 0) return kNever;
  const int along = std::fabs(d.x) >= std::fabs(d.y) ? 0 : 1;
  const double ta = (segment.a[along] - o[along]) / d[along], tb = (segment.b[along] - o[along]) / d[along];
  if (sa == 0 && sb == 0) {
    // On one line: the end that comes first, or the origin between them
    if (ta < 0 && tb < 0) return kNever;
    return ta < 0 || tb < 0 ? 0.0 : std::min(ta, tb);
  }
  if (sa == 0) return ta >= 0 ? ta : kNever;
  if (sb == 0) return tb >= 0 ? tb : kNever;
  // Across: the origin is on the side of the segment that the ray leaves, exactly
  const int side = orient2d(segment.a, segment.b, o);
  if (side == 0) return 0;
  // a left of the ray means that it crosses to the right of a → b
  if ((side > 0) != (sa < 0)) return kNever;
  const Vec2d ab = segment.b - segment.a;
  const double t = cross(segment.a - o, ab) / cross(d, ab);
  return std::clamp(t, std::max(0.0, std::min(ta, tb)), std::max(0.0, std::max(ta, tb)));
}

Result<RayAnswer2> cast_ray(const Shape2& shape, const Ray2d& ray, double max_t) noexcept {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  return guarded([&]() -> Result<RayAnswer2> { return std::visit(FirstHit2{ray, max_t}, shape.any()); });
}

Result<RayAnswer2> cast_ray(const Shape2& shape, const Pose2d& world_from_shape, const Ray2d& ray,
                            double max_t) noexcept {
  const Result<RayAnswer2> x = cast_ray(shape, seen_from(world_from_shape, ray), max_t);
  if (!x || !x->hit) return x;
  return placed_answer(*x, world_from_shape);
}

Result<void> cast_rays(const Shape2& shape, std::span<const Ray2d> rays, std::span<const double> max_t,
                       std::span<RayAnswer2> answers, Executor& executor) noexcept {
  if (const auto r = check_ray_batch<2>(rays, max_t, answers.size()); !r) return r.error();
  return cast_ray_batch<2>(rays, max_t, answers, executor, [&](const Ray2d& ray, double limit) {
    return std::visit(FirstHit2{ray, limit}, shape.any());
  });
}

}  // namespace sudar

// What:    Rays against the shapes of the plane, kind by kind, see the header.
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/queries/convex_ray.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray_span.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

namespace sudar {

namespace {

using Ray2d = Ray<2, double>;
constexpr double kNever = std::numeric_limits<double>::infinity();

RayAnswer2 inside_at_start(const Ray2d& ray) {
  RayAnswer2 out;
  out.hit = out.inside = true;
  out.point = ray.origin;
  out.normal = -normalized(ray.direction);
  return out;
}

// `interior`: it starts inside, not on the border, along which a ray may run
template <class F>
RayAnswer2 enter_solid2(const Ray2d& ray, double max_t, const RaySpan& span, bool interior, F&& normal_at) {
  if (span.empty() || span.last < 0 || span.first > max_t) return {};
  if (interior && span.first < 0 && span.last > 0) return inside_at_start(ray);
  RayAnswer2 out;
  out.hit = true;
  out.t = std::max(span.first, 0.0);
  out.point = ray.at(out.t);
  out.normal = span.first < 0 ? -normalized(ray.direction) : normal_at();
  return out;
}

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

bool earlier2(const RayAnswer2& a, const RayAnswer2& b) {
  if (!a.hit || !b.hit) return a.hit;
  if (a.t != b.t) return a.t < b.t;
  return a.inside != b.inside ? a.inside : a.triangle < b.triangle;
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
    return moved(near, span, true, [&] { return near.at(span.first); });
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
    RayAnswer2 out = moved(near, span, interior, [&] { return off_axis(near.at(span.first)); });
    if (out.hit && out.t > 0) out.point += middle;
    return out;
  }
  RayAnswer2 operator()(const BoxShape2& s) const {
    int axis = 0;
    const RaySpan span = box_span<2>(-s.half, s.half, ray.origin, ray.direction, axis);
    const Vec2d room = s.half - abs(ray.origin);
    RayAnswer2 out = enter_solid2(ray, max_t, span, room.x > 0 && room.y > 0, [&] {
      Vec2d normal{};
      normal[axis] = ray.direction[axis] > 0 ? -1 : 1;
      return normal;
    });
    if (out.hit && span.first >= 0) {
      out.point = min(max(out.point, -s.half), s.half);
      out.point[axis] = ray.direction[axis] > 0 ? -s.half[axis] : s.half[axis];
    }
    return out;
  }
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
      if (const RayAnswer2 hit = meet_edge2(ray, max_t, edge, static_cast<std::uint32_t>(i)); earlier2(hit, best))
        best = hit;
    }
    return inside ? inside_at_start(ray) : best;
  }
  RayAnswer2 operator()(const CustomShape2& s) const { return advance(Shape2(s)); }
  RayAnswer2 operator()(const HalfPlaneShape2& s) const {
    const double height = dot(s.normal, ray.origin) - s.offset, fall = -dot(s.normal, ray.direction);
    RaySpan span;
    if (fall > 0)
      span.first = height / fall;
    else if (fall < 0)
      span.last = height / fall;
    else if (height > 0)
      span = RaySpan::none();
    return enter_solid2(ray, max_t, span, height < 0, [&] { return s.normal; });
  }
  RayAnswer2 operator()(const ChainShape2& s) const { return meet_set(*s.set); }
  RayAnswer2 operator()(const ConcavePolygonShape2& s) const {
    if (s.set->locate(ray.origin) == Containment::inside) return inside_at_start(ray);
    return meet_set(*s.set);
  }
  RayAnswer2 operator()(const CompoundShape2& s) const {
    RayAnswer2 best;
    double limit = next_up(max_t);
    s.parts->tree().for_each_nearer(
        [&](const Aabb2d& box) { return earliest_in(box, ray); }, limit,
        [&](std::uint32_t i) {
          RayAnswer2 hit = meet_child(s.parts->children()[i]);
          hit.child = i;
          if (earlier2(hit, best) || (hit.hit && best.hit && hit.t == best.t && i < best.child))
            best = hit, limit = next_up(hit.t);
        });
    return best;
  }

  RayAnswer2 meet_child(const CompoundChild2& child) const;

  RayAnswer2 meet_set(const PolygonSet& set) const {
    RayAnswer2 best;
    double limit = next_up(max_t);
    set.edge_tree().for_each_nearer([&](const Aabb2d& box) { return earliest_in(box, ray); }, limit,
                                    [&](std::uint32_t i) {
                                      const RayAnswer2 hit = meet_edge2(ray, max_t, set.edge(i), i);
                                      if (earlier2(hit, best)) best = hit, limit = next_up(hit.t);
                                    });
    return best;
  }
  template <class F>
  RayAnswer2 moved(const NearRay<2>& near, const RaySpan& local, bool interior, F&& normal) const {
    if (local.empty()) return {};
    RayAnswer2 out = enter_solid2(ray, max_t, {near.time(local.first), near.time(local.last)}, interior,
                                  [&] { return normalized(normal()); });
    if (out.hit && out.t > 0) out.point = near.at(local.first);
    return out;
  }
  RayAnswer2 advance(const Shape2& shape) const {
    const Shape2 point(PointShape2{{}});
    const Aabb2d box = bounding_box(shape);
    const double size = std::max(max_abs(box.lo), max_abs(box.hi)), start = earliest_in(box, ray);
    if (!(start <= max_t) || start == kNever) return {};
    const Ray2d nearer{start > 0 ? ray.at(start) : ray.origin, ray.direction};
    RayAnswer2 out = advance_to_convex<2>(nearer, max_t - start, size, [&](const Vec2d& p) {
      return distance(shape, point, make_placement<2>(Pose2d{p, {}}));
    });
    out.inside = out.inside && start == 0;
    out.t += start;
    return out;
  }
};

Ray2d seen_from2(const Pose2d& world_from_shape, const Ray2d& ray) {
  const Vec2d from = ray.origin - world_from_shape.position;
  if (world_from_shape.rotation == Rot2d{}) return {from, ray.direction};
  const Rot2d back = conjugate(world_from_shape.rotation);
  return {rotate(back, from), rotate(back, ray.direction)};
}
RayAnswer2 placed_answer2(const RayAnswer2& x, const Pose2d& world_from_shape) {
  RayAnswer2 out = x;
  out.point = transform(world_from_shape, x.point);
  out.normal = rotate(world_from_shape.rotation, x.normal);
  return out;
}
RayAnswer2 FirstHit2::meet_child(const CompoundChild2& child) const {
  const Ray2d local = seen_from2(child.pose, ray);
  return placed_answer2(std::visit(FirstHit2{local, max_t}, child.shape.any()), child.pose);
}

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
  const Result<RayAnswer2> x = cast_ray(shape, seen_from2(world_from_shape, ray), max_t);
  if (!x || !x->hit) return x;
  return placed_answer2(*x, world_from_shape);
}

Result<void> cast_rays(const Shape2& shape, std::span<const Ray2d> rays, std::span<const double> max_t,
                       std::span<RayAnswer2> answers, Executor& executor) noexcept {
  if (answers.size() != rays.size() || (max_t.size() != 1 && max_t.size() != rays.size()))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as rays, and one length or as many"};
  const auto limit_of = [&](std::size_t i) { return max_t[max_t.size() == 1 ? 0 : i]; };
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (const auto r = check_ray(rays[i], limit_of(i)); !r) return Error{r.error().code, i, r.error().reason};
  return guarded([&]() -> Result<void> {
    constexpr std::size_t kRaysAtATime = 256;
    parallel_for(executor, rays.size(), kRaysAtATime, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) answers[i] = std::visit(FirstHit2{rays[i], limit_of(i)}, shape.any());
    });
    return {};
  });
}

}  // namespace sudar

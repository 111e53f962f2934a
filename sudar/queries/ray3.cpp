// What:    Rays against the shapes of space, kind by kind, see the header.
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/queries/ray_parts.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar {

namespace {

using Ray3d = Ray<3, double>;

Vec3d against(const Vec3d& normal, const Vec3d& direction) { return dot(normal, direction) > 0 ? -normal : normal; }

RayAnswer3 meet_triangle(const Ray3d& ray, double max_t, const Triangle<3, double>& triangle, std::uint32_t number,
                         double t) {
  RayAnswer3 out;
  if (!(t <= max_t)) return out;
  out.hit = true;
  out.t = t;
  const TriangleWeights w = weights_at(ray, triangle, t);
  out.u = w.u, out.v = w.v;
  out.triangle = number;
  out.point = triangle.at(w.u, w.v);
  const Vec3d normal = double_area(triangle);
  const double square = dot(normal, normal);
  if (square > kLeastNormalSquare && square < kMostNormalSquare)
    out.normal = normal * ((dot(normal, ray.direction) > 0 ? -1 : 1) / std::sqrt(square));
  else
    out.normal = against(normalized(normal), ray.direction);
  if (out.normal == Vec3d{}) out.normal = -normalized(ray.direction);
  return out;
}
RayAnswer3 meet_triangle(const Ray3d& ray, double max_t, const Triangle<3, double>& triangle, std::uint32_t number) {
  const RayTriangleHit hit = intersect(ray, triangle);
  return hit.hit ? meet_triangle(ray, max_t, triangle, number, hit.t) : RayAnswer3{};
}
// A triangle that is a segment or a point
RayAnswer3 meet_thin(const Ray3d& ray, double max_t, const Vec3d& p, const Vec3d& q) {
  RayAnswer3 out = meet_triangle(ray, max_t, {p, q, q}, 0);
  if (!out.hit) return out;
  out.triangle = kNoIndex;
  out.u = out.v = 0;
  // Square to the segment, towards the origin
  const Vec3d along = normalized(q - p), back = -ray.direction;
  const Vec3d normal = normalized(back - along * dot(back, along));
  out.normal = normal == Vec3d{} ? normalized(back) : normal;
  return out;
}

struct FirstHit3 {
  const Ray3d& ray;
  double max_t;

  RayAnswer3 operator()(const PointShape3& s) const { return meet_thin(ray, max_t, s.p, s.p); }
  RayAnswer3 operator()(const SegmentShape3& s) const { return meet_thin(ray, max_t, s.p, s.q); }
  RayAnswer3 operator()(const TriangleShape3& s) const {
    return meet_triangle(ray, max_t, {s.v[0], s.v[1], s.v[2]}, 0);
  }
  RayAnswer3 operator()(const SphereShape3& s) const {
    const NearRay<3> near = near_ray(ray, s.radius);
    return enter_near(ray, near, max_t, ball_span<3>(near.origin, near.direction, s.radius), true,
                      [](const Vec3d& p) { return p; });
  }
  RayAnswer3 operator()(const CapsuleShape3& s) const {
    const Vec3d middle = (s.p + s.q) * 0.5, half = s.q - middle;
    const double length = sudar::length(half);
    NearRay<3> near = near_ray<3>({ray.origin - middle, ray.direction}, length + s.radius);
    // Both ends, and the cylinder between them; together they are convex
    RaySpan span = RaySpan::none();
    const auto join = [&](const RaySpan& x) {
      if (x.empty()) return;
      span = span.empty() ? x : RaySpan{std::min(span.first, x.first), std::max(span.last, x.last)};
    };
    join(ball_span<3>(near.origin + half, near.direction, s.radius));
    join(ball_span<3>(near.origin - half, near.direction, s.radius));
    const Vec3d axis = length > 0 ? half / length : Vec3d{};
    const double o = dot(axis, near.origin), d = dot(axis, near.direction);
    if (length > 0)
      join(common(slab_span(-length, length, o, d),
                  ball_span<3>(near.origin - axis * o, near.direction - axis * d, s.radius)));
    const auto off_axis = [&](const Vec3d& p) { return p - axis * std::clamp(dot(p, axis), -length, length); };
    const bool interior = length_squared(off_axis(ray.origin - middle)) < s.radius * s.radius;
    RayAnswer3 out = enter_near(ray, near, max_t, span, interior, off_axis);
    if (out.hit && out.t > 0) out.point += middle;
    return out;
  }
  RayAnswer3 operator()(const BoxShape3& s) const { return enter_box<3>(ray, max_t, s.half); }
  RayAnswer3 operator()(const CylinderShape3& s) const {
    const NearRay<3> near = near_ray(ray, s.half_height + s.radius);
    const RaySpan slab = slab_span(-s.half_height, s.half_height, near.origin.z, near.direction.z);
    const RaySpan round = ball_span<2>({near.origin.x, near.origin.y}, {near.direction.x, near.direction.y}, s.radius);
    const Vec3d& from = ray.origin;
    const bool interior = std::fabs(from.z) < s.half_height && from.x * from.x + from.y * from.y < s.radius * s.radius;
    return enter_near(ray, near, max_t, common(slab, round), interior, [&](const Vec3d& p) {
      return slab.first >= round.first ? Vec3d{0, 0, near.direction.z > 0 ? -1.0 : 1.0} : Vec3d{p.x, p.y, 0};
    });
  }
  RayAnswer3 operator()(const ConeShape3& s) const {
    const NearRay<3> near = near_ray(ray, s.half_height + s.radius);
    const Vec3d &o = near.origin, &d = near.direction;
    // x² + y² <= k² w², w = half_height - z between 0 and the height
    const double k = s.radius / (2 * s.half_height), kk = k * k, w = s.half_height - o.z;
    const RaySpan slab = slab_span(-s.half_height, s.half_height, o.z, d.z);
    const double a = d.x * d.x + d.y * d.y - kk * d.z * d.z, b = o.x * d.x + o.y * d.y + kk * w * d.z;
    const double c = o.x * o.x + o.y * o.y - kk * w * w, discriminant = b * b - a * c;
    RaySpan round, span;
    if (a > 0) {
      round = quadratic_span(a, b, c, discriminant);
      span = common(slab, round);
    } else if (a < 0) {
      // Outside of the roots: one side is this cone, the other one its image beyond the apex
      const RaySpan gap = quadratic_span(-a, -b, -c, std::max(discriminant, 0.0));
      const RaySpan low{-kEndless, gap.first}, high{gap.last, kEndless};
      // Below the apex, w grows without end: the cone is where z falls
      round = d.z > 0 ? low : high;
      span = common(slab, round);
    } else {
      if (b != 0)
        round = b > 0 ? RaySpan{-kEndless, -c / (2 * b)} : RaySpan{-c / (2 * b), kEndless};
      else if (c > 0)
        round = RaySpan::none();
      span = common(slab, round);
    }
    const Vec3d& from = ray.origin;
    const double below = s.half_height - from.z;
    const bool interior = std::fabs(from.z) < s.half_height && from.x * from.x + from.y * from.y < kk * below * below;
    return enter_near(ray, near, max_t, span, interior, [&](const Vec3d& p) {
      if (slab.first >= round.first && d.z > 0) return Vec3d{0, 0, -1};
      const double r = std::sqrt(p.x * p.x + p.y * p.y);
      // At the apex any normal of its cone does; against the ray
      return r > 0 ? Vec3d{p.x, p.y, k * r} : -normalized(d);
    });
  }
  RayAnswer3 operator()(const EllipsoidShape3& s) const {
    const NearRay<3> near = near_ray(ray, max_abs(s.radii));
    Vec3d o, d;
    for (int i = 0; i < 3; ++i) o[i] = near.origin[i] / s.radii[i], d[i] = near.direction[i] / s.radii[i];
    // The direction may be long now
    const double size = max_abs(d);
    const RaySpan span = ball_span<3>(o, d / size, 1);
    return enter_near(ray, near, max_t, span.empty() ? span : RaySpan{span.first / size, span.last / size}, true,
                      [&](const Vec3d& p) {
                        Vec3d n;
                        const double r = max_abs(s.radii);
                        for (int i = 0; i < 3; ++i) n[i] = p[i] / s.radii[i] * (r / s.radii[i]);
                        return n;
                      });
  }
  RayAnswer3 operator()(const HullShape3& s) const { return s.radius > 0 ? advance(Shape3(s)) : meet_hull(*s.body); }
  RayAnswer3 operator()(const CustomShape3& s) const { return advance(Shape3(s)); }
  RayAnswer3 operator()(const HalfSpaceShape3& s) const { return enter_halfspace<3>(ray, max_t, s.normal, s.offset); }
  RayAnswer3 operator()(const MeshShape3& s) const {
    if (s.solid && s.mesh->locate(ray.origin) == Containment::inside) return start_inside(ray);
    const RayTree* tree = s.mesh->ray_tree();
    RayTreeHit hit;
    Triangle<3, double> corners;
    if (tree == nullptr || !closest_hit(*tree, ray, max_t, hit, &corners)) return {};
    return meet_triangle(ray, max_t, corners, hit.triangle, hit.t);
  }
  RayAnswer3 operator()(const HeightFieldShape3& s) const {
    return first_of_parts(*s.field, ray, max_t,
                          [&](std::uint32_t t) { return meet_triangle(ray, max_t, s.field->triangle(t), t); });
  }
  RayAnswer3 operator()(const CompoundShape3& s) const {
    return first_of_parts(s.parts->tree(), ray, max_t, [&](std::uint32_t i) {
      const CompoundChild3& child = s.parts->children()[i];
      const Ray3d local = seen_from(child.pose, ray);
      RayAnswer3 hit = placed_answer(std::visit(FirstHit3{local, max_t}, child.shape.any()), child.pose);
      hit.child = i;
      return hit;
    });
  }

  RayAnswer3 advance(const Shape3& shape) const {
    return advance_in_box<3>(ray, max_t, bounding_box(shape), [&](const Vec3d& p) {
      return distance(shape, Shape3(PointShape3{{}}), make_placement<3>(Pose3d{p, {}}));
    });
  }
  RayAnswer3 meet_hull(const ConvexBody3& body) const {
    const Hull3& hull = body.hull();
    if (hull.dimension == 0) return meet_thin(ray, max_t, hull.vertices[0], hull.vertices[0]);
    if (hull.dimension == 1) return meet_thin(ray, max_t, hull.vertices[0], hull.vertices[1]);
    // By the rounded planes first: where it enters, within a slack
    const double slack = 2 * kHullPlaneSlack * (body.size() + max_abs(ray.origin));
    double enter = -kEndless, leave = kEndless;
    bool outside = false;
    for (const Plane<3, double>& plane : hull.planes) {
      const double height = signed_distance(plane, ray.origin), fall = -dot(plane.normal, ray.direction);
      outside = outside || height > -slack;
      if (fall > 0)
        enter = std::max(enter, (height - slack) / fall);
      else if (fall < 0)
        leave = std::min(leave, (height - slack) / fall);
      else if (height > slack)
        return {};
    }
    if (enter > leave || leave < 0 || enter > max_t) return {};
    if (!outside && hull.dimension == 3) return start_inside(ray);
    // Then the faces that it may enter by, exactly
    RayAnswer3 best;
    bool behind_all = hull.dimension == 3;
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
      const double height = signed_distance(hull.planes[f], ray.origin);
      const Vec3d& a = hull.vertices[hull.face_vertex(f, 0)];
      if (behind_all && height > -slack)
        behind_all =
            orient3d(a, hull.vertices[hull.face_vertex(f, 1)], hull.vertices[hull.face_vertex(f, 2)], ray.origin) < 0;
      const double fall = -dot(hull.planes[f].normal, ray.direction);
      if (fall > 0 && (height + slack) / fall < enter) continue;
      for (std::uint32_t i = 2; i < hull.face_degree(f); ++i) {
        const Triangle<3, double> t{a, hull.vertices[hull.face_vertex(f, i - 1)],
                                    hull.vertices[hull.face_vertex(f, i)]};
        RayAnswer3 hit = meet_triangle(ray, max_t, t, f);
        if (!hit.hit || !earlier(hit, best)) continue;
        hit.normal = against(hull.planes[f].normal, ray.direction);
        best = hit;
      }
    }
    if (behind_all) return start_inside(ray);
    best.triangle = kNoIndex;
    best.u = best.v = 0;
    return best;
  }
};

// Ray trees are made when first asked for, and there may be no memory for one
Result<void> prepare_rays(const Shape3& shape) {
  if (const auto* mesh = std::get_if<MeshShape3>(&shape.any()); mesh != nullptr && mesh->mesh->ray_tree() == nullptr)
    return Error{ErrorCode::out_of_memory, Error::kNoElement, "memory is exhausted"};
  if (const auto* compound = std::get_if<CompoundShape3>(&shape.any()))
    for (const CompoundChild3& child : compound->parts->children())
      if (const auto r = prepare_rays(child.shape); !r) return r;
  return {};
}

void collect(const Shape3& shape, const Ray3d& ray, double max_t, std::vector<RayAnswer3>& hits) {
  if (const auto* mesh = std::get_if<MeshShape3>(&shape.any())) {
    std::vector<RayTreeHit> found;
    all_hits(*mesh->mesh->ray_tree(), ray, max_t, found);
    for (const RayTreeHit& x : found)
      hits.push_back(meet_triangle(ray, max_t, mesh->mesh->triangle(x.triangle), x.triangle, x.t));
  } else if (const auto* field = std::get_if<HeightFieldShape3>(&shape.any())) {
    double limit = next_up(max_t);
    field->field->for_each_nearer([&](const Aabb3d& box) { return earliest_in(box, ray); }, limit,
                                  [&](std::uint32_t t) {
                                    const RayAnswer3 hit = meet_triangle(ray, max_t, field->field->triangle(t), t);
                                    if (hit.hit) hits.push_back(hit);
                                  });
  } else if (const auto* compound = std::get_if<CompoundShape3>(&shape.any())) {
    for (std::uint32_t i = 0; i < compound->parts->children().size(); ++i) {
      const CompoundChild3& child = compound->parts->children()[i];
      const std::size_t before = hits.size();
      collect(child.shape, seen_from(child.pose, ray), max_t, hits);
      for (std::size_t k = before; k < hits.size(); ++k) {
        hits[k] = placed_answer(hits[k], child.pose);
        hits[k].child = i;
      }
    }
  } else if (const RayAnswer3 hit = std::visit(FirstHit3{ray, max_t}, shape.any()); hit.hit) {
    hits.push_back(hit);
  }
}

}  // namespace

Result<RayAnswer3> cast_ray(const Shape3& shape, const Ray3d& ray, double max_t) noexcept {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = prepare_rays(shape); !r) return r.error();
  return guarded([&]() -> Result<RayAnswer3> { return std::visit(FirstHit3{ray, max_t}, shape.any()); });
}

Result<RayAnswer3> cast_ray(const Shape3& shape, const Pose3d& world_from_shape, const Ray3d& ray,
                            double max_t) noexcept {
  const Result<RayAnswer3> x = cast_ray(shape, seen_from(world_from_shape, ray), max_t);
  if (!x || !x->hit) return x;
  return placed_answer(*x, world_from_shape);
}

Result<bool> ray_meets(const Shape3& shape, const Ray3d& ray, double max_t) noexcept {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = prepare_rays(shape); !r) return r.error();
  return guarded([&]() -> Result<bool> {
    if (const auto* mesh = std::get_if<MeshShape3>(&shape.any())) {
      RayTreeHit hit;
      return any_hit(*mesh->mesh->ray_tree(), ray, max_t, hit) ||
             (mesh->solid && mesh->mesh->locate(ray.origin) == Containment::inside);
    }
    return std::visit(FirstHit3{ray, max_t}, shape.any()).hit;
  });
}

Result<void> cast_ray_all(const Shape3& shape, const Ray3d& ray, double max_t, std::vector<RayAnswer3>& hits) noexcept {
  hits.clear();
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = prepare_rays(shape); !r) return r.error();
  return guarded([&]() -> Result<void> {
    collect(shape, ray, max_t, hits);
    // Children of children are not told apart: equal ones in their order
    std::stable_sort(hits.begin(), hits.end(), [](const RayAnswer3& a, const RayAnswer3& b) {
      return a.t != b.t ? a.t < b.t : a.child != b.child ? a.child < b.child : a.triangle < b.triangle;
    });
    return {};
  });
}

Result<void> cast_rays(const Shape3& shape, std::span<const Ray3d> rays, std::span<const double> max_t,
                       std::span<RayAnswer3> answers, Executor& executor) noexcept {
  if (const auto r = check_ray_batch<3>(rays, max_t, answers.size()); !r) return r.error();
  if (const auto r = prepare_rays(shape); !r) return r.error();
  return cast_ray_batch<3>(rays, max_t, answers, executor, [&](const Ray3d& ray, double limit) {
    return std::visit(FirstHit3{ray, limit}, shape.any());
  });
}

}  // namespace sudar

// What:    What rays in the plane and in space have in common: entering a solid, the ray as a placed shape sees it, parts of
//          a compound, batches. Internal.
// Frame:   The shape's own, unless a pose is given.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>
#include <sudar/queries/convex_ray.hpp>
#include <sudar/queries/ray_answer.hpp>
#include <sudar/queries/ray_span.hpp>
#include <sudar/shapes/ray_tree.hpp>

#include <span>

namespace sudar {

template <int D>
RayAnswer<D> start_inside(const Ray<D, double>& ray) {
  RayAnswer<D> out;
  out.hit = out.inside = true;
  out.point = ray.origin;
  out.normal = -normalized(ray.direction);
  return out;
}

// What a span of a solid means for the ray. `interior`: it starts inside, not on the surface, along which a ray may run.
// `normal_at()`: out of the solid at the entry.
template <int D, class F>
RayAnswer<D> enter_solid(const Ray<D, double>& ray, double max_t, const RaySpan& span, bool interior, F&& normal_at) {
  if (span.empty() || span.last < 0 || span.first > max_t) return {};
  if (interior && span.first < 0 && span.last > 0) return start_inside(ray);
  RayAnswer<D> out;
  out.t = std::max(span.first, 0.0);
  out.point = ray.at(out.t);
  // Nearly along a plane: where they meet there are no numbers, and the ray does not get there
  if (!is_finite(out.point)) return {};
  out.hit = true;
  out.normal = span.first < 0 ? -normalized(ray.direction) : normal_at();
  return out;
}
// The span is that of a ray that was moved next to the solid; `normal_at(p)`: of any length, at a point of its frame
template <int D, class F>
RayAnswer<D> enter_near(const Ray<D, double>& ray, const NearRay<D>& near, double max_t, const RaySpan& local,
                        bool interior, F&& normal_at) {
  if (local.empty()) return {};
  const RaySpan span{near.time(local.first), near.time(local.last)};
  RayAnswer<D> out =
      enter_solid(ray, max_t, span, interior, [&] { return normalized(normal_at(near.at(local.first))); });
  // Nearer to the surface than origin + t · direction, when the ray comes from far away
  if (out.hit && out.t > 0) out.point = near.at(local.first);
  return out;
}
// normal · x <= offset
template <int D>
RayAnswer<D> enter_halfspace(const Ray<D, double>& ray, double max_t, const Vec<D, double>& normal, double offset) {
  const double height = dot(normal, ray.origin) - offset, fall = -dot(normal, ray.direction);
  RaySpan span;
  if (fall > 0)
    span.first = height / fall;
  else if (fall < 0)
    span.last = height / fall;
  else if (height > 0)
    span = RaySpan::none();
  return enter_solid(ray, max_t, span, height < 0, [&] { return normal; });
}
template <int D>
RayAnswer<D> enter_box(const Ray<D, double>& ray, double max_t, const Vec<D, double>& half) {
  int axis = 0;
  const RaySpan span = box_span<D>(-half, half, ray.origin, ray.direction, axis);
  bool interior = true;
  for (int i = 0; i < D; ++i) interior = interior && std::fabs(ray.origin[i]) < half[i];
  const double side = ray.direction[axis] > 0 ? -1 : 1;
  RayAnswer<D> out = enter_solid(ray, max_t, span, interior, [&] {
    Vec<D, double> normal{};
    normal[axis] = side;
    return normal;
  });
  // On the face, and not past its border
  if (out.hit && span.first >= 0) {
    out.point = min(max(out.point, -half), half);
    out.point[axis] = side * half[axis];
  }
  return out;
}

// A convex shape within a box, of which distance_at(p) is the answer with the point p: from where the box begins, because
// what is far away takes more steps
template <int D, class F>
RayAnswer<D> advance_in_box(const Ray<D, double>& ray, double max_t, const Aabb<D, double>& box, F&& distance_at) {
  const double size = std::max(max_abs(box.lo), max_abs(box.hi)), start = earliest_in(box, ray);
  if (!(start <= max_t) || std::isinf(start)) return {};
  const Ray<D, double> nearer{start > 0 ? ray.at(start) : ray.origin, ray.direction};
  RayAnswer<D> out = advance_to_convex<D>(nearer, max_t - start, size, distance_at);
  out.inside = out.inside && start == 0;
  out.t += start;
  return out;
}

template <int D>
bool earlier(const RayAnswer<D>& a, const RayAnswer<D>& b) {
  if (!a.hit || !b.hit) return a.hit;
  if (a.t != b.t) return a.t < b.t;
  return a.inside != b.inside ? a.inside : a.triangle < b.triangle;
}

// The ray as the shape at the pose sees it, and the answer as the world does
template <int D>
Ray<D, double> seen_from(const Pose<D, double>& world_from_shape, const Ray<D, double>& ray) {
  const Vec<D, double> from = ray.origin - world_from_shape.position;
  if (world_from_shape.rotation == Rot<D, double>{}) return {from, ray.direction};
  const Rot<D, double> back = conjugate(world_from_shape.rotation);
  return {rotate(back, from), rotate(back, ray.direction)};
}
template <int D>
RayAnswer<D> placed_answer(const RayAnswer<D>& x, const Pose<D, double>& world_from_shape) {
  RayAnswer<D> out = x;
  out.point = transform(world_from_shape, x.point);
  out.normal = rotate(world_from_shape.rotation, x.normal);
  return out;
}

// The first hit of parts in a tree, each of which answers with meet(part)
template <int D, class Tree, class F>
RayAnswer<D> first_of_parts(const Tree& tree, const Ray<D, double>& ray, double max_t, F&& meet) {
  RayAnswer<D> best;
  double limit = next_up(max_t);
  tree.for_each_nearer([&](const Aabb<D, double>& box) { return earliest_in(box, ray); }, limit,
                       [&](std::uint32_t i) {
                         const RayAnswer<D> hit = meet(i);
                         const bool lower = hit.hit && best.hit && hit.t == best.t && hit.child < best.child;
                         if (earlier(hit, best) || lower) best = hit, limit = next_up(hit.t);
                       });
  return best;
}

// answers[i] = cast(ray, length); one length for all or one for each. Errors: of check_ray with the ray's number,
// invalid_argument when the sizes do not fit
template <int D>
Result<void> check_ray_batch(std::span<const Ray<D, double>> rays, std::span<const double> max_t,
                             std::size_t answers) noexcept {
  if (answers != rays.size() || (max_t.size() != 1 && max_t.size() != rays.size()))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as rays, and one length or as many"};
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (const auto r = check_ray(rays[i], max_t[max_t.size() == 1 ? 0 : i]); !r)
      return Error{r.error().code, i, r.error().reason};
  return {};
}
template <int D, class F>
Result<void> cast_ray_batch(std::span<const Ray<D, double>> rays, std::span<const double> max_t,
                            std::span<RayAnswer<D>> answers, Executor& executor, F&& cast) noexcept {
  return guarded([&]() -> Result<void> {
    constexpr std::size_t kRaysAtATime = 256;
    parallel_for(executor, rays.size(), kRaysAtATime, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) answers[i] = cast(rays[i], max_t[max_t.size() == 1 ? 0 : i]);
    });
    return {};
  });
}

}  // namespace sudar
